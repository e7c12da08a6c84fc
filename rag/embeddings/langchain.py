"""LangChain's Embeddings as our Embedder, checked, and our Embedder as LangChain's Embeddings.

Servers have been seen to return fewer vectors than texts, another order, other dimensions, NaN
and zeros, all without an error. A wrong vector is a paper that nobody finds, so every batch is
checked before any of it is used.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.meter import Meter
from rag.errors import FaultKind, ProviderError
from rag.providers.backoff import Backoff
from rag.providers.faults import provider_error
from rag.records import Usage

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_openai import OpenAIEmbeddings

    from rag.embeddings.base import Embedder

_BATCH = 64
_PROBE = "Which of these papers proves a lower bound for sparse attention?"
_SAME_VECTOR = 0.99
_PATIENCE_S = 60.0
_HINTS: dict[FaultKind, str] = {
    "rate_limit": "Wait a little, then run the command again; what is embedded already is kept.",
    "context_length": "Lower SYMPOSIA_CHUNK_TOKENS and index again.",
}


class LangChainEmbedder:
    """Any LangChain embedding model, with every vector checked and scaled to unit length.

    The server is first asked when a vector, the dimension or the fingerprint is needed.

    Args:
        embeddings: The LangChain model.
        name: Provider and model, such as ``openai/text-embedding-3-small``.
        backoff: When a failed request is sent again, for a minute at most.
        meter: Counts tokens.
    """

    def __init__(
        self,
        embeddings: Embeddings,
        *,
        name: str,
        backoff: Backoff | None = None,
        meter: Meter | None = None,
    ) -> None:
        self._embeddings = embeddings
        self._name = name
        self._backoff = backoff or Backoff()
        self._meter = meter or Meter()

    @property
    def usage(self) -> Usage:
        """Tokens that the server has read for this embedder so far, of papers and of questions."""
        return self._meter.usage

    @functools.cached_property
    def _probe(self) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._request([_PROBE], dimension=None)[0]
        return vector

    @property
    def dimension(self) -> int:
        """The length of every vector, as the server's first one has it.

        Raises:
            ProviderError: If the server cannot be reached or returns no usable vector.
        """
        return int(self._probe.shape[0])

    @property
    def fingerprint(self) -> str:
        """Name, dimension, and eight bits of a probe text's vector.

        The bits tell another model behind the same name. They are few, and signs of sums, because
        servers return slightly different numbers for the same text from call to call.

        Raises:
            ProviderError: If the server cannot be reached or returns no usable vector.
        """
        directions = np.random.default_rng(0).standard_normal((8, self.dimension))
        bits = "".join("1" if value > 0 else "0" for value in directions @ self._probe)
        return f"{self._name}/{self.dimension}/{int(bits, 2):02x}"

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        """Embed texts that are to be found; see ``Embedder``.

        Raises:
            ProviderError: If the server fails, or a batch of its vectors cannot be trusted.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            vectors[start : start + len(batch)] = self._batch(batch)
            if progress is not None:
                progress(start + len(batch))
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed what is looked for: (dimension,) float32, unit length.

        Raises:
            ProviderError: If the server fails, or its vector cannot be trusted.
        """
        text = _sendable(text)
        answer = self._called([text], lambda: [self._embeddings.embed_query(text)])
        vector: NDArray[np.float32] = _checked(answer, n=1, dimension=self.dimension)[0]
        return vector

    def _batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            return self._in_order(texts)
        except _UntrustedVectorsError:
            return self._in_order(texts)

    def _in_order(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts behind the probe, whose known vector shows that the order was kept."""
        vectors = self._request([_PROBE, *texts], dimension=self.dimension)
        if float(vectors[0] @ self._probe) < _SAME_VECTOR:
            raise _UntrustedVectorsError("vectors in another order, or of another model")
        return vectors[1:]

    def _request(self, texts: Sequence[str], *, dimension: int | None) -> NDArray[np.float32]:
        sendable = [_sendable(text) for text in texts]
        answer = self._called(sendable, lambda: self._embeddings.embed_documents(sendable))
        return _checked(answer, n=len(texts), dimension=dimension)

    def _called(
        self, texts: Sequence[str], request: Callable[[], list[list[float]]]
    ) -> list[list[float]]:
        deadline = time.monotonic() + _PATIENCE_S
        n_failed = 0
        while True:
            try:
                answer = _asked(request)
            except ProviderError as fault:
                left_s = deadline - time.monotonic()
                wait_s = self._backoff.wait_s(fault, n_failed=n_failed, left_s=left_s)
                if wait_s is None:
                    raise
            else:
                self._meter.count(texts)
                return answer
            n_failed += 1
            time.sleep(wait_s)


def as_langchain(embedder: Embedder) -> Embeddings:
    """Offer an Embedder to code that expects LangChain's Embeddings."""
    from langchain_core.embeddings import Embeddings

    class _Adapter(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            vectors: list[list[float]] = embedder.embed_passages(texts).tolist()
            return vectors

        def embed_query(self, text: str) -> list[float]:
            vector: list[float] = embedder.embed_query(text).tolist()
            return vector

    return _Adapter()


def attentive(embeddings: OpenAIEmbeddings, meter: Meter) -> OpenAIEmbeddings:
    """Make a copy that heeds what LangChain ignores: the ``index`` of each vector, and the usage."""
    return embeddings.model_copy(update={"client": _AttentiveClient(embeddings.client, meter)})


class _AttentiveClient:
    """The part of OpenAI's client that OpenAIEmbeddings calls."""

    def __init__(self, client: Any, meter: Meter) -> None:
        self._client = client
        self._meter = meter

    def create(self, **request: Any) -> Any:
        response = self._client.create(**request)
        response.data.sort(key=lambda item: item.index)
        # Other servers leave it out, whatever OpenAI's types say.
        self._meter.hear(getattr(response.usage, "prompt_tokens", None) or 0)
        return response


def _asked(request: Callable[[], list[list[float]]]) -> list[list[float]]:
    try:
        return request()
    except Exception as error:  # noqa: BLE001
        # Behind LangChain's interface stands any provider, each with its own tree of errors. They
        # are not chained: their words may quote the key.
        raise provider_error(error, server="The embedding server", hints=_HINTS) from None


def _checked(answer: Any, *, n: int, dimension: int | None) -> NDArray[np.float32]:
    """Turn an answer into (n, dimension) float32 vectors of unit length, or refuse it all."""
    try:
        vectors: NDArray[np.float64] = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        raise _UntrustedVectorsError("vectors of different lengths, or no numbers") from None
    if vectors.ndim != 2 or len(vectors) != n:
        raise _UntrustedVectorsError(f"an array of shape {vectors.shape} for {n} texts")
    if dimension is not None and vectors.shape[1] != dimension:
        raise _UntrustedVectorsError(f"vectors of {vectors.shape[1]} numbers, not {dimension}")
    if not np.isfinite(vectors).all():
        raise _UntrustedVectorsError("a vector with NaN or infinite numbers")
    if not vectors.any(axis=1).all():
        raise _UntrustedVectorsError("a vector of zeros")
    # Scaled in two steps, so that no square overflows or vanishes.
    vectors = vectors / np.abs(vectors).max(axis=1, keepdims=True)
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


class _UntrustedVectorsError(ProviderError):
    def __init__(self, what: str) -> None:
        super().__init__(
            f"The embedding server returned {what}.",
            hint="Nothing of this batch was used. Check the server's embedding model.",
            retryable=True,
        )


def _sendable(text: str) -> str:
    # Servers refuse an empty text, and no text with half a surrogate pair can be sent.
    return text.encode("utf-8", "replace").decode("utf-8") if text.strip() else "-"
