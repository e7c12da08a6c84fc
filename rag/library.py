"""The papers of one corpus, open to be searched."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from rag.answering.lookup_titles import Titles
from rag.embeddings.base import Embedder
from rag.errors import IndexingError
from rag.retrieval.hybrid import HybridRetriever
from rag.retrieval.vocabulary import Vocabulary
from rag.store.base import Store
from rag.store.index import Index


@dataclass(frozen=True, slots=True)
class View:
    """One generation of an index, and the retriever that searches it."""

    index: Index
    retriever: HybridRetriever
    vocabulary: Vocabulary
    """Which values the papers have."""
    titles: Titles
    """Finds papers by what they are called."""


class Library:
    """The papers of one corpus, open to be searched; follows the index to its newest generation.

    Args:
        store: Where its index lives.
        embedder: The one that made the index.
        depth: How many chunks each retrieval leg returns.
    """

    def __init__(self, store: Store, embedder: Embedder, *, depth: int) -> None:
        self._store = store
        self.name = store.name
        self._embedder = embedder
        self._depth = depth
        self._lock = threading.Lock()
        self._is_closed = False
        self._view = self._open()

    def view(self) -> View:
        """The newest generation; a search that is under way ends on the one it began with.

        Raises:
            IndexingError: If the library was closed, or the newest generation cannot be opened.
        """
        with self._lock:
            if self._is_closed:
                raise IndexingError(
                    f"The index {self.name!r} was closed.", hint="Open the assistant again."
                )
            newest = self._store.current()
            if newest is not None and newest != self._view.index.generation_id:
                self._view = self._open()
            return self._view

    def close(self) -> None:
        """Let the index go."""
        with self._lock:
            self._is_closed = True
            self._view.index.close()

    def _open(self) -> View:
        index = self._store.open(embedder_fingerprint=self._embedder.fingerprint)
        retriever = HybridRetriever(
            self._embedder,
            index.dense,
            index.lexical,
            index.papers,
            index.chunks,
            depth=self._depth,
        )
        papers = index.papers.values()
        return View(index, retriever, Vocabulary(papers), Titles(papers))
