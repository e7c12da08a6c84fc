"""How often each text holds each term: what BM25 scores are made of, read back from them.

An index on disk keeps finished scores, whose statistics are those of its own corpus. To search
several corpora by one scale, the counts behind the scores are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

K1, B = 1.2, 0.75
_N_HALVINGS = 100


@dataclass(frozen=True, slots=True)
class Postings:
    """Which terms some texts hold; the arrays of (n_postings,) go together."""

    columns: Mapping[str, int]
    """Term -> its number."""
    terms: NDArray[np.int64]
    """(n_postings,) Numbers of terms."""
    rows: NDArray[np.int64]
    """(n_postings,) Numbers of texts."""
    counts: NDArray[np.float64]
    """(n_postings,) How often the text holds the term; whole and above 0."""
    lengths: NDArray[np.float64]
    """(n_texts,) How many terms each text has, repeated ones counted again."""

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]]) -> Self:
        """Count the terms of texts, each given as its terms."""
        columns: dict[str, int] = {}
        found: list[tuple[int, int, int]] = []
        lengths: list[int] = []
        for row, terms in enumerate(texts):
            lengths.append(len(terms))
            for term, count in Counter(terms).items():
                found.append((columns.setdefault(term, len(columns)), row, count))
        table = np.array(found, dtype=np.int64).reshape(-1, 3)
        counts = table[:, 2].astype(np.float64)
        return cls(columns, table[:, 0], table[:, 1], counts, np.array(lengths, dtype=np.float64))

    @classmethod
    def read(cls, bm25: Any, n_texts: int) -> Self:
        """Find out the counts behind the scores of an index.

        A score is ``idf * count / (count + k1 * (1 - b + b * length / mean length))``. The ratios
        ``count / k1 / (...)`` of one text add up to its length by the same formula, which leaves
        the mean length as the only unknown: it is the one that is the mean of the lengths that
        follow from it.

        Args:
            bm25: Of bm25s, with Lucene's variant and the parameters of this module.
            n_texts: How many texts it is of.
        """
        starts = np.asarray(bm25.scores["indptr"], dtype=np.int64)
        n_holding = np.diff(starts)
        terms = np.repeat(np.arange(len(n_holding)), n_holding)
        rows = np.asarray(bm25.scores["indices"], dtype=np.int64)
        saturated = (
            np.asarray(bm25.scores["data"], dtype=np.float64) / _idf(n_holding, n_texts)[terms]
        )
        ratios = saturated / (1 - saturated)
        sums = K1 * np.bincount(rows, ratios, n_texts).astype(np.float64)
        mean = _mean_length(sums)
        relative = _relative_lengths(sums, mean)
        counts = np.rint(ratios * (K1 * (1 - B + B * relative))[rows])
        return cls(bm25.vocab_dict, terms, rows, counts, np.rint(relative * mean))

    def place(self, places: NDArray[np.int64], n_texts: int) -> Self:
        """These texts among others.

        Args:
            places: (len(lengths),) The new number of each text; below 0 for one that is left out.
            n_texts: How many texts there are with the others.
        """
        is_kept = places >= 0
        lengths = np.zeros(n_texts)
        lengths[places[is_kept]] = self.lengths[is_kept]
        kept = is_kept[self.rows]
        rows = places[self.rows[kept]]
        return type(self)(self.columns, self.terms[kept], rows, self.counts[kept], lengths)

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All of several that were placed among each other."""
        columns: dict[str, int] = {}
        terms = []
        for part in parts:
            numbers = np.zeros(len(part.columns), dtype=np.int64)
            for term, number in part.columns.items():
                numbers[number] = columns.setdefault(term, len(columns))
            terms.append(numbers[part.terms])
        return cls(
            columns,
            np.concatenate(terms),
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.counts for part in parts]),
            np.sum([part.lengths for part in parts], axis=0),
        )

    def scored(self) -> Any:
        """An index of bm25s over these texts, as if it had been made from them."""
        from bm25s import BM25

        order = np.lexsort((self.rows, self.terms))
        terms, rows, counts = self.terms[order], self.rows[order], self.counts[order]
        n_texts = len(self.lengths)
        n_holding = np.bincount(terms, minlength=len(self.columns))
        relative = self.lengths / max(float(self.lengths.mean()), 1.0) if n_texts else self.lengths
        scores = _idf(n_holding, n_texts)[terms] * counts
        scores /= counts + (K1 * (1 - B + B * relative))[rows]
        bm25 = BM25(method="lucene", k1=K1, b=B)
        bm25.nonoccurrence_array = None
        bm25.vocab_dict = dict(self.columns)
        bm25.unique_token_ids_set = set(self.columns.values())
        bm25.scores = {
            "data": scores.astype(np.float32),
            "indices": rows.astype(np.int32),
            "indptr": np.concatenate(([0], np.cumsum(n_holding))),
            "num_docs": n_texts,
        }
        return bm25


def _idf(n_holding: NDArray[np.int64], n_texts: int) -> NDArray[np.float64]:
    rarity: NDArray[np.float64] = np.log(1 + (n_texts - n_holding + 0.5) / (n_holding + 0.5))
    return rarity


def _relative_lengths(sums: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Lengths in means, from the sums of the ratios times k1: ``l = s / mean * (1 - b + b * l)``."""
    scaled = sums / mean
    lengths: NDArray[np.float64] = (1 - B) * scaled / (1 - B * scaled)
    return lengths


def _mean_length(sums: NDArray[np.float64]) -> float:
    """The mean length for which the mean of the relative lengths is 1."""
    # Below the first every length is infinite; at the second the mean is at most 1.
    low, high = B * float(sums.max(initial=0.0)), float(sums.max(initial=1.0))
    for _ in range(_N_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if _relative_lengths(sums, middle).mean() > 1:
            low = middle
        else:
            high = middle
    return high
