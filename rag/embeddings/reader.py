"""The local reader: a question and a whole abstract in, what of it answers the question out.

It is the cross-encoder ms-marco-MiniLM-L-12-v2 whose upper six layers were trained further on
questions about ICML 2025 abstracts (``eval/training``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rag.embeddings.base import Reading
from rag.embeddings.files import MS_MARCO_MINILM
from rag.embeddings.trained import TrainedWeights, load_trained
from rag.text import Span

WEIGHTS = TrainedWeights(
    Path(__file__).with_name("reader.npz"),
    "8e3730dc5a17dcd8da28660936bd5c5690c66f7912386814ed2c11623cebd9b6",
)


class LocalReader:
    """Reads with the trained cross-encoder; nothing is loaded before the first text.

    Args:
        threads: CPU threads of one run of the model.
    """

    name = f"symposia-reader ({MS_MARCO_MINILM.name}, upper half trained)"

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads

    def read(self, question: str, title: str, text: str, sentences: Sequence[Span]) -> Reading:
        """Read one text; see ``Reader``.

        Raises:
            ModelFileError: If a model file is missing or not the pinned one.
        """
        return load_trained(WEIGHTS, self._threads).read(question, title, text, sentences)
