"""The gate: nothing is shown without a quote that is in the paper, character for character."""

import pytest

from rag.answering.citations import Draft, Proven, Quote, prove
from rag.records import DroppedSentence, Paper, Passage

WORDS = "We release a dataset of 213,000 wells in Alberta"


def draft(*quotes: Quote, text: str = "There are 213,000 wells.", **changes) -> Draft:
    return Draft(text, quotes, **({"support": 0.9} | changes))


def test_a_true_quote_becomes_a_citation_with_exact_offsets(passages) -> None:
    proven = prove(draft(Quote(1, WORDS)), passages)
    assert isinstance(proven, Proven)
    (citation,) = proven.citations
    assert citation.paper is passages[1].paper
    assert citation.paper.abstract[citation.start : citation.end] == citation.quote == WORDS


def test_the_sentence_keeps_what_the_writer_said_of_it(passages) -> None:
    proven = prove(draft(Quote(1, WORDS), starts_paragraph=True), passages)
    assert isinstance(proven, Proven)
    sentence = proven.sentence
    assert (sentence.text, sentence.support) == ("There are 213,000 wells.", 0.9)
    assert sentence.starts_paragraph


def test_markers_come_once_each_in_the_order_of_the_quotes(passages) -> None:
    quotes = (Quote(3, "SparseBench"), Quote(1, "Alberta"), Quote(3, "CIFAR-10"))
    proven = prove(draft(*quotes), passages)
    assert isinstance(proven, Proven)
    assert proven.sentence.markers == (3, 1)
    assert [citation.marker for citation in proven.citations] == [3, 1, 3]


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        (Quote(1, "We release a dataset of 213,001 wells"), "source [1] does not say"),
        (Quote(1, "we release a dataset"), "source [1] does not say"),
        (Quote(1, WORDS + "  , seen"), "source [1] does not say"),
        (Quote(2, WORDS), "source [2] does not say"),
        (Quote(1, ""), "source [1] does not say"),
        (Quote(1, " \n "), "source [1] does not say"),
        (Quote(4, WORDS), "there is no source [4]"),
        (Quote(0, WORDS), "there is no source [0]"),
        (Quote(-1, WORDS), "there is no source [-1]"),
        (Quote(99, WORDS), "there is no source [99]"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_shown_is_dropped_with_the_reason(passages, quote, reason) -> None:
    dropped = prove(draft(quote), passages)
    assert isinstance(dropped, DroppedSentence)
    assert dropped.text == "There are 213,000 wells."
    assert dropped.reason.startswith(reason)


def test_a_sentence_that_quotes_nothing_is_dropped(passages) -> None:
    assert prove(draft(), passages) == DroppedSentence(
        "There are 213,000 wells.", "it quotes nothing"
    )


@pytest.mark.parametrize("forged", [Quote(1, "ten wells"), Quote(9, "Alberta"), Quote(2, "")])
def test_one_false_quote_among_true_ones_drops_the_sentence(passages, forged) -> None:
    for quotes in [(Quote(1, "Alberta"), forged), (forged, Quote(1, "Alberta"))]:
        assert isinstance(prove(draft(*quotes), passages), DroppedSentence)


@pytest.mark.parametrize("start", [0, 7, -5, 10_000, None])
def test_a_wrong_offset_is_mended_by_finding_the_words(passages, start) -> None:
    proven = prove(draft(Quote(1, "Alberta", start)), passages)
    assert isinstance(proven, Proven)
    (citation,) = proven.citations
    assert citation.start == passages[1].paper.abstract.index("Alberta")
    assert citation.paper.abstract[citation.start : citation.end] == "Alberta"


def test_a_right_offset_picks_one_of_several_places() -> None:
    paper = Paper("p", "Title", "One well. Two wells. One well.")
    passages = {1: Passage(1, paper, paper.abstract, 1.0)}
    proven = prove(draft(Quote(1, "One well.", 21)), passages)
    assert isinstance(proven, Proven)
    assert proven.citations[0].start == 21


def test_without_passages_nothing_is_proven() -> None:
    assert isinstance(prove(draft(Quote(1, "Alberta")), {}), DroppedSentence)
