"""How telling terms are, and which documents are nearest by them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rag.text import search_terms


class InverseFrequency:
    """How telling a term is: the logarithm of how few documents have it.

    Args:
        documents: The texts in which documents are counted.
    """

    def __init__(self, documents: Iterable[str]) -> None:
        self._count: Counter[str] = Counter()
        self._n = 0
        for text in documents:
            self._count.update(dict.fromkeys(search_terms(text), 1))
            self._n += 1

    def __getitem__(self, term: str) -> float:
        return math.log((self._n + 1) / (self._count[term] + 1))


class TfIdf:
    """Documents ranked by the cosine of their vectors, with the logarithm of term frequencies.

    Args:
        documents: The texts to be ranked.
    """

    def __init__(self, documents: Sequence[str]) -> None:
        self._idf = InverseFrequency(documents)
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, text in enumerate(documents):
            vector = self._vector(text)
            norm = math.sqrt(math.fsum(weight**2 for weight in vector.values())) or 1.0
            for term, weight in vector.items():
                self._postings[term].append((place, weight / norm))

    def rank(self, text: str) -> list[int]:
        """Places of the documents that share a term with the text, nearest first."""
        scores: defaultdict[int, float] = defaultdict(float)
        for term, weight in self._vector(text).items():
            for place, other in self._postings.get(term, ()):
                scores[place] += weight * other
        return sorted(scores, key=lambda place: (-scores[place], place))

    def _vector(self, text: str) -> Mapping[str, float]:
        # The terms of a Counter are in the order of the text, so that sums are always the same.
        counts = Counter(search_terms(text))
        return {term: (1 + math.log(n)) * self._idf[term] for term, n in counts.items()}
