"""The reader to beat: the cross-encoder as it comes, on each sentence with the title before it."""

from __future__ import annotations

from collections.abc import Sequence

from rag.embeddings.base import PairScorer, Reading
from rag.text import Span

_UNREAD = -20.0


class SentenceReader:
    """Scores every sentence of a text against the question with a pair scorer."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer

    @property
    def name(self) -> str:
        """The model's name, for reports."""
        return self._scorer.name

    def read(self, question: str, title: str, text: str, sentences: Sequence[Span]) -> Reading:
        """Read one text; see ``rag.embeddings.base.Reader``."""
        texts = [f"{title}. {text[span.start : span.end]}" for span in sentences] or [title]
        scores = [float(score) for score in self._scorer.score(question, texts)]
        best = max(scores, default=_UNREAD)
        return Reading(tuple(scores[: len(sentences)]), answerable=best, about=best)
