"""The product's whole gate, as planted faults are put before it."""

from __future__ import annotations

from typing import Literal

from rag.answering.grounding import Evidence, SupportThresholds
from rag.answering.support import SupportScorer
from rag.records import Paper, Passage

Outcome = Literal["dropped", "warned", "shown"]


class ProductGate:
    """What becomes of a sentence that cites one paper, by the rules of the product.

    Args:
        scorer: Judges how well quotes support a sentence.
        thresholds: What counts as support.
    """

    def __init__(self, scorer: SupportScorer, thresholds: SupportThresholds | None = None) -> None:
        self._scorer = scorer
        self._thresholds = thresholds or SupportThresholds()

    def __call__(self, text: str, paper: Paper) -> Outcome:
        """Put one sentence before it."""
        passages = {1: Passage(1, paper, paper.abstract, 1.0)}
        found = Evidence(passages, self._scorer, self._thresholds).ground(text, [1])
        if not found.quotes:
            return "dropped"
        return "shown" if found.is_certain else "warned"
