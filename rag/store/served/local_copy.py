"""What a reader keeps on its own machine of a generation on a server: records and lexical index.

It depends on nothing but the contents and the package that writes it, and is named after both. It
may be removed at any time.
"""

from __future__ import annotations

import errno
import logging
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from rag.errors import IndexDamaged
from rag.store.disk import disk_errors
from rag.store.generation import CHUNKS, LEXICAL, MANIFEST, PAPERS
from rag.store.lexical import LexicalIndex
from rag.store.manifest import Manifest, read_manifest, write_manifest
from rag.store.rows import read_chunks, read_papers, write_rows
from rag.store.seal import check_seal, seal
from rag.store.served.rows import Contents

_logger = logging.getLogger(__name__)
_UNFINISHED = "unfinished-"
_FORGOTTEN_S = 3600.0


@dataclass(frozen=True, slots=True)
class LocalCopy:
    """Copies of the generations of one index.

    Args:
        folder: Where they lie; made if need be. Several processes may use it.
    """

    folder: Path

    def open(
        self, manifest: Manifest, fetch: Callable[[], Contents]
    ) -> tuple[Contents, LexicalIndex]:
        """Open the copy of a generation, after making it if it is not there or not whole.

        Args:
            manifest: Of the generation.
            fetch: Gets what is in it.
        """
        path = self._path(manifest)
        try:
            return _read(path)
        except FileNotFoundError:
            pass
        except IndexDamaged as error:
            _logger.warning("%s The copy is made anew.", error.message)
        shutil.rmtree(path, ignore_errors=True)
        return self.make(manifest, fetch())

    def make(self, manifest: Manifest, contents: Contents) -> tuple[Contents, LexicalIndex]:
        """Make the copy of a generation, and remove older ones."""
        path = self._path(manifest)
        with disk_errors("keep a copy of the index", self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            made = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self.folder))
            try:
                _write(made, manifest, contents)
                lexical = LexicalIndex.open(made / LEXICAL, contents.chunks)
                _rename(made, path)
            finally:
                shutil.rmtree(made, ignore_errors=True)
            self._remove_others(path)
        return contents, lexical

    def _path(self, manifest: Manifest) -> Path:
        return self.folder / f"{manifest.fingerprint}-bm25s-{version('bm25s')}"

    def _remove_others(self, path: Path) -> None:
        """Keep one other copy: while a writer verifies the next generation, readers open that."""
        forgotten = time.time() - _FORGOTTEN_S
        made = {other: other.stat().st_mtime for other in self.folder.iterdir() if other != path}
        finished = [other for other in made if not other.name.startswith(_UNFINISHED)]
        kept = sorted(finished, key=lambda other: made[other])[-1:]
        for other, made_at in made.items():
            if other not in kept and (other in finished or made_at < forgotten):
                shutil.rmtree(other, ignore_errors=True)


def _rename(made: Path, path: Path) -> None:
    try:
        made.rename(path)
    except OSError as error:
        # Another process was faster, with the same contents.
        if error.errno not in {errno.EEXIST, errno.ENOTEMPTY}:
            raise


def _write(path: Path, manifest: Manifest, contents: Contents) -> None:
    write_rows(path / PAPERS, contents.papers.values())
    write_rows(path / CHUNKS, contents.chunks.values())
    LexicalIndex.create(path / LEXICAL, contents.papers, contents.chunks.values())
    write_manifest(path / MANIFEST, replace(manifest, files=seal(path)))


def _read(path: Path) -> tuple[Contents, LexicalIndex]:
    check_seal(path, read_manifest(path / MANIFEST).files)
    contents = Contents(read_papers(path / PAPERS), read_chunks(path / CHUNKS))
    return contents, LexicalIndex.open(path / LEXICAL, contents.chunks)
