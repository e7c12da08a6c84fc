"""Generations as collections of a Chroma server that several machines share.

Whoever writes an index has its lease, so that a generation that was never current belongs to that
writer or to a dead one.

Readers hold no locks. A reader looks at the pointer before each question, and needs what it has
open only until that question is answered; so a generation that was replaced is kept for a time
that no question takes, ``GRACE_S``, and then removed by the next writer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rag.errors import IndexDamaged
from rag.store.build import Content
from rag.store.index import Index, Records, missing
from rag.store.lexical import lexicon
from rag.store.manifest import Manifest
from rag.store.served.catalog import Catalog, index_names, manifest_of
from rag.store.served.collection import Collection
from rag.store.served.connection import Connection, NotOnServer
from rag.store.served.lease import LEASE_S, Lease
from rag.store.served.local_copy import LocalCopy
from rag.store.served.reading import check_count, fetch, make_index
from rag.store.served.vectors import ServedVectors
from rag.store.served.writer import ServerWriter

GRACE_S = 3600.0


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """All indexes of a Chroma server; see ``Place``."""

    connection: Connection
    data_dir: Path
    """Where this machine keeps its copies."""

    @property
    def where(self) -> str:
        """The server's address."""
        return f"the Chroma server {self.connection.address}"

    def names(self) -> list[str]:
        """See ``Place.names``."""
        return index_names(self.connection)

    def store(self, name: str) -> ServerStore:
        """See ``Place.store``."""
        return ServerStore(self.connection, name, self.data_dir)


class ServerStore:
    """One index on a Chroma server.

    Args:
        connection: To the server.
        name: The index's name.
        data_dir: Where this machine keeps its copy of the records and its lexical index.
        lease_s: How long the right to write outlives a writer that died.
        grace_s: How long a generation that was replaced is kept for those who still read it.

    Raises:
        IndexingError: If the name cannot be that of an index.
    """

    def __init__(
        self,
        connection: Connection,
        name: str,
        data_dir: Path,
        *,
        lease_s: float = LEASE_S,
        grace_s: float = GRACE_S,
    ) -> None:
        self.name = name
        self._connection = connection
        self._catalog = Catalog(connection, name)
        self._lease_s = lease_s
        self._grace_s = grace_s
        self._copy = LocalCopy(data_dir / "cache" / "served" / name)

    @property
    def where(self) -> str:
        """The server's address."""
        return f"the Chroma server {self._connection.address}"

    def current(self) -> str | None:
        """See ``Store.current``."""
        return self._catalog.current()

    def look(self) -> Manifest | None:
        """See ``Store.look``."""
        collection = self._current_collection()
        return None if collection is None else manifest_of(collection)

    def examine(self) -> Manifest | None:
        """See ``Store.examine``: the records are counted."""
        collection = self._current_collection()
        if collection is None:
            return None
        manifest = manifest_of(collection)
        check_count(collection, manifest)
        return manifest

    def open(self, *, embedder_fingerprint: str) -> Index:
        """See ``Store.open``; what was read once is read from the copy on this machine."""
        while (generation_id := self.current()) is not None:
            try:
                return self._open(generation_id, embedder_fingerprint)
            except NotOnServer:
                # A writer may have replaced and removed it since the pointer was read.
                if self.current() == generation_id:
                    raise self._gone(generation_id) from None
        raise missing(self.name, f"on {self.where}")

    def _open(self, generation_id: str, embedder_fingerprint: str) -> Index:
        collection = self._catalog.find(generation_id)
        manifest = manifest_of(collection)
        manifest.expect(embedder=embedder_fingerprint, lexicon=lexicon())
        check_count(collection, manifest)
        contents, lexical = self._copy.open(manifest, lambda: fetch(collection, manifest))
        return make_index(generation_id, collection, manifest, contents, lexical)

    def read(self) -> Records | None:
        """See ``Store.read``."""
        generation_id = self.current()
        if generation_id is None:
            return None
        try:
            collection = self._catalog.find(generation_id)
        except NotOnServer as error:
            raise FileNotFoundError(error.message) from error
        manifest = manifest_of(collection)
        contents, _ = self._copy.open(manifest, lambda: fetch(collection, manifest))
        vectors = ServedVectors(collection, contents.chunks.values())
        return Records(
            generation_id,
            manifest,
            contents.papers,
            contents.chunks,
            lambda: vectors.read_vectors(list(contents.chunks)),
        )

    def manifest(self, content: Content) -> Manifest:
        """See ``Store.manifest``: the server's files are its own affair, whoever wrote to it."""
        return replace(content.manifest(), packages={})

    def note(self) -> str | None:
        """See ``Store.note``."""
        return self._catalog.note()

    def n_bytes(self) -> None:
        """See ``Store.n_bytes``: the server does not tell."""

    @contextmanager
    def writing(self) -> Iterator[ServerWriter]:
        """See ``Store.writing``: a lease, which outlives a holder that died for a while only."""
        name = self._catalog.lease_name
        with Lease.take(self._connection, name, lasts_s=self._lease_s) as lease:
            yield ServerWriter(self._catalog, self.manifest, lease, self._copy, self._grace_s)

    def _current_collection(self) -> Collection | None:
        generation_id = self.current()
        if generation_id is None:
            return None
        try:
            return self._catalog.find(generation_id)
        except NotOnServer:
            raise self._gone(generation_id) from None

    def _gone(self, generation_id: str) -> IndexDamaged:
        return IndexDamaged(
            f"The index {self.name!r} points to {generation_id} on {self.where}, which is gone."
        )
