"""All indexes of one place, and the corpora that could have one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rag.corpus.seeds import SEED_CORPORA
from rag.embeddings.base import Embedder
from rag.errors import CorpusError, IndexDamaged, IndexMismatch
from rag.indexing.origin import stamp_of
from rag.indexing.report import IndexReport, read_report
from rag.store.base import Place, Store
from rag.store.lexical import lexicon

State = Literal["current", "stale", "unfit", "damaged", "unbuilt"]
"""``stale``: the source has changed since, or is gone. ``unfit``: made by another embedder or another
form of Symposia, and refused. ``damaged``: it cannot be read. ``unbuilt``: it was never finished; the
first question to a corpus that comes with Symposia builds its index."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One corpus that has an index, or could have one at once."""

    name: str
    state: State
    detail: str
    """Why the state is not ``current``; empty if it is."""
    description: str
    """As it was given to `symposia index`, or of a corpus that comes with Symposia."""
    source: str
    """What to give to `symposia index` to build it again, quoted for a shell."""
    n_papers: int
    n_chunks: int
    embedder: str
    """The fingerprint of the embedder that made it."""
    built_at: str
    """ISO 8601, UTC; empty if it was never finished."""
    n_bytes: int | None
    """Size of all its files; None on a server."""


def list_corpora(place: Place, embedder: Embedder, chunk_tokens: int) -> list[Listed]:
    """All corpora by name: those that have an index, and those that come with Symposia.

    The indexes themselves are not read; `symposia doctor` does that for the one in use.
    """
    names = sorted({*place.names(), *SEED_CORPORA})
    return [_look(place.store(name), embedder, chunk_tokens) for name in names]


def last_report(place: Place, name: str) -> IndexReport | None:
    """The report of the run that made an index, or of the last one that found it otherwise."""
    return read_report(place.store(name))


def made_from(place: Place, name: str) -> str | None:
    """What an index was made from; None if there is none, or it does not say."""
    try:
        manifest = place.store(name).look()
    except (OSError, IndexDamaged, IndexMismatch):
        return None
    return manifest.source if manifest else None


def _look(store: Store, embedder: Embedder, chunk_tokens: int) -> Listed:
    name, manifest = store.name, None
    state: State = "current"
    detail = ""
    try:
        manifest = store.look()
        if manifest is None:
            state, detail = "unbuilt", "it has no index yet"
        else:
            manifest.expect(embedder=embedder.fingerprint, lexicon=lexicon())
            detail = _what_changed(store, embedder, chunk_tokens)
            state = "stale" if detail else "current"
    except IndexMismatch as error:
        state, detail = "unfit", str(error)
    except (OSError, IndexDamaged) as error:
        state, detail = "damaged", str(error)
    own = SEED_CORPORA.get(name) if manifest is None or manifest.source == name else None
    return Listed(
        name=name,
        state=state,
        detail=detail,
        description=own.description if own else _description(store),
        source=manifest.source if manifest else (name if own else ""),
        n_papers=manifest.n_papers if manifest else 0,
        n_chunks=manifest.n_chunks if manifest else 0,
        embedder=manifest.embedder if manifest else "",
        built_at=manifest.created_at if manifest else "",
        n_bytes=store.n_bytes(),
    )


def _description(store: Store) -> str:
    report = read_report(store)
    return report.source.description if report and report.source else ""


def _what_changed(store: Store, embedder: Embedder, chunk_tokens: int) -> str:
    """Why the index is not in line with its source any more, if that is known; else empty."""
    report = read_report(store)
    if report is None or report.source is None or report.generation_id != store.current():
        return ""
    try:
        stamp = stamp_of(report.source, embedder, chunk_tokens)
    except CorpusError as error:
        return f"its source is gone: {error.message}"
    return "" if stamp == report.stamp else "its source, or how it is read, has changed since"
