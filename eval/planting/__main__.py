"""Plant faults in claims, and measure what the baselines of support catch.

python -m eval.planting --claims FILE --papers FILE [--methods ...] [--gate] [--planted FILE] [--out FILE]
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
from eval.planting.measure import CatchRate, measure, to_markdown, trials
from eval.planting.neighbours import nearest_papers
from eval.planting.plant import Planted, plant
from rag.corpus import load_corpus
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
    for key in given.methods:
        method = METHODS[key](abstracts)
        gate = ProductGate(method.scorer, with_warning=given.warned) if given.gate else None
        rates += measure(
            put,
            method.scorer,
            threshold=given.threshold,
            parts=method.parts,
            name=method.name,
            gate=gate,
        )
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
    parser.add_argument("--methods", type=names_of(METHODS), default=["recall"], metavar="A,B")
    parser.add_argument("--gate", action="store_true", help="also put them before the whole gate")
    parser.add_argument(
        "--warned", action="store_true", help="count what the gate shows with a warning as shown"
    )
    parser.add_argument("--threshold", type=float, metavar="T", help="from which on a claim passes")
    parser.add_argument(
        "--planted", type=Path, metavar="FILE", help="write the planted claims here"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the figures here as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
