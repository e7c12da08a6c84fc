"""Writing generations on a server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexDamaged, StoreUnavailable
from rag.store.build import Content
from rag.store.generation import new_generation_id
from rag.store.manifest import Manifest, manifest_text
from rag.store.served.catalog import Catalog, manifest_of
from rag.store.served.collection import create_collection, delete_collection
from rag.store.served.connection import NotOnServer
from rag.store.served.lease import Lease
from rag.store.served.local_copy import LocalCopy
from rag.store.served.reading import fetch, make_index
from rag.store.served.rows import Contents, rows_of
from rag.store.vectors import check_vectors
from rag.store.verification import check_index

# Like the embedded store's, for the same reasons; see ``rag.store.chroma``.
_CONFIGURATION = {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 1000}}


@dataclass(frozen=True, slots=True)
class ServerWriter:
    """Writes generations of one index; see ``Writer``."""

    catalog: Catalog
    manifest: Callable[[Content], Manifest]
    lease: Lease
    copy: LocalCopy
    grace_s: float

    def write(self, content: Content, vectors: NDArray[np.float32]) -> str:
        """See ``Writer.write``.

        Raises:
            IndexingError: If a vector cannot be used.
            StoreUnavailable: If the server does not do it.
        """
        check_vectors(vectors, len(content.chunks), content.dimension)
        self.lease.check()
        manifest = self.manifest(content)
        generation_id = new_generation_id(manifest.fingerprint)
        metadata = {"manifest": manifest_text(manifest)}
        name = self.catalog.collection_name(generation_id)
        collection = create_collection(self.catalog.connection, name, metadata, _CONFIGURATION)
        try:
            collection.add(list(rows_of(Contents(content.papers, content.chunks))), vectors)
        except BaseException:
            self.discard(generation_id)
            raise
        return generation_id

    def verify(self, generation_id: str, content: Content, vectors: NDArray[np.float32]) -> None:
        """See ``Writer.verify``: everything is read back."""
        collection = self.catalog.find(generation_id)
        manifest = manifest_of(collection)
        contents = fetch(collection, manifest)
        if list(contents.papers.values()) != list(content.papers.values()):
            raise IndexDamaged("The Chroma server holds other papers than were written.")
        contents, lexical = self.copy.make(manifest, contents)
        check_index(make_index(generation_id, collection, manifest, contents, lexical), vectors)

    def switch(self, generation_id: str) -> None:
        """See ``Writer.switch``: one record is replaced."""
        self.lease.check()
        # Before the pointer is written: a writer that dies in between has marked what is current,
        # which is never removed. The other way round the mark could be missing for ever.
        with suppress(NotOnServer, IndexDamaged):
            self._mark_current()
        self.catalog.switch(generation_id)

    def _mark_current(self) -> None:
        current = self.catalog.current()
        if current is not None:
            replaced = self.catalog.find(current)
            now_s = self.catalog.connection.now_s()
            replaced.annotate({**replaced.metadata, "replaced_at": now_s})

    def discard(self, generation_id: str) -> None:
        """See ``Writer.discard``; a server that cannot be told now is told by the next writer."""
        with suppress(StoreUnavailable):
            delete_collection(self.catalog.connection, self.catalog.collection_name(generation_id))

    def leave_note(self, text: str) -> None:
        """See ``Writer.leave_note``."""
        self.catalog.leave_note(text)

    def remove_unread(self) -> None:
        """See ``Writer.remove_unread``: by time, for readers hold no locks here."""
        self.lease.check()
        try:
            current = self.catalog.current()
        except IndexDamaged:
            return
        now_s = self.catalog.connection.now_s()
        for generation_id, collection in self.catalog.generations().items():
            # What was never current was never read.
            replaced_at = float(collection.metadata.get("replaced_at", 0.0))
            if generation_id != current and now_s - replaced_at > self.grace_s:
                delete_collection(self.catalog.connection, collection.name)
