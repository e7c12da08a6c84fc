"""Simple judges of support that a better one must beat, and what the product makes of one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from eval.benchmarks.support_terms import InverseFrequency
from rag.answering.places import Places
from rag.answering.support import SupportScorer
from rag.embeddings.base import Embedder, PairScorer
from rag.text import search_terms

_NEAREST = 4


class TermRecall:
    """How many of the claim's terms are in the evidence, weighted by inverse document frequency.

    Args:
        documents: The texts in which documents are counted.
    """

    name = "idf recall"

    def __init__(self, documents: Iterable[str]) -> None:
        self._idf = InverseFrequency(documents)

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        """See ``SupportScorer``; a claim without terms scores 0."""
        weight_of = {term: self._idf[term] for term in search_terms(claim)}
        total = math.fsum(weight_of.values())
        scores = []
        for text in evidence:
            present = set(search_terms(text))
            found = math.fsum(weight for term, weight in weight_of.items() if term in present)
            scores.append(found / total if total else 0.0)
        return scores


class Similarity:
    """The cosine of the vectors of claim and evidence, moved to run from 0 to 1.

    Args:
        embedder: Gives the vectors; each text is embedded once and kept.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, NDArray[np.float32]] = {}
        self.name = f"cosine, {embedder.fingerprint.split('/', 1)[0]}"

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        """See ``SupportScorer``."""
        vector = self._vector(claim)
        return [float(1 + vector @ self._vector(text)) / 2 for text in evidence]

    def _vector(self, text: str) -> NDArray[np.float32]:
        if text not in self._kept:
            self._kept[text] = self._embedder.embed_passages([text])[0]
        return self._kept[text]


class NearestRead:
    """The cross-encoder, on the four texts that are most similar to the claim; others score 0.

    Args:
        reader: Reads claim and text together.
        similarity: Picks the four.
    """

    def __init__(self, reader: PairScorer, similarity: Similarity) -> None:
        self._reader = reader
        self._similarity = similarity
        self.name = f"cross-encoder, {reader.name}"

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        """See ``SupportScorer``."""
        near = self._similarity.score(claim, evidence)
        places = sorted(range(len(evidence)), key=lambda place: (-near[place], place))[:_NEAREST]
        scores = [0.0] * len(evidence)
        for place, logit in zip(
            places, self._reader.score(claim, [evidence[place] for place in places]), strict=True
        ):
            scores[place] = 1 / (1 + math.exp(-float(logit)))
        return scores


class NearestPlaces:
    """A judge as the product asks it: a text is as good as the best of its nearest places.

    Args:
        scorer: Judges sentences and pairs of neighbours.
    """

    def __init__(self, scorer: SupportScorer) -> None:
        self._scorer = scorer
        self.name = scorer.name

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        """See ``SupportScorer``; the texts are whole abstracts."""
        return [
            max(
                self._scorer.score(
                    claim, [place.text for place in Places({1: text}).nearest(claim, [1])]
                ),
                default=0.0,
            )
            for text in evidence
        ]
