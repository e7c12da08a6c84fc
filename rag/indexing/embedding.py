"""The vectors of all chunks: found where they were made before, else made and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.chunking import embedding_text
from rag.embeddings.base import Embedder
from rag.indexing.progress import Stages
from rag.store.build import Content
from rag.store.cache import EmbeddingCache, cached_texts
from rag.store.index import Records
from rag.store.vectors import check_vectors

N_SLICE = 64
Vectors = Mapping[str, NDArray[np.float32]]
"""By the hash of their text; each (dimension,), unit length."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of a new generation, and where they came from."""

    vectors: NDArray[np.float32]
    """(n_chunks, dimension), in the order of the chunks."""
    n_embedded: int
    n_from_cache: int


@dataclass(frozen=True, slots=True)
class Embedding:
    """How the chunks of one corpus get their vectors.

    Args:
        content: The papers and chunks.
        current: The generation that is there, if any.
        given: Vectors of the same embedder that came with the corpus.
    """

    content: Content
    current: Records | None
    given: Vectors
    embedder: Embedder
    data_dir: Path

    def run(self, stages: Stages) -> Embedded:
        """Find the vector of every text, or make it; a slice is on disk before the next begins."""
        texts = self._texts()
        known = {**self.given, **self._stored()}
        with EmbeddingCache.of(
            self.data_dir, self.embedder.fingerprint, self.embedder.dimension
        ) as cache:
            known |= cache.get([text_hash for text_hash in texts if text_hash not in known])
            missing = [text_hash for text_hash in texts if text_hash not in known]
            for start in range(0, len(missing), N_SLICE):
                part = missing[start : start + N_SLICE]
                vectors = self.embedder.embed_passages(
                    [texts[text_hash] for text_hash in part],
                    progress=_from(stages, start, len(missing)),
                )
                check_vectors(vectors, len(part), self.embedder.dimension)
                made = dict(zip(part, vectors, strict=True))
                cache.put(made)
                known |= made
        ordered = [known[chunk.content_hash] for chunk in self.content.chunks.values()]
        return Embedded(np.stack(ordered), len(missing), len(texts) - len(missing))

    def n_missing(self) -> int:
        """How many texts ``run`` would embed; writes nothing."""
        known = {*self.given, *self._stored()}
        unknown = [text_hash for text_hash in self._texts() if text_hash not in known]
        return len(unknown) - len(cached_texts(self.data_dir, self.embedder.fingerprint, unknown))

    def _texts(self) -> dict[str, str]:
        """What is embedded, by its hash."""
        return {
            chunk.content_hash: embedding_text(self.content.papers[chunk.paper_id], chunk)
            for chunk in self.content.chunks.values()
        }

    def _stored(self) -> dict[str, NDArray[np.float32]]:
        """The vectors of the generation that is there."""
        if self.current is None or self.current.manifest.embedder != self.embedder.fingerprint:
            return {}
        hashes = [chunk.content_hash for chunk in self.current.chunks.values()]
        return dict(zip(hashes, self.current.read_vectors(), strict=True))


def _from(stages: Stages, n_before: int, n_total: int) -> Callable[[int], None]:
    """Progress of one slice as progress of the whole stage."""
    return lambda n_done: stages.show("Embedding", n_before + n_done, n_total)
