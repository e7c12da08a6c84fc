"""Embeddings that come with a corpus, so that its first index need not wait for the embedder."""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.corpus.seeds import SEED_CORPORA, seeds_folder

_logger = logging.getLogger(__name__)


def write_vectors(path: Path, fingerprint: str, vectors: Mapping[str, NDArray[np.float32]]) -> None:
    """Keep vectors in half precision; the same vectors give the same bytes.

    Args:
        path: A file that ends in ``.npz``.
        fingerprint: That of the embedder that made them.
        vectors: By the sha256 (hex) of their text.
    """
    ordered = sorted(vectors)
    hashes = [np.frombuffer(bytes.fromhex(text_hash), dtype=np.uint8) for text_hash in ordered]
    np.savez(
        path,
        fingerprint=np.array(fingerprint),
        text_hashes=np.stack(hashes),
        vectors=np.stack([vectors[text_hash] for text_hash in ordered]).astype("<f2"),
    )


def read_vectors(path: Path, fingerprint: str) -> dict[str, NDArray[np.float32]]:
    """Vectors of unit length by the sha256 (hex) of their text; none if they do not fit.

    Args:
        path: What ``write_vectors`` wrote.
        fingerprint: That of the embedder in use; another one's vectors are of no use to it.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            if str(stored["fingerprint"]) != fingerprint:
                return {}
            hashes, vectors = stored["text_hashes"], stored["vectors"].astype(np.float32)
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        _logger.warning("The embeddings in %s cannot be read and are made anew: %s", path, error)
        return {}
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {bytes(row).hex(): vector for row, vector in zip(hashes, vectors, strict=True)}


def seed_vectors(name: str, fingerprint: str) -> dict[str, NDArray[np.float32]]:
    """The vectors that come with a corpus, for that embedder; none where there are none."""
    corpus = SEED_CORPORA.get(name)
    if corpus is None or not corpus.vectors:
        return {}
    return read_vectors(seeds_folder() / corpus.vectors, fingerprint)
