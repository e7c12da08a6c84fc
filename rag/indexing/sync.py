"""One indexing run, from papers to an index that can be read.

An index is never changed in place. Its next generation is built beside the current one, verified,
and becomes the current one by the switch of a pointer; embeddings are kept as they are made, so
that an interrupted run goes on where it ended.
"""

from __future__ import annotations

import logging
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.chunking import split_paper
from rag.corpus import Corpus
from rag.embeddings.base import Embedder, Metered
from rag.errors import IndexDamaged, IndexMismatch
from rag.indexing.changes import Changes, compare
from rag.indexing.embedding import Embedded, Embedding
from rag.indexing.origin import Origin
from rag.indexing.progress import Progress, Stages
from rag.indexing.report import IndexReport, keep_report, read_report
from rag.indexing.source import Source
from rag.records import Paper, Usage
from rag.store.base import Store, Writer
from rag.store.build import Content
from rag.store.disk import disk_errors
from rag.store.folder import FolderStore
from rag.store.index import Records
from rag.store.manifest import Manifest

_logger = logging.getLogger(__name__)


def sync_index(
    corpus: Corpus,
    *,
    name: str,
    data_dir: Path,
    embedder: Embedder,
    chunk_tokens: int,
    store: Store | None = None,
    origin: Origin | None = None,
    prune: bool = False,
    dry_run: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> IndexReport:
    """Bring an index in line with a corpus; does nothing if it is, and embeds only what is new.

    Args:
        corpus: The papers.
        name: The index's name; see ``index_name``.
        data_dir: Folder of all indexes and of the embedding cache.
        embedder: Makes the vectors. An index of another embedder is replaced.
        chunk_tokens: Size limit of one chunk.
        store: Where the index lives; by default a folder of ``data_dir``.
        origin: Where the corpus comes from; see ``read_source``.
        prune: Remove papers that the corpus does not have any more.
        dry_run: Write nothing, only report what would be done.
        progress: Told how far the run has come.

    Raises:
        IndexBusy: If another process is writing this index.
        IndexDamaged: If the new index does not pass verification.
        IndexingError: If the disk is full or not writable, or a vector cannot be used.
    """
    store = store or FolderStore(data_dir, name)
    stages = Stages(progress)
    run = _Run(corpus, store, data_dir, embedder, chunk_tokens, origin, prune, stages)
    if dry_run:
        with disk_errors("read the index", data_dir):
            return run.rehearse()
    with disk_errors("write the index", data_dir), store.writing() as writer:
        writer.remove_unread()
        report = run.carry_out(writer)
        keep_report(store, writer, report)
        writer.remove_unread()
    return report


@dataclass(frozen=True, slots=True)
class _Run:
    corpus: Corpus
    store: Store
    data_dir: Path
    embedder: Embedder
    chunk_tokens: int
    origin: Origin | None
    prune: bool
    stages: Stages

    def carry_out(self, writer: Writer) -> IndexReport:
        """Build the next generation if there is anything new."""
        started = time.perf_counter()
        current = _read_current(self.store)
        changes, content = self._compare(current)
        if current is not None and _is_up_to_date(current, self.store.manifest(content)):
            embedded, generation_id = None, current.generation_id
        else:
            with self.stages.timed("Embedding"):
                embedded = self._embedding(content, current).run(self.stages)
            generation_id = _commit(writer, content, embedded.vectors, self.stages)
        return self._report(started, changes, generation_id, embedded)

    def rehearse(self) -> IndexReport:
        """What ``carry_out`` would do; writes nothing."""
        started = time.perf_counter()
        current = _read_current(self.store)
        changes, content = self._compare(current)
        generation_id = current.generation_id if current else ""
        if current is not None and _is_up_to_date(current, self.store.manifest(content)):
            embedded = None
        else:
            n_missing = self._embedding(content, current).n_missing()
            n_texts = len({chunk.content_hash for chunk in content.chunks.values()})
            embedded = Embedded(np.empty((0, 0), np.float32), n_missing, n_texts - n_missing)
        report = self._report(started, changes, generation_id, embedded)
        return replace(report, is_dry_run=True)

    def _compare(self, current: Records | None) -> tuple[Changes, Content]:
        before = {} if current is None else current.papers
        changes = compare(before, self.corpus.papers, prune=self.prune)
        with self.stages.timed("Splitting"):
            content = self._split(changes.papers)
        return changes, content

    def _split(self, papers: Sequence[Paper]) -> Content:
        chunks = [
            chunk for paper in papers for chunk in split_paper(paper, max_tokens=self.chunk_tokens)
        ]
        arguments = self.origin.source.arguments if self.origin else shlex.quote(self.store.name)
        return Content.of(arguments, papers, chunks, self.embedder)

    def _embedding(self, content: Content, current: Records | None) -> Embedding:
        given = self.origin.vectors if self.origin else {}
        return Embedding(content, current, given, self.embedder, self.data_dir)

    def _report(
        self, started: float, changes: Changes, generation_id: str, embedded: Embedded | None
    ) -> IndexReport:
        read_ms = self.origin.read_ms if self.origin else 0.0
        return IndexReport(
            name=self.store.name,
            generation_id=generation_id,
            changed=embedded is not None,
            is_dry_run=False,
            n_read=self.corpus.n_read,
            n_indexed=len(changes.papers),
            n_added=changes.n_added,
            n_updated=changes.n_updated,
            n_unchanged=changes.n_unchanged,
            n_kept=changes.n_kept,
            n_removed=changes.n_removed,
            n_embedded=embedded.n_embedded if embedded else 0,
            n_from_cache=embedded.n_from_cache if embedded else 0,
            rejected=self.corpus.rejected,
            remarks=self.corpus.remarks,
            notes=self.corpus.notes,
            source=self._source(),
            stamp=self.origin.stamp if self.origin else "",
            timings_ms={"reading": read_ms, **self.stages.timings_ms},
            elapsed_ms=read_ms + 1000 * (time.perf_counter() - started),
            finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
            usage=self.embedder.usage if isinstance(self.embedder, Metered) else Usage(),
        )

    def _source(self) -> Source | None:
        """Where the corpus comes from; a description that was given once stays."""
        source = self.origin.source if self.origin else None
        if source is None or source.description:
            return source
        before = read_report(self.store)
        described = before.source.description if before and before.source else ""
        return replace(source, description=described)


def _read_current(store: Store) -> Records | None:
    """The generation that is there, if it is whole and of this form."""
    try:
        return store.read()
    except (FileNotFoundError, IndexDamaged, IndexMismatch) as error:
        _logger.warning("The index in %s is built anew: %s", store.where, error)
        return None


def _is_up_to_date(current: Records, expected: Manifest) -> bool:
    # Other versions of the stores count as a change: their files are written anew, at no cost of
    # embedding, before a difference in the formats can do harm.
    found = current.manifest
    return (found.fingerprint, found.packages) == (expected.fingerprint, expected.packages)


def _commit(writer: Writer, content: Content, vectors: NDArray[np.float32], stages: Stages) -> str:
    """Build a generation, prove it, and only then point to it."""
    with stages.step("Writing"):
        generation_id = writer.write(content, vectors)
    with ExitStack() as on_failure:
        on_failure.callback(writer.discard, generation_id)
        with stages.step("Verifying"):
            writer.verify(generation_id, content, vectors)
        on_failure.pop_all()
    writer.switch(generation_id)
    return generation_id
