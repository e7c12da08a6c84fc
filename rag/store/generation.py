"""Where the generations of an index lie, and the pointer to the one that is read."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rag.errors import IndexDamaged, IndexingError
from rag.store.disk import replace_text
from rag.store.lock import lock_if_unused

MANIFEST, PAPERS, CHUNKS, VECTORS = "manifest.json", "papers.jsonl", "chunks.jsonl", "vectors.npy"
DENSE, LEXICAL = "chroma", "bm25"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_GENERATION = re.compile(r"\d{8}T\d{12}Z-[0-9a-f]{12}")


def is_index_name(name: str) -> bool:
    """Whether an index may be called so."""
    return _NAME.fullmatch(name) is not None


def new_generation_id(fingerprint: str) -> str:
    """What to call a new generation: by time and content."""
    return f"{datetime.now(UTC).strftime('%Y%m%dT%H%M%S%fZ')}-{fingerprint}"


def is_generation_id(text: str) -> bool:
    """Whether a generation may be called so."""
    return _GENERATION.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class IndexFolder:
    """The folder of one index: ``CURRENT``, ``writer.lock`` and ``generations/``."""

    path: Path

    @classmethod
    def of(cls, data_dir: Path, name: str) -> IndexFolder:
        """The folder of the index with that name, whether it exists or not.

        Raises:
            IndexingError: If the name cannot be that of a folder.
        """
        if not is_index_name(name):
            raise IndexingError(
                f"{name!r} cannot name an index.",
                hint="Use letters, digits, dots, hyphens and underscores, at most 128.",
            )
        return cls(data_dir.resolve() / "indexes" / name)

    @property
    def writer_lock(self) -> Path:
        """The file whose lock is the right to write."""
        return self.path / "writer.lock"

    def generation(self, generation_id: str) -> Path:
        """The folder of one generation."""
        return self.path / "generations" / generation_id

    def current(self) -> str | None:
        """The id of the generation to read; None if nothing was ever finished.

        Raises:
            IndexDamaged: If the pointer does not hold an id.
        """
        try:
            text = (self.path / "CURRENT").read_text(encoding="utf-8", errors="replace").strip()
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not is_generation_id(text):
            raise IndexDamaged(
                f"{self.path / 'CURRENT'} does not name a generation: {text[:80]!r}."
            )
        return text

    def new_generation(self, fingerprint: str) -> Path:
        """Make the folder of a new generation."""
        folder = self.generation(new_generation_id(fingerprint))
        folder.mkdir(parents=True)
        return folder

    def switch(self, generation_id: str) -> None:
        """Let readers that come from now on read this generation."""
        replace_text(self.path / "CURRENT", generation_id + "\n")

    def remove_unread(self) -> None:
        """Remove all generations but the current one, unless somebody reads them.

        Only for the holder of the writer lock. Removes nothing while the pointer is damaged.
        """
        try:
            current = self.current()
        except IndexDamaged:
            return
        for folder in self.path.glob("generations/*"):
            if folder.name == current:
                continue
            manifest = folder / MANIFEST
            # A folder without a manifest was never finished, so nobody reads it.
            if not manifest.exists():
                shutil.rmtree(folder)
                continue
            with lock_if_unused(manifest) as unused:
                if unused:
                    shutil.rmtree(folder)
