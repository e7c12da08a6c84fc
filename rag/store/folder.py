"""Generations as folders on a disk of this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexDamaged
from rag.store.build import Content, write_generation
from rag.store.disk import replace_text, sync_tree
from rag.store.generation import MANIFEST, IndexFolder, is_index_name
from rag.store.index import Index, Records, open_index, read_records
from rag.store.lock import writer_lock
from rag.store.manifest import Manifest, read_manifest
from rag.store.seal import check_seal
from rag.store.verification import verify

_NOTE = "report.json"


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """All indexes of a data folder; see ``Place``."""

    data_dir: Path

    @property
    def where(self) -> str:
        """The folder."""
        return str(self._folder)

    def names(self) -> list[str]:
        """See ``Place.names``."""
        found = (path.name for path in self._folder.glob("*") if path.is_dir())
        return sorted(name for name in found if is_index_name(name))

    def store(self, name: str) -> FolderStore:
        """See ``Place.store``."""
        return FolderStore(self.data_dir, name)

    @property
    def _folder(self) -> Path:
        return self.data_dir.expanduser().resolve() / "indexes"


class FolderStore:
    """The embedded store: no server, for the readers of one machine.

    Args:
        data_dir: Folder of all indexes.
        name: The index's name.

    Raises:
        IndexingError: If the name cannot be that of a folder.
    """

    def __init__(self, data_dir: Path, name: str) -> None:
        self.name = name
        self._data_dir = data_dir
        self._folder = IndexFolder.of(data_dir, name)

    @property
    def where(self) -> str:
        """The index's folder."""
        return str(self._folder.path)

    def current(self) -> str | None:
        """See ``Store.current``."""
        return self._folder.current()

    def look(self) -> Manifest | None:
        """See ``Store.look``."""
        generation_id = self._folder.current()
        if generation_id is None:
            return None
        path = self._folder.generation(generation_id)
        try:
            return read_manifest(path / MANIFEST)
        except FileNotFoundError:
            message = f"The index {self.name!r} points to {path}, which is gone."
            raise IndexDamaged(message) from None

    def examine(self) -> Manifest | None:
        """See ``Store.examine``: every file is compared with its seal."""
        manifest, generation_id = self.look(), self._folder.current()
        if manifest is not None and generation_id is not None:
            check_seal(self._folder.generation(generation_id), manifest.files)
        return manifest

    def open(self, *, embedder_fingerprint: str) -> Index:
        """See ``Store.open``; the generation stays on disk for as long as the index is open."""
        return open_index(self._data_dir, self.name, embedder_fingerprint=embedder_fingerprint)

    def read(self) -> Records | None:
        """See ``Store.read``."""
        generation_id = self._folder.current()
        return (
            None if generation_id is None else read_records(self._folder.generation(generation_id))
        )

    def manifest(self, content: Content) -> Manifest:
        """See ``Store.manifest``."""
        return content.manifest()

    def note(self) -> str | None:
        """See ``Store.note``."""
        try:
            return (self._folder.path / _NOTE).read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
            return None

    def n_bytes(self) -> int:
        """See ``Store.n_bytes``."""
        return sum(_sizes(self._folder.path))

    @contextmanager
    def writing(self) -> Iterator[FolderWriter]:
        """See ``Store.writing``: a lock that the operating system frees if its holder dies."""
        self._folder.path.mkdir(parents=True, exist_ok=True)
        with writer_lock(self._folder.writer_lock):
            yield FolderWriter(self._folder)


@dataclass(frozen=True, slots=True)
class FolderWriter:
    """Writes generations of one index; see ``Writer``."""

    folder: IndexFolder

    def write(self, content: Content, vectors: NDArray[np.float32]) -> str:
        """See ``Writer.write``.

        Raises:
            IndexingError: If a vector cannot be used, or Chroma cannot write.
            OSError: If a file cannot be written.
        """
        path = self.folder.new_generation(content.manifest().fingerprint)
        try:
            write_generation(path, content, vectors)
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        return path.name

    def verify(self, generation_id: str, content: Content, vectors: NDArray[np.float32]) -> None:  # noqa: ARG002 - the files hold both
        """See ``Writer.verify``: in a child process, since a damaged store may crash its reader."""
        path = self.folder.generation(generation_id)
        verify(path, len(content.chunks))
        sync_tree(path)

    def switch(self, generation_id: str) -> None:
        """See ``Writer.switch``: one file is replaced."""
        self.folder.switch(generation_id)

    def discard(self, generation_id: str) -> None:
        """See ``Writer.discard``."""
        shutil.rmtree(self.folder.generation(generation_id), ignore_errors=True)

    def leave_note(self, text: str) -> None:
        """See ``Writer.leave_note``."""
        replace_text(self.folder.path / _NOTE, text)

    def remove_unread(self) -> None:
        """See ``Writer.remove_unread``: readers hold a lock on what they read."""
        self.folder.remove_unread()


def _sizes(folder: Path) -> Iterator[int]:
    for path in folder.rglob("*"):
        try:
            yield path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue  # a run that is under way tidied up
