"""Reading a source, and recognising one that has not changed since."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.metadata import version

from rag.corpus import Corpus, load_corpus
from rag.corpus.vectors import seed_vectors
from rag.embeddings.base import Embedder
from rag.indexing.embedding import Vectors
from rag.indexing.report import read_report
from rag.indexing.source import Source
from rag.store.base import Store
from rag.store.build import PACKAGES
from rag.store.lexical import lexicon
from rag.store.manifest import SCHEMA_VERSION


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a corpus comes from."""

    source: Source
    stamp: str
    """Two readings with one stamp would give the same index."""
    vectors: Vectors
    """Embeddings that come with the corpus."""
    read_ms: float


def read_source(source: Source, embedder: Embedder, chunk_tokens: int) -> tuple[Corpus, Origin]:
    """Read papers, and what is known of them.

    Raises:
        CorpusError: If there is no such source, or not one paper could be read.
    """
    started = time.perf_counter()
    # Before reading: a file that changes meanwhile is then read again next time.
    stamp = stamp_of(source, embedder, chunk_tokens)
    corpus = load_corpus(*source.items, name=source.name, columns=source.columns)
    vectors: Vectors = {}
    for item in source.items:
        vectors = {**vectors, **seed_vectors(item, embedder.fingerprint)}
    return corpus, Origin(source, stamp, vectors, 1000 * (time.perf_counter() - started))


def is_fresh(store: Store, source: Source, embedder: Embedder, chunk_tokens: int) -> bool:
    """Whether indexing the source would change nothing, told without reading its papers.

    Raises:
        CorpusError: If a file of the source is not there or cannot be read.
        IndexDamaged: If the index does not say which generation is current.
    """
    report = read_report(store)
    if report is None or not report.stamp or report.generation_id != store.current():
        return False
    return report.stamp == stamp_of(source, embedder, chunk_tokens)


def stamp_of(source: Source, embedder: Embedder, chunk_tokens: int) -> str:
    """64 hex digits that change with the source and with all that makes an index of it."""
    packages = [f"{name} {version(name)}" for name in PACKAGES]
    return source.digest(
        SCHEMA_VERSION, chunk_tokens, embedder.fingerprint, embedder.dimension, lexicon(), packages
    )
