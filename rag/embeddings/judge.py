"""The local judge of support: a claim and a few sentences in, how well they prove it out.

It is the cross-encoder ms-marco-MiniLM-L-12-v2 whose upper six layers were trained further, first
as the reader and then on claims about ICML 2025 abstracts, true and false (``eval/training``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from rag.embeddings.files import MS_MARCO_MINILM
from rag.embeddings.trained import TrainedWeights, load_trained

WEIGHTS = TrainedWeights(
    Path(__file__).with_name("judge.npz"),
    "4e53ccae7002318bd59d5bbcb818f470e0e360024e39a36140ac190a11e8609f",
)


class LocalJudge:
    """Judges with the trained cross-encoder; nothing is loaded before the first text.

    Args:
        threads: CPU threads of one run of the model.
    """

    name = f"symposia-judge ({MS_MARCO_MINILM.name}, upper half trained)"

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        """The probability that each text proves a claim, from 0 to 1.

        Args:
            claim: One sentence.
            evidence: One or a few sentences of an abstract each.

        Raises:
            ModelFileError: If a model file is missing or not the pinned one.
        """
        model = load_trained(WEIGHTS, self._threads)
        return [
            1 / (1 + math.exp(-model.read(claim, "", text, ()).answerable)) for text in evidence
        ]
