"""How well a judge of support agrees with people, on four public sets.

    python -m eval.benchmarks.support --data FOLDER [--sets scifact,...] [--methods ...] --out FILE

``eval/benchmarks/support_data.py`` says what ``FOLDER`` holds. A text scores as its best part; what
the parts are (the whole, or each sentence) belongs to the method. All intervals are 95 % bootstraps
over source documents.

The labels have faults of their own: audits found one in twenty of SciFact's development pairs wrong
(Sylvestre 2026), and many more hallucinations in RAGTruth than its spans mark (RAGTruth++). So no
honest figure comes near 1, and a small difference between methods says little.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from eval.benchmarks.support_baselines import (
    NearestPlaces,
    NearestRead,
    Similarity,
    TermRecall,
)
from eval.benchmarks.support_data import LOADERS
from eval.benchmarks.support_figures import Figure, Parts, measure, singly, up_to_two, whole
from eval.benchmarks.support_pairs import limited
from eval.benchmarks.support_scifact import scifact_texts
from eval.machine import describe_machine
from rag.answering.support import SupportScorer
from rag.embeddings.judge import LocalJudge
from rag.embeddings.local import LocalEmbedder, LocalPairScorer


@dataclass(frozen=True, slots=True)
class Method:
    """A scorer and what it is shown."""

    name: str
    scorer: SupportScorer
    parts: Parts


def to_markdown(figures: Iterable[Figure]) -> str:
    """One table a set: a row for each metric, a column for each method."""
    cells = {
        (figure.data, figure.metric, figure.method): f"{figure.value:.3f} "
        f"[{figure.low:.3f}, {figure.high:.3f}]"
        for figure in figures
    }
    tables = []
    for data in dict.fromkeys(key[0] for key in cells):
        methods = list(dict.fromkeys(key[2] for key in cells if key[0] == data))
        metrics = dict.fromkeys(key[1] for key in cells if key[0] == data)
        lines = [[data, *methods], ["---"] * (1 + len(methods))]
        lines += [
            [metric, *(cells.get((data, metric, method), "–") for method in methods)]
            for metric in metrics
        ]
        tables.append("\n".join("| " + " | ".join(line) + " |" for line in lines))
    return "\n\n".join(tables) + "\n"


def _cosine() -> Similarity:
    return Similarity(LocalEmbedder())


METHODS: Mapping[str, Callable[[Sequence[str]], Method]] = {
    "recall": lambda texts: Method("idf recall", TermRecall(texts), whole),
    "recall-sentence": lambda texts: Method("idf recall, best sentence", TermRecall(texts), singly),
    "cosine": lambda _: Method("bge cosine, best sentence", _cosine(), singly),
    "cross-encoder": lambda _: Method(
        "cross-encoder, best of 4", NearestRead(LocalPairScorer(), _cosine()), singly
    ),
    "judge": lambda _: Method("judge, best of one or two sentences", LocalJudge(), up_to_two),
    "product": lambda _: Method(
        "judge, best of the nearest places", NearestPlaces(LocalJudge()), whole
    ),
}
"""By name on the command line; each is made from texts in which the frequency of words counts."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the tables, and write them as JSON where asked."""
    given = _parse(arguments)
    sets = [LOADERS[name](given.data) for name in given.sets]
    if given.limit:
        sets = [limited(data, given.limit) for data in sets]
    texts = scifact_texts(given.data)
    figures: list[Figure] = []
    for key in given.methods:
        method = METHODS[key](texts)
        figures += measure(
            method.scorer, sets, parts=method.parts, name=method.name, threshold=given.threshold
        )
    sys.stdout.write(to_markdown(figures))
    if given.out:
        report = {
            "limit": given.limit,
            "n_pairs": {data.name: len(data.pairs) for data in sets},
            "figures": [asdict(figure) for figure in figures],
            "machine": describe_machine(),
        }
        given.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m eval.benchmarks.support")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the judged sets")
    parser.add_argument("--sets", type=names_of(LOADERS), default=list(LOADERS), metavar="A,B")
    parser.add_argument("--methods", type=names_of(METHODS), default=list(METHODS), metavar="A,B")
    parser.add_argument("--threshold", type=float, metavar="T", help="report what passes at it")
    parser.add_argument(
        "--limit", type=int, metavar="N", help="only N documents of each part and kind"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the figures here as JSON")
    return parser.parse_args(arguments)


def names_of(known: Mapping[str, object]) -> Callable[[str], list[str]]:
    """Reads names with commas between them, each one of the known."""

    def parse(text: str) -> list[str]:
        names = text.split(",")
        unknown = [name for name in names if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: not among {', '.join(known)}")
        return names

    return parse


if __name__ == "__main__":
    main()
