"""How well evidence supports a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


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
