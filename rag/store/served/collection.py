"""Collections of a Chroma server: to make, find, list and remove them, and what is in one."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from rag.store.served.connection import Connection, NotOnServer

_COLLECTIONS = "/tenants/default_tenant/databases/default_database/collections"
_N_LISTED = 100
_N_READ = 1000
_MAX_BATCH_BYTES = 8 * 2**20
_WRITE_TIMEOUT_S = 300.0
Metadata = Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a collection."""

    row_id: str
    metadata: Metadata


@dataclass(frozen=True, slots=True)
class Collection:
    """One collection, as it was when it was looked up."""

    connection: Connection
    collection_id: str
    name: str
    metadata: Metadata

    def count(self) -> int:
        """How many records there are."""
        return int(self._ask("GET", "/count"))

    def add(self, rows: Sequence[Row], vectors: NDArray[np.float32]) -> None:
        """Add records in requests of a size that servers take.

        Args:
            rows: Their ids are new.
            vectors: (len(rows), dimension) float32.
        """
        for part in _batches(rows, vectors.shape[-1], self.connection.max_batch_size):
            self._write("/add", rows[part], vectors[part])

    def put(self, row: Row) -> None:
        """Add or replace one record that is not searched for."""
        self._write("/upsert", [row], np.ones((1, 1), dtype=np.float32))

    def get(self, row_id: str) -> Row | None:
        """One record."""
        rows = self._rows({"ids": [row_id]})
        return rows[0] if rows else None

    def read(self) -> Iterator[Row]:
        """All records, a page at a time."""
        for offset in range(0, self.count(), _N_READ):
            yield from self._rows({"limit": _N_READ, "offset": offset})

    def vectors(self, row_ids: Sequence[str]) -> dict[str, list[float]]:
        """The vectors of those records that are there."""
        found: dict[str, list[float]] = {}
        for start in range(0, len(row_ids), _N_READ):
            part = row_ids[start : start + _N_READ]
            answer = self._ask("POST", "/get", {"ids": list(part), "include": ["embeddings"]})
            found |= zip(answer["ids"], answer["embeddings"], strict=True)
        return found

    def query(
        self, vector: NDArray[np.float32], k: int, row_ids: Sequence[str] | None
    ) -> dict[str, float]:
        """The k nearest records, or the nearest of those named: distance by id, nearest first."""
        body = {
            "query_embeddings": [vector.tolist()],
            "n_results": k,
            "ids": None if row_ids is None else list(row_ids),
            "include": ["distances"],
        }
        answer = self._ask("POST", "/query", body)
        return dict(zip(answer["ids"][0], answer["distances"][0], strict=True))

    def annotate(self, metadata: Metadata) -> None:
        """Replace the collection's metadata.

        Raises:
            NotOnServer: If it was removed.
        """
        self._ask("PUT", "", {"new_metadata": dict(metadata)})

    def rename(self, name: str) -> None:
        """Give it another name.

        Raises:
            NotOnServer: If it was removed.
        """
        self._ask("PUT", "", {"new_name": name})

    def _rows(self, which: Mapping[str, object]) -> list[Row]:
        answer = self._ask("POST", "/get", {**which, "include": ["metadatas"]})
        return [
            Row(row_id, metadata or {})
            for row_id, metadata in zip(answer["ids"], answer["metadatas"], strict=True)
        ]

    def _write(self, how: str, rows: Sequence[Row], vectors: NDArray[np.float32]) -> None:
        body = {
            "ids": [row.row_id for row in rows],
            # As the server announces in its pre-flight checks: little-endian float32 in base64.
            "embeddings": [base64.b64encode(v.astype("<f4").tobytes()).decode() for v in vectors],
            "metadatas": [dict(row.metadata) for row in rows],
        }
        self._ask("POST", how, body, timeout_s=_WRITE_TIMEOUT_S)

    def _ask(self, method: str, path: str, body: Any = None, **how: Any) -> Any:
        return self.connection.ask(
            method, f"{_COLLECTIONS}/{self.collection_id}{path}", body, **how
        )


def create_collection(
    connection: Connection,
    name: str,
    metadata: Metadata,
    configuration: Mapping[str, object] | None = None,
    *,
    or_get: bool = False,
) -> Collection:
    """Make a collection; of all who try at once, one succeeds.

    Raises:
        NameTaken: If there is one of that name, unless that will do (``or_get``).
    """
    body = {
        "name": name,
        "metadata": dict(metadata),
        "configuration": configuration,
        "get_or_create": or_get,
    }
    return _collection(connection, connection.ask("POST", _COLLECTIONS, body))


def find_collection(connection: Connection, name: str) -> Collection | None:
    """The collection of that name."""
    try:
        found = connection.ask("GET", f"{_COLLECTIONS}/{quote(name, safe='')}")
    except NotOnServer:
        return None
    return _collection(connection, found)


def list_collections(connection: Connection) -> list[Collection]:
    """All collections."""
    found: list[Collection] = []
    while True:
        params = {"limit": _N_LISTED, "offset": len(found)}
        page = connection.ask("GET", _COLLECTIONS, params=params)
        found += [_collection(connection, item) for item in page]
        if len(page) < _N_LISTED:
            return found


def delete_collection(connection: Connection, name: str) -> None:
    """Remove a collection, if it is there."""
    try:
        path = f"{_COLLECTIONS}/{quote(name, safe='')}"
        connection.ask("DELETE", path, timeout_s=_WRITE_TIMEOUT_S)
    except NotOnServer:
        return


def _collection(connection: Connection, found: Mapping[str, Any]) -> Collection:
    return Collection(connection, found["id"], found["name"], found["metadata"] or {})


def _batches(rows: Iterable[Row], dimension: int, max_rows: int) -> Iterator[slice]:
    """Parts of the rows that fit into one request by number and by size."""
    start = n_bytes = number = 0
    for number, row in enumerate(rows, start=1):
        # Four bytes a float in base64, and the row about as long in JSON as it is here.
        n_bytes += 6 * dimension + 2 * len(row.row_id) + len(str(row.metadata))
        if number - start == max_rows or n_bytes >= _MAX_BATCH_BYTES:
            yield slice(start, number)
            start, n_bytes = number, 0
    if number > start:
        yield slice(start, number)
