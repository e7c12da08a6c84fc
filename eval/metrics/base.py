"""What a metric is: a pure function from a case and its answer to a score."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from eval.cases import Case
from rag.answer import Answer


@dataclass(frozen=True, slots=True)
class Score:
    """One value with its reason.

    Raises:
        ValueError: The value is not finite; what cannot be scored is None, never NaN and never 0.
    """

    value: float | None
    """None where the metric does not apply to the case."""
    reason: str = ""
    """Why the value is not the best one; empty where there is nothing to explain."""

    def __post_init__(self) -> None:
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"A score must be finite or None, not {self.value}.")


NOT_APPLICABLE = Score(None, "does not apply")


def verdict(good: bool, reason: str) -> Score:
    """1 when good; else 0 with the reason."""
    return Score(1.0) if good else Score(0.0, reason)


@dataclass(frozen=True, slots=True)
class Metric:
    """A named metric, and how its values over many cases are summed up."""

    name: str
    about: str
    score: Callable[[Case, Answer], Score]
    best: float | None = 1.0
    """The value of a case without fault; None for a metric that informs and judges nothing."""
    goal: str = ""
    """What the project must reach, for the reader of a report."""
    interval: Literal["wilson", "bootstrap"] = "wilson"
    """``wilson`` for metrics whose values are 0 or 1, ``bootstrap`` for means."""
    unit: Literal["share", "count"] = "share"

    def failed(self, score: Score) -> bool:
        """True when the score shows a fault."""
        return self.best is not None and score.value is not None and score.value != self.best
