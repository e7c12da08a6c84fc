"""Where the generations of one index are on a server, and the pointer to the one that is read.

The collection ``symposia-indexes`` has for each index a record that points to a generation, and one
with the note of its last writer. A generation is a collection of its own, whose metadata hold its
manifest.
"""

from __future__ import annotations

import hashlib

from rag.errors import IndexDamaged, IndexingError
from rag.store.generation import is_generation_id, is_index_name
from rag.store.manifest import Manifest, parse_manifest
from rag.store.served.collection import (
    Collection,
    Metadata,
    Row,
    create_collection,
    find_collection,
    list_collections,
)
from rag.store.served.connection import Connection, NotOnServer

_INDEXES = "symposia-indexes"
_POINTER, _NOTE = "pointer/", "note/"


class Catalog:
    """The generations of one index.

    Args:
        connection: To the server.
        name: The index's name.

    Raises:
        IndexingError: If the name cannot be that of an index.
    """

    def __init__(self, connection: Connection, name: str) -> None:
        if not is_index_name(name):
            raise IndexingError(
                f"{name!r} cannot name an index.",
                hint="Use letters, digits, dots, hyphens and underscores, at most 128.",
            )
        self.connection = connection
        self.name = name
        self._indexes: Collection | None = None
        # Chroma refuses some names that an index may have; the digest keeps them apart.
        digest = hashlib.sha256(name.encode()).hexdigest()[:8]
        self._key = f"{name.replace('..', '-')}-{digest}"

    @property
    def lease_name(self) -> str:
        """What the collection is called that is the right to write."""
        return f"symposia-lease-{self._key}"

    def collection_name(self, generation_id: str) -> str:
        """What the collection of a generation is called."""
        return f"symposia-index-{self._key}-{generation_id}"

    def current(self) -> str | None:
        """The id of the generation to read; None if nothing was ever finished.

        Raises:
            IndexDamaged: If the pointer does not hold an id.
        """
        row = self._record(_POINTER)
        if row is None:
            return None
        generation_id = str(row.metadata.get("generation"))
        if not is_generation_id(generation_id):
            raise IndexDamaged(
                f"The pointer of the index {self.name!r} on the Chroma server "
                f"{self.connection.address} does not name a generation: {generation_id[:80]!r}."
            )
        return generation_id

    def switch(self, generation_id: str) -> None:
        """Let readers that come from now on read this generation."""
        self._put(_POINTER, {"generation": generation_id})

    def note(self) -> str | None:
        """The text that was left last."""
        row = self._record(_NOTE)
        return str(row.metadata.get("text", "")) if row else None

    def leave_note(self, text: str) -> None:
        """Leave a text in the place of the one before."""
        self._put(_NOTE, {"text": text})

    def find(self, generation_id: str) -> Collection:
        """The collection of a generation.

        Raises:
            NotOnServer: If it is not there.
        """
        name = self.collection_name(generation_id)
        collection = find_collection(self.connection, name)
        if collection is None:
            raise NotOnServer(
                f"The Chroma server {self.connection.address} has no collection {name}.",
                hint="The index may just have been written anew; try again.",
            )
        return collection

    def generations(self) -> dict[str, Collection]:
        """All generations, whole or not, by their id."""
        start = self.collection_name("")
        found = {
            collection.name.removeprefix(start): collection
            for collection in list_collections(self.connection)
            if collection.name.startswith(start)
        }
        return {name: found[name] for name in found if is_generation_id(name)}

    def _record(self, kind: str) -> Row | None:
        try:
            if self._indexes is not None:
                return self._indexes.get(kind + self.name)
        except NotOnServer:
            pass  # the server has other data now
        self._indexes = find_collection(self.connection, _INDEXES)
        return self._indexes.get(kind + self.name) if self._indexes else None

    def _put(self, kind: str, metadata: Metadata) -> None:
        described = {"description": "pointers and notes of indexes"}
        indexes = create_collection(self.connection, _INDEXES, described, or_get=True)
        indexes.put(Row(kind + self.name, metadata))


def index_names(connection: Connection) -> list[str]:
    """The names of all indexes that were ever finished, sorted."""
    indexes = find_collection(connection, _INDEXES)
    row_ids = [row.row_id for row in indexes.read()] if indexes else []
    return sorted(
        row_id.removeprefix(_POINTER) for row_id in row_ids if row_id.startswith(_POINTER)
    )


def manifest_of(collection: Collection) -> Manifest:
    """The manifest of the generation that a collection holds.

    Raises:
        IndexDamaged: If it has none.
        IndexMismatch: If another form of Symposia wrote it.
    """
    return parse_manifest(str(collection.metadata.get("manifest")), f"of {collection.name}")
