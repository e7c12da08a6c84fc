"""Plant faults in claims, and measure what judges of support and the whole gate catch.

python -m eval.planting --claims FILE --papers FILE [--methods A,B] [--gate] [--planted FILE] [--out FILE]

Without ``--methods``, the gate alone is measured if it is asked for, else term recall.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from eval.benchmarks.support import METHODS, names_of
from eval.machine import describe_machine
from eval.planting.claims import load_claims
from eval.planting.gates import ProductGate
from eval.planting.measure import CatchRate, measure, measure_gate, to_markdown, trials
from eval.planting.neighbours import nearest_papers
from eval.planting.plant import Planted, plant
from rag.corpus import load_corpus
from rag.embeddings.judge import LocalJudge
from rag.embeddings.local import LocalEmbedder


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, and write the planted claims and the figures where asked."""
    given = _parse(arguments)
    papers = {paper.paper_id: paper for paper in load_corpus(given.papers).papers}
    claims = load_claims(given.claims, papers)
    honest = [claim for claim in claims if claim.honest]
    planted = plant(honest, papers, nearest_papers(honest, papers, LocalEmbedder()))
    if given.planted:
        given.planted.write_text("".join(map(_line, planted)), encoding="utf-8")
    put = trials(claims, planted, papers)
    abstracts = [paper.abstract for paper in papers.values()]
    rates: list[CatchRate] = []
    for key in given.methods or ([] if given.gate else ["recall"]):
        method = METHODS[key](abstracts)
        rates += measure(
            put, method.scorer, threshold=given.threshold, parts=method.parts, name=method.name
        )
    if given.gate:
        rates += measure_gate(put, ProductGate(LocalJudge()))
    sys.stdout.write(to_markdown(rates))
    if given.out:
        report = {
            "rates": [asdict(rate) | {"share": rate.share} for rate in rates],
            "machine": describe_machine(),
        }
        given.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _line(fault: Planted) -> str:
    row = {"paper_id": fault.paper_id, "kind": fault.kind, "claim": fault.text}
    return json.dumps(row | {"honest": fault.honest.text}, ensure_ascii=False) + "\n"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m eval.planting")
    parser.add_argument(
        "--claims", type=Path, required=True, help="JSONL, see eval.planting.claims"
    )
    parser.add_argument("--papers", type=Path, required=True, help="the papers they are about")
    parser.add_argument("--methods", type=names_of(METHODS), default=[], metavar="A,B")
    parser.add_argument("--gate", action="store_true", help="put them before the whole gate")
    parser.add_argument("--threshold", type=float, metavar="T", help="from which on a claim passes")
    parser.add_argument(
        "--planted", type=Path, metavar="FILE", help="write the planted claims here"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the figures here as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
