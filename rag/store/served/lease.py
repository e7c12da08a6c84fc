"""The right to write an index on a server: held for a while, renewed for as long as it is used.

A server has no lock that ends with its holder. What it has is names: of all who make a collection
of one name at once, one succeeds. So the lease is a collection, with its holder and its end by the
server's clock. One that has ended is first renamed, by its own id and never by its name, which
somebody else's new lease may have by then.
"""

from __future__ import annotations

import threading
import uuid
from contextlib import suppress
from typing import Self

from rag.errors import IndexBusy, StoreUnavailable
from rag.store.lock import this_process
from rag.store.served.collection import (
    Collection,
    Metadata,
    create_collection,
    delete_collection,
    find_collection,
)
from rag.store.served.connection import Connection, NameTaken, NotOnServer

LEASE_S = 60.0
_N_TRIES = 3


class Lease:
    """The right to write, until it is released or its process dies.

    Args:
        collection: The lease on the server.
        lasts_s: For how long it holds unless it is renewed.
    """

    def __init__(self, collection: Collection, lasts_s: float) -> None:
        self._collection = collection
        self._lasts_s = lasts_s
        self._released = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="lease", daemon=True)
        self._keeper.start()

    @classmethod
    def take(cls, connection: Connection, name: str, *, lasts_s: float = LEASE_S) -> Lease:
        """Take the lease of that name.

        Raises:
            IndexBusy: At once, if somebody holds it.
        """
        holder = this_process()
        for _ in range(_N_TRIES):
            terms: Metadata = {"holder": holder, "ends_at": connection.now_s() + lasts_s}
            try:
                return cls(create_collection(connection, name, terms), lasts_s)
            except NameTaken:
                _remove_ended(connection, name)
        raise IndexBusy(
            "The index is being written by another process.",
            hint="Wait until that has ended, then run the command again.",
        )

    def check(self) -> None:
        """Make sure that the lease is still held.

        Raises:
            IndexBusy: If it ended, and somebody else may be writing.
        """
        held = find_collection(self._collection.connection, self._collection.name)
        if held is None or held.collection_id != self._collection.collection_id:
            raise IndexBusy(
                f"This process was held up for more than {self._lasts_s:.0f} seconds, and lost "
                "the right to write the index.",
                hint="Run the command again; finished embeddings are kept.",
            )

    def release(self) -> None:
        """Let somebody else write."""
        self._released.set()
        self._keeper.join()
        # Whoever cannot be told will see that it ends.
        with suppress(StoreUnavailable, IndexBusy):
            self.check()
            delete_collection(self._collection.connection, self._collection.name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _keep(self) -> None:
        while not self._released.wait(self._lasts_s / 3):
            # A server that does not answer now may do so before the lease ends.
            with suppress(StoreUnavailable):
                try:
                    self.check()
                except IndexBusy:
                    return
                ends_at = self._collection.connection.now_s() + self._lasts_s
                self._collection.annotate({**self._collection.metadata, "ends_at": ends_at})


def _remove_ended(connection: Connection, name: str) -> None:
    """Make way for a new lease if the one that is there has ended.

    Raises:
        IndexBusy: If it has not.
    """
    held = find_collection(connection, name)
    if held is None:
        return
    left_s = float(held.metadata.get("ends_at", 0)) - connection.now_s()
    if left_s > 0:
        raise IndexBusy(
            f"The index is being written by {held.metadata.get('holder')}.",
            hint="Wait until that has ended, then run the command again. If it has died, "
            f"others may write in {left_s:.0f} seconds.",
        )
    ended = f"{name}-ended-{uuid.uuid4().hex}"
    with suppress(NotOnServer):
        held.rename(ended)
        delete_collection(connection, ended)
