"""The report of a run as Markdown, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from eval.intervals import Interval
from eval.machine import describe_machine
from eval.metrics import METRICS, Metric
from eval.results import Report, Result
from eval.summary import Summary, about, is_open, kinds, summarise
from rag.export import usage_in_words

_HIDDEN = (
    "Questions of the split `test` are not shown, so that nothing is tuned on them by accident."
)


def to_markdown(report: Report, *, show_test_failures: bool = False) -> str:
    """Tables overall and by kind of question, then each failure.

    Args:
        report: What was measured.
        show_test_failures: Show what failed ``test`` cases asked and got; else their id and kind.
    """
    blocks = [
        f"# Evaluation of {report.dataset or 'cases'}, split {report.split}",
        _list(about(report) | _usage(report)),
        "## Overall",
        _overall_table(report),
        "## By kind of question",
        _kind_table(report),
        f"## Failures ({len(report.failures)})",
        *_failure_blocks(report.failures, show_test=show_test_failures),
    ]
    if report.errors:
        errors = [
            f"- `{item.case.case_id}` ({item.case.kind}): {item.error}" for item in report.errors
        ]
        blocks += [f"## Not judged, and in no figure ({len(errors)})", "\n".join(errors)]
    blocks += ["## Machine", _list(describe_machine())]
    return "\n\n".join(blocks) + "\n"


def _list(facts: Mapping[str, Any]) -> str:
    return "\n".join(f"- {name.replace('_', ' ')}: {value}" for name, value in facts.items())


def _usage(report: Report) -> dict[str, str]:
    """For a report of a language model; without one there is nothing to tell."""
    if not report.usage.counted_by:
        return {}
    n_provider, n_us = report.n_counted_by("provider"), report.n_counted_by("us")
    return {
        "usage": usage_in_words(report.usage),
        "tokens_counted": f"by the provider in {n_provider} answers, here in {n_us}",
    }


def _overall_table(report: Report) -> str:
    rows = []
    for metric in METRICS:
        summary = summarise(report, metric)
        if summary is not None:
            value, interval = _value(metric, summary.value), _interval(metric, summary.interval)
            rows.append((metric.name, value, interval, str(summary.n), metric.goal, metric.about))
    return _table(("metric", "value", "95 % interval", "n", "goal", "meaning"), rows)


def _kind_table(report: Report) -> str:
    metrics = [metric for metric in METRICS if metric.best is not None]
    rows = []
    for kind in kinds(report):
        n = sum(result.case.kind == kind for result in report.judged)
        cells = [_cell(metric, summarise(report, metric, kind=kind)) for metric in metrics]
        rows.append((kind, str(n), *cells))
    return _table(("kind", "n", *(metric.name for metric in metrics)), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(metric: Metric, summary: Summary | None) -> str:
    if summary is None:
        return "–"
    return f"{_value(metric, summary.value)} [{_interval(metric, summary.interval)}]"


def _value(metric: Metric, value: float) -> str:
    return f"{value:.2f}" if metric.unit == "count" else f"{100 * value:.1f} %"


def _interval(metric: Metric, interval: Interval) -> str:
    scale, digits = (1, 2) if metric.unit == "count" else (100, 1)
    return f"{scale * interval.low:.{digits}f}–{scale * interval.high:.{digits}f}"


def _failure_blocks(failures: Sequence[Result], *, show_test: bool) -> Iterator[str]:
    if not failures:
        yield "None."
    closed = [result for result in failures if not is_open(result, show_test)]
    if closed:
        yield _HIDDEN
        yield "\n".join(f"- `{item.case.case_id}` ({item.case.kind})" for item in closed)
    for result in failures:
        if is_open(result, show_test):
            yield _failure_block(result)


def _failure_block(result: Result) -> str:
    case, shown = result.case, result.shown
    reasons = [f"{name}: {result.scores[name].reason}" for name in result.faults]
    lines = [
        f"### `{case.case_id}` ({case.kind})",
        "",
        *(f"- earlier: {question}" for question in case.history),
        f"- question: {case.question}",
        f"- expected: {' or '.join(case.expected)}",
        f"- got: {shown.status if shown else ''}, papers {', '.join(shown.cited) if shown else ''}",
        f"- gold papers: {', '.join(case.gold_papers) or 'none'}",
        f"- gold facts: {'; '.join(' / '.join(group) for group in case.gold_facts) or 'none'}",
        *(f"- fault: {reason}" for reason in reasons),
        "",
        *(f"> {line}" for line in (shown.text if shown else "").split("\n")),
    ]
    return "\n".join(lines)
