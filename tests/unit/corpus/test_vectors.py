"""Embeddings that come with a corpus."""

import logging
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rag.corpus.vectors import read_vectors, seed_vectors, write_vectors
from rag.embeddings.local import LocalEmbedder


@pytest.fixture
def vectors() -> dict[str, NDArray[np.float32]]:
    drawn = np.random.default_rng(0).normal(size=(50, 384)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    return {f"{n:064x}": vector for n, vector in enumerate(drawn)}


def test_half_precision_keeps_the_length_and_all_but_the_last_digits(
    vectors: dict[str, NDArray[np.float32]], tmp_path: Path
) -> None:
    write_vectors(tmp_path / "vectors.npz", "x/384", vectors)
    found = read_vectors(tmp_path / "vectors.npz", "x/384")
    assert found.keys() == vectors.keys()
    for text_hash, vector in found.items():
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)
        assert np.abs(vector - vectors[text_hash]).max() < 2e-4


def test_the_same_vectors_give_the_same_bytes(
    vectors: dict[str, NDArray[np.float32]], tmp_path: Path
) -> None:
    write_vectors(tmp_path / "a.npz", "x/384", vectors)
    write_vectors(tmp_path / "b.npz", "x/384", dict(reversed(vectors.items())))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_vectors_of_another_embedder_are_not_used(
    vectors: dict[str, NDArray[np.float32]],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    write_vectors(tmp_path / "vectors.npz", "x/384", vectors)
    with caplog.at_level(logging.WARNING):
        assert read_vectors(tmp_path / "vectors.npz", "other/384") == {}
    assert caplog.text == ""
    assert seed_vectors("icml2025", "other/384") == {}
    assert seed_vectors("seeds", LocalEmbedder.fingerprint) == {}
    assert seed_vectors("/no/such/file", LocalEmbedder.fingerprint) == {}


@pytest.mark.parametrize("n_bytes", [None, 0, 100, 20_000])
def test_a_file_that_cannot_be_read_is_said_to_be_and_not_used(
    n_bytes: int | None,
    vectors: dict[str, NDArray[np.float32]],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = tmp_path / "vectors.npz"
    if n_bytes is not None:
        write_vectors(path, "x/384", vectors)
        path.write_bytes(path.read_bytes()[:n_bytes])
    with caplog.at_level(logging.WARNING):
        assert read_vectors(path, "x/384") == {}
    assert "made anew" in caplog.text
