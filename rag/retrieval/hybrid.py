"""Search by meaning and by words at once: both legs always, one ranking of papers."""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.base import Embedder
from rag.records import Chunk, Filters, Hit, LegHit, LegRanks, Paper
from rag.retrieval.base import DenseLeg, LexicalLeg
from rag.retrieval.exact import named_papers
from rag.retrieval.filters import matches
from rag.retrieval.fusion import deviations, fuse, put_first
from rag.retrieval.wording import mend
from rag.text import search_terms

# By measurement: eval/DECISIONS.md, Retrieval.
DEPTH = 200
# What a question names outright has its rarest words, so it is among the best of these.
_MOST_NAMED = 50
_FILTERS_KEPT = 32


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, and how."""

    hits: tuple[Hit, ...]
    """Best first, one for each paper."""
    n_candidates: int
    """How many papers pass the filters."""
    timings_ms: Mapping[str, float]
    """Wall time of ``dense`` (with embedding the query) and of ``lexical``, in milliseconds."""
    query_vector: NDArray[np.float32]
    """(dimension,) float32, unit length."""
    wording: str
    """What was searched for: the question with misspelt and foreign words put right."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What both legs returned for one question."""

    query: str
    dense: Sequence[LegHit]
    everywhere: Sequence[LegHit]
    """As ``dense``, without a filter."""
    lexical: Sequence[LegHit]
    n_searched: int
    n_terms: int
    ceiling: float

    def fuse(
        self,
        dense: Mapping[str, float],
        lexical: Mapping[str, float],
        everywhere: Mapping[str, float],
    ) -> dict[str, float]:
        return fuse(
            dense,
            lexical,
            everywhere=everywhere,
            n_searched=self.n_searched,
            n_terms=self.n_terms,
            ceiling=self.ceiling,
        )


class HybridRetriever:
    """Finds the papers nearest to a question.

    Args:
        embedder: The one that made the index's vectors.
        dense: Search by meaning.
        lexical: Search by words.
        papers: Paper id -> paper; all that are indexed.
        chunks: Chunk id -> chunk; all that a leg may return.
        depth: How many chunks each leg returns before fusion.
    """

    def __init__(
        self,
        embedder: Embedder,
        dense: DenseLeg,
        lexical: LexicalLeg,
        papers: Mapping[str, Paper],
        chunks: Mapping[str, Chunk],
        *,
        depth: int = DEPTH,
    ) -> None:
        self._embedder = embedder
        self._dense = dense
        self._lexical = lexical
        self._papers = papers
        self._chunks = chunks
        self._depth = depth
        # Papers never change, and follow-ups keep their filters.
        self._passing = functools.lru_cache(_FILTERS_KEPT)(self._find_passing)

    def search(self, query: str, *, k: int, filters: Filters) -> SearchResult:
        """Rank the papers that pass the filters by both legs together.

        Both legs look for the question with misspelt and foreign words put right. What it names
        outright comes first.

        Args:
            query: A question that stands alone.
            k: How many papers to return at most.
            filters: The same for both legs; an empty one lets every paper through.
        """
        allowed = self.passing(filters)
        n_candidates = len(self._papers) if allowed is None else len(allowed)
        started = time.perf_counter()
        wording = mend(query, self._lexical)
        lexical = self._lexical.search(wording, self._depth, allowed) if n_candidates else ()
        half = time.perf_counter()
        vector = self._embedder.embed_query(wording)
        dense = self._dense.search(vector, self._depth, allowed) if n_candidates else ()
        is_part = allowed is not None and n_candidates > 0
        everywhere = self._dense.search(vector, self._depth, None) if is_part else dense
        timings_ms = {
            "lexical": 1000 * (half - started),
            "dense": 1000 * (time.perf_counter() - half),
        }
        n_terms = len(set(search_terms(wording)))
        ceiling = self._lexical.ceiling(wording)
        n_papers = len(self._papers)
        found = _Found(query, dense, everywhere, lexical, n_papers, n_terms, ceiling)
        return SearchResult(self._fuse(found, k), n_candidates, timings_ms, vector, wording)

    def passing(self, filters: Filters) -> frozenset[str] | None:
        """The ids of the papers that pass the filters; None for all."""
        return self._passing(filters) if filters else None

    def _find_passing(self, filters: Filters) -> frozenset[str]:
        return frozenset(name for name, paper in self._papers.items() if matches(paper, filters))

    def _fuse(self, found: _Found, k: int) -> tuple[Hit, ...]:
        """Fuse the papers of both legs, each paper by its best chunk."""
        by_meaning, by_words = self._best_chunks(found.dense), self._best_chunks(found.lexical)
        everywhere = _scores(self._best_chunks(found.everywhere))
        candidates = [self._papers[paper_id] for paper_id in list(by_words)[:_MOST_NAMED]]
        fused = put_first(
            found.fuse(_scores(by_meaning), _scores(by_words), everywhere),
            named_papers(found.query, candidates, self._lexical),
        )
        best_chunks = self._best_fused_chunks(found)
        standing = deviations(_scores(by_meaning), found.n_searched, among=everywhere)
        lowest = min(standing.values(), default=0.0)
        dense_ranks, lexical_ranks = _ranks(by_meaning), _ranks(by_words)
        hits = []
        for rank, paper_id in enumerate(list(fused)[: max(k, 0)], start=1):
            ranks = LegRanks(dense_ranks.get(paper_id), lexical_ranks.get(paper_id))
            chunk = best_chunks[paper_id]
            prominence = standing.get(paper_id, lowest)
            paper = self._papers[paper_id]
            hits.append(Hit(chunk, fused[paper_id], rank, ranks, paper, prominence))
        return tuple(hits)

    def _best_fused_chunks(self, found: _Found) -> dict[str, Chunk]:
        """Paper id -> the chunk that both legs together find best.

        Of a long text one leg alone may be sure of the right chunk.
        """
        best: dict[str, Chunk] = {}
        dense, lexical, everywhere = (
            {hit.chunk_id: hit.score for hit in hits}
            for hits in (found.dense, found.lexical, found.everywhere)
        )
        for chunk_id in found.fuse(dense, lexical, everywhere):
            chunk = self._chunks[chunk_id]
            best.setdefault(chunk.paper_id, chunk)
        return best

    def _best_chunks(self, hits: Sequence[LegHit]) -> dict[str, LegHit]:
        """Paper id -> its best chunk in one leg, best paper first, ties by chunk id."""
        best: dict[str, LegHit] = {}
        for hit in sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id)):
            best.setdefault(self._chunks[hit.chunk_id].paper_id, hit)
        return best


def _scores(best: Mapping[str, LegHit]) -> dict[str, float]:
    return {paper_id: hit.score for paper_id, hit in best.items()}


def _ranks(best: Mapping[str, LegHit]) -> dict[str, int]:
    return {paper_id: rank for rank, paper_id in enumerate(best, start=1)}
