"""Answering by quotation: the sentences that answer the question, each paper introduced once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rag.answering.citations import Draft, Quote
from rag.answering.outcome import is_about, relevance
from rag.answering.reading import ReadPaper
from rag.records import Paper

_MAX_SENTENCES = 4
_SENTENCE_MARGIN = 3.0
# Of two papers each answers a part, and no sentence is sure to be the one: all these are quoted.
_SENTENCES_EACH = 3
_PAPER_MARGIN = 1.0
_MAX_PAPERS = 4


def write(read: Mapping[int, ReadPaper], *, several: bool) -> Iterator[Draft]:
    """Quote what answers the question.

    Args:
        read: The papers by marker, most relevant first.
        several: Whether the question asks for more than one paper.

    Yields:
        For each paper that answers, first its best sentence, then what else answers nearly as
        well, in the order of the abstract.
    """
    for marker in _speakers(read, several=several):
        item = read[marker]
        chosen = _best_sentences(item) if several else _sentences_near_the_best(item)
        for place, number in enumerate(chosen):
            quote = item.quote(number)
            intro = f"{introduction(item.hit.paper)} " if place == 0 else ""
            yield Draft(
                f"{intro}“{quote}”",
                (Quote(marker, quote, item.sentences[number].start),),
                support=1.0,
                starts_paragraph=place == 0,
            )


def _speakers(read: Mapping[int, ReadPaper], *, several: bool) -> list[int]:
    """The markers of the papers that are quoted, best first."""
    with_text = [marker for marker, item in read.items() if item.sentences]
    if not with_text:
        return []
    if several:
        about = [marker for marker in with_text if is_about(read[marker])]
        return (about or with_text[:1])[:_MAX_PAPERS]
    strength = {marker: relevance(read[marker]) for marker in with_text}
    best = max(strength.values())
    return [marker for marker in with_text if strength[marker] >= best - _PAPER_MARGIN][:2]


def _best_sentences(item: ReadPaper) -> list[int]:
    return _best_then_in_order(item.best_first()[:_SENTENCES_EACH])


def _sentences_near_the_best(item: ReadPaper) -> list[int]:
    ranked = item.best_first()
    scores = item.reading.sentences
    near = [number for number in ranked if scores[number] >= scores[ranked[0]] - _SENTENCE_MARGIN]
    return _best_then_in_order(near[:_MAX_SENTENCES])


def _best_then_in_order(ranked: list[int]) -> list[int]:
    return [ranked[0], *sorted(ranked[1:])]


def introduction(paper: Paper) -> str:
    """What stands before the first quotation of a paper."""
    return f"**{paper.title}**" + (f" ({paper.byline}):" if paper.byline else ":")
