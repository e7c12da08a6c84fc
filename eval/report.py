"""The report of a run as files: JSON for programs, Markdown for people."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from eval.machine import describe_machine
from eval.metrics import METRICS
from eval.results import Report, Result
from eval.summary import about, is_open, kinds, summarise, usage
from eval.tables import to_markdown
from rag.errors import SymposiaError


class ReportError(SymposiaError):
    """A report cannot be written."""


def to_dict(report: Report, *, show_test_failures: bool = False) -> dict[str, Any]:
    """The report as plain values for JSON; the arguments are those of ``to_markdown``."""
    return {
        "about": about(report) | {"machine": describe_machine()},
        "usage": usage(report),
        "overall": _summaries(report),
        "by_kind": {kind: _summaries(report, kind=kind) for kind in kinds(report)},
        "cases": [
            _case_to_dict(result, full=is_open(result, show_test_failures))
            for result in report.results
        ],
    }


def write_report(
    report: Report, folder: Path, *, show_test_failures: bool = False
) -> tuple[Path, ...]:
    """Write ``report.json`` and ``report.md``, and return their paths.

    Raises:
        ReportError: The folder cannot be written.
    """
    plain = to_dict(report, show_test_failures=show_test_failures)
    texts = {
        "report.json": json.dumps(plain, ensure_ascii=False, indent=2) + "\n",
        "report.md": to_markdown(report, show_test_failures=show_test_failures),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return tuple(_replace(folder / name, text) for name, text in texts.items())
    except OSError as error:
        raise ReportError(
            f"The report cannot be written to {folder}: {error}.",
            hint="Choose a folder that can be written.",
        ) from error


def _replace(path: Path, text: str) -> Path:
    draft = path.with_suffix(path.suffix + ".part")
    draft.write_text(text, encoding="utf-8")
    return draft.replace(path)


def _summaries(report: Report, *, kind: str | None = None) -> dict[str, Any]:
    found = {metric.name: summarise(report, metric, kind=kind) for metric in METRICS}
    return {
        name: {
            "value": summary.value,
            "low": summary.interval.low,
            "high": summary.interval.high,
            "n": summary.n,
        }
        for name, summary in found.items()
        if summary is not None
    }


def _case_to_dict(result: Result, *, full: bool) -> dict[str, Any]:
    """A case with its values; with question, gold, answer and reasons only when ``full``."""
    case = result.case
    plain: dict[str, Any] = {
        "case_id": case.case_id,
        "kind": case.kind,
        "split": case.split,
        "faults": list(result.faults),
        "error": result.error,
        "elapsed_ms": round(result.elapsed_ms, 1),
        "usage": asdict(result.shown.usage) if result.shown else None,
        "values": {name: score.value for name, score in result.scores.items()},
    }
    if not full:
        return plain
    return plain | {
        "question": case.question,
        "history": list(case.history),
        "expected": list(case.expected),
        "gold_papers": list(case.gold_papers),
        "gold_facts": [list(group) for group in case.gold_facts],
        "status": result.shown.status if result.shown else None,
        "cited": list(result.shown.cited) if result.shown else [],
        "text": result.shown.text if result.shown else "",
        "reasons": {n: score.reason for n, score in result.scores.items() if score.reason},
    }
