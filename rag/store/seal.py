"""Digests of a generation's files: what was verified once is recognised, anything else is refused.

A damaged vector store must not even be opened: Chroma may crash on it, search a part of it in
silence, or fill the disk while it reads. So files are compared before they are loaded.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from rag.errors import IndexDamaged

# Chroma adds a row to this table whenever a store is opened, even to read.
_OPENING_LOG = "acquire_write"
_TABLES = """
    SELECT name FROM sqlite_master
    WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'
    ORDER BY name
"""


def seal(folder: Path) -> dict[str, str]:
    """Digest every file of a folder, by its path in the folder.

    The digest is the file's sha256. For a SQLite database it is that of all rows, after a check
    of its structure, since reading a store changes the bytes.
    """
    return {
        path.relative_to(folder).as_posix(): _digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def check_seal(folder: Path, digests: Mapping[str, str]) -> None:
    """Compare a folder's files with their digests; files that were not there then are ignored.

    Raises:
        IndexDamaged: If a file is missing, changed or unreadable; the message names it.
    """
    for name, expected in digests.items():
        try:
            found = _digest(folder / name)
        except (OSError, sqlite3.Error) as error:
            raise IndexDamaged(f"The index is damaged: {folder / name}: {error}.") from error
        if found != expected:
            raise IndexDamaged(f"The index is damaged: {folder / name} has changed.")


def _digest(path: Path) -> str:
    if path.suffix == ".sqlite3":
        return _digest_rows(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest_rows(path: Path) -> str:
    digest = hashlib.sha256()
    # Mode rw, not ro: a reader that was killed leaves a journal, which must be rolled back first.
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)) as database:
        for (table,) in database.execute(_TABLES).fetchall():
            if table == _OPENING_LOG:
                continue
            (problem,) = database.execute(f'PRAGMA integrity_check("{table}")').fetchone()
            if problem != "ok":
                raise sqlite3.DatabaseError(problem)
            rows = database.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - names of the schema
            digest.update(table.encode())
            # Sorted, because another SQLite may read the same rows in another order.
            for row in sorted(map(repr, rows)):
                digest.update(row.encode())
    return digest.hexdigest()
