"""The gate: a sentence is shown only with quotes that code has found in the papers it cites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rag.records import Citation, DroppedSentence, Passage, Sentence


@dataclass(frozen=True, slots=True)
class Quote:
    """What a writer claims to have read: words of the passage with this marker."""

    marker: int
    text: str
    start: int | None = None
    """Where in the abstract, if the writer knows; checked like everything else."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One sentence as a writer made it, before it is proven."""

    text: str
    quotes: tuple[Quote, ...]
    support: float
    starts_paragraph: bool = False
    is_flagged: bool = False
    """Whether it is to be shown with a warning, as its support is weak."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A sentence that passed, and its proof."""

    sentence: Sentence
    citations: tuple[Citation, ...]


def prove(draft: Draft, passages: Mapping[int, Passage]) -> Proven | DroppedSentence:
    """Resolve each quote of a draft in the papers that were read.

    Args:
        draft: A sentence with its quotes.
        passages: By marker; no other marker exists.

    Returns:
        The sentence with citations for which ``paper.abstract[start:end] == quote`` holds, or
        the reason why it is not shown.
    """
    if not draft.quotes:
        return DroppedSentence(draft.text, "it quotes nothing")
    citations: list[Citation] = []
    for quote in draft.quotes:
        passage = passages.get(quote.marker)
        if passage is None:
            return DroppedSentence(draft.text, f"there is no source [{quote.marker}]")
        start = _find(quote, passage.paper.abstract)
        if start is None:
            return DroppedSentence(
                draft.text, f"source [{quote.marker}] does not say what it quotes"
            )
        end = start + len(quote.text)
        citations.append(Citation(quote.marker, passage.paper, quote.text, start, end))
    markers = tuple(dict.fromkeys(citation.marker for citation in citations))
    sentence = Sentence(
        draft.text, markers, draft.support, draft.starts_paragraph, draft.is_flagged
    )
    return Proven(sentence, tuple(citations))


def _find(quote: Quote, abstract: str) -> int | None:
    if not quote.text.strip():
        return None
    if quote.start is not None and abstract.startswith(quote.text, quote.start):
        return quote.start
    found = abstract.find(quote.text)
    return None if found < 0 else found
