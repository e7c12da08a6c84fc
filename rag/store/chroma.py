"""The dense leg: embeddings in an embedded Chroma store. The only module that knows Chroma."""

from __future__ import annotations

import shutil
import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexDamaged, IndexingError
from rag.records import Chunk, LegHit
from rag.store.disk import full_disk_hint
from rag.store.vectors import check_vectors

if TYPE_CHECKING:
    from chromadb.api.client import Client

_COLLECTION = "chunks"
_CONFIGURATION = {
    "hnsw": {
        "space": "cosine",
        "ef_construction": 200,
        # As large as the largest number of hits that settings allow. It makes the search exact in
        # practice, with filters too (at 100: recall .79 of the 100 best among 2,500 of 10,000).
        "ef_search": 1000,
        # Everything goes to the segment's files at once, so that a finished store does not change
        # its files when it is read, and the first query need not rebuild the graph.
        "sync_threshold": 1,
    }
}
_OLDEST_SQLITE = (3, 35, 0)
_FULL_DISK_BYTES = 4 * 2**20

# Chroma counts the clients of each path in dictionaries that it does not guard. The lock may be
# taken twice by one thread, since a forgotten store can be closed at any moment.
_counting = threading.RLock()


class ChromaStore:
    """Chunk embeddings on disk, searched by cosine similarity. Made once, then only read.

    Several threads may search at once. A store that is forgotten closes itself.
    """

    def __init__(self, client: Client, chunks: Iterable[Chunk], folder: Path) -> None:
        self.close = weakref.finalize(self, _close_client, client)
        self._folder = folder
        self._collection: Any = client.get_collection(_COLLECTION, embedding_function=None)
        self._ids_of_paper: dict[str, list[str]] = {}
        for chunk in chunks:
            self._ids_of_paper.setdefault(chunk.paper_id, []).append(chunk.chunk_id)

    @staticmethod
    def create(folder: Path, chunks: Sequence[Chunk], vectors: NDArray[np.float32]) -> None:
        """Write a new store into a folder that has none.

        Args:
            folder: Made if need be.
            chunks: In any order; their ids are unique.
            vectors: (len(chunks), dimension) float32, unit length.

        Raises:
            IndexingError: If a vector is not of unit length (NaN included), or on a disk error.
        """
        check_vectors(vectors, len(chunks), vectors.shape[-1])
        with _chroma_errors("write", folder), ExitStack() as at_end:
            client = _open_client(folder, new=True)
            at_end.callback(_close_client, client)
            collection: Any = client.create_collection(
                _COLLECTION,
                configuration=_CONFIGURATION,  # type: ignore[arg-type]
                embedding_function=None,
            )
            n_batch = client.get_max_batch_size()
            for start in range(0, len(chunks), n_batch):
                batch = slice(start, start + n_batch)
                collection.add(
                    ids=[chunk.chunk_id for chunk in chunks[batch]], embeddings=vectors[batch]
                )

    @classmethod
    def open(cls, folder: Path, chunks: Iterable[Chunk]) -> ChromaStore:
        """Open a store that ``create`` made from these chunks.

        Raises:
            IndexDamaged: If it is empty or not ours, or Chroma cannot read it.
        """
        with _chroma_errors("open", folder):
            store = cls(_open_client(folder, new=False), chunks, folder)
            space = store._collection.configuration["hnsw"]["space"]
            n_found, n_expected = len(store), sum(map(len, store._ids_of_paper.values()))
        if space != "cosine" or n_found != n_expected:
            raise IndexDamaged(
                f"The vector store {folder} holds {n_found} chunks by {space} distance, "
                f"expected {n_expected} by cosine distance."
            )
        return store

    def __len__(self) -> int:
        return int(self._collection.count())

    def search(
        self, vector: NDArray[np.float32], k: int, allowed: frozenset[str] | None = None
    ) -> list[LegHit]:
        """Find the chunks nearest to a query.

        Args:
            vector: (dimension,) float32, unit length.
            k: How many hits at most.
            allowed: Only chunks of these papers; None for all.

        Returns:
            Best first, ties by chunk id; the score is the cosine similarity, from -1 to 1.

        Raises:
            IndexingError: If the vector is not of unit length.
        """
        check_vectors(vector[np.newaxis], 1, vector.shape[-1])
        chunk_ids = None if allowed is None else self._chunk_ids(allowed)
        k = min(k, len(self) if chunk_ids is None else len(chunk_ids))
        if k <= 0:
            return []
        with _chroma_errors("search", self._folder):
            found = self._collection.query(
                query_embeddings=vector[np.newaxis],
                n_results=k,
                ids=chunk_ids,
                include=["distances"],
            )
        hits = [
            LegHit(chunk_id, 1.0 - distance)
            for chunk_id, distance in zip(found["ids"][0], found["distances"][0], strict=True)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))

    def read_vectors(self, chunk_ids: Sequence[str]) -> NDArray[np.float32]:
        """Read embeddings back as they are stored: (len(chunk_ids), dimension) float32.

        Raises:
            IndexDamaged: If not every one can be read.
        """
        with _chroma_errors("read", self._folder):
            found = self._collection.get(ids=list(chunk_ids), include=["embeddings"])
        row_of = {chunk_id: row for row, chunk_id in enumerate(found["ids"])}
        if row_of.keys() != set(chunk_ids):
            raise IndexDamaged(f"The vector store {self._folder} has lost embeddings.")
        order = [row_of[chunk_id] for chunk_id in chunk_ids]
        return np.asarray(found["embeddings"], dtype=np.float32)[order]

    def _chunk_ids(self, paper_ids: frozenset[str]) -> list[str]:
        return [chunk_id for paper in paper_ids for chunk_id in self._ids_of_paper.get(paper, ())]


def _open_client(folder: Path, *, new: bool) -> Client:
    """The one place that makes clients: one real path, one set of settings for it."""
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise IndexingError(
            f"This Python has SQLite {sqlite3.sqlite_version}, and Chroma needs 3.35 or newer.",
            hint="Use another Python; what the sqlite3 command says does not matter.",
        )
    import chromadb
    from chromadb.config import Settings

    settings = Settings(
        _env_file=None,  # type: ignore[call-arg] # a .env file here is not about this store
        anonymized_telemetry=False,
        allow_reset=False,
        # In a store to be read, missing tables are a fault; "apply" would make an empty store.
        migrations="apply" if new else "validate",
    )
    with _counting:
        return cast("Client", chromadb.PersistentClient(folder.resolve(), settings))


def _close_client(client: Client) -> None:
    with _counting:
        client.close()


@contextmanager
def _chroma_errors(doing: str, folder: Path) -> Iterator[None]:
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, ValueError) as error:
        message = f"Chroma could not {doing} the vector store {folder}: {error}"
        if "readonly database" in str(error):
            raise IndexingError(
                message, hint="Make the folder writable: Chroma needs that even to read."
            ) from error
        if doing == "write":
            raise IndexingError(message, hint=_writing_hint(error, folder)) from error
        raise IndexDamaged(message) from error


def _writing_hint(error: Exception, folder: Path) -> str:
    signs = ("disk I/O error", "disk is full", "No space left", "File too large")
    # Some of Chroma's messages do not give the reason of what failed.
    is_full = shutil.disk_usage(folder.parent).free < _FULL_DISK_BYTES
    if is_full or any(sign in str(error) for sign in signs):
        return full_disk_hint(folder)
    return "The previous index is untouched."
