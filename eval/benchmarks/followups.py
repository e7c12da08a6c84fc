"""Whether a follow-up finds what the same question finds when it is asked stand-alone.

    python -m eval.benchmarks.followups --split dev [--history FORM] [--papers FILE ...] [--out FILE]

Each conversation of ``eval/datasets/followups`` is asked three ways over the same index: as
condensed by the product, in its stand-alone wording, and raw, as typed. No language model takes
part. ``--papers`` adds further papers to those that the conversations are about; ``--history`` says
in which form the conversation is told: ``eval.benchmarks.followups_history``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from eval.benchmarks.followups_history import FORMS, played, with_sources, without_sources
from eval.cases import DatasetError
from eval.intervals import bootstrap_mean
from eval.machine import describe_machine
from rag.answering.condense import as_turns, clear_paper, condense
from rag.assistant import Assistant
from rag.factory import build_index, make_embedder, make_reader, open_library
from rag.library import Library
from rag.records import Filters, Paper, Turn
from rag.retrieval.hybrid import HybridRetriever
from rag.settings import Settings

_DATASETS = Path(__file__).parents[1] / "datasets"
CONVERSATIONS = _DATASETS / "followups" / "conversations.jsonl"
PAPERS = _DATASETS / "calibration" / "papers.jsonl"
KINDS = (
    "pronoun",
    "ellipsis",
    "ordinal",
    "role_noun",
    "comparison",
    "topic_change",
    "correction",
    "return",
    "several",
    "small_talk",
    "short",
    "typo",
    "language",
)
SPLITS = ("dev", "held", "round_2", "round_3", "round_4", "round_5", "round_6", "round_7")
WAYS = ("condensed", "standalone", "raw")
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said before, and a last question with the papers that it is about."""

    case_id: str
    split: str
    """One of ``SPLITS``."""
    kind: str
    """One of ``KINDS``."""
    turns: tuple[Turn, ...]
    question: str
    standalone: str
    """The same question as one would ask it first."""
    gold_papers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one wording of one question found."""

    recall: float
    """The share of the gold papers among the ten best."""
    first: float
    """1 if a gold paper is the first, else 0."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One conversation, asked each way."""

    case_id: str
    kind: str
    condensed: str
    """The question as the product condensed it."""
    findings: Mapping[str, Finding]
    """By way."""
    condense_ms: float
    n_lookups: int
    """How many searches condensing took; part of ``condense_ms``."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean over conversations and its 95 % interval."""

    value: float
    low: float
    high: float


def load_conversations(
    path: Path = CONVERSATIONS, *, split: str | None = None
) -> tuple[Conversation, ...]:
    """Read conversations from a JSONL file.

    Args:
        path: The data set.
        split: Keep this part only; None keeps all.

    Raises:
        DatasetError: If a line is no conversation, or nothing is left.
    """
    kept = []
    for n, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.strip():
            try:
                kept.append(_parse(json.loads(line)))
            except (ValueError, KeyError, TypeError) as error:
                raise DatasetError(
                    f"{path}:{n}: no conversation ({error!r}).",
                    hint="eval/datasets/followups/README.md describes the fields.",
                ) from error
    kept = [conversation for conversation in kept if split in (None, conversation.split)]
    if not kept:
        raise DatasetError(f"{path} has no conversations of {split!r}.", hint="Name a split of it.")
    return tuple(kept)


def _parse(row: dict[str, Any]) -> Conversation:
    history = row["history"]
    if row["form"] == "turns":
        history = [Turn(turn["role"], turn["content"]) for turn in history]
    if row["kind"] not in KINDS or row["split"] not in SPLITS:
        raise ValueError(f"unknown kind {row['kind']!r} or split {row['split']!r}")
    return Conversation(
        case_id=row["case_id"],
        split=row["split"],
        kind=row["kind"],
        turns=tuple(as_turns(history)),
        question=row["question"],
        standalone=row["standalone"],
        gold_papers=tuple(row["gold_papers"]),
    )


def tell(
    conversations: Sequence[Conversation], form: str, library: Library, settings: Settings
) -> list[Conversation]:
    """The conversations with their history in one of ``FORMS``."""
    if form == "written":
        return list(conversations)
    papers = library.view().index.papers
    assistant = Assistant(library, make_reader(settings), settings)

    def told(turns: Sequence[Turn]) -> tuple[Turn, ...]:
        if form == "sources":
            return with_sources(turns, papers)
        answered = played(turns, assistant.ask)
        return answered if form == "played" else without_sources(answered)

    return [replace(conversation, turns=told(conversation.turns)) for conversation in conversations]


def measure(
    conversations: Sequence[Conversation],
    retriever: HybridRetriever,
    papers: Mapping[str, Paper] | None = None,
) -> list[Outcome]:
    """Ask each conversation's last question each way.

    Args:
        conversations: With their history as the product is told it.
        retriever: Searches all papers.
        papers: By id, for histories with sources.
    """
    return [_ask(conversation, retriever, papers or {}) for conversation in conversations]


def _ask(
    conversation: Conversation, retriever: HybridRetriever, papers: Mapping[str, Paper]
) -> Outcome:
    lookups: list[str] = []

    def resolve(text: str) -> Paper | None:
        lookups.append(text)
        return clear_paper(retriever.search(text, k=5, filters=Filters()).hits, text)

    started = time.perf_counter()
    condensed = condense(conversation.question, conversation.turns, resolve, papers)
    condense_ms = 1000 * (time.perf_counter() - started)
    wordings = (condensed, conversation.standalone, conversation.question)
    return Outcome(
        case_id=conversation.case_id,
        kind=conversation.kind,
        condensed=condensed,
        findings={
            way: _find(wording, conversation.gold_papers, retriever)
            for way, wording in zip(WAYS, wordings, strict=True)
        },
        condense_ms=condense_ms,
        n_lookups=len(lookups),
    )


def _find(wording: str, gold: Sequence[str], retriever: HybridRetriever) -> Finding:
    hits = retriever.search(wording, k=_DEPTH, filters=Filters()).hits
    ranking = [hit.paper.paper_id for hit in hits]
    recall = sum(paper_id in ranking for paper_id in gold) / len(gold)
    return Finding(recall, float(bool(ranking) and ranking[0] in gold))


def figure(values: Sequence[float]) -> Figure:
    """The mean with its interval."""
    interval = bootstrap_mean(values)
    return Figure(statistics.fmean(values), interval.low, interval.high)


def summarise(outcomes: Sequence[Outcome]) -> dict[str, Figure]:
    """Recall and first for each way, and the recall lost to the stand-alone wording."""
    figures = {
        f"{way} {metric}": figure([getattr(o.findings[way], metric) for o in outcomes])
        for metric in ("recall", "first")
        for way in WAYS
    }
    lost = [o.findings["standalone"].recall - o.findings["condensed"].recall for o in outcomes]
    return figures | {"lost": figure(lost)}


def to_markdown(outcomes: Sequence[Outcome]) -> str:
    """A row for each kind and one for all; the intervals for all alone."""
    columns = [f"{way} {metric}" for metric in ("recall", "first") for way in WAYS] + ["lost"]
    lines = [
        "| kind | n | " + " | ".join(columns) + " |",
        "|" + " --- |" * (len(columns) + 2),
    ]
    for kind in KINDS:
        if of_kind := [outcome for outcome in outcomes if outcome.kind == kind]:
            means = [f"{summarise(of_kind)[column].value:.3f}" for column in columns]
            lines.append(f"| {kind} | {len(of_kind)} | " + " | ".join(means) + " |")
    whole = summarise(outcomes)
    cells = [f"{w.value:.3f} [{w.low:.3f}, {w.high:.3f}]" for w in map(whole.get, columns) if w]
    lines.append(f"| all | {len(outcomes)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> None:
    """Measure one split and print the table by kind."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmarks.followups")
    parser.add_argument("--split", choices=SPLITS, required=True)
    parser.add_argument(
        "--papers", type=Path, nargs="+", default=[], metavar="FILE", help="further papers"
    )
    parser.add_argument("--history", choices=FORMS, default=FORMS[0])
    parser.add_argument("--out", type=Path, metavar="FILE", help="write every question as JSON")
    given = parser.parse_args(argv)
    settings = Settings(corpus="followups-larger" if given.papers else str(PAPERS))
    if given.papers:
        build_index([PAPERS, *given.papers], name=settings.corpus, settings=settings)
    library = open_library(settings, make_embedder(settings))
    try:
        view = library.view()
        papers = view.index.papers
        told = tell(load_conversations(split=given.split), given.history, library, settings)
        outcomes = measure(told, view.retriever, papers)
        n_papers = len(papers)
    finally:
        library.close()
    sys.stdout.write(to_markdown(outcomes))
    costs = [outcome.condense_ms for outcome in outcomes]
    n_lookups = statistics.fmean(outcome.n_lookups for outcome in outcomes)
    sys.stdout.write(
        f"\n{n_papers:,} papers; condensing: median {statistics.median(costs):.1f} ms, "
        f"highest {max(costs):.1f} ms, {n_lookups:.1f} look-ups on average\n"
    )
    if given.out:
        report = {
            "split": given.split,
            "history": given.history,
            "n_papers": n_papers,
            "figures": {name: asdict(value) for name, value in summarise(outcomes).items()},
            "outcomes": [asdict(outcome) for outcome in outcomes],
            "machine": describe_machine(),
        }
        given.out.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
