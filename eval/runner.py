"""Ask every question of a data set and judge each answer.

report = run_eval(assistant, split="dev", out=Path("results"))
print(to_markdown(report))            # from eval.tables
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from eval.cases import SEED_CASES, Case, dataset_sha256, load_cases
from eval.journal import Journal
from eval.metrics import score_all
from eval.report import write_report
from eval.results import Report, Result, Shown, judged
from rag.answer import Answer

Progress = Callable[[int, int, Result], None]
"""Called after each case with the number done, the number of all, and the result."""


class Asks(Protocol):
    """What is judged; ``rag.Assistant`` is one."""

    @property
    def mode(self) -> str:
        """What writes the answers."""
        ...

    def ask(self, question: str, *, history: Sequence[str] = ()) -> Answer:
        """Answer a question; ``history`` holds the earlier questions, oldest first."""
        ...


def run_eval(
    assistant: Asks,
    *,
    split: str | None = "dev",
    dataset: Path | None = None,
    out: Path | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
    timeout_s: float = 300.0,
    show_test_failures: bool = False,
) -> Report:
    """Judge an assistant on a data set and write the report.

    Args:
        assistant: Opened over the papers that the questions are about.
        split: The part of the data set to ask; None asks all of it.
        dataset: A JSONL file of cases; None takes the questions over the seeds.
        out: The folder for ``report.json`` and ``report.md``. While the run goes on it also
            holds ``journal.jsonl``, which stays if it is interrupted or a case could not be
            judged: the same call then asks only the rest.
        limit: Ask the first cases only.
        progress: Is told of each result.
        timeout_s: A case that takes longer counts as not judged.
        show_test_failures: Write the questions and answers of failed ``test`` cases, too.

    Raises:
        DatasetError: The data set cannot be used.
        JournalError: ``out`` cannot be written.
    """
    path = dataset or SEED_CASES
    cases = load_cases(path, split=split)[:limit]
    journal = out / "journal.jsonl" if out else None
    report = run(assistant, cases, journal=journal, progress=progress, timeout_s=timeout_s)
    report = replace(
        report, split=split or "all", dataset=path.name, dataset_sha256=dataset_sha256(path)
    )
    if out:
        write_report(report, out, show_test_failures=show_test_failures)
        if not report.errors:
            (out / "journal.jsonl").unlink(missing_ok=True)
    return report


def run(
    assistant: Asks,
    cases: Sequence[Case],
    *,
    journal: Path | None = None,
    progress: Progress | None = None,
    timeout_s: float = 300.0,
) -> Report:
    """Judge an assistant on cases, one after the other.

    A case that fails or hangs is recorded with its error, and the run goes on.

    Args:
        assistant: What is judged.
        cases: What is asked.
        journal: A file that keeps each result at once; results that it holds for the same case,
            code, writer and index are taken from it, with what they used. Which index answers is
            learned from the first answer, so one case is always asked.
        progress: Is told of each result.
        timeout_s: A case that takes longer counts as not judged.
    """
    kept = Journal(journal, mode=assistant.mode) if journal else None
    seen: Shown | None = None
    results: list[Result] = []
    for case in cases:
        result = kept.find(case, seen) if kept and seen else None
        if result is None:
            result = _judge_within(assistant, case, timeout_s)
            if kept:
                kept.append(result)
        seen = seen or result.shown
        results.append(result)
        if progress:
            progress(len(results), len(cases), result)
    return Report(tuple(results))


def _judge_within(assistant: Asks, case: Case, timeout_s: float) -> Result:
    outcomes: list[Result] = []
    # A daemon, so that a case which hangs for ever does not keep the program from ending.
    worker = threading.Thread(target=lambda: outcomes.append(_judge(assistant, case)), daemon=True)
    worker.start()
    worker.join(timeout_s)
    if outcomes:
        return outcomes[0]
    return Result(case, None, error=f"no answer within {timeout_s:g} s")


def _judge(assistant: Asks, case: Case) -> Result:
    start = time.perf_counter()
    try:
        answer = assistant.ask(case.question, history=case.history)
        elapsed_ms = (time.perf_counter() - start) * 1000
        return judged(case, answer, score_all(case, answer), elapsed_ms)
    except Exception as error:  # noqa: BLE001, whatever breaks one case must not cost the others
        return Result(case, None, error=f"{type(error).__name__}: {error}")
