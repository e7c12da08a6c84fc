"""Locks between processes. The operating system holds them: they end with their holder."""

from __future__ import annotations

import fcntl
import os
import socket
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rag.errors import IndexBusy


@contextmanager
def writer_lock(path: Path) -> Iterator[None]:
    """Hold the right to write an index, and say in the file who does.

    Raises:
        IndexBusy: At once, if another process or thread holds it.
    """
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise IndexBusy(
                f"The index is being written by {holder}.",
                hint="Wait until that has ended, then run the command again.",
            ) from None
        file.truncate(0)
        file.write(this_process())
        file.flush()
        yield


def this_process() -> str:
    """Who holds a right to write, for those who have to wait."""
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return f"process {os.getpid()} on {socket.gethostname()} since {since}"


class SharedLock:
    """Marks a file as in use by a reader, until it is closed or forgotten.

    Raises:
        FileNotFoundError: If the file is gone, or goes away while the lock is taken.
    """

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        self.close = weakref.finalize(self, os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        # Between opening and locking the file may have been removed by its last exclusive holder.
        if os.fstat(descriptor).st_nlink == 0:
            self.close()
            raise FileNotFoundError(path)


@contextmanager
def lock_if_unused(path: Path) -> Iterator[bool]:
    """Yield True with an exclusive lock on the file, or False while somebody reads it."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
