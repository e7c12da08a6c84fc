"""Many results summed up: one figure a metric, with its interval."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from eval.intervals import Interval, bootstrap_mean, wilson
from eval.journal import code_sha256
from eval.metrics import Metric
from eval.results import Report, Result


@dataclass(frozen=True, slots=True)
class Summary:
    """One metric over the cases to which it applies."""

    n: int
    value: float
    """The mean, in [0, 1] for a share."""
    interval: Interval
    """95 %: Wilson's for metrics of 0 and 1, the bootstrap's for means."""


def summarise(report: Report, metric: Metric, *, kind: str | None = None) -> Summary | None:
    """Sum up one metric, over all kinds of question or one; None where it applies to no case."""
    values = report.values(metric, kind=kind)
    if not values:
        return None
    share = sum(values) / len(values)
    if metric.interval == "wilson":
        return Summary(len(values), share, wilson(round(sum(values)), len(values)))
    return Summary(len(values), share, bootstrap_mean(values))


def about(report: Report) -> dict[str, Any]:
    """The facts of the run that stand at the head of a report."""
    elapsed_s = sum(result.elapsed_ms for result in report.judged) / 1000
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "cases": len(report.results),
        "judged": len(report.judged),
        "not_judged": len(report.errors),
        "without_fault": len(report.judged) - len(report.failures),
        "model": ", ".join(report.models),
        "index": ", ".join(report.index_fingerprints),
        "dataset_sha256": report.dataset_sha256,
        "code_sha256": code_sha256(),
        "elapsed_s": round(elapsed_s, 1),
    }


def usage(report: Report) -> dict[str, Any]:
    """What a language model used for all judged cases, and for how many of them who counted."""
    return asdict(report.usage) | {
        "answers_counted_by_provider": report.n_counted_by("provider"),
        "answers_counted_by_us": report.n_counted_by("us"),
    }


def kinds(report: Report) -> tuple[str, ...]:
    """The kinds of question that were asked, in their first order."""
    return tuple(dict.fromkeys(result.case.kind for result in report.results))


def is_open(result: Result, show_test: bool) -> bool:
    """False for a ``test`` case unless they shall be shown: nobody should tune on them."""
    return show_test or result.case.split != "test"
