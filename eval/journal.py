"""A journal of results on disk, so that an interrupted run pays only for the rest."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from eval.cases import Case
from eval.results import Result, Shown
from rag.errors import SymposiaError

_PACKAGES = (Path(__file__).parent, Path(__file__).parents[1] / "rag")


class JournalError(SymposiaError):
    """The journal of a run cannot be read or written."""


class Journal:
    """One JSON line a judged case, on disk before the next case begins.

    An entry holds for the same case, code, writer and index alone; anything else is asked anew.
    Cases that could not be judged are not kept, so that a later run tries them again.

    Args:
        path: The file.
        mode: What writes the answers. An answer names what wrote it, which may be another: a
            language model that fails, or is not asked, leaves it to quotation.
    """

    def __init__(self, path: Path, *, mode: str) -> None:
        self._path = path
        self._mode = mode
        self._code = code_sha256()
        self._entries = {row["key"]: row["result"] for row in self._read()}

    def find(self, case: Case, seen: Shown) -> Result | None:
        """The result of ``case`` from an earlier run that had the index of ``seen``."""
        plain = self._entries.get(self._key(case, seen))
        return None if plain is None else Result.from_dict(case, plain)

    def append(self, result: Result) -> None:
        """Keep one result, and wait until it is on disk.

        Raises:
            JournalError: The file cannot be written.
        """
        if result.shown is None:
            return
        row = {"key": self._key(result.case, result.shown), "result": result.to_dict()}
        # The newline in front parts the row from one that a killed run left unfinished.
        line = "\n" + json.dumps(row, ensure_ascii=False)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise JournalError(
                f"The journal {self._path} cannot be written: {error}.",
                hint="Choose a folder that can be written.",
            ) from error

    def _key(self, case: Case, seen: Shown) -> str:
        parts = (repr(case), self._code, self._mode, seen.index_fingerprint)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _read(self) -> list[dict[str, Any]]:
        try:
            text = self._path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise JournalError(
                f"The journal {self._path} cannot be read: {error}.", hint="Move it away."
            ) from error
        rows = (_row(line) for line in text.split("\n"))
        return [row for row in rows if row is not None]


def code_sha256() -> str:
    """Sha256 (hex) over the source of ``rag`` and ``eval``: other code, other results."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted(package.rglob("*.py")):
            digest.update(path.relative_to(package.parent).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def _row(line: str) -> dict[str, Any] | None:
    """The row of a line; None for a line that is empty or was cut off by a kill."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        return None
    whole = isinstance(row, dict) and row.keys() >= {"key", "result"}
    return row if whole else None
