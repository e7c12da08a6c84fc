"""What an index needs of the place where its generations live: a folder, or a Chroma server.

A generation is written once and never changed. Readers see only the one that the pointer names,
and the pointer is switched last, so that nobody ever sees half of a generation.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rag.store.build import Content
from rag.store.index import Index, Records
from rag.store.manifest import Manifest


class Place(Protocol):
    """Where indexes live: a folder of this machine, or a server."""

    @property
    def where(self) -> str:
        """The place in words, without secrets."""

    def names(self) -> list[str]:
        """All indexes that somebody began to build here, sorted; on a server, finished ones."""

    def store(self, name: str) -> Store:
        """The index of that name, whether it exists or not.

        Raises:
            IndexingError: If no index may be called so.
        """


class Store(Protocol):
    """Where the generations of one index live, to be read."""

    name: str
    """The index's name."""

    @property
    def where(self) -> str:
        """The place in words, without secrets."""

    def current(self) -> str | None:
        """The id of the generation to read; None if nothing was ever finished.

        Cheap enough to be asked before every question.

        Raises:
            IndexDamaged: If the pointer does not name a generation.
        """

    def look(self) -> Manifest | None:
        """What the current generation says of itself; None if there is none.

        Raises:
            IndexDamaged: If it is gone, or does not say it.
            IndexMismatch: If another form of Symposia wrote it.
        """

    def examine(self) -> Manifest | None:
        """Like ``look``, after a check that the generation is whole.

        Raises:
            IndexDamaged: If it is not whole.
            IndexMismatch: If another form of Symposia wrote it.
        """

    def open(self, *, embedder_fingerprint: str) -> Index:
        """Open the current generation.

        Raises:
            IndexMissing: If the index was never built.
            IndexMismatch: If it was built by another embedder or by another form of Symposia.
            IndexDamaged: If it is not what was verified when it was written.
        """

    def read(self) -> Records | None:
        """Read the records of the current generation; None if there is none.

        Raises:
            FileNotFoundError: If what the pointer names is gone.
            IndexDamaged: If it is not whole.
            IndexMismatch: If another form of Symposia wrote it.
        """

    def manifest(self, content: Content) -> Manifest:
        """The manifest that a generation of this content would have if it were written now."""

    def writing(self) -> AbstractContextManager[Writer]:
        """Hold the right to write this index.

        Raises:
            IndexBusy: At once, if somebody else holds it.
        """

    def note(self) -> str | None:
        """What the last writer left beside the generations; None if nothing."""

    def n_bytes(self) -> int | None:
        """Size of all that is kept; None where that cannot be known."""


class Writer(Protocol):
    """What the holder of the right to write may do: write, verify, switch, remove."""

    def write(self, content: Content, vectors: NDArray[np.float32]) -> str:
        """Write a new generation, which nobody sees yet; if that fails nothing is left.

        Args:
            content: What to write.
            vectors: (n_chunks, dimension) float32, unit length, in the order of the chunks.

        Returns:
            Its id.
        """

    def verify(self, generation_id: str, content: Content, vectors: NDArray[np.float32]) -> None:
        """Prove that a generation holds what was written, and bring it to the disk.

        Raises:
            IndexDamaged: If it does not.
        """

    def switch(self, generation_id: str) -> None:
        """Let readers that come from now on read this generation."""

    def discard(self, generation_id: str) -> None:
        """Remove a generation that was never switched to."""

    def leave_note(self, text: str) -> None:
        """Leave a text beside the generations, in the place of the one before."""

    def remove_unread(self) -> None:
        """Remove what is not current and what nobody can be reading."""
