"""Writing that survives a crash, and disk errors in words."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rag.errors import IndexingError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


@contextmanager
def disk_errors(doing: str, path: Path) -> Iterator[None]:
    """Turn an operating system error into ours.

    Args:
        doing: What fails then, to follow "Could not".
        path: The folder that the hint speaks of.

    Raises:
        IndexingError: Instead of an OSError of a file; it says whether the disk is full or not writable.
    """
    try:
        yield
    except (ConnectionError, TimeoutError):
        raise  # an OSError by name, but not one of the disk
    except OSError as error:
        hint = f"Look at {path}; the previous index is untouched."
        if error.errno in _FULL:
            hint = full_disk_hint(path)
        elif error.errno in _FORBIDDEN:
            hint = f"Make {path} writable, or choose another folder with SYMPOSIA_DATA_DIR."
        raise IndexingError(f"Could not {doing}: {error.strerror or error}.", hint=hint) from error


def full_disk_hint(path: Path) -> str:
    """What to do when there is no space left."""
    return (
        f"The disk is full: make room for {path}, then run the command again. "
        "The previous index is untouched and finished embeddings are kept."
    )


def replace_text(path: Path, text: str) -> None:
    """Write a small file so that after a crash it holds the old text or the new one, whole."""
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    _sync(path.parent)


def sync_tree(folder: Path) -> None:
    """Bring a folder and all that is in it to the disk, and its own entry too."""
    for path in sorted(folder.rglob("*")):
        _sync(path)
    _sync(folder)
    _sync(folder.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
