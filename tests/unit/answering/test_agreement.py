"""Agreement: one wrong word is enough, and it is named."""

import pytest

from rag.answering.agreement import disagreement, names, own_names, without_titles
from rag.records import Paper

PAPER = Paper(
    "p",
    "SparseBench: Pruning at Scale",
    "We introduce PruneKit, which runs on GPUs. LLMs are pruned at https://prune.example/kit.",
    authors=("Ann Smith",),
    year=2025,
)


@pytest.mark.parametrize(
    ("claim", "quote", "kind", "word"),
    [
        ("It compares 15 methods.", "It compares 14 methods.", "number", "15"),
        ("It has 214,000 wells.", "It has 213,000 wells.", "number", "214,000"),
        ("It wins on CIFAR-10.", "It wins on CIFAR-100.", "name", "CIFAR-10"),
        ("There are wells in Texas.", "There are wells in Alberta.", "name", "Texas"),
        ("Texas has many wells.", "Alberta has many wells.", "name", "Texas"),
        ("BERT is pruned.", "GPT is pruned.", "name", "BERT"),
        ("See https://evil.example/x.", "See it.", "address", "https://evil.example/x"),
        ("It increases cost.", "It reduces cost.", "direction", "increases"),
        ("It is not robust.", "It is robust.", "negation", "robust"),
        ("GPT-4 outperforms Llama-2.", "Llama-2 outperforms GPT-4.", "order", "gpt-4"),
        ("GPT-4 is outperformed by Llama-2.", "GPT-4 outperforms Llama-2.", "order", "llama-2"),
    ],
)
def test_a_wrong_word_is_named(claim, quote, kind, word) -> None:
    found = disagreement(claim, [quote], [PAPER])
    assert found is not None
    assert (found.kind, found.word) == (kind, word)
    assert found.reason


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("SparseBench compares 14 methods.", "We compare 14 methods."),
        ("PruneKit compares 14 methods.", "We compare fourteen methods."),
        ("Smith et al. found it in 2025.", "We found it."),
        ("LLMs are pruned.", "Models are pruned."),
        ("RL agents learn.", "Reinforcement learning agents learn."),
        ("Large Language Models are pruned.", "LLMs are pruned."),
        ("Transformer-based models win.", "The transformer models win."),
        ("SWEGym is large.", "SWE-Gym is large."),
        ("It uses ResNet50s.", "It uses ResNet-50."),
        ("See https://prune.example/kit for it.", "It is public."),
        ("Researchers found two methods.", "We found A and B."),
        ("Llama-2 is better than GPT-4.", "Llama-2 outperforms GPT-4."),
        ("GPT-4 is outperformed by Llama-2.", "Llama-2 outperforms GPT-4."),
        ("“SparseBench: Pruning at Scale” compares 14 methods.", "We compare 14 methods."),
    ],
)
def test_what_the_paper_says_in_other_words_agrees(claim, quote) -> None:
    assert disagreement(claim, [quote], [PAPER]) is None


def test_several_quotes_prove_together() -> None:
    claim = "It compares 14 methods on CIFAR-10."
    assert disagreement(claim, ["It compares 14 methods.", "On CIFAR-10 it wins."], [PAPER]) is None
    assert disagreement(claim, ["It compares 14 methods."], [PAPER]) is not None


def test_a_number_in_a_title_needs_a_quote_outside_of_it() -> None:
    paper = Paper("p", "14 Methods", "We compare them.")
    assert disagreement("It compares 14 methods.", ["We compare them."], [paper]) is not None
    assert disagreement("“14 Methods” compares them.", ["We compare them."], [paper]) is None


def test_names_are_told_from_words() -> None:
    text = "Today the BaxBench team of OpenAI tested GPT-4o, 3D CNNs and 4-bit Llama in Alberta."
    assert names(text) == ["BaxBench", "OpenAI", "GPT-4o", "3D", "CNNs", "Llama", "Alberta"]


def test_capitals_of_other_languages_are_no_names() -> None:
    assert names("Das Verfahren senkt den Aufwand mit BaxBench in Kanada.") == ["BaxBench"]


def test_own_names_are_those_that_an_abstract_introduces() -> None:
    assert own_names(PAPER) == ["PruneKit"]
    paper = Paper("p", "", "We propose a method called **MoE-X**, unlike GPT-4. It beats BERT.")
    assert own_names(paper) == ["MoE-X"]


def test_titles_are_taken_out_of_a_claim() -> None:
    claim = "“SparseBench: Pruning at Scale” shows it."
    assert without_titles(claim, [PAPER]) == "the paper shows it."


def test_true_sentences_agree_with_themselves(small_papers) -> None:
    for paper in small_papers.values():
        assert disagreement(paper.abstract, [paper.abstract], [paper]) is None
