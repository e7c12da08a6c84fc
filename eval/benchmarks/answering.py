"""What an answer costs, in units of one embedded abstract, and where the time goes.

    python -m eval.benchmarks.answering [--limit N] [--out FILE]

One unit is the time to embed one abstract of 200 words alone with the local model. Each question
is asked between two such embeddings, over a warm index, and both are measured by wall and by
processor time; the figures are medians over the questions.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from eval.cases import Case, load_cases
from eval.machine import describe_machine
from rag.answer import Answer
from rag.assistant import Assistant
from rag.embeddings.local import LocalEmbedder

_UNIT_WORDS = 200
STAGES = ("condense", "dense", "lexical", "rerank", "write", "gate")


@dataclass(frozen=True, slots=True)
class Cost:
    """One question beside its unit; times in milliseconds."""

    wall_ms: float
    cpu_ms: float
    unit_wall_ms: float
    unit_cpu_ms: float
    stages_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class Summary:
    """Medians over all questions, and what nine of ten stay under."""

    n_questions: int
    units_cpu: float
    """Processor time of an answer in units."""
    units_cpu_p90: float
    units_wall: float
    wall_ms: float
    unit_wall_ms: float
    stages_ms: dict[str, float]


def measure(assistant: Assistant, embedder: LocalEmbedder, cases: Sequence[Case]) -> list[Cost]:
    """Ask each question between two embeddings of the unit text; the first round is a warm-up."""
    words = " ".join(paper.abstract for paper in assistant.papers[:3]).split()
    unit = " ".join(words[:_UNIT_WORDS])
    return [_cost(assistant, embedder, unit, case) for case in [cases[0], *cases]][1:]


def _cost(assistant: Assistant, embedder: LocalEmbedder, unit: str, case: Case) -> Cost:
    answers: list[Answer] = []
    before = _time(lambda: embedder.embed_passages([unit]))
    asked = _time(lambda: answers.append(assistant.ask(case.question, case.history)))
    after = _time(lambda: embedder.embed_passages([unit]))
    return Cost(
        asked.wall_ms,
        asked.cpu_ms,
        (before.wall_ms + after.wall_ms) / 2,
        (before.cpu_ms + after.cpu_ms) / 2,
        {name: answers[0].timings_ms.get(name, 0.0) for name in STAGES},
    )


def summarise(costs: Sequence[Cost]) -> Summary:
    """Medians; ratios are taken question by question before the median."""
    by_cpu = sorted(cost.cpu_ms / cost.unit_cpu_ms for cost in costs)
    return Summary(
        n_questions=len(costs),
        units_cpu=statistics.median(by_cpu),
        units_cpu_p90=by_cpu[int(0.9 * (len(by_cpu) - 1))],
        units_wall=statistics.median(cost.wall_ms / cost.unit_wall_ms for cost in costs),
        wall_ms=statistics.median(cost.wall_ms for cost in costs),
        unit_wall_ms=statistics.median(cost.unit_wall_ms for cost in costs),
        stages_ms={
            name: statistics.median(cost.stages_ms[name] for cost in costs) for name in STAGES
        },
    )


@dataclass(frozen=True, slots=True)
class _Elapsed:
    wall_ms: float
    cpu_ms: float


def _time(work: Callable[[], object]) -> _Elapsed:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return _Elapsed(1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu))


def main(argv: Sequence[str] | None = None) -> None:
    """Measure on the development questions and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmarks.answering")
    parser.add_argument("--limit", type=int, default=60, metavar="N", help="how many questions")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the result here too")
    arguments = parser.parse_args(argv)
    cases = load_cases(split="dev")
    cases = cases[:: max(1, len(cases) // arguments.limit)][: arguments.limit]
    with Assistant.open() as assistant:
        costs = measure(assistant, LocalEmbedder(), cases)
    report = asdict(summarise(costs)) | {"machine": describe_machine()}
    text = json.dumps(report, indent=1) + "\n"
    sys.stdout.write(text)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
