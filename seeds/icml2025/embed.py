"""Make vectors.npz: the embeddings of all papers by the local model.

    python seeds/icml2025/embed.py [DATA_DIR]

It needs Symposia and some minutes of processor time; given a folder, it goes on where it was
interrupted. The embedder's int8 model gives slightly other numbers on other processors.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rag.corpus import load_corpus
from rag.corpus.vectors import write_vectors
from rag.embeddings.local import LocalEmbedder
from rag.indexing import sync_index
from rag.settings import Settings
from rag.store.index import open_index

FOLDER = Path(__file__).resolve().parent
NAME = "icml2025"


def embed(data_dir: Path) -> None:
    """Index the papers as anybody would, and keep the vectors."""
    embedder = LocalEmbedder()
    sync_index(
        load_corpus(NAME),
        name=NAME,
        data_dir=data_dir,
        embedder=embedder,
        chunk_tokens=Settings.model_fields["chunk_tokens"].default,
    )
    with open_index(data_dir, NAME, embedder_fingerprint=embedder.fingerprint) as index:
        hashes = [chunk.content_hash for chunk in index.chunks.values()]
        vectors = index.dense.read_vectors(list(index.chunks))
    found = dict(zip(hashes, vectors, strict=True))
    write_vectors(FOLDER / "vectors.npz", embedder.fingerprint, found)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        embed(Path(sys.argv[1]))
    else:
        with TemporaryDirectory() as folder:
            embed(Path(folder))
