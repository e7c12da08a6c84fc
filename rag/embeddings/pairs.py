"""A question and an abstract as the tokens that the reader sees, and where its sentences are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.sessions import encodable
from rag.text import Span

MAX_TOKENS = 448


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """A question and a text, read together."""

    ids: NDArray[np.int64]
    """(n,): the tokens."""
    type_ids: NDArray[np.int64]
    """(n,): 0 for tokens of the question, 1 for tokens of the text."""
    sentence_rows: tuple[tuple[int, ...], ...]
    """For each sentence the rows of its tokens; none if it lies beyond ``MAX_TOKENS``."""


class PairEncoder:
    """The pinned tokenizer, set up as the reader sets it up.

    Args:
        folder: Of the model ``MS_MARCO_MINILM``.
    """

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")

    def encode(
        self, question: str, title: str, text: str, sentences: Sequence[Span]
    ) -> EncodedPair:
        """Encode a question and a titled text.

        Args:
            question: A question that stands alone.
            title: What the text is called; the model reads it before the text.
            text: The text.
            sentences: Spans of ``text``, in order.
        """
        before = f"{title}. "
        encoding = self._tokenizer.encode(encodable(question), encodable(before + text))
        moved = [Span(span.start + len(before), span.end + len(before)) for span in sentences]
        starts = {
            row: start
            for row, (part, (start, end)) in enumerate(
                zip(encoding.type_ids, encoding.offsets, strict=True)
            )
            if part == 1 and end > start
        }
        return EncodedPair(
            np.array(encoding.ids, dtype=np.int64),
            np.array(encoding.type_ids, dtype=np.int64),
            tuple(
                tuple(row for row, start in starts.items() if span.start <= start < span.end)
                for span in moved
            ),
        )
