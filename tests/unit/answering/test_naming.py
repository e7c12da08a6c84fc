"""Papers are called by names that they coined, not by those that everybody uses."""

import pytest

from rag.answering.naming import calls_by_name, names_in, own_names, sides
from rag.records import Paper


def paper(title: str, abstract: str = "") -> Paper:
    return Paper("p", title, abstract)


@pytest.mark.parametrize(
    ("title", "abstract", "name"),
    [
        ("BaxBench: Can LLMs Generate Secure Backends?", "", "baxbench"),
        ("MODA: Modular Duplex Attention", "", "moda"),
        ("Better Position Encodings with STRING", "", "string"),
        ("Agentic Supernet", "We propose \\textbf{MaAS}. MaAS samples agents.", "maas"),
        ("Gradient Aligned Regression", "We propose GAR (Gradient Aligned Regression).", "gar"),
        ("Anomaly to Prompt", "a framework called Anomaly to Prompt (A2P).", "a2p"),
        ("Reusing Policies", "We propose **Lapse** by reuse. Lapse helps.", "lapse"),
    ],
)
def test_a_paper_has_the_names_that_it_coined(title, abstract, name) -> None:
    assert name in own_names(paper(title, abstract))


@pytest.mark.parametrize(
    ("title", "abstract"),
    [
        ("Position: Agents Need Rules", "We argue that LLMs and LLM agents need LLM rules."),
        ("Tuning with LoRA", "LoRA is good. LoRA is cheap. We propose to use LoRA on ImageNet."),
        ("Watermarks of Large Language Models", "We present marks for LLMs and test an LLM."),
        ("Convergence of Adam", "We propose a proof. It is *not* long."),
    ],
)
def test_what_everybody_uses_is_nobodys_name(title, abstract) -> None:
    assert own_names(paper(title, abstract)) == frozenset()


def test_a_question_calls_a_paper_by_name_whatever_the_case() -> None:
    bax = paper("BaxBench: Can LLMs Generate Secure Backends?")
    assert calls_by_name("and baxbench?", bax)
    assert not calls_by_name("and LLMs?", bax)


def test_words_that_may_be_names() -> None:
    assert names_in("How does it differ from BaxBench on CIFAR-10?") == ["BaxBench", "CIFAR-10"]
    assert names_in("BaxBench or MODA?") == ["BaxBench", "MODA"]
    assert names_in("What is it?") == []


@pytest.mark.parametrize(
    "question",
    [
        "Compare LASER and the Bloom filter paper",
        "Please contrast LASER with the Bloom filter paper.",
        "What are the differences between LASER and the Bloom filter paper?",
        "What distinguishes LASER from the Bloom filter paper?",
        "What sets LASER apart from the Bloom filter paper?",
        "How does LASER differ from the Bloom filter paper?",
        "How does LASER compare to the Bloom filter paper?",
    ],
)
def test_a_comparison_has_sides(question) -> None:
    assert sides(question) == ("LASER", "the Bloom filter paper")


@pytest.mark.parametrize("question", ["What is LASER?", "Is LASER better than Adam?", ""])
def test_other_questions_have_none(question) -> None:
    assert sides(question) == ()
