"""The papers of an answer are its sources where these are known, else found by its words."""

import pytest

from rag.answering.finding import Finder
from rag.answering.history import Exchange
from rag.records import Paper

WELLS = Paper("wells", "Counting Wells from Orbit", "Wells leak.")
HEADS = Paper("heads", "Sparse Heads", "Heads are sparse.")
PAPERS = {paper.paper_id: paper for paper in (WELLS, HEADS)}
SOURCES = ((4, "heads"), (7, "wells"), (9, "gone"))


class Resolver:
    """Knows both papers by a word, and remembers the texts."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str) -> Paper | None:
        self.asked.append(text)
        return next((p for p in (WELLS, HEADS) if p.paper_id in text.lower()), None)


@pytest.fixture
def resolve() -> Resolver:
    return Resolver()


def test_known_sources_are_not_looked_up(resolve) -> None:
    answer = "They leak. [7] Few of them matter. [4]"
    found = Finder(resolve, PAPERS).cited(Exchange("Why?", answer, SOURCES))
    assert list(found.items()) == [(7, WELLS), (4, HEADS)]
    assert resolve.asked == []


def test_a_source_speaks_for_itself_whatever_the_words_seem_to_say(resolve) -> None:
    found = Finder(resolve, PAPERS).cited(Exchange("Why?", "Like wells, they leak. [4]", SOURCES))
    assert found == {4: HEADS}


def test_a_source_that_is_no_longer_there_is_found_by_what_was_said(resolve) -> None:
    found = Finder(resolve, PAPERS).cited(Exchange("Why?", "Wells leak. [9]", SOURCES))
    assert found == {9: WELLS}


def test_sources_that_an_answer_does_not_cite_are_not_what_it_is_about(resolve) -> None:
    answer = "Nothing on this among the 60 papers."
    assert Finder(resolve, PAPERS).cited(Exchange("Why?", answer, SOURCES)) == {}


def test_the_paper_of_a_refusal_has_its_number(resolve) -> None:
    answer = "The closest paper is [Counting Wells from Orbit](https://papers.example/wells)."
    find = Finder(resolve, PAPERS)
    assert find.cited(Exchange("Why?", answer, SOURCES)) == {7: WELLS}
    assert resolve.asked == []
    assert find.cited(Exchange("Why?", answer)) == {1: WELLS}
