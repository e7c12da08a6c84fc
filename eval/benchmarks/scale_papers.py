"""Many papers, their vectors and questions about them, to measure how the product scales."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.base import Embedder
from rag.records import Paper
from rag.text import content_hash, split_sentences

SEED = 2025
_NOISE = 0.5


class TurnedEmbedder:
    """Knows the vectors of one corpus, and turns one of them for any other text.

    Args:
        model: The real one, for questions.
        known: Its vectors by the hash of their text.
    """

    def __init__(self, model: Embedder, known: Mapping[str, NDArray[np.float32]]) -> None:
        self.fingerprint = f"{model.fingerprint}+turned"
        self.dimension = model.dimension
        self._model = model
        self._known = known
        self._rows = np.stack(list(known.values()))

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        """See ``Embedder.embed_passages``."""
        vectors = np.stack([self._vector(content_hash(text)) for text in texts])
        if progress is not None:
            progress(len(texts))
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See ``Embedder.embed_query``."""
        return self._model.embed_query(text)

    def _vector(self, text_hash: str) -> NDArray[np.float32]:
        if text_hash in self._known:
            return self._known[text_hash]
        rng = np.random.default_rng(int(text_hash[:16], 16) ^ SEED)
        noise = rng.normal(size=self.dimension)
        turned = self._rows[rng.integers(len(self._rows))] + _NOISE * noise / np.linalg.norm(noise)
        return np.asarray(turned / np.linalg.norm(turned), dtype=np.float32)


def make_papers(base: Sequence[Paper], pool: Sequence[Paper], n_papers: int) -> list[Paper]:
    """That many papers: the base, the pool, then halves of two of them joined."""
    found = [
        *base,
        *(replace(paper, paper_id=f"pool-{number}") for number, paper in enumerate(pool)),
    ][:n_papers]
    rng = np.random.default_rng(SEED)
    whole = len(found)
    while len(found) < n_papers:
        first, second = (found[int(row)] for row in rng.integers(whole, size=2))
        abstract = f"{_half(first.abstract, 0)} {_half(second.abstract, 1)}"
        found.append(replace(first, paper_id=f"joined-{len(found)}", abstract=abstract))
    return found


def _half(abstract: str, which: int) -> str:
    spans = split_sentences(abstract)
    middle = len(spans) // 2
    part = spans[middle:] if which else spans[:middle]
    return abstract[part[0].start : part[-1].end] if part else ""


def make_questions(papers: Sequence[Paper], n_questions: int) -> list[str]:
    """Questions about papers: titles, and first sentences of abstracts, in turn."""
    rows = np.random.default_rng(SEED).permutation(len(papers))[:n_questions]
    chosen = [papers[int(row)] for row in rows]
    return [
        f"What is known about {paper.title}?" if number % 2 else _half(paper.abstract, 0)[:200]
        for number, paper in enumerate(chosen)
    ]
