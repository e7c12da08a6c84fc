"""Honest claims become false ones: each kind that fits, always the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eval.cases import DatasetError
from eval.planting import KINDS, Claim, load_claims, nearest_papers, plant

ROOT = Path(__file__).parents[4]


def by_kind(planted):
    return {(fault.honest.text, fault.kind): fault for fault in planted}


def test_each_kind_that_fits_is_planted_once(claims, papers, nearest):
    planted = plant(claims, papers, nearest)
    assert len(by_kind(planted)) == len(planted)
    kinds = [fault.kind for fault in planted if fault.honest.text == claims[0].text]
    assert kinds == ["number", "name", "foreign name", "paper", "addition"]
    assert {fault.kind for fault in planted} <= set(KINDS)


def test_only_honest_claims_are_used(claims, papers, nearest):
    assert {fault.honest.label for fault in plant(claims, papers, nearest)} == {"S"}


def test_every_text_is_changed_but_that_of_another_paper(claims, papers, nearest):
    for fault in plant(claims, papers, nearest):
        moved = fault.kind == "paper"
        assert (fault.text == fault.honest.text) == moved
        assert (fault.paper_id != fault.honest.paper_id) == moved
        assert fault.text.endswith(".")
        assert "  " not in fault.text


def test_what_is_planted(claims, papers, nearest):
    planted = by_kind(plant(claims, papers, nearest))
    swapped = planted[claims[0].text, "name"].text
    assert swapped in ("GreenBench watches 120 green plots.", "FernNet watches 120 green plots.")
    foreign = planted[claims[0].text, "foreign name"].text
    assert foreign in (
        "FrondFormer watches 120 green plots.",
        "JetsonNano watches 120 green plots.",
    )
    addition = (
        "MossNet watches 120 green plots, while halving the cost of annotated forest photographs."
    )
    assert planted[claims[0].text, "addition"].text == addition
    assert planted[claims[4].text, "negation"].text == "FrondFormer needs some labels."


def test_a_claim_is_planted_alike_in_any_company(claims, papers, nearest):
    together = plant(claims, papers, nearest)
    apart = [fault for claim in claims for fault in plant([claim], papers, nearest)]
    assert together == apart
    assert together != plant(claims, papers, nearest, seed=1)


def test_what_is_planted_does_not_depend_on_the_seed_of_hashes(tmp_path):
    code = (
        "from eval.planting import Claim, plant\n"
        "from rag.records import Paper\n"
        "p = Paper('p', 't', 'AbNet, CdNet, EfNet and GhNet have 3 or 4 parts.')\n"
        "claim = Claim('p', 'S', (0,), '-', 'XyNet has 12 parts and is 5 times faster.')\n"
        "q = Paper('q', 't', 'IjNet, KlNet and MnNet differ, using some very long new words.')\n"
        "print([f.text for f in plant([claim], {'p': p, 'q': q}, {claim.text: (q,)})])\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


def test_the_nearest_papers_are_found_by_search(claims, papers, hash_embedder):
    found = nearest_papers(claims, papers, hash_embedder)
    assert [paper.paper_id for paper in found[claims[0].text]] == ["fern"]
    assert [paper.paper_id for paper in found[claims[4].text]] == ["moss"]


def write(path: Path, rows) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


ROW = {"paper_id": "moss", "label": "S", "sentences": [1, 2], "kind": "-", "claim": "Moss."}


def test_claims_are_read(tmp_path, papers):
    (claim,) = load_claims(write(tmp_path / "claims.jsonl", [ROW]), papers)
    assert (claim.paper_id, claim.sentences, claim.text) == ("moss", (1, 2), "Moss.")
    assert claim.proof(papers["moss"]).startswith("MossNet (Moss Network) watches")
    assert claim.proof(papers["moss"]).endswith("12\\%.")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"label": "X"}, "label 'X'"),
        ({"paper_id": "tea"}, "paper 'tea'"),
        ({"sentences": [9]}, r"no sentences \(9,\)"),
        ({"sentences": []}, r"no sentences \(\)"),
    ],
)
def test_a_line_that_is_no_claim_is_named(tmp_path, papers, change, problem):
    path = write(tmp_path / "claims.jsonl", [ROW, ROW | change])
    with pytest.raises(DatasetError, match=rf"claims\.jsonl:2: .*{problem}"):
        load_claims(path, papers)


def test_a_missing_field_or_file_is_named(tmp_path, papers):
    row = {key: value for key, value in ROW.items() if key != "kind"}
    with pytest.raises(DatasetError, match=r":1: not a claim .*kind"):
        load_claims(write(tmp_path / "claims.jsonl", [row]), papers)
    with pytest.raises(DatasetError, match="cannot be read"):
        load_claims(tmp_path / "none.jsonl", papers)


def test_a_claim_that_fits_many_papers_is_not_moved(papers):
    vague = Claim("moss", "S", (0,), "-", "Experiments support the theory.")
    planted = plant([vague], papers, {vague.text: (papers["fern"],)})
    assert "paper" not in {fault.kind for fault in planted}
