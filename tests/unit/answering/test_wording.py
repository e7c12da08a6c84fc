"""A follow-up with its papers written in reads as a question."""

import pytest

from rag.answering.pointing import read_description, read_number, read_several
from rag.answering.wording import compares, replace_pronoun, title_of, with_titles, write_in
from rag.records import Paper

A = Paper("a", "Attention with Lasers", "")
B = Paper("b", "Bloom: Filters that Learn", "")
C = Paper("c", "Counting Wells", "")
BOTH = "the papers “Attention with Lasers” and “Bloom: Filters that Learn”"


def test_titles_are_listed() -> None:
    assert title_of([A]) == "“Attention with Lasers”"
    assert title_of([A, B]) == BOTH
    assert title_of([A, B, C]).endswith("“Bloom: Filters that Learn” and “Counting Wells”")


@pytest.mark.parametrize("end", ["?", " ?", "??", ".", "", " ...", "!", "？"])
def test_the_title_comes_before_the_end_mark(end) -> None:
    assert write_in(f"How fast is it{end}", [A]) == "How fast is it, in “Attention with Lasers”?"


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("How does it differ from LoRA?", "How does “Counting Wells” differ from LoRA?"),
        ("Is LoRA better than this?", "Is LoRA better than “Counting Wells”?"),
        ("Compare it with LoRA", "Compare “Counting Wells” with LoRA"),
        ("compared to LoRA?", "compared to LoRA, in “Counting Wells”?"),
    ],
)
def test_in_a_comparison_the_title_takes_the_place_of_the_pronoun(question, written) -> None:
    assert compares(question)
    assert write_in(question, [C]) == written


def test_no_pronoun_no_replacement() -> None:
    assert replace_pronoun("compared to LoRA?", "Wells") == ""
    assert replace_pronoun("Is it slower than LoRA?", "Wells") == "Is Wells slower than LoRA?"


@pytest.mark.parametrize(
    ("question", "read", "written"),
    [
        ("How fast is the second one?", read_number, "How fast is “Counting Wells”?"),
        ("tell me more about [2]", read_number, "tell me more about “Counting Wells”"),
        ("The latter has labels?", read_number, "“Counting Wells” has labels?"),
        ("Has the oil paper code?", read_description, "Has “Counting Wells” code?"),
    ],
)
def test_the_title_takes_the_place_of_what_points_at_it(question, read, written) -> None:
    assert write_in(question, [C], read(question)) == written


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("Which of them is newer?", f"Which of {BOTH} is newer?"),
        ("and which one is newer?", f"and which of {BOTH} is newer?"),
        ("Which is newer?", f"Which of {BOTH} is newer?"),
        ("Do any of these help?", f"Do any of {BOTH} help?"),
        ("Do they both help?", f"Do {BOTH} both help?"),
        ("Both help?", f"{BOTH} both help?".replace("the", "The", 1)),
        ("What do these two share?", f"What do {BOTH} share?"),
        ("Summarise each", f"Summarise each of {BOTH}"),
    ],
)
def test_titles_take_the_place_of_what_points_at_several(question, written) -> None:
    assert write_in(question, [A, B], read_several(question)) == written


def test_a_question_that_says_nothing_follows_the_one_that_it_asks_about() -> None:
    lead = "Does it scale?"
    assert write_in("why?", [C], lead=lead) == "Does it scale? why, in “Counting Wells”?"
    assert write_in("on graphs?", [C], lead=lead) == "on graphs, in “Counting Wells”?"


def test_titles_follow_the_names_of_other_papers() -> None:
    asked = with_titles("Compare it with Bloom or BloomX, then Bloom", {"Bloom": B})
    assert asked == "Compare it with Bloom (“Bloom: Filters that Learn”) or BloomX, then Bloom"


def test_a_title_with_backslashes_is_written_as_it_is() -> None:
    odd = Paper("o", r"Learning in \(\ell_1\) \g<0>", "")
    assert odd.title in with_titles("Compare it with Odd", {"Odd": odd})
