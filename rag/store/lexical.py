"""The lexical leg: BM25 over the same chunks as the dense leg."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rag.errors import IndexDamaged
from rag.records import Chunk, LegHit, Paper
from rag.text import search_terms

_IDS = "chunk_ids.json"
# Every kind of thing that the rules for search terms treat in a way of their own.
_PROBE = """Running studies' $\\Delta$-IRIS (SWE-Gym v2.1), 213,000 U.S. wells; \\textbf{Naïve} &amp;
don't "re-use" the e.g. Schrödinger–Föllmer α_t ﬁne-tuning of GPT-4o’s 3.5 universities"""


@lru_cache(maxsize=1)
def lexicon() -> str:
    """12 hex digits that change when the rules for search terms change."""
    return hashlib.sha256(json.dumps(search_terms(_PROBE)).encode()).hexdigest()[:12]


class LexicalIndex:
    """BM25 (Lucene's variant, k1 = 1.2, b = 0.75) over titles, authors and abstracts.

    Several threads may search at once.
    """

    def __init__(self, bm25: Any, chunk_ids: Sequence[str], paper_ids: Sequence[str]) -> None:
        self._bm25 = bm25
        self.chunk_ids = tuple(chunk_ids)
        """Of all chunks, sorted."""
        self._paper_ids = tuple(paper_ids)

    @staticmethod
    def create(folder: Path, papers: Mapping[str, Paper], chunks: Iterable[Chunk]) -> None:
        """Write a new index into a folder that has none.

        Args:
            folder: Made if need be.
            papers: By id; all that the chunks are of.
            chunks: In any order, at least one.
        """
        from bm25s import BM25

        # Sorted, so that the order of rows settles ties by chunk id.
        ordered = sorted(chunks, key=lambda chunk: chunk.chunk_id)
        # bm25s cannot count an empty text; an empty term is never searched for.
        terms = [_terms(papers[chunk.paper_id], chunk) or [""] for chunk in ordered]
        bm25 = BM25(method="lucene", k1=1.2, b=0.75)
        bm25.index(terms, show_progress=False)
        bm25.save(folder, allow_pickle=False, show_progress=False)
        ids = json.dumps([chunk.chunk_id for chunk in ordered])
        (folder / _IDS).write_text(ids, encoding="utf-8")

    @classmethod
    def open(cls, folder: Path, chunks: Mapping[str, Chunk]) -> LexicalIndex:
        """Open an index that ``create`` made from these chunks.

        Raises:
            IndexDamaged: If it was made from others.
        """
        from bm25s import BM25

        bm25 = BM25.load(folder, load_corpus=False, allow_pickle=False, show_progress=False)
        chunk_ids = json.loads((folder / _IDS).read_text(encoding="utf-8"))
        if chunk_ids != sorted(chunks):
            raise IndexDamaged(f"The lexical index {folder} is of other chunks than the records.")
        return cls(bm25, chunk_ids, [chunks[chunk_id].paper_id for chunk_id in chunk_ids])

    def search(self, text: str, k: int, allowed: frozenset[str] | None = None) -> list[LegHit]:
        """Find the chunks that share terms with a text.

        Args:
            text: The query as written.
            k: How many hits at most.
            allowed: Ids of the papers to search; None for all.

        Returns:
            Best first, ties by chunk id; the score is that of BM25 and above 0.
        """
        terms = search_terms(text)
        if not terms:
            return []
        scores = self._bm25.get_scores(terms)
        if allowed is not None:
            scores = scores * np.fromiter((paper in allowed for paper in self._paper_ids), bool)
        rows = np.flatnonzero(scores > 0)
        best = rows[np.argsort(-scores[rows], kind="stable")][: max(k, 0)]
        return [LegHit(self.chunk_ids[row], float(scores[row])) for row in best]


def _terms(paper: Paper, chunk: Chunk) -> list[str]:
    texts = (paper.title, *paper.other_titles, *paper.authors, chunk.text)
    return [term for text in texts for term in search_terms(text)]
