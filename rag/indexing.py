"""The second main flow: from papers to an index that can be read.

An index is never changed in place. Its next generation is built beside the current one, verified,
and becomes the current one by the switch of a pointer; embeddings are kept as they are made, so
that an interrupted run goes on where it ended.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.chunking import embedding_text, split_paper
from rag.corpus import Corpus, RejectedRow, corpus_name
from rag.corpus.seeds import SEEDS
from rag.embeddings.base import Embedder
from rag.errors import IndexDamaged, IndexMismatch
from rag.records import Paper
from rag.store.build import Content, write_generation
from rag.store.cache import EmbeddingCache
from rag.store.disk import disk_errors, sync_tree
from rag.store.generation import IndexFolder
from rag.store.index import Records, read_records
from rag.store.lock import writer_lock
from rag.store.vectors import check_vectors
from rag.store.verification import verify

_logger = logging.getLogger(__name__)
_N_SLICE = 64
_Show = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one stage has come."""

    stage: str
    """``Embedding``, ``Writing`` or ``Verifying``."""
    done: int
    total: int
    """Of ``done``: texts for the first stage; the others are one step."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an indexing run found and did. ``n_read == n_indexed + len(rejected)``."""

    name: str
    generation_id: str
    changed: bool
    """False if the index was up to date and nothing was written."""
    n_read: int
    n_indexed: int
    """Papers in the index: added, updated and unchanged ones."""
    n_added: int
    n_updated: int
    n_removed: int
    n_unchanged: int
    n_embedded: int
    """Texts for which the embedder was asked."""
    n_from_cache: int
    """Texts whose embedding was there already."""
    rejected: tuple[RejectedRow, ...]
    elapsed_ms: float


def index_name(source: str | Path) -> str:
    """The name of the index of a corpus.

    Returns:
        For a path its stem and 8 hex digits of where it really is, so that two files of one name
        do not share an index; for anything else the name as it is.
    """
    path = Path(source).expanduser()
    if source == SEEDS or not path.exists():
        return str(source)
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", corpus_name(source)).strip("-._")[:64]
    digest = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:8]
    return f"{stem or 'papers'}-{digest}"


def sync_index(
    corpus: Corpus,
    *,
    name: str,
    data_dir: Path,
    embedder: Embedder,
    chunk_tokens: int,
    source: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> IndexReport:
    """Bring an index in line with a corpus; does nothing if it is, and embeds only what is new.

    Args:
        corpus: The papers.
        name: The index's name; see ``index_name``.
        data_dir: Folder of all indexes and of the embedding cache.
        embedder: Makes the vectors. An index of another embedder is replaced.
        chunk_tokens: Size limit of one chunk.
        source: What to give to `symposia index` to do this again; by default the name.
        progress: Told how far the run has come.

    Raises:
        IndexBusy: If another process is writing this index.
        IndexDamaged: If the new index does not pass verification.
        IndexingError: If the disk is full or not writable, or a vector cannot be used.
    """
    started = time.perf_counter()
    show = _shower(progress)
    folder = IndexFolder.of(data_dir, name)
    with disk_errors("write the index", data_dir):
        folder.path.mkdir(parents=True, exist_ok=True)
        with writer_lock(folder.writer_lock):
            folder.remove_unread()
            current = _read_current(folder)
            content = _split(corpus, source or name, embedder, chunk_tokens)
            if current is not None and _is_up_to_date(current, content):
                embedded, generation_id = None, current.folder.name
            else:
                embedded = _embed(content, current, embedder, data_dir, show)
                generation_id = _commit(folder, content, embedded.vectors, show)
                folder.remove_unread()
    return IndexReport(
        name=name,
        generation_id=generation_id,
        changed=embedded is not None,
        n_read=corpus.n_read,
        n_indexed=len(content.papers),
        **_count_changes({} if current is None else current.papers, content.papers),
        n_embedded=embedded.n_embedded if embedded else 0,
        n_from_cache=embedded.n_from_cache if embedded else 0,
        rejected=corpus.rejected,
        elapsed_ms=1000 * (time.perf_counter() - started),
    )


def _count_changes(before: Mapping[str, Paper], after: Mapping[str, Paper]) -> dict[str, int]:
    n_shared = len(before.keys() & after.keys())
    n_unchanged = sum(before.get(paper_id) == paper for paper_id, paper in after.items())
    return {
        "n_added": len(after) - n_shared,
        "n_updated": n_shared - n_unchanged,
        "n_removed": len(before) - n_shared,
        "n_unchanged": n_unchanged,
    }


def _read_current(folder: IndexFolder) -> Records | None:
    """The generation that is there, if it is whole and of this form."""
    try:
        generation_id = folder.current()
        return None if generation_id is None else read_records(folder.generation(generation_id))
    except (FileNotFoundError, IndexDamaged, IndexMismatch) as error:
        _logger.warning("The index in %s is built anew: %s", folder.path, error)
        return None


def _split(corpus: Corpus, source: str, embedder: Embedder, chunk_tokens: int) -> Content:
    chunks = [
        chunk for paper in corpus.papers for chunk in split_paper(paper, max_tokens=chunk_tokens)
    ]
    return Content.of(source, corpus.papers, chunks, embedder)


def _is_up_to_date(current: Records, content: Content) -> bool:
    # Other versions of the stores count as a change: their files are written anew, at no cost of
    # embedding, before a difference in the formats can do harm.
    expected = content.manifest()
    found = current.manifest
    return (found.fingerprint, found.packages) == (expected.fingerprint, expected.packages)


@dataclass(frozen=True, slots=True)
class _Embedded:
    vectors: NDArray[np.float32]
    """(n_chunks, dimension), in the order of the chunks."""
    n_embedded: int
    n_from_cache: int


def _embed(
    content: Content, current: Records | None, embedder: Embedder, data_dir: Path, show: _Show
) -> _Embedded:
    """Find the vector of every text, or make it; each slice is on disk before the next begins."""
    texts = {
        chunk.content_hash: embedding_text(content.papers[chunk.paper_id], chunk)
        for chunk in content.chunks.values()
    }
    known = _stored_vectors(current, embedder)
    with EmbeddingCache.of(data_dir, embedder.fingerprint, embedder.dimension) as cache:
        known |= cache.get([text_hash for text_hash in texts if text_hash not in known])
        missing = [text_hash for text_hash in texts if text_hash not in known]
        for start in range(0, len(missing), _N_SLICE):
            part = missing[start : start + _N_SLICE]
            vectors = embedder.embed_passages(
                [texts[text_hash] for text_hash in part],
                progress=_from(show, start, len(missing)),
            )
            check_vectors(vectors, len(part), embedder.dimension)
            made = dict(zip(part, vectors, strict=True))
            cache.put(made)
            known |= made
    ordered = [known[chunk.content_hash] for chunk in content.chunks.values()]
    return _Embedded(np.stack(ordered), len(missing), len(texts) - len(missing))


def _stored_vectors(current: Records | None, embedder: Embedder) -> dict[str, NDArray[np.float32]]:
    """The vectors of the generation that is there, by the hash of their text."""
    if current is None or current.manifest.embedder != embedder.fingerprint:
        return {}
    hashes = [chunk.content_hash for chunk in current.chunks.values()]
    return dict(zip(hashes, current.read_vectors(), strict=True))


def _commit(
    folder: IndexFolder, content: Content, vectors: NDArray[np.float32], show: _Show
) -> str:
    """Build a generation, prove it, bring it to the disk, and only then point to it."""
    path = folder.new_generation(content.manifest().fingerprint)
    with ExitStack() as on_failure:
        on_failure.callback(shutil.rmtree, path, ignore_errors=True)
        show("Writing", 0, 1)
        write_generation(path, content, vectors)
        show("Writing", 1, 1)
        show("Verifying", 0, 1)
        verify(path, len(content.chunks))
        show("Verifying", 1, 1)
        sync_tree(path)
        on_failure.pop_all()
    folder.switch(path.name)
    return path.name


def _from(show: _Show, n_before: int, n_total: int) -> Callable[[int], None]:
    """Progress of one slice as progress of the whole stage."""
    return lambda n_done: show("Embedding", n_before + n_done, n_total)


def _shower(progress: Callable[[Progress], None] | None) -> _Show:
    def show(stage: str, done: int, total: int) -> None:
        if progress is not None:
            progress(Progress(stage, done, total))

    return show
