"""Faults of an embedding server, played by a real HTTP server, met through the real client."""

import math
import time
import traceback

import numpy as np
import pytest
from openai_server import (
    Exchange,
    OpenAIServer,
    Step,
    Vectors,
    embeds,
    fails,
    out_of_quota,
    rate_limited,
    resets,
    sends,
    too_long,
    vector,
)

from rag.embeddings.langchain import _PROBE, LangChainEmbedder
from rag.embeddings.providers import open_embedder
from rag.errors import ProviderError
from rag.providers.backoff import Backoff
from rag.records import Usage
from rag.tokens import count_tokens

KEY = "sk-canary-0123456789"
TEXTS = ["one", "two", "three"]


def embedder_of(server: OpenAIServer) -> LangChainEmbedder:
    embedder = open_embedder("openai:played", api_key=KEY, base_url=server.url)
    embedder._backoff = Backoff(first_s=0.01, n_retries=2)
    return embedder


def unit(text: str) -> np.ndarray:
    values = np.array(vector(text))
    return (values / np.linalg.norm(values)).astype(np.float32)


def test_texts_are_sent_as_they_are(openai_server: OpenAIServer) -> None:
    vectors = embedder_of(openai_server).embed_passages(TEXTS)
    np.testing.assert_allclose(vectors, [unit(text) for text in TEXTS], atol=1e-6)
    last = openai_server.requests[-1]
    assert last.body["input"][1:] == TEXTS
    assert last.body["encoding_format"] == "float"


def test_vectors_follow_their_index(openai_server: OpenAIServer) -> None:
    openai_server.play_embeddings(embeds(is_reversed=True))
    vectors = embedder_of(openai_server).embed_passages(TEXTS)
    np.testing.assert_allclose(vectors, [unit(text) for text in TEXTS], atol=1e-6)


def test_tokens_are_those_that_the_server_counted(openai_server: OpenAIServer) -> None:
    embedder = open_embedder("openai:played", api_key=KEY, base_url=openai_server.url, price=2.0)
    embedder.embed_passages(TEXTS)
    embedder.embed_query("four")
    # The played server says three for each request: the probe, the texts, the question.
    assert embedder.usage == Usage(9, 0, "provider", pytest.approx(18e-6))


@pytest.mark.parametrize("usage", [{}, {"usage": None}, {"usage": {"total_tokens": 0}}])
def test_where_the_server_does_not_count_it_is_done_here(
    openai_server: OpenAIServer, usage: dict[str, object]
) -> None:
    def step(exchange: Exchange) -> None:
        texts = exchange.request.body["input"]
        data = [
            {"object": "embedding", "index": number, "embedding": vector(text)}
            for number, text in enumerate([texts] if isinstance(texts, str) else texts)
        ]
        exchange.send({"object": "list", "model": "played", "data": data, **usage})

    openai_server.play_embeddings(step)
    embedder = embedder_of(openai_server)
    embedder.embed_query("hello world")
    assert embedder.usage == Usage(count_tokens(_PROBE) + 2, 0, "us")


def spoiled(vectors: Vectors, number: float) -> Vectors:
    return [*vectors[:-1], [number] * len(vectors[-1])]


WRONG: dict[str, Step] = {
    "fewer": embeds(lambda vectors: vectors[:-1]),
    "more": embeds(lambda vectors: [*vectors, vectors[0]]),
    "none": embeds(lambda vectors: []),
    "wrong order": embeds(lambda vectors: vectors[::-1]),
    "wrong dimension": embeds(lambda vectors: [value[:8] for value in vectors]),
    "mixed dimensions": embeds(lambda vectors: [*vectors[:-1], vectors[-1][:8]]),
    "NaN": embeds(lambda vectors: spoiled(vectors, math.nan)),
    "infinite": embeds(lambda vectors: spoiled(vectors, math.inf)),
    "zeros": embeds(lambda vectors: spoiled(vectors, 0.0)),
    "null": sends({"object": "list", "model": "m", "data": None}),
    "half an object": sends(b'{"object": "list", "da'),
    "a page": sends(b"<html>Welcome</html>", content_type="text/html"),
}


@pytest.mark.parametrize("step", WRONG.values(), ids=WRONG.keys())
def test_vectors_that_cannot_be_trusted_are_refused(
    openai_server: OpenAIServer, step: Step
) -> None:
    openai_server.play_embeddings(embeds(), step)
    with pytest.raises(ProviderError) as caught:
        embedder_of(openai_server).embed_passages(TEXTS)
    assert caught.value.kind == "bad_reply"
    assert caught.value.hint


@pytest.mark.parametrize(
    "step", [rate_limited(), rate_limited(retry_after="0.02"), fails(503), resets()]
)
def test_what_passes_is_overcome(openai_server: OpenAIServer, step: Step) -> None:
    openai_server.play_embeddings(step, embeds())
    assert embedder_of(openai_server).dimension == 16
    assert len(openai_server.requests) == 2


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (out_of_quota(), "quota"),
        (fails(401, f"Incorrect API key provided: {KEY}"), "authentication"),
        (fails(404), "not_found"),
        (too_long(), "context_length"),
        (rate_limited(retry_after="120"), "rate_limit"),
    ],
)
def test_what_will_not_change_soon_is_asked_once(
    openai_server: OpenAIServer, step: Step, kind: str
) -> None:
    openai_server.play_embeddings(step)
    started = time.monotonic()
    with pytest.raises(ProviderError) as caught:
        embedder_of(openai_server).embed_query("one")
    assert caught.value.kind == kind
    assert len(openai_server.requests) == 1
    assert time.monotonic() - started < 5
    assert "canary" not in "".join(traceback.format_exception(caught.value))
