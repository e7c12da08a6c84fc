"""Reading what a generation on a server holds."""

from __future__ import annotations

from rag.errors import IndexDamaged
from rag.store.build import corpus_hash
from rag.store.index import Index
from rag.store.lexical import LexicalIndex
from rag.store.manifest import Manifest, rebuild_hint
from rag.store.served.collection import Collection
from rag.store.served.rows import Contents, contents_of
from rag.store.served.vectors import ServedVectors


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
    """An index that is open: both legs, one here and one on the server."""
    dense = ServedVectors(collection, contents.chunks.values())
    return Index(generation_id, manifest, contents.papers, contents.chunks, dense, lexical)
