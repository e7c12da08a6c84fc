"""The ways to rank papers that are compared: each leg, both under fixed weights, the product's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.base import Embedder, PairScorer
from rag.records import Chunk, Filters, LegHit, Paper
from rag.retrieval.base import DenseLeg, LexicalLeg
from rag.retrieval.fusion import SCALES, Scales, fuse
from rag.retrieval.hybrid import DEPTH, HybridRetriever
from rag.retrieval.wording import mend
from rag.text import search_terms

_RRF_K, _RRF_DEPTH = 60, 100
_FIXED_WEIGHTS = (0.3, 0.5, 0.7)
_DEEPEST = 100
_BLEND = 0.5

Scores = Mapping[str, float]
"""Id -> score; higher is better."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What both legs return for a question as it was typed, by paper."""

    dense: Scores
    lexical: Scores
    n_searched: int
    n_terms: int
    ceiling: float


@dataclass(frozen=True, slots=True)
class Engine:
    """A retriever, its parts and what they search."""

    embedder: Embedder
    dense: DenseLeg
    lexical: LexicalLeg
    papers: Mapping[str, Paper]
    chunks: Mapping[str, Chunk]

    @property
    def retriever(self) -> HybridRetriever:
        """As the product makes it."""
        return HybridRetriever(self.embedder, self.dense, self.lexical, self.papers, self.chunks)

    def rankings(self, question: str) -> dict[str, list[str]]:
        """Method -> ids of papers, best first."""
        result = self.retriever.search(question, k=_DEEPEST, filters=Filters())
        is_mended = mend(question, self.lexical) != question
        vector = self.embedder.embed_query(question) if is_mended else result.query_vector
        found = self.search(question, vector)
        scaled = [_scaled(found.dense), _scaled(found.lexical)]
        return {
            "BM25": _ranked(found.lexical),
            "dense": _ranked(found.dense),
            "RRF": _ranked(_reciprocal_ranks(found)),
            **{
                f"convex, BM25 {weight}": _ranked(_added(scaled, (1 - weight, weight)))
                for weight in _FIXED_WEIGHTS
            },
            "same scale": list(fused(found)),
            "product": [hit.paper.paper_id for hit in result.hits],
        }

    def search(self, question: str, vector: NDArray[np.float32]) -> Searched:
        """Ask both legs for a question as it stands, neither mended nor searched for names."""
        return Searched(
            self._papers(self.dense.search(vector, DEPTH, None)),
            self._papers(self.lexical.search(question, DEPTH, None)),
            len(self.papers),
            len(set(search_terms(question))),
            self.lexical.ceiling(question),
        )

    def _papers(self, hits: Sequence[LegHit]) -> dict[str, float]:
        best: dict[str, float] = {}
        for hit in sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id)):
            best.setdefault(self.chunks[hit.chunk_id].paper_id, hit.score)
        return best


def fused(found: Searched, scales: Scales = SCALES) -> dict[str, float]:
    """As the product adds both legs."""
    return fuse(
        found.dense,
        found.lexical,
        n_searched=found.n_searched,
        n_terms=found.n_terms,
        ceiling=found.ceiling,
        scales=scales,
    )


def reranked(
    question: str,
    ranking: Sequence[str],
    papers: Mapping[str, Paper],
    scorer: PairScorer,
    depths: Sequence[int],
) -> dict[str, list[str]]:
    """The first of a ranking in the order of a cross-encoder, and in that of both together.

    Args:
        question: As typed.
        ranking: Ids of papers, best first.
        papers: By id.
        scorer: The cross-encoder; it reads titles with whole abstracts.
        depths: How many are ordered anew.

    Returns:
        Method -> ids of papers, best first; two methods for each depth.
    """
    read = ranking[: max(depths)]
    texts = [f"{papers[name].title}. {papers[name].abstract}" for name in read]
    scores = dict(zip(read, map(float, scorer.score(question, texts)), strict=True))
    anew: dict[str, list[str]] = {}
    for depth in depths:
        rest = list(ranking[depth:])
        of_first = {name: scores[name] for name in ranking[:depth]}
        places = {name: -float(place) for place, name in enumerate(of_first)}
        both = _added([_scaled(places), _scaled(of_first)], (1 - _BLEND, _BLEND))
        anew[f"product, first {depth} reranked"] = _ranked(of_first) + rest
        anew[f"product, first {depth} reranked, blended"] = _ranked(both) + rest
    return anew


def _reciprocal_ranks(found: Searched) -> dict[str, float]:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""
    legs = [_ranked(scores)[:_RRF_DEPTH] for scores in (found.dense, found.lexical)]
    points = [{name: 1 / (_RRF_K + rank) for rank, name in enumerate(leg, start=1)} for leg in legs]
    return _added(points, (1.0, 1.0))


def _added(legs: Sequence[Scores], weights: Sequence[float]) -> dict[str, float]:
    names = {name for leg in legs for name in leg}
    return {
        name: sum(weight * leg.get(name, 0.0) for leg, weight in zip(legs, weights, strict=True))
        for name in names
    }


def _scaled(leg: Scores) -> dict[str, float]:
    """From 0, the worst of the leg, to 1, its best."""
    worst, best = min(leg.values(), default=0.0), max(leg.values(), default=0.0)
    return {
        name: (score - worst) / (best - worst) if best > worst else 1.0
        for name, score in leg.items()
    }


def _ranked(scores: Scores) -> list[str]:
    return sorted(scores, key=lambda name: (-scores[name], name))
