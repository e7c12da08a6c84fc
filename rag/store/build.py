"""Writing a new generation: records, vectors, both legs, and the manifest last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.base import Embedder
from rag.records import Chunk, Paper
from rag.store.chroma import ChromaStore
from rag.store.generation import CHUNKS, DENSE, LEXICAL, MANIFEST, PAPERS, VECTORS
from rag.store.lexical import LexicalIndex, lexicon
from rag.store.manifest import SCHEMA_VERSION, Manifest, write_manifest
from rag.store.rows import stored, write_rows
from rag.store.seal import seal

PACKAGES = ("bm25s", "chromadb")
"""Those that write the files of a generation."""


@dataclass(frozen=True, slots=True)
class Content:
    """What goes into a generation, but for the vectors."""

    source: str
    papers: Mapping[str, Paper]
    chunks: Mapping[str, Chunk]
    """By chunk id, sorted."""
    embedder: str
    dimension: int
    corpus_hash: str

    @classmethod
    def of(
        cls, source: str, papers: Sequence[Paper], chunks: Sequence[Chunk], embedder: Embedder
    ) -> Content:
        """Order papers and chunks, and digest them."""
        return cls(
            source,
            {paper.paper_id: paper for paper in papers},
            {chunk.chunk_id: chunk for chunk in sorted(chunks, key=lambda c: c.chunk_id)},
            embedder.fingerprint,
            embedder.dimension,
            corpus_hash(papers, chunks),
        )

    def manifest(self, files: Mapping[str, str] | None = None) -> Manifest:
        """The manifest of a generation with this content and these files."""
        return Manifest(
            schema_version=SCHEMA_VERSION,
            source=self.source,
            embedder=self.embedder,
            dimension=self.dimension,
            lexicon=lexicon(),
            corpus_hash=self.corpus_hash,
            n_papers=len(self.papers),
            n_chunks=len(self.chunks),
            packages={name: version(name) for name in PACKAGES},
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            files=files or {},
        )


def write_generation(folder: Path, content: Content, vectors: NDArray[np.float32]) -> None:
    """Fill the folder of a new generation.

    Args:
        folder: It exists and is empty.
        content: What to write.
        vectors: (n_chunks, dimension) float32, unit length, in the order of the chunks.

    Raises:
        IndexingError: If a vector cannot be used, or Chroma cannot write.
        OSError: If a file cannot be written.
    """
    chunks = list(content.chunks.values())
    write_rows(folder / PAPERS, content.papers.values())
    write_rows(folder / CHUNKS, chunks)
    np.save(folder / VECTORS, vectors, allow_pickle=False)
    ChromaStore.create(folder / DENSE, chunks, vectors)
    LexicalIndex.create(folder / LEXICAL, content.papers, chunks)
    write_manifest(folder / MANIFEST, content.manifest(seal(folder)))


def corpus_hash(papers: Iterable[Paper], chunks: Iterable[Chunk]) -> str:
    """sha256 (hex) of papers and chunks, whatever their order."""
    records: list[Paper | Chunk] = [*papers, *chunks]
    lines = sorted(json.dumps(stored(record), sort_keys=True) for record in records)
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()
