"""What holds for every Embedder, whoever computes its vectors."""

import hashlib

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from rag.embeddings.base import Embedder
from rag.embeddings.langchain import LangChainEmbedder, as_langchain
from rag.embeddings.local import LocalEmbedder

WELLS = "The Alberta dataset holds the locations of 213,000 oil and gas wells."
ATTENTION = "We prove a lower bound for sparse attention in transformers."
ODD_TEXTS = ["", " ", "\0", "😀😀", "\ud800", "wells " * 8_334, "Ünïcödé — 井戸"]


class HashedWords(Embeddings):
    """Adds up a fixed random vector for each word."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        text.encode("utf-8")
        assert text.strip(), "servers refuse an empty text"
        words = text.lower().split()
        seeds = [int.from_bytes(hashlib.sha256(word.encode()).digest()[:8]) for word in words]
        vectors = [np.random.default_rng(seed).standard_normal(64) for seed in seeds]
        return [float(value) for value in np.sum(vectors, axis=0)]


@pytest.fixture(params=["local", "langchain", "there and back"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "local":
        return LocalEmbedder()
    hashed = LangChainEmbedder(HashedWords(), name="tests/hashed-words")
    if request.param == "langchain":
        return hashed
    return LangChainEmbedder(as_langchain(hashed), name="tests/adapted")


def test_passages_are_unit_rows_in_the_given_order(embedder: Embedder) -> None:
    vectors = embedder.embed_passages([WELLS, ATTENTION])
    assert vectors.shape == (2, embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    backwards = embedder.embed_passages([ATTENTION, WELLS])
    np.testing.assert_allclose(backwards[::-1], vectors, atol=1e-6)


def test_a_vector_depends_on_its_text_alone(embedder: Embedder) -> None:
    alone = embedder.embed_passages([WELLS])[0]
    in_company = embedder.embed_passages([ATTENTION * 5, WELLS, "short"])[1]
    np.testing.assert_allclose(in_company, alone, atol=1e-6)


def test_query_is_a_unit_vector_near_its_passage(embedder: Embedder) -> None:
    query = embedder.embed_query("How many wells are in the Alberta dataset?")
    assert query.shape == (embedder.dimension,)
    assert query.dtype == np.float32
    assert np.linalg.norm(query) == pytest.approx(1, abs=1e-5)
    on_topic, off_topic = embedder.embed_passages([WELLS, ATTENTION]) @ query
    assert on_topic > off_topic


def test_nothing_in_nothing_out(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, embedder.dimension)


def test_odd_texts_get_usable_vectors(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(ODD_TEXTS)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for text in ODD_TEXTS:
        assert np.isfinite(embedder.embed_query(text)).all()


def test_progress_counts_up_to_the_number_of_texts(embedder: Embedder) -> None:
    seen: list[int] = []
    embedder.embed_passages([f"text {n}" for n in range(70)], progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 70


def test_fingerprint_is_stable_and_names_the_dimension(embedder: Embedder) -> None:
    assert embedder.fingerprint == embedder.fingerprint
    assert f"/{embedder.dimension}/" in embedder.fingerprint
