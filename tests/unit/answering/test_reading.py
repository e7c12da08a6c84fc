"""Reading papers: the reader is given each chunk with its sentences, and offsets stay exact."""

import pytest

from rag.answering.reading import ReadPaper, read_papers
from rag.chunking import split_paper
from rag.embeddings.base import Reading
from rag.records import Hit, LegRanks, Paper
from rag.text import Span


class ListingReader:
    """Remembers what it was given; scores fall from sentence to sentence."""

    name = "listing"

    def __init__(self) -> None:
        self.given: list[tuple[str, str, str, list[str]]] = []

    def read(self, question, title, text, sentences) -> Reading:
        self.given.append((question, title, text, [text[one.start : one.end] for one in sentences]))
        scores = tuple(-float(number) for number in range(len(sentences)))
        return Reading(scores, answerable=max(scores, default=-20.0), about=1.0)


def hit(paper: Paper, number: int = 0, max_tokens: int = 448) -> Hit:
    chunk = split_paper(paper, max_tokens=max_tokens)[number]
    return Hit(chunk, 0.5, 1, LegRanks(), paper)


def test_the_reader_gets_question_title_text_and_sentences(small_papers) -> None:
    reader, paper = ListingReader(), small_papers["wells"]
    (item,) = read_papers(reader, "How many wells?", [hit(paper)])
    question, title, text, sentences = reader.given[0]
    assert (question, title, text) == ("How many wells?", paper.title, paper.abstract)
    assert sentences == [item.quote(number) for number in range(4)]
    assert sentences[1].startswith("We release a dataset of 213,000 wells")


def test_hits_are_read_in_their_order(small_papers) -> None:
    hits = [hit(small_papers[name]) for name in ("iris", "wells", "sparse")]
    read = read_papers(ListingReader(), "What?", hits)
    assert [item.hit for item in read] == hits


def test_sentences_of_a_later_chunk_are_placed_in_the_whole_abstract() -> None:
    text = " ".join(f"Sentence number {number} says something of its own." for number in range(90))
    paper = Paper("long", "A Long One", text)
    last = hit(paper, number=-1, max_tokens=64)
    assert last.chunk.start > 0
    (item,) = read_papers(ListingReader(), "What?", [last])
    assert item.sentences[0].start == last.chunk.start
    for number, span in enumerate(item.sentences):
        assert item.quote(number) == text[span.start : span.end]
        assert item.quote(number).startswith("Sentence number")


def test_a_paper_without_an_abstract_has_no_sentences(small_papers) -> None:
    paper = small_papers["untold"]
    (item,) = read_papers(ListingReader(), "What?", [hit(paper)])
    assert item.sentences == ()
    assert item.best_first() == []


@pytest.mark.parametrize(
    ("scores", "order"),
    [((1.0, 3.0, 2.0), [1, 2, 0]), ((2.0, 2.0, 2.0), [0, 1, 2]), ((), [])],
)
def test_best_first_keeps_ties_in_the_order_of_the_text(small_papers, scores, order) -> None:
    spans = tuple(Span(n, n + 1) for n in range(len(scores)))
    item = ReadPaper(hit(small_papers["wells"]), spans, Reading(scores, 0.0, 0.0))
    assert item.best_first() == order
