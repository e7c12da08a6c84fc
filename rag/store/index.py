"""An index that is open to be read: one generation, which never changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexDamaged, IndexMissing
from rag.records import Chunk, LegHit, Paper
from rag.store.chroma import ChromaStore
from rag.store.generation import CHUNKS, DENSE, LEXICAL, MANIFEST, PAPERS, VECTORS, IndexFolder
from rag.store.lexical import LexicalIndex, lexicon
from rag.store.lock import SharedLock
from rag.store.manifest import Manifest, read_manifest, rebuild_hint
from rag.store.rows import read_chunks, read_papers
from rag.store.seal import check_seal


class DenseStore(Protocol):
    """The embeddings of one generation, wherever they are."""

    def search(
        self, vector: NDArray[np.float32], k: int, allowed: frozenset[str] | None = None
    ) -> list[LegHit]:
        """Find the chunks nearest to a query.

        Args:
            vector: (dimension,) float32, unit length.
            k: How many hits at most.
            allowed: Only chunks of these papers, however many they are; None for all.

        Returns:
            Best first, ties by chunk id; the score is the cosine similarity, from -1 to 1.

        Raises:
            IndexingError: If the vector is not of unit length.
        """

    def read_vectors(self, chunk_ids: Sequence[str]) -> NDArray[np.float32]:
        """Read embeddings back as they are stored: (len(chunk_ids), dimension) float32.

        Raises:
            IndexDamaged: If not every one can be read.
        """

    def close(self) -> object:
        """Let the embeddings go."""


@dataclass(frozen=True, slots=True)
class Records:
    """What a generation holds, without the two legs; it has passed the seal."""

    generation_id: str
    manifest: Manifest
    papers: Mapping[str, Paper]
    """By paper id, in the order of the corpus."""
    chunks: Mapping[str, Chunk]
    """By chunk id, sorted."""
    read_vectors: Callable[[], NDArray[np.float32]]
    """Gives (n_chunks, dimension) float32, unit length, in the order of the chunks."""


@dataclass(frozen=True, slots=True)
class Index:
    """A frozen view of one generation.

    It may be used by several threads. To change to a newer generation, open that and forget this
    one; searches that are under way end on the old one.
    """

    generation_id: str
    manifest: Manifest
    papers: Mapping[str, Paper]
    chunks: Mapping[str, Chunk]
    dense: DenseStore
    lexical: LexicalIndex
    _lock: SharedLock | None = None
    """Keeps the generation on this disk for as long as this object lives."""

    def close(self) -> None:
        """Let the generation go; the index cannot be searched any more."""
        self.dense.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_index(data_dir: Path, name: str, *, embedder_fingerprint: str) -> Index:
    """Open the current generation of an index.

    Raises:
        IndexMissing: If it was never built.
        IndexMismatch: If it was built by another embedder or by another form of Symposia.
        IndexDamaged: If its files are not what was verified when they were written.
    """
    folder = IndexFolder.of(data_dir, name)
    while (generation_id := folder.current()) is not None:
        path = folder.generation(generation_id)
        try:
            lock = SharedLock(path / MANIFEST)
        except FileNotFoundError:
            # A writer may have replaced and removed it since the pointer was read.
            if folder.current() != generation_id:
                continue
            raise IndexDamaged(
                f"The index {name!r} points to {path}, which is gone.",
                hint="Build it anew with `symposia index`.",
            ) from None
        manifest = read_manifest(path / MANIFEST)
        manifest.expect(embedder=embedder_fingerprint, lexicon=lexicon())
        return open_generation(path, lock)
    raise missing(name, f"in {folder.path.parent}")


def missing(name: str, where: str) -> IndexMissing:
    """What to raise where nothing was ever finished."""
    return IndexMissing(
        f"There is no index {name!r} {where} yet.",
        hint="Build it with `symposia index` and the path of its papers.",
    )


def open_generation(path: Path, lock: SharedLock) -> Index:
    """Open a generation after comparing its files with its seal.

    Args:
        path: Its folder.
        lock: On its manifest; closed with the index.

    Raises:
        IndexDamaged: If anything is not as it was written.
        IndexMismatch: If another form of Symposia wrote it.
    """
    records = read_records(path)
    try:
        dense = ChromaStore.open(path / DENSE, records.chunks.values())
        lexical = LexicalIndex.open(path / LEXICAL, records.chunks)
    except IndexDamaged as error:
        written_by = f"(written by {_versions(records.manifest)})"
        hint = rebuild_hint(records.manifest.source)
        raise IndexDamaged(f"{error.message} {written_by}", hint=hint) from error
    return Index(path.name, records.manifest, records.papers, records.chunks, dense, lexical, lock)


def read_records(path: Path) -> Records:
    """Read the papers and chunks of a generation whose files are all as they were written.

    Raises:
        FileNotFoundError: If there is no such generation.
        IndexDamaged: If a file has changed or is missing.
        IndexMismatch: If another form of Symposia wrote it.
    """
    manifest = read_manifest(path / MANIFEST)
    try:
        check_seal(path, manifest.files)
    except IndexDamaged as error:
        raise IndexDamaged(error.message, hint=rebuild_hint(manifest.source)) from error
    papers, chunks = read_papers(path / PAPERS), read_chunks(path / CHUNKS)
    return Records(path.name, manifest, papers, chunks, lambda: _load(path / VECTORS))


def _load(path: Path) -> NDArray[np.float32]:
    vectors: NDArray[np.float32] = np.load(path, allow_pickle=False)
    return vectors


def _versions(manifest: Manifest) -> str:
    return ", ".join(f"{name} {version}" for name, version in manifest.packages.items())
