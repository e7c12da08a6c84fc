"""A paper is found by what it is called, or not at all."""

from dataclasses import replace

import pytest

from rag.answering.lookup_titles import Titles
from rag.records import Paper

PAPERS = (
    Paper("il3KRr4H9u", "BaxBench: Can LLMs Generate Correct Backends?", "We introduce BaxBench, with 392 tasks. BaxBench is hard.",
          url="https://openreview.net/forum?id=il3KRr4H9u"),
    Paper("w", "Alberta Wells Dataset: Pinpointing Oil and Gas Wells", "We release it."),
    Paper("q", "Quantum Speedup for Hypergraph Sparsification", "It is faster."),
    Paper("m", "Position: Theory of Mind Benchmarks are Broken", "They are.", other_titles=("Position: Mind the Benchmarks",)),
    Paper("c", "Aggregation of Experts in Autoencoders", "We propose CodeVAE, a novel bound. CodeVAE improves LoRA."),
    Paper("d", "A Bound for Tensors", "We use LoRA and CodeVAE of others."),
    Paper("t", "Model Swarms: Collaborative Search", "Swarms."),
    Paper("e1", "Learning Fast Tensor Products", "One."),
    Paper("e2", "Slow and Fast Tensor Products", "Two."),
    Paper("v267/seth25a", "Left Out", "Three.", url="https://proceedings.example/v267/seth25a.html"),
)  # fmt: skip
TITLES = Titles(PAPERS)


def named(text: str, *, is_strict: bool = False) -> list[str]:
    papers = TITLES.named(text, among=lambda paper: True, is_strict=is_strict)
    return [paper.paper_id for paper in papers]


@pytest.mark.parametrize(
    ("text", "paper_ids"),
    [
        ("BaxBench: Can LLMs Generate Correct Backends?", ["il3KRr4H9u"]),
        ("“baxbench: can LLMs generate correct backends”", ["il3KRr4H9u"]),
        ("BaxBench", ["il3KRr4H9u"]),
        ("baxbench", ["il3KRr4H9u"]),
        ("the BaxBench paper", ["il3KRr4H9u"]),
        ("the BaxBench benchmark", ["il3KRr4H9u"]),
        ("il3KRr4H9u", ["il3KRr4H9u"]),
        ("https://openreview.net/forum?id=il3KRr4H9u", ["il3KRr4H9u"]),
        ("v267/seth25a", ["v267/seth25a"]),
        ("seth25a", ["v267/seth25a"]),
        ("Alberta Wells Dataset", ["w"]),
        ("the Alberta wells paper", ["w"]),
        ("the paper on gas wells in Alberta", ["w"]),
        ("the paper called “Pinpointing Oil and Gas Wells”", ["w"]),
        ("quantum speedup for hypergraph sparsification", ["q"]),
        ("the hypergraph sparsification paper", ["q"]),
        ("the position paper on theory of mind", ["m"]),
        ("Mind the Benchmarks", ["m"]),
        ("CodeVAE", ["c"]),
        ("Model Swarms", ["t"]),
        ("the fast tensor products paper", ["e1", "e2"]),
    ],
)
def test_papers_are_found_by_what_they_are_called(text: str, paper_ids: list[str]) -> None:
    assert named(text) == paper_ids


@pytest.mark.parametrize(
    "text",
    ["LoRA", "the paper", "wells", "the 392 tasks of BaxBench", "the labels of the Alberta wells",
     "hypergraph", "the gas is all you need paper", "Il3krR4H9U", "the paper on language models", "", "the authors", "bound"],
)  # fmt: skip
def test_what_is_not_sure_names_none(text: str) -> None:
    assert named(text) == []


def test_what_may_be_something_else_must_be_named_whole() -> None:
    assert named("BaxBench", is_strict=True) == ["il3KRr4H9u"]
    assert named("hypergraph sparsification", is_strict=True) == []
    assert named("the hypergraph sparsification paper", is_strict=True) == []


def test_a_filter_decides_among_several() -> None:
    found = TITLES.named(
        "the fast tensor products paper", among=lambda paper: paper.paper_id == "e2"
    )
    assert [paper.paper_id for paper in found] == ["e2"]


def test_what_fits_many_papers_names_none() -> None:
    many = Titles([Paper(f"p{n}", f"Graph Neural Networks {n}", "x") for n in range(5)])
    assert many.named("the graph neural networks paper", among=lambda paper: True) == ()


def test_a_whole_title_is_one_paper_and_a_part_of_one_is_none() -> None:
    found = TITLES.titled("alberta wells dataset: pinpointing oil and gas wells")
    assert found is PAPERS[1]
    assert TITLES.titled("Position: Mind the Benchmarks") is PAPERS[3]
    assert TITLES.titled("BaxBench") is TITLES.titled("") is None
    twins = (PAPERS[1], replace(PAPERS[1], paper_id="twin"))
    assert Titles(twins).titled(PAPERS[1].title) is None
