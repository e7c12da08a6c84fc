"""How well evidence supports a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from rag.embeddings.base import PairScorer


class SupportScorer(Protocol):
    """Judges whether texts support what a sentence claims."""

    @property
    def name(self) -> str:
        """The method, for reports."""

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        """Score each text as evidence for one claim: from 0 to 1, higher is better.

        Args:
            claim: One sentence, without markers and markup.
            evidence: One or a few sentences of an abstract each.
        """


class PairSupport:
    """Support as a cross-encoder sees it: the logistic function of its score of the pair.

    Args:
        pairs: Scores texts against a claim.
    """

    def __init__(self, pairs: PairScorer) -> None:
        self._pairs = pairs

    @property
    def name(self) -> str:
        """The cross-encoder's name."""
        return self._pairs.name

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        """See ``SupportScorer``."""
        return [1 / (1 + math.exp(-float(score))) for score in self._pairs.score(claim, evidence)]
