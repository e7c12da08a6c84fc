"""The product's search without an index on disk, for measuring and for making training examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from rag.chunking import embedding_text, split_paper
from rag.embeddings.base import Embedder
from rag.records import Chunk, LegHit, Paper
from rag.retrieval.hybrid import HybridRetriever
from rag.store.lexical import LexicalIndex

_ONE_CHUNK_TOKENS = 10_000


class ExactLeg:
    """The dense leg, without an index: every vector is compared.

    Args:
        chunks: What is searched.
        vectors: (n_chunks, dimension) float32, unit length.
    """

    def __init__(self, chunks: Sequence[Chunk], vectors: NDArray[np.float32]) -> None:
        self._chunks = chunks
        self._vectors = vectors

    def search(
        self, vector: NDArray[np.float32], k: int, allowed: frozenset[str] | None
    ) -> list[LegHit]:
        """See ``DenseLeg``."""
        scores = self._vectors @ vector
        hits = (
            LegHit(chunk.chunk_id, float(score))
            for chunk, score in zip(self._chunks, scores, strict=True)
            if allowed is None or chunk.paper_id in allowed
        )
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:k]


def open_retriever(
    papers: Mapping[str, Paper],
    embedder: Embedder,
    *,
    progress: Callable[[int], None] | None = None,
) -> HybridRetriever:
    """Index papers in memory, each abstract whole.

    Args:
        papers: By id.
        embedder: Gives the vectors.
        progress: Called now and then with the number of abstracts embedded so far.
    """
    chunks = {
        chunk.chunk_id: chunk
        for paper in papers.values()
        for chunk in split_paper(paper, max_tokens=_ONE_CHUNK_TOKENS)
    }
    texts = [embedding_text(papers[chunk.paper_id], chunk) for chunk in chunks.values()]
    dense = ExactLeg(list(chunks.values()), embedder.embed_passages(texts, progress=progress))
    with TemporaryDirectory() as folder:
        LexicalIndex.create(Path(folder), papers, chunks.values())
        lexical = LexicalIndex.open(Path(folder), chunks)
    return HybridRetriever(embedder, dense, lexical, papers, chunks)
