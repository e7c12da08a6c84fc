"""Conversations that outlive the page and the program: one SQLite file in the data folder."""

from __future__ import annotations

import logging
import secrets
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from rag.records import Citation
from ui.conversation import Conversation
from ui.exchange import Exchange

FILE = "conversations.sqlite"
"""Its name in the data folder."""
MOST_KEPT = 500
"""Conversations of one browser; of more the oldest go."""
MOST_BYTES = 1_000_000_000
"""Of the file; beyond, the conversations go that were not used for longest, whosever they are."""
_GOING = 100
"""How many go at a time."""
_TITLE_CHARS = 80
_BUSY_TIMEOUT_S = 5.0
_DAY_S = 86_400.0
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS conversations (
        id TEXT PRIMARY KEY, owner TEXT NOT NULL, corpus TEXT NOT NULL, title TEXT NOT NULL,
        revision INTEGER NOT NULL, used REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS by_owner ON conversations (owner, corpus, used);
    CREATE TABLE IF NOT EXISTS exchanges (
        conversation TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
        turn INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (conversation, turn)
    ) WITHOUT ROWID;
"""
_EXCHANGE = TypeAdapter(Exchange)
_logger = logging.getLogger(__name__)


class DamagedError(OSError):
    """The file was no database any more; it is set aside, and the next use begins a new one."""


class Title(NamedTuple):
    """One line of the list of conversations."""

    conversation_id: str
    text: str


class Shelf:
    """Keeps the conversations of every browser apart, by a token that only that browser knows.

    Several processes may use the file. One that is damaged is set aside with a warning; where
    nothing can be written nothing is kept, and the page works on.

    Args:
        path: The file; made when there is something to keep.
        corpus: What the papers are called together; conversations about others are not listed.
        days: How long a conversation is kept after its last use.
        clock: Seconds since 1970.
    """

    def __init__(
        self, path: Path, corpus: str, *, days: int, clock: Callable[[], float] = time.time
    ) -> None:
        self.path = path
        self._corpus = corpus
        self._seconds = days * _DAY_S
        self._clock = clock

    def titles(self, owner: str) -> list[Title]:
        """What ``owner`` has asked, the last used first."""
        if not owner or not self.path.exists():
            return []
        with self._open() as database:
            rows = database.execute(
                "SELECT id, title FROM conversations"
                " WHERE owner = ? AND corpus = ? AND used > ? ORDER BY used DESC, id",
                (owner, self._corpus, self._clock() - self._seconds),
            ).fetchall()
        return [Title(*row) for row in rows]

    def load(self, owner: str, conversation_id: str) -> Conversation | None:
        """A conversation as it was kept; None if ``owner`` has none of that id.

        An exchange that cannot be read any more is left out; the conversation's trouble says so.
        """
        if not owner or not self.path.exists():
            return None
        with self._open() as database:
            row = database.execute(
                "SELECT revision FROM conversations WHERE id = ? AND owner = ?",
                (conversation_id, owner),
            ).fetchone()
            if row is None:
                return None
            kept = database.execute(
                "SELECT content FROM exchanges WHERE conversation = ? ORDER BY turn",
                (conversation_id,),
            ).fetchall()
        conversation = Conversation(owner=owner, conversation_id=conversation_id, revision=row[0])
        exchanges = [exchange for (content,) in kept if (exchange := _unpacked(content))]
        for exchange in exchanges:
            conversation = conversation.with_exchange(exchange)
        return replace(conversation, trouble=_trouble(len(kept) - len(exchanges)))

    def keep(self, conversation: Conversation) -> Conversation:
        """Keep the latest exchange, and forget those that came after it.

        Where another page has gone on with the same conversation, or has deleted it, this one
        becomes a conversation of its own; so neither loses anything.

        Returns:
            The conversation with the id and the revision under which it is kept; as it was if it
            has no owner, or nothing that is finished, or could not be kept.
        """
        latest = conversation.latest
        if not conversation.owner or latest is None or latest.is_open:
            return conversation
        with self._open(write=True) as database:
            known = database.execute(
                "UPDATE conversations SET revision = revision + 1, used = ?"
                " WHERE id = ? AND owner = ? AND revision = ?",
                (
                    self._clock(),
                    conversation.conversation_id,
                    conversation.owner,
                    conversation.revision,
                ),
            ).rowcount
            kept = replace(conversation, revision=conversation.revision + 1)
            added = [latest]
            if not known:
                kept = self._begin(database, conversation)
                added = kept.exchanges()
            database.execute(
                "DELETE FROM exchanges WHERE conversation = ? AND turn > ?",
                (kept.conversation_id, latest.turn),
            )
            database.executemany(
                "INSERT OR REPLACE INTO exchanges VALUES (?, ?, ?)",
                [(kept.conversation_id, item.turn, _packed(item)) for item in added],
            )
        return kept

    def rename(self, owner: str, conversation_id: str, title: str) -> None:
        """Call a conversation otherwise; a blank title changes nothing."""
        if text := _title(title):
            with self._open(write=True) as database:
                database.execute(
                    "UPDATE conversations SET title = ? WHERE id = ? AND owner = ?",
                    (text, conversation_id, owner),
                )

    def delete(self, owner: str, conversation_id: str) -> None:
        """Forget a conversation for good."""
        with self._open(write=True) as database:
            database.execute(
                "DELETE FROM conversations WHERE id = ? AND owner = ?", (conversation_id, owner)
            )
            database.execute("PRAGMA incremental_vacuum")

    def _begin(self, database: sqlite3.Connection, conversation: Conversation) -> Conversation:
        """A new conversation, after those that are too old or too many have gone."""
        database.execute(
            "DELETE FROM conversations WHERE used <= ? OR id IN (SELECT id FROM conversations"
            " WHERE owner = ? ORDER BY used DESC LIMIT -1 OFFSET ?)",
            (self._clock() - self._seconds, conversation.owner, MOST_KEPT - 1),
        )
        if _n_bytes(database) > MOST_BYTES:
            database.execute(
                "DELETE FROM conversations WHERE id IN"
                " (SELECT id FROM conversations ORDER BY used LIMIT ?)",
                (_GOING,),
            )
            database.execute("PRAGMA incremental_vacuum")
        begun = replace(conversation, conversation_id=secrets.token_hex(16), revision=0)
        database.execute(
            "INSERT INTO conversations VALUES (?, ?, ?, ?, 0, ?)",
            (
                begun.conversation_id,
                begun.owner,
                self._corpus,
                _title(begun.exchanges()[0].question) or "Conversation",
                self._clock(),
            ),
        )
        return begun

    @contextmanager
    def _open(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """The file for one transaction."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not self.path.exists()
        opened = 0
        try:
            connection = sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
            with closing(connection) as database:
                opened = self.path.stat().st_ino
                if is_new:
                    # What people asked is nobody else's business on this machine.
                    self.path.chmod(0o600)
                _set_up(database, is_new=is_new)
                if write:
                    database.execute("BEGIN IMMEDIATE")
                with database:
                    yield database
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in _DAMAGED:
                self._set_aside(opened, error)
                raise DamagedError(f"{self.path}: {error}") from error
            raise OSError(f"{self.path}: {error}") from error

    def _set_aside(self, inode: int, error: sqlite3.DatabaseError) -> None:
        # Another process may have been here first; its new file is sound.
        if not self.path.exists() or self.path.stat().st_ino != inode:
            return
        now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        aside = self.path.with_name(f"{self.path.name}.damaged-{now}")
        self.path.rename(aside)
        _logger.warning("The conversations were damaged (%s); the file is now %s.", error, aside)


def _set_up(database: sqlite3.Connection, *, is_new: bool) -> None:
    if is_new:
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA secure_delete = ON")
    database.executescript(_SCHEMA)


def _n_bytes(database: sqlite3.Connection) -> int:
    sizes = (
        database.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    pages, free, size = sizes
    return int((pages - free) * size)


def _trouble(n_lost: int) -> str:
    if not n_lost:
        return ""
    what = "One answer" if n_lost == 1 else f"{n_lost} answers"
    return f"{what} of this conversation could not be read any more; the rest is here."


def _title(text: str) -> str:
    """One line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= _TITLE_CHARS:
        return line
    return line[: _TITLE_CHARS - 1].rpartition(" ")[0].rstrip(" ,;:") + "…"


def _packed(exchange: Exchange) -> bytes:
    return zlib.compress(_EXCHANGE.dump_json(exchange))


def _unpacked(content: bytes) -> Exchange | None:
    try:
        exchange = _EXCHANGE.validate_json(zlib.decompress(content))
    except (zlib.error, ValidationError) as error:
        _logger.warning("An exchange of a kept conversation cannot be read: %s", error)
        return None
    if not all(map(_is_proven, _citations(exchange))):
        _logger.warning("An exchange of a kept conversation cannot be read: a quote is not there")
        return None
    return exchange


def _citations(exchange: Exchange) -> Iterator[Citation]:
    for ready in exchange.sentences:
        yield from ready.citations
    if exchange.answer:
        yield from exchange.answer.citations


def _is_proven(citation: Citation) -> bool:
    return citation.paper.abstract[citation.start : citation.end] == citation.quote
