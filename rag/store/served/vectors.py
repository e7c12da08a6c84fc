"""The dense leg on a server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexDamaged
from rag.records import Chunk, LegHit
from rag.store.served.collection import Collection
from rag.store.vectors import check_vectors


class ServedVectors:
    """The embeddings of one generation, searched by cosine similarity where they are.

    Several threads may search at once.

    Args:
        collection: What holds them.
        chunks: All that are in it.
    """

    def __init__(self, collection: Collection, chunks: Iterable[Chunk]) -> None:
        self._collection = collection
        self._ids_of_paper: dict[str, list[str]] = {}
        for chunk in chunks:
            self._ids_of_paper.setdefault(chunk.paper_id, []).append(chunk.chunk_id)
        self._n_chunks = sum(map(len, self._ids_of_paper.values()))

    def search(
        self, vector: NDArray[np.float32], k: int, allowed: frozenset[str] | None = None
    ) -> list[LegHit]:
        """Find the chunks nearest to a query; see ``DenseStore.search``."""
        check_vectors(vector[np.newaxis], 1, vector.shape[-1])
        chunk_ids = None if allowed is None else self._chunk_ids(allowed)
        k = min(k, self._n_chunks if chunk_ids is None else len(chunk_ids))
        if k <= 0:
            return []
        found = self._collection.query(vector, k, chunk_ids)
        hits = [LegHit(chunk_id, 1.0 - distance) for chunk_id, distance in found.items()]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))

    def read_vectors(self, chunk_ids: Sequence[str]) -> NDArray[np.float32]:
        """Read embeddings back; see ``DenseStore.read_vectors``."""
        found = self._collection.vectors(chunk_ids)
        if found.keys() != set(chunk_ids):
            raise IndexDamaged(f"The collection {self._collection.name} has lost embeddings.")
        return np.array([found[chunk_id] for chunk_id in chunk_ids], dtype=np.float32)

    def close(self) -> None:
        """There is nothing to let go: the store has the connection."""

    def _chunk_ids(self, paper_ids: frozenset[str]) -> list[str]:
        return [chunk_id for paper in paper_ids for chunk_id in self._ids_of_paper.get(paper, ())]
