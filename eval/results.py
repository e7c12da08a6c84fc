"""What a run yields: one result a case, and the report that holds them all."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from eval.cases import Case
from eval.metrics import METRICS, Metric, Score
from rag.answer import Answer
from rag.records import Status, Usage


@dataclass(frozen=True, slots=True)
class Shown:
    """What the reader saw, as far as a report needs it."""

    status: Status
    text: str
    cited: tuple[str, ...]
    """The ids of ``answer.papers``."""
    model: str
    index_fingerprint: str
    usage: Usage = field(default_factory=Usage)
    """Tokens of a language model; none without one."""


@dataclass(frozen=True, slots=True)
class Result:
    """One case, judged; or not judged, with the error that prevented it."""

    case: Case
    shown: Shown | None
    """None when the case could not be judged."""
    scores: Mapping[str, Score] = field(default_factory=dict)
    """By the name of the metric; empty when the case could not be judged."""
    elapsed_ms: float = 0.0
    error: str = ""
    """Why the case could not be judged. Such a case is listed and is no part of any figure."""

    @property
    def faults(self) -> tuple[str, ...]:
        """The names of the metrics that found a fault."""
        return tuple(
            metric.name
            for metric in METRICS
            if metric.name in self.scores and metric.failed(self.scores[metric.name])
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values; the case is named by its id."""
        return {
            "case_id": self.case.case_id,
            "shown": asdict(self.shown) if self.shown else None,
            "scores": {name: asdict(score) for name, score in self.scores.items()},
            "elapsed_ms": round(self.elapsed_ms, 1),
            "error": self.error,
        }

    @classmethod
    def from_dict(cls, case: Case, plain: Mapping[str, Any]) -> Result:
        """The inverse of ``to_dict``, for the same case.

        Raises:
            KeyError, TypeError, AttributeError: ``plain`` has another shape.
        """
        return cls(
            case=case,
            shown=_shown(plain["shown"]) if plain["shown"] else None,
            scores={name: Score(**score) for name, score in plain["scores"].items()},
            elapsed_ms=plain["elapsed_ms"],
            error=plain["error"],
        )


@dataclass(frozen=True, slots=True)
class Report:
    """All results of one run over one set of cases."""

    results: tuple[Result, ...]
    split: str = "all"
    dataset: str = ""
    """The name of the file that the cases come from."""
    dataset_sha256: str = ""

    @property
    def judged(self) -> tuple[Result, ...]:
        """The results that count."""
        return tuple(result for result in self.results if not result.error)

    @property
    def errors(self) -> tuple[Result, ...]:
        """The cases that could not be judged."""
        return tuple(result for result in self.results if result.error)

    @property
    def failures(self) -> tuple[Result, ...]:
        """The judged cases in which some metric found a fault."""
        return tuple(result for result in self.judged if result.faults)

    @property
    def models(self) -> tuple[str, ...]:
        """The models that answered; one, unless something changed on the way."""
        return tuple(sorted({item.shown.model for item in self.judged if item.shown}))

    @property
    def index_fingerprints(self) -> tuple[str, ...]:
        """The indexes that were searched; one, unless something changed on the way."""
        return tuple(sorted({item.shown.index_fingerprint for item in self.judged if item.shown}))

    @property
    def usage(self) -> Usage:
        """What a language model used for all judged cases together."""
        used = (item.shown.usage for item in self.judged if item.shown)
        return functools.reduce(Usage.plus, used, Usage())

    def n_counted_by(self, who: str) -> int:
        """How many judged cases have their tokens from the ``provider``, or counted by ``us``."""
        return sum(item.shown.usage.counted_by == who for item in self.judged if item.shown)

    def values(self, metric: Metric, *, kind: str | None = None) -> tuple[float, ...]:
        """The values of one metric where it applies, of all kinds or of one."""
        scores = (
            result.scores[metric.name]
            for result in self.judged
            if kind in (None, result.case.kind) and metric.name in result.scores
        )
        return tuple(score.value for score in scores if score.value is not None)


def judged(case: Case, answer: Answer, scores: Mapping[str, Score], elapsed_ms: float) -> Result:
    """The result of a case that was answered and scored."""
    shown = Shown(
        status=answer.status,
        text=answer.text,
        cited=tuple(paper.paper_id for paper in answer.papers),
        model=answer.model,
        index_fingerprint=answer.index_fingerprint,
        usage=answer.usage,
    )
    return Result(case, shown, scores, elapsed_ms)


def _shown(plain: Mapping[str, Any]) -> Shown:
    usage = Usage(**plain["usage"])
    return Shown(**{**plain, "cited": tuple(plain["cited"]), "usage": usage})
