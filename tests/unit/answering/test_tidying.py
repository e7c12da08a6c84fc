"""Tidying: what is shown is plain and inert, and says something."""

import pytest

from rag.answering.tidying import addresses, makes_claim, names_gap, tidy, unlink


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**Wells** *leak* __methane__.", "Wells leak methane."),
        ("Wells ![chart](https://evil.example/?q=1) leak.", "Wells leak."),
        ("Wells ![chart][c] leak.", "Wells leak."),
        ("[![a](b.png)](https://evil.example) Wells leak.", "Wells leak."),
        ("[The paper](https://evil.example) says so.", "The paper says so."),
        ("[The paper][ref] says so.", "The paper says so."),
        ("[x](javascript:alert) leaks.", "x leaks."),
        ("- Answer: wells leak.", "wells leak."),
        ("> ## Wells leak.", "Wells leak."),
        ("| wells | 213,000 |", "wells, 213,000"),
        ("Based on the provided abstracts, wells leak.", "Wells leak."),
        ("According to the paper, wells leak.", "Wells leak."),
        ("As stated in the sources above, wells leak.", "Wells leak."),
        ("Sure! Wells leak.", "Wells leak."),
        ("Certainly, based on the context, wells leak.", "Wells leak."),
    ],
)
def test_links_emphasis_labels_and_fillers_go(written, shown) -> None:
    assert tidy(unlink(written)) == shown


@pytest.mark.parametrize(
    "text",
    [
        "It takes $a*b*c$ and $x_1 + y_2$ steps.",
        "The rate is $\\mathcal{O}(n^{2})$ and \\(\\alpha_i\\) is free.",
        "Call `a_b*c*d` once.",
        "The cost a*b*c and x_1 + y_2 is low.",
        "P(a | b) is higher.",
        "Prices of $5 and $10 fell.",
        "Based on graphs, the model predicts flows.",
        "According to Smith et al., wells leak.",
    ],
)
def test_formulas_and_plain_sentences_survive(text) -> None:
    assert tidy(unlink(text)) == text


def test_a_number_in_a_link_becomes_a_marker() -> None:
    assert unlink("Wells leak [1](https://x.example) [[2]](u/v).") == "Wells leak [1] [2]."


def test_a_function_of_brackets_cannot_become_a_link() -> None:
    assert unlink("It is $f[x](y)$.") == "It is $f[x] (y)$."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://evil.example/a?b=c.", ["https://evil.example/a?b=c"]),
        ("See www.evil.example, or evil.com/p.", ["www.evil.example", "evil.com/p"]),
        ("Write to a.b@evil.example!", ["a.b@evil.example"]),
        ("Run javascript:alert(1) now.", ["javascript:alert(1"]),
        ("//evil.example/x is here", ["//evil.example/x"]),
        ("It takes e.g. v1.2 of a/b, i.e. 3.5 or $a//b$.", []),
    ],
)
def test_addresses_are_found_with_or_without_a_scheme(text, found) -> None:
    assert addresses(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Wells leak.",
        "It is open-source.",
        "They are in Texas.",
        "井が漏れる。",
        "SparseBench has 14 methods.",
    ],
)
def test_a_sentence_that_says_something_makes_a_claim(text) -> None:
    assert makes_claim(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sure!",
        "Yes.",
        "213,000.",
        "GPT-4",
        "I hope this helps!",
        "Thank you for asking.",
        "Here is what the abstracts say:",
        "In summary, the following findings are relevant.",
        "I don't know.",
        "The answer is as follows.",
        "",
    ],
)
def test_greetings_lead_ins_and_lone_words_make_no_claim(text) -> None:
    assert not makes_claim(text)


QUESTION = "What learning rate does BaxBench use, and how many tasks has it?"


@pytest.mark.parametrize(
    "text",
    [
        "The abstracts do not state the learning rate.",
        "However, the provided sources don't mention the learning rate of BaxBench.",
        "These abstracts do not specify how many tasks BaxBench has.",
    ],
)
def test_a_gap_is_named_in_the_words_of_the_question(text) -> None:
    assert names_gap(text, QUESTION)


@pytest.mark.parametrize(
    "text",
    [
        "The abstracts do not state the batch size.",
        "The abstracts do not mention that BaxBench was withdrawn.",
        "BaxBench does not state the learning rate.",
        "The abstracts state the learning rate.",
    ],
)
def test_other_words_are_no_gap(text) -> None:
    assert not names_gap(text, QUESTION)
