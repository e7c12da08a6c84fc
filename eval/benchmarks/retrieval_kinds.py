"""How well the product's retrieval finds one paper among all of ICML 2025, by kind of question.

    python -m eval.benchmarks.retrieval_kinds [--split dev] [--cache FOLDER]

Beside it stand each leg and both under fixed weights. A cell gives the shares of questions whose
paper comes first, among the first six, and among the first ten. The dense leg is exact.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval.benchmarks.retrieval import open_engine
from eval.benchmarks.retrieval_methods import Engine
from rag.corpus import load_corpus
from rag.embeddings.local import LocalEmbedder

QUESTIONS = Path(__file__).parents[1] / "datasets" / "retrieval" / "icml2025.jsonl"
SPLITS = ("dev", "test")
_DEPTHS = (1, 6, 10)

Kind = Literal["plain", "name", "other_words", "typo", "other_language"]


@dataclass(frozen=True, slots=True)
class Question:
    """One line of ``icml2025.jsonl``."""

    case_id: str
    split: Literal["dev", "test"]
    kind: Kind
    text: str
    gold: str
    """Id of the paper that it is about."""


def load_questions(path: Path, *, split: str) -> list[Question]:
    """Read the questions of one split, in the order of the file."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    questions = (
        Question(row["case_id"], row["split"], row["kind"], row["question"], row["gold"])
        for row in rows
    )
    return [question for question in questions if question.split == split]


def places(engine: Engine, questions: Sequence[Question]) -> dict[str, dict[str, list[int | None]]]:
    """Method -> kind -> for each question the place of its paper, from 1; None beyond the list."""
    found: dict[str, dict[str, list[int | None]]] = {}
    for question in questions:
        for method, ranking in engine.rankings(question.text).items():
            place = ranking.index(question.gold) + 1 if question.gold in ranking else None
            found.setdefault(method, {}).setdefault(question.kind, []).append(place)
    return found


def to_markdown(found: Mapping[str, Mapping[str, Sequence[int | None]]]) -> str:
    """A table with a row for each method: ``.97 1.00 1.00``."""
    kinds = list(dict.fromkeys(kind for by_kind in found.values() for kind in by_kind))
    counts = [len(next(iter(found.values()))[kind]) for kind in kinds]
    head = ["method", *(f"{kind} ({n})" for kind, n in zip(kinds, counts, strict=True))]
    rows = [
        [method, *(_shares(by_kind[kind]) for kind in kinds)] for method, by_kind in found.items()
    ]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _shares(places: Sequence[int | None]) -> str:
    shares = (
        sum(place is not None and place <= depth for place in places) / len(places)
        for depth in _DEPTHS
    )
    return " ".join(f"{share:.2f}".removeprefix("0") for share in shares)


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask the questions of one split and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--split", choices=SPLITS, default="dev")
    parser.add_argument("--corpus", default="icml2025", help="name or file of the papers")
    parser.add_argument("--cache", type=Path, help="folder to keep vectors in")
    given = parser.parse_args(arguments)
    papers = load_corpus(given.corpus).papers
    engine = open_engine(papers, LocalEmbedder(), given.cache)
    questions = load_questions(QUESTIONS, split=given.split)
    sys.stdout.write(to_markdown(places(engine, questions)))


if __name__ == "__main__":
    main()
