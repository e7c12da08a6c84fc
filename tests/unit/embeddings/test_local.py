"""The local models give the pinned vectors and scores, in any thread."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from rag.embeddings.local import QUERY_INSTRUCTION, LocalEmbedder, LocalPairScorer

CANONICAL = json.loads((Path(__file__).parent / "canonical.json").read_text())
QUERY = "How many wells are in the Alberta dataset?"
WELLS = "The Alberta dataset holds the locations of 213,000 oil and gas wells."
LEAKS = "Methane leaks from abandoned oil and gas wells are found in satellite images."
ATTENTION = "We prove a lower bound for sparse attention in transformers."


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.fixture(scope="module")
def scorer() -> LocalPairScorer:
    return LocalPairScorer()


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_vectors(embedder: LocalEmbedder, text: str) -> None:
    pinned = np.array(CANONICAL[text])
    vector = embedder.embed_passages([text])[0]
    assert float(vector @ pinned) / np.linalg.norm(pinned) >= 0.98
    largest = np.argsort(-np.abs(pinned))[:5]
    np.testing.assert_allclose(vector[largest], pinned[largest], atol=0.03)


def test_passages_are_ordered_by_relevance(embedder: LocalEmbedder) -> None:
    exact, related, unrelated = embedder.embed_passages(
        [WELLS, LEAKS, ATTENTION]
    ) @ embedder.embed_query(QUERY)
    assert exact > related + 0.05
    assert related > unrelated + 0.05


def test_a_query_carries_its_instruction(embedder: LocalEmbedder) -> None:
    as_passage = embedder.embed_passages([QUERY_INSTRUCTION + QUERY])[0]
    np.testing.assert_array_equal(embedder.embed_query(QUERY), as_passage)


def test_a_long_text_is_cut_at_512_tokens(embedder: LocalEmbedder) -> None:
    long, longer = embedder.embed_passages(["wells " * 510, "wells " * 8_000])
    np.testing.assert_array_equal(long, longer)


def test_relevant_and_irrelevant_pairs_are_far_apart(scorer: LocalPairScorer) -> None:
    relevant, related, irrelevant = scorer.score(QUERY, [WELLS, LEAKS, ATTENTION])
    assert relevant > 4
    assert relevant > related > irrelevant
    assert irrelevant < -9


def test_no_pairs_no_scores(scorer: LocalPairScorer) -> None:
    assert scorer.score(QUERY, []).shape == (0,)


def test_odd_pairs_get_finite_scores(scorer: LocalPairScorer) -> None:
    texts = ["", "\0", "😀", "\ud800", "wells " * 8_334]
    assert np.isfinite(scorer.score(QUERY, texts)).all()
    assert np.isfinite(scorer.score("wells " * 4_000, [WELLS])).all()


def test_threads_share_one_model(embedder: LocalEmbedder) -> None:
    expected = embedder.embed_query(QUERY)
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda _: LocalEmbedder().embed_query(QUERY), range(12)))
    for vector in vectors:
        np.testing.assert_allclose(vector, expected, atol=1e-6)
