"""Reading what a generation on a server holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexDamaged
from rag.store.build import corpus_hash
from rag.store.index import Index
from rag.store.lexical import LexicalIndex
from rag.store.manifest import Manifest, rebuild_hint
from rag.store.served.collection import Collection
from rag.store.served.rows import Contents, contents_of
from rag.store.served.vectors import ServedVectors

_N_SAMPLED = 10
_MIN_FOUND = 0.9
_TOLERANCE = 1e-3


def check_count(collection: Collection, manifest: Manifest) -> None:
    """Compare the number of records with the manifest.

    Raises:
        IndexDamaged: If it is another one.
    """
    n_found = collection.count()
    if n_found != manifest.n_chunks:
        raise IndexDamaged(
            f"The collection {collection.name} holds {n_found} chunks, expected "
            f"{manifest.n_chunks}.",
            hint=rebuild_hint(manifest.source),
        )


def check_findable(dense: ServedVectors, chunk_ids: Sequence[str], hint: str) -> None:
    """Search for some of the embeddings; a server that lost its vector index still counts right.

    Raises:
        IndexDamaged: If they do not find themselves.
    """
    sample = chunk_ids[:: max(1, len(chunk_ids) // _N_SAMPLED)]
    vectors = dense.read_vectors(sample)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    n_found = sum(_finds_itself(dense, vector) for vector in vectors)
    if n_found < _MIN_FOUND * len(sample):
        raise IndexDamaged(
            f"Only {n_found} of {len(sample)} embeddings on the server find themselves.", hint=hint
        )


def _finds_itself(dense: ServedVectors, vector: NDArray[np.float32]) -> bool:
    hits = dense.search(vector, 1)
    # By score and not by id, since a text that is there twice may find its twin.
    return bool(hits) and hits[0].score > 1.0 - _TOLERANCE


def fetch(collection: Collection, manifest: Manifest) -> Contents:
    """Read what is in a generation, and compare it with the manifest.

    Raises:
        IndexDamaged: If it is not what was written.
    """
    contents = contents_of(collection.read())
    found = corpus_hash(contents.papers.values(), contents.chunks.values())
    if found != manifest.corpus_hash:
        raise IndexDamaged(
            f"The records of the collection {collection.name} are not as they were written.",
            hint=rebuild_hint(manifest.source),
        )
    return contents


def make_index(
    generation_id: str,
    collection: Collection,
    manifest: Manifest,
    contents: Contents,
    lexical: LexicalIndex,
) -> Index:
    """An index that is open: both legs, one here and one on the server.

    Raises:
        IndexDamaged: If the leg on the server does not find what it holds.
    """
    dense = ServedVectors(collection, contents.chunks.values())
    check_findable(dense, list(contents.chunks), rebuild_hint(manifest.source))
    return Index(generation_id, manifest, contents.papers, contents.chunks, dense, lexical)
