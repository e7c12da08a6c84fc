"""Suggested questions: in good English, answered by the abstract, never one that was asked."""

from collections.abc import Sequence

import pytest

from rag.answering.suggesting import method_name, suggest
from rag.corpus import load_corpus
from rag.embeddings.base import Reading
from rag.embeddings.reader import LocalReader
from rag.records import Paper
from rag.text import Span

PAPERS = {paper.paper_id: paper for paper in load_corpus("seeds").papers}


class Sure:
    """Takes everything for answered, or nothing; counts what it reads."""

    name = "sure"

    def __init__(self, *, answered: bool = True) -> None:
        self._odds = 5.0 if answered else -5.0
        self.n_read = 0

    def read(self, question: str, title: str, text: str, sentences: Sequence[Span]) -> Reading:
        self.n_read += 1
        return Reading((self._odds,) * len(sentences), self._odds, self._odds)


def paper(number: int, title: str, abstract: str = "It works. It is fast.") -> Paper:
    return Paper(f"p{number}", title, abstract)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("MaAS: Multi-agent Search", "MaAS"),
        ("GPT-4 Vision: A Look", "GPT-4 Vision"),
        ("Position: Theory of Mind Benchmarks are Broken", ""),
        ("A survey: everything", ""),
        ("Theory of Mind Benchmarks", ""),
        ("", ""),
    ],
)
def test_the_name_of_a_method_is_known_by_its_spelling(title: str, name: str) -> None:
    assert method_name(title) == name


def test_each_paper_gives_one_question_and_the_forms_change() -> None:
    papers = [
        paper(1, "MaAS: Multi-agent Search"),
        paper(2, "BaxBench: Can They?"),
        paper(3, "Position: Benchmarks Mislead"),
        paper(4, "Another"),
    ]
    assert suggest(Sure(), papers, []) == [
        "How does MaAS work?",
        "What results does BaxBench achieve?",
        "What does the position paper “Benchmarks Mislead” call for?",
    ]


def test_what_was_asked_is_not_suggested_again() -> None:
    papers = [paper(1, "MaAS: Multi-agent Search")]
    (question,) = suggest(Sure(), papers, ["how does maas WORK?"], most=1)
    assert question == "What results does MaAS achieve?"


def test_what_no_abstract_answers_is_not_suggested_and_little_is_read() -> None:
    reader = Sure(answered=False)
    papers = [paper(number, f"Method{number}X: How") for number in range(10)]
    assert suggest(reader, papers, []) == []
    assert reader.n_read <= 8


def test_titles_that_read_badly_and_empty_abstracts_give_none() -> None:
    papers = [
        paper(1, "ML$^2$-GCL: Graphs"),
        paper(2, "word " * 30),
        paper(3, "MaAS: Multi-agent Search", abstract=""),
    ]
    assert suggest(Sure(), papers, []) == []


def test_the_real_reader_finds_what_an_abstract_answers() -> None:
    wells = PAPERS["zLHn677EMS"]
    (question,) = suggest(LocalReader(), [wells], [], most=1)
    assert wells.title in question
    empty = Paper("x", wells.title, "We thank everybody. The weather was fine.")
    assert suggest(LocalReader(), [empty], []) == []
