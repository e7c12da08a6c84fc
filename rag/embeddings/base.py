"""What the rest of Symposia expects of an embedding model and of a pair scorer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rag.records import Usage
from rag.text import Span


@runtime_checkable
class Metered(Protocol):
    """An embedder whose provider counts tokens."""

    @property
    def usage(self) -> Usage:
        """Tokens read so far, of papers and of questions."""


class Embedder(Protocol):
    """Turns passages and queries into vectors that can be compared by their dot product."""

    @property
    def fingerprint(self) -> str:
        """Names what decides the vectors (model, dimension, pooling, file); stored with an index."""

    @property
    def dimension(self) -> int:
        """The length of every vector."""

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        """Embed texts that are to be found.

        Args:
            texts: Any strings; an empty one gets a vector like any other.
            progress: Called now and then with the number of texts finished so far.

        Returns:
            (n, dimension) float32, unit length, in the order of ``texts``.
        """

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed what is looked for: (dimension,) float32, unit length."""


class PairScorer(Protocol):
    """Judges how relevant each text is to one query, reading both together."""

    @property
    def name(self) -> str:
        """The model's name, for reports."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Score texts against a query: (n,) float32 logits; higher is better."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader makes of one text in the light of one question; higher is better."""

    sentences: tuple[float, ...]
    """For each sentence, the log-odds that it answers the question."""
    answerable: float
    """The log-odds that the text answers the question at all."""
    about: float
    """The log-odds that the text is about what the question is about."""


class Reader(Protocol):
    """Reads a question and a whole text together and says what of it answers the question."""

    @property
    def name(self) -> str:
        """The model's name, for reports."""

    def read(self, question: str, title: str, text: str, sentences: Sequence[Span]) -> Reading:
        """Read one text.

        Args:
            question: A question that stands alone.
            title: What the text is called.
            text: The text; what exceeds the model's window is not read.
            sentences: Spans of ``text``, in order; one that is not read gets a score far below 0.
        """
