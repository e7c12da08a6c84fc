"""Embeddings that were computed once, kept on disk by embedder and text."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexingError
from rag.store.disk import full_disk_hint

_logger = logging.getLogger(__name__)
_N_SLICE = 500
_BUSY_TIMEOUT_S = 60.0
_BUSY_PAUSE_S = 0.02
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS embeddings (
        text_hash TEXT PRIMARY KEY, vector BLOB NOT NULL, checksum INTEGER NOT NULL
    ) WITHOUT ROWID
"""
# Primary result codes of SQLite that say the file is no good, whoever looks at it.
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def cached_texts(data_dir: Path, embedder: str, text_hashes: Sequence[str]) -> set[str]:
    """Which texts have an embedding in the cache of the embedder; writes nothing.

    What a run that is under way or was killed has just added may be missing.
    """
    path = _path(data_dir, embedder)
    uri = f"{path.resolve().as_uri()}?immutable=1"
    found: set[str] = set()
    if path.exists():
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(uri, uri=True)) as database:
            for part, marks in _slices(text_hashes):
                query = f"SELECT text_hash FROM embeddings WHERE text_hash IN ({marks})"  # noqa: S608 - only question marks
                found |= {text_hash for (text_hash,) in database.execute(query, part)}
    return found


class EmbeddingCache:
    """Vectors by the hash of their text, for one embedder.

    What ``put`` was given survives a kill of the process, and several processes may use the file
    at once. A damaged file is set aside with a warning, since everything in it can be had again.

    Args:
        path: The SQLite file; made if need be, with its folder.
        dimension: Length of the vectors.
    """

    def __init__(self, path: Path, dimension: int) -> None:
        self._path = path
        self._dimension = dimension
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._database = self._connect()
        except sqlite3.DatabaseError as error:
            self._start_over(error)

    @classmethod
    def of(cls, data_dir: Path, embedder: str, dimension: int) -> EmbeddingCache:
        """Open the cache of the embedder with that fingerprint."""
        return cls(_path(data_dir, embedder), dimension)

    def get(self, text_hashes: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Look vectors up; those that are missing, or damaged, are left out.

        Raises:
            IndexingError: If the file cannot be read for a reason that a new one has, too.
        """
        try:
            return self._read(text_hashes)
        except sqlite3.DatabaseError as error:
            self._start_over(error)
            return {}

    def put(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keep vectors by the hash of their text, on disk when this returns.

        Raises:
            IndexingError: If the file cannot be written, such as on a full disk.
        """
        try:
            self._write(vectors)
        except sqlite3.DatabaseError as error:
            self._start_over(error)
            self._write(vectors)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=_BUSY_TIMEOUT_S)
        try:
            _keep_a_log(database)
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute(_SCHEMA)
        except sqlite3.DatabaseError:
            database.close()
            raise
        return database

    def _read(self, text_hashes: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        found = {}
        for part, marks in _slices(text_hashes):
            rows = self._database.execute(
                f"SELECT text_hash, vector, checksum FROM embeddings WHERE text_hash IN ({marks})",  # noqa: S608 - only question marks
                part,
            )
            for text_hash, blob, checksum in rows:
                if len(blob) == 4 * self._dimension and checksum == _checksum(text_hash, blob):
                    found[text_hash] = np.frombuffer(blob, dtype="<f4").astype(np.float32)
        return found

    def _write(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        blobs = {key: vector.astype("<f4").tobytes() for key, vector in vectors.items()}
        with self._database:
            self._database.executemany(
                "INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)",
                [(key, blob, _checksum(key, blob)) for key, blob in blobs.items()],
            )

    def _start_over(self, error: sqlite3.DatabaseError) -> None:
        """Set a damaged file aside and begin a new one; raise for any other fault."""
        code = error.sqlite_errorcode & 0xFF
        if code not in _DAMAGED:
            hint = f"Look at {self._path.parent}; finished embeddings are kept."
            if code in _FULL:
                hint = full_disk_hint(self._path.parent)
            raise IndexingError(f"The embedding cache failed: {error}.", hint=hint) from error
        now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        for suffix in ("", "-wal", "-shm"):
            part = self._path.with_name(self._path.name + suffix)
            if part.exists():
                part.rename(part.with_name(f"{part.name}.damaged-{now}"))
        _logger.warning(
            "The embedding cache %s was damaged (%s) and is set aside; its texts are embedded anew.",
            self._path,
            error,
        )
        self._database = self._connect()


def _path(data_dir: Path, embedder: str) -> Path:
    name = hashlib.sha256(embedder.encode()).hexdigest()[:16]
    return data_dir / "cache" / f"embeddings-{name}.sqlite"


def _slices(text_hashes: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    """Parts that one query can take, each with its question marks."""
    for start in range(0, len(text_hashes), _N_SLICE):
        part = text_hashes[start : start + _N_SLICE]
        yield part, ", ".join("?" * len(part))


def _checksum(text_hash: str, blob: bytes) -> int:
    return zlib.crc32(blob, zlib.crc32(text_hash.encode()))


def _keep_a_log(database: sqlite3.Connection) -> None:
    """Let readers and a writer use the file at once (SQLite's write-ahead log).

    The change of mode is refused at once, whatever the timeout, while another process is about to
    write, such as one that makes the same new file; so it is tried again here.
    """
    give_up_at = time.monotonic() + _BUSY_TIMEOUT_S
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > give_up_at:
                raise
            time.sleep(_BUSY_PAUSE_S)
        else:
            return
