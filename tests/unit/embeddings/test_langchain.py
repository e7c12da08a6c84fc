"""A server's wrong vectors are refused whole, and its order is proven."""

from collections.abc import Callable

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from rag.embeddings.langchain import LangChainEmbedder
from rag.errors import ProviderError
from rag.providers.backoff import Backoff

Vectors = list[list[float]]
TEXTS = ["one", "two", "three"]


class Scripted(Embeddings):
    """Right vectors for the first ``n_good`` calls, then whatever ``fault`` makes of them."""

    def __init__(
        self, fault: Callable[[Vectors], object] = list, n_good: int = 0, seed: int = 0
    ) -> None:
        self.fault = fault
        self.n_good = n_good
        self.seed = seed
        self.n_calls = 0

    def embed_documents(self, texts: list[str]) -> Vectors:
        self.n_calls += 1
        vectors = [self._vector(text) for text in texts]
        if self.n_calls <= self.n_good:
            return vectors
        return self.fault(vectors)  # type: ignore[return-value]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    def _vector(self, text: str) -> list[float]:
        noise = np.random.default_rng([self.seed, *text.encode()])
        return [float(value) for value in 7 * noise.standard_normal(16)]


FAULTS: dict[str, Callable[[Vectors], object]] = {
    "one missing": lambda vectors: vectors[:-1],
    "one too many": lambda vectors: [*vectors, vectors[0]],
    "none": lambda vectors: [],
    "null": lambda vectors: None,
    "reversed": lambda vectors: vectors[::-1],
    "rotated": lambda vectors: [*vectors[1:], vectors[0]],
    "other dimension": lambda vectors: [vector[:8] for vector in vectors],
    "mixed dimensions": lambda vectors: [vectors[0][:8], *vectors[1:]],
    "no numbers in them": lambda vectors: [[] for _ in vectors],
    "NaN": lambda vectors: [*vectors[:-1], [float("nan")] * 16],
    "infinite": lambda vectors: [*vectors[:-1], [float("inf")] * 16],
    "zeros": lambda vectors: [*vectors[:-1], [0.0] * 16],
    "text": lambda vectors: [["a"] * 16 for _ in vectors],
    "another model": lambda vectors: [list(np.roll(vector, 1)) for vector in vectors],
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_batch_that_cannot_be_trusted_is_asked_for_twice_and_refused(
    fault: Callable[[Vectors], object],
) -> None:
    server = Scripted(fault, n_good=1)
    with pytest.raises(ProviderError, match="Nothing of this batch was used") as caught:
        LangChainEmbedder(server, name="tests/scripted").embed_passages(TEXTS)
    assert caught.value.retryable
    assert server.n_calls == 3


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_vectors_of_any_length_are_scaled_to_one(scale: float) -> None:
    def scaled(vectors: Vectors) -> Vectors:
        return [[value * scale for value in vector] for vector in vectors]

    vectors = LangChainEmbedder(Scripted(scaled), name="tests/scripted").embed_passages(TEXTS)
    plain = LangChainEmbedder(Scripted(), name="tests/scripted").embed_passages(TEXTS)
    np.testing.assert_allclose(vectors, plain, atol=1e-6)


def test_a_fault_that_passes_is_overcome() -> None:
    def fault(vectors: Vectors) -> Vectors:
        return vectors[::-1] if server.n_calls == 2 else vectors

    server = Scripted(fault)
    vectors = LangChainEmbedder(server, name="tests/scripted").embed_passages(TEXTS)
    healthy = LangChainEmbedder(Scripted(), name="tests/scripted").embed_passages(TEXTS)
    np.testing.assert_array_equal(vectors, healthy)


def test_a_fault_in_a_late_batch_refuses_the_call() -> None:
    server = Scripted(FAULTS["NaN"], n_good=3)
    with pytest.raises(ProviderError):
        LangChainEmbedder(server, name="tests/scripted").embed_passages(["text"] * 200)


@pytest.mark.parametrize("fault", ["NaN", "zeros", "other dimension"])
def test_a_query_vector_is_checked_too(fault: str) -> None:
    server = Scripted(FAULTS[fault], n_good=1)
    with pytest.raises(ProviderError):
        LangChainEmbedder(server, name="tests/scripted").embed_query("one")


def test_fingerprint_tells_another_model_behind_the_same_name() -> None:
    first, second = (
        LangChainEmbedder(Scripted(seed=seed), name="tests/scripted") for seed in (0, 1)
    )
    assert first.dimension == second.dimension
    assert first.fingerprint != second.fingerprint


def test_fingerprint_bears_the_noise_of_a_server() -> None:
    def noisy(vectors: Vectors) -> Vectors:
        return [[value + 1e-4 * (-1) ** n for n, value in enumerate(row)] for row in vectors]

    plain = LangChainEmbedder(Scripted(), name="tests/scripted")
    shaken = LangChainEmbedder(Scripted(noisy), name="tests/scripted")
    assert plain.fingerprint == shaken.fingerprint


class _RefusedError(Exception):
    def __init__(self, status_code: int) -> None:
        super().__init__("Incorrect API key provided: sk-canary")
        self.status_code = status_code


@pytest.mark.parametrize(
    ("raised", "retryable"),
    [
        (_RefusedError(401), False),
        (_RefusedError(404), False),
        (_RefusedError(429), True),
        (_RefusedError(503), True),
        (ConnectionRefusedError("sk-canary"), True),
        (TimeoutError(), True),
        (KeyError("sk-canary"), False),
    ],
)
def test_provider_errors_become_ours_without_their_words(
    raised: Exception, retryable: bool
) -> None:
    def fail(vectors: Vectors) -> Vectors:
        raise raised

    embedder = LangChainEmbedder(
        Scripted(fail), name="tests/scripted", backoff=Backoff(n_retries=0)
    )
    with pytest.raises(ProviderError) as caught:
        embedder.embed_passages(TEXTS)
    assert caught.value.retryable is retryable
    assert caught.value.hint
    assert "canary" not in str(caught.value)
