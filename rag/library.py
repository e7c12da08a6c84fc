"""The papers of one corpus or of several, open to be searched."""

from __future__ import annotations

import functools
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from rag.answering.lookup_titles import Titles
from rag.embeddings.base import Embedder
from rag.errors import IndexingError, QuestionError
from rag.retrieval.hybrid import HybridRetriever
from rag.retrieval.several import Together
from rag.retrieval.vocabulary import Vocabulary
from rag.store.base import Store
from rag.store.index import Index

_CHOICES_KEPT = 8


@dataclass(frozen=True, slots=True)
class View:
    """One generation of an index, and the retriever that searches it."""

    index: Index
    retriever: HybridRetriever
    vocabulary: Vocabulary
    """Which values the papers have."""
    titles: Titles
    """Finds papers by what they are called."""


class OpenIndex:
    """The index of one corpus, followed to its newest generation.

    Args:
        store: Where its index lives.
        embedder: The one that made the index.

    Raises:
        IndexingError: If it cannot be opened.
    """

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self.name = store.name
        self._store = store
        self._embedder = embedder
        self._lock = threading.Lock()
        self._is_closed = False
        self._index = self._open()

    def newest(self) -> Index:
        """The newest generation; a search that is under way ends on the one it began with.

        Raises:
            IndexingError: If it was closed, or the newest generation cannot be opened.
        """
        with self._lock:
            if self._is_closed:
                raise IndexingError(
                    f"The index {self.name!r} was closed.", hint="Open the assistant again."
                )
            newest = self._store.current()
            if newest is not None and newest != self._index.generation_id:
                self._index = self._open()
            return self._index

    def close(self) -> None:
        """Let the index go."""
        with self._lock:
            self._is_closed = True
            self._index.close()

    def _open(self) -> Index:
        return self._store.open(embedder_fingerprint=self._embedder.fingerprint)


class Collection:
    """All indexes that are open, and what they hold together.

    Args:
        indexes: At least one, all made by one embedder.
    """

    def __init__(self, indexes: Sequence[OpenIndex]) -> None:
        self.indexes = {index.name: index for index in indexes}
        self._lock = threading.Lock()
        self._seen: list[Index] = []
        self._together: Together | None = None

    def newest(self) -> Together:
        """The newest generations; the same object as long as there are no newer ones."""
        with self._lock:
            indexes = {name: index.newest() for name, index in self.indexes.items()}
            if self._together is None or list(indexes.values()) != self._seen:
                self._together, self._seen = Together(indexes), list(indexes.values())
            return self._together


class Library:
    """The papers of some corpora, open to be searched; follows their newest generations.

    Args:
        collection: All that are open.
        embedder: The one that made the indexes.
        depth: How many chunks each retrieval leg returns.
        corpora: The names of those that are looked at; all if there are none.
    """

    def __init__(
        self, collection: Collection, embedder: Embedder, *, depth: int, corpora: Sequence[str] = ()
    ) -> None:
        self.corpora = tuple(corpora or collection.indexes)
        """The names of the corpora that are looked at."""
        self._collection = collection
        self._embedder = embedder
        self._depth = depth
        self._lock = threading.Lock()
        self._together = collection.newest()
        self._view = self._make()
        self._chosen = functools.lru_cache(_CHOICES_KEPT)(
            functools.partial(Library, collection, embedder, depth=depth)
        )

    @classmethod
    def of(cls, store: Store, embedder: Embedder, *, depth: int) -> Self:
        """Open one corpus."""
        return cls(Collection([OpenIndex(store, embedder)]), embedder, depth=depth)

    @property
    def name(self) -> str:
        """What the papers are called together: the corpora, with commas."""
        return ", ".join(self.corpora)

    @property
    def in_words(self) -> str:
        """``name``, with how many papers each of several corpora has."""
        if len(self.corpora) == 1:
            return self.name
        papers = self.view().index.papers.values()
        # A corpus may have a paper twice.
        found = Counter(name for paper in papers for name in {e.corpus for e in paper.entries})
        counts = [f"{name} ({found[name]:,})" for name in self.corpora]
        return " and ".join([", ".join(counts[:-1]), counts[-1]])

    def view(self) -> View:
        """The newest generation; a search that is under way ends on the one it began with.

        Raises:
            IndexingError: If the library was closed, or the newest generation cannot be opened.
        """
        with self._lock:
            newest = self._collection.newest()
            if newest is not self._together:
                self._together = newest
                self._view = self._make()
            return self._view

    def choose(self, corpora: Sequence[str]) -> Library:
        """The library of some of these corpora.

        Args:
            corpora: Their names, in any order; all if there are none.

        Raises:
            QuestionError: If one of them is not open.
        """
        unknown = [name for name in corpora if name not in self.corpora]
        if unknown:
            raise QuestionError(
                f"The corpus {unknown[0]!r} is not open.",
                hint=f"Choose from {self.name}, or open it too.",
            )
        names = tuple(name for name in self.corpora if name in corpora)
        return self if not names or names == self.corpora else self._chosen(corpora=names)

    def close(self) -> None:
        """Let all indexes go."""
        for index in self._collection.indexes.values():
            index.close()

    def _make(self) -> View:
        index = self._together.index(self.corpora)
        retriever = HybridRetriever(
            self._embedder,
            index.dense,
            index.lexical,
            index.papers,
            index.chunks,
            depth=self._depth,
        )
        papers = index.papers.values()
        entries = [entry for paper in papers for entry in paper.entries]
        return View(index, retriever, Vocabulary(entries), Titles(papers))
