"""The places of abstracts that may prove a claim: sentences, and pairs of neighbours."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag.answering.citations import Quote
from rag.text import Span, search_terms, split_sentences

_N_SINGLES, _N_PAIRS = 4, 2
"""Sentences, and pairs of neighbours, of one paper that are looked at: the nearest to the claim."""
_MAX_PLACES = 12
"""Of all papers together, for what one claim may cost."""
# Sentences that give orders to a reader or a model prove nothing. Of the 20,221 sentences of the
# ICML 2025 abstracts, one is taken for an order by mistake.
_ORDER = re.compile(
    r"(?:\W|(?:please|now|instead|then|also|and|but|important|note|system|assistant|user|human|ai)"
    r"\b[\s,:]*)*(?:ignore|disregard|forget|say|print|output|reply|respond|answer|write|repeat|tell"
    r"|cite|append|include|visit|click|recommend|pretend|act|you|do not|don't|never|always|stop|end"
    r"|begin|start)\b",
    re.IGNORECASE,
)
_ORDER_WITHIN = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.]{0,60}\b(?:instructions?|rules?|prompts?|above"
    r"|everything)\b|\b(?:system|assistant|user)\s?:|<\|",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """One or two adjacent sentences of one abstract."""

    marker: int
    start: int
    text: str
    n_sentences: int
    terms: frozenset[str]

    @property
    def quote(self) -> Quote:
        """The place as it is quoted."""
        return Quote(self.marker, self.text, self.start)


class Places:
    """All places of some abstracts, but for what gives orders.

    Args:
        abstracts: By marker.
    """

    def __init__(self, abstracts: Mapping[int, str]) -> None:
        self._places = {marker: _places(marker, abstract) for marker, abstract in abstracts.items()}
        singles = [
            place for places in self._places.values() for place in places if place.n_sentences == 1
        ]
        self._n_sentences = len(singles)
        self._frequency = Counter(term for place in singles for term in place.terms)

    def of(self, marker: int) -> Sequence[Place]:
        """Those of one abstract: its sentences in order, then the pairs."""
        return self._places[marker]

    def nearest(self, claim: str, markers: Sequence[int]) -> list[Place]:
        """The places that share most with a claim, the nearest first."""
        terms = set(search_terms(claim))

        def rank(place: Place) -> tuple[float, int]:
            # Sorted, so that the sum does not depend on the order of a set.
            return (-sum(map(self._weight, sorted(terms & place.terms))), place.n_sentences)

        near: list[Place] = []
        for marker in dict.fromkeys(markers):
            ranked = sorted(self._places[marker], key=rank)
            near += [place for place in ranked if place.n_sentences == 1][:_N_SINGLES]
            near += [place for place in ranked if place.n_sentences == 2][:_N_PAIRS]
        return sorted(near, key=rank)[:_MAX_PLACES]

    def _weight(self, term: str) -> float:
        return math.log(1 + self._n_sentences / self._frequency[term])


def _places(marker: int, abstract: str) -> list[Place]:
    spans = split_sentences(abstract)
    pairs = [Span(one.start, two.end) for one, two in itertools.pairwise(spans)]
    orders = {span.start for span in spans if _is_order(abstract[span.start : span.end])}
    places: list[Place] = []
    for n_sentences, group in ((1, spans), (2, pairs)):
        for number, span in enumerate(group):
            if orders.isdisjoint(own.start for own in spans[number : number + n_sentences]):
                text = abstract[span.start : span.end]
                terms = frozenset(search_terms(text))
                places.append(Place(marker, span.start, text, n_sentences, terms))
    return places


def _is_order(sentence: str) -> bool:
    return bool(_ORDER.match(sentence) or _ORDER_WITHIN.search(sentence))
