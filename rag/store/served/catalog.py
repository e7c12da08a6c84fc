"""Where the generations of one index are on a server, and the pointer to the one that is read.

The collection ``symposia-indexes`` has one record for each index, its pointer. A generation is a
collection of its own, whose metadata hold its manifest.
"""

from __future__ import annotations

import hashlib

from rag.errors import IndexDamaged, IndexingError
from rag.store.generation import is_generation_id, is_index_name
from rag.store.manifest import Manifest, parse_manifest
from rag.store.served.collection import (
    Collection,
    Row,
    create_collection,
    find_collection,
    list_collections,
)
from rag.store.served.connection import Connection, NotOnServer

_POINTERS = "symposia-indexes"


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
        self._pointers: Collection | None = None
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
        row = self._pointer()
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
        pointers = create_collection(self.connection, _POINTERS, {"holds": "pointers"}, or_get=True)
        pointers.put(Row(self.name, {"generation": generation_id}))

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

    def _pointer(self) -> Row | None:
        try:
            if self._pointers is not None:
                return self._pointers.get(self.name)
        except NotOnServer:
            pass  # the server has other data now
        self._pointers = find_collection(self.connection, _POINTERS)
        return self._pointers.get(self.name) if self._pointers else None


def manifest_of(collection: Collection) -> Manifest:
    """The manifest of the generation that a collection holds.

    Raises:
        IndexDamaged: If it has none.
        IndexMismatch: If another form of Symposia wrote it.
    """
    return parse_manifest(str(collection.metadata.get("manifest")), f"of {collection.name}")
