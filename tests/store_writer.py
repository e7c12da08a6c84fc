"""Writes an index in a process of its own, which may die at any step; see ``test_stores.py``."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rag.chunking import embedding_text, split_paper
from rag.embeddings.base import Embedder
from rag.records import Paper
from rag.store import folder
from rag.store.base import Store, Writer
from rag.store.build import Content
from rag.store.folder import FolderPlace
from rag.store.generation import MANIFEST, VECTORS
from rag.store.index import open_generation
from rag.store.lock import SharedLock
from rag.store.served import collection
from rag.store.served.connection import Connection
from rag.store.served.store import ServerStore
from rag.store.verification import check_index

GRACE_S = 3600.0


@dataclass(frozen=True)
class Address:
    """Where an index is: in a folder, or on a server if there is a URL."""

    data_dir: Path
    name: str
    url: str = ""
    lease_s: float = 60.0
    grace_s: float = GRACE_S

    def store(self) -> Store:
        """A store of its own, as another process would have."""
        if not self.url:
            return FolderPlace(self.data_dir).store(self.name)
        return ServerStore(
            Connection(self.url),
            self.name,
            self.data_dir,
            lease_s=self.lease_s,
            grace_s=self.grace_s,
        )


def content_of(papers: Sequence[Paper], embedder: Embedder) -> tuple[Content, Any]:
    """What to write, and the vectors."""
    chunks = [chunk for paper in papers for chunk in split_paper(paper, max_tokens=448)]
    content = Content.of("papers.jsonl", papers, chunks, embedder)
    texts = [embedding_text(content.papers[c.paper_id], c) for c in content.chunks.values()]
    return content, np.asarray(embedder.embed_passages(texts))


def commit(writer: Writer, papers: Sequence[Paper], embedder: Embedder) -> str:
    """What an indexing run does with a writer."""
    writer.remove_unread()
    content, vectors = content_of(papers, embedder)
    generation_id = writer.write(content, vectors)
    writer.verify(generation_id, content, vectors)
    writer.switch(generation_id)
    writer.leave_note(generation_id)
    writer.remove_unread()
    return generation_id


def verify_here(path: Path, n_chunks: int) -> None:
    """The embedded store's verification, without the child that tests/integration runs."""
    with open_generation(path, SharedLock(path / MANIFEST)) as index:
        assert len(index.chunks) == n_chunks
        check_index(index, np.load(path / VECTORS))


def write_and_die(
    address: Address, papers: Sequence[Paper], embedder: Embedder, step: str, *, after: bool
) -> None:
    """Write an index, and die right before or after a step of the writer."""
    folder.verify = verify_here  # type: ignore[attr-defined,assignment]
    if step == "a batch":
        _die_at_second_batch()
    with _dying(address.store().writing(), step, after=after) as writer:
        commit(writer, papers, embedder)


class _Dying:
    def __init__(self, writer: Writer, step: str, *, after: bool) -> None:
        self._writer, self._step, self._after = writer, step, after

    def __getattr__(self, name: str) -> Callable[..., object]:
        act: Callable[..., object] = getattr(self._writer, name)
        if name != self._step:
            return act

        def act_and_die(*given: object) -> object:
            if self._after:
                act(*given)
            os.kill(os.getpid(), signal.SIGKILL)
            return None

        return act_and_die


class _dying:  # noqa: N801 - used like a function
    def __init__(self, writing: AbstractContextManager[Writer], step: str, *, after: bool) -> None:
        self._writing, self._step, self._after = writing, step, after

    def __enter__(self) -> Any:
        return _Dying(self._writing.__enter__(), self._step, after=self._after)

    def __exit__(self, *error: Any) -> None:
        self._writing.__exit__(*error)


def _die_at_second_batch() -> None:
    collection._MAX_BATCH_BYTES = 1000
    write, n_written = collection.Collection._write, []

    def count_and_write(self: Any, how: str, *given: Any) -> None:
        n_written.append(how)
        if n_written.count("/add") == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        write(self, how, *given)

    collection.Collection._write = count_and_write  # type: ignore[method-assign,assignment]
