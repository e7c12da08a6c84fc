"""The product's whole gate, as planted faults are put before it."""

from __future__ import annotations

from rag.answering.grounding import Evidence, SupportThresholds
from rag.answering.support import SupportScorer
from rag.records import Paper, Passage


class ProductGate:
    """Whether a sentence that cites one paper is shown, by the rules of the product.

    Args:
        scorer: Judges how well quotes support a sentence.
        with_warning: Whether what is shown with a warning counts as shown.
    """

    def __init__(self, scorer: SupportScorer, *, with_warning: bool) -> None:
        self._scorer = scorer
        self._with_warning = with_warning

    def __call__(self, text: str, paper: Paper) -> bool:
        """Put one sentence before it."""
        passages = {1: Passage(1, paper, paper.abstract, 1.0)}
        found = Evidence(passages, self._scorer, SupportThresholds()).ground(text, [1])
        return bool(found.quotes) and (self._with_warning or found.is_certain)
