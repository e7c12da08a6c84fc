"""Catch rates: what a judge flags of each kind."""

import json
from collections.abc import Sequence

import pytest

from eval.planting import measure, measure_gate, plant, to_markdown, trials
from eval.planting.__main__ import main
from eval.planting.measure import HONEST, Trial


class Shared:
    """The share of the claim's words that the text has."""

    name = "shared"

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        words = set(claim.casefold().rstrip(".").split())
        return [
            len(words & set(text.casefold().replace(".", "").split())) / len(words)
            for text in evidence
        ]


def rates_of(put, **options):
    return {(rate.judge, rate.kind): rate for rate in measure(put, Shared(), **options)}


@pytest.fixture
def put(claims, papers, nearest):
    return trials(claims, plant(claims, papers, nearest), papers)


def test_trials_are_honest_planted_and_written(put, claims, papers):
    kinds = [trial.kind for trial in put]
    assert kinds.count(HONEST) == 3
    assert kinds[-2:] == ["written direction", "written addition"]
    moved = next(trial for trial in put if trial.kind == "paper")
    assert moved.paper is papers["fern"]
    assert moved.text == claims[0].text


def test_what_scores_below_the_threshold_is_flagged(papers):
    put = [
        Trial(HONEST, "Moss grows slowly.", papers["moss"]),
        Trial(HONEST, "Ferns swim.", papers["fern"]),
        Trial("paper", "Moss grows slowly.", papers["fern"]),
        Trial("written name", "Moss grows backwards.", papers["moss"]),
    ]
    rates = rates_of(put, threshold=0.6)
    flagged = {kind: (rate.n_flagged, rate.n) for (_, kind), rate in rates.items()}
    assert flagged == {
        HONEST: (1, 2),
        "paper": (1, 1),
        "written name": (0, 1),
        "all planted": (1, 1),
        "all written": (0, 1),
    }
    assert rates["shared", HONEST].share == 0.5
    assert rates["shared", HONEST].auc is None
    assert rates["shared", "paper"].auc == 1
    assert rates["shared", "written name"].auc == 0.5
    assert rates["shared", "paper"].low == pytest.approx(0.207, abs=0.001)


def test_without_a_threshold_few_of_the_honest_are_lost(papers):
    honest = [Trial(HONEST, f"Moss grows slowly {'x ' * n}.", papers["moss"]) for n in range(40)]
    rates = rates_of([*honest, Trial("paper", "Tea cools.", papers["moss"])])
    assert rates["shared", HONEST].share <= 0.05
    assert rates["shared", "paper"].share == 1


def test_a_gate_drops_or_warns(put):
    def gate(text, paper):
        if paper.paper_id != "moss":
            return "dropped"
        return "shown" if "120" in text else "warned"

    rates = {(rate.judge, rate.kind): rate for rate in measure_gate(put, gate)}
    assert rates["gate: dropped", HONEST].n_flagged == 1
    assert rates["gate: dropped or warned of", HONEST].n_flagged == 2
    assert rates["gate: dropped or warned of", "number"].n_flagged >= 1
    assert rates["gate: dropped", "paper"].share == 1
    assert rates["gate: dropped", "paper"].auc is None


def test_table(put):
    lines = to_markdown(measure(put, Shared())).splitlines()
    assert lines[0] == "| judge | kind | n | flagged | AUC |"
    assert lines[2].startswith("| shared | honest | 3 | 0.0% [0.0%, ")
    assert lines[2].endswith("| – |")


def test_command(tmp_path, claims, papers, capsys):
    rows = [
        {"paper_id": c.paper_id, "label": c.label, "sentences": c.sentences}
        | {"kind": c.kind, "claim": c.text}
        for c in claims
    ]
    records = [
        {"paper_id": p.paper_id, "title": p.title, "abstract": p.abstract} for p in papers.values()
    ]
    for name, lines in (("claims", rows), ("papers", records)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    out, planted = tmp_path / "out.json", tmp_path / "planted.jsonl"
    arguments = ["--claims", str(tmp_path / "claims.jsonl")]
    arguments += ["--papers", str(tmp_path / "papers.jsonl")]
    main([*arguments, "--planted", str(planted), "--out", str(out), "--threshold", "0.5"])
    assert "| idf recall | honest | 3 |" in capsys.readouterr().out
    shares = {rate["kind"]: rate["share"] for rate in json.loads(out.read_text())["rates"]}
    assert {"honest", "paper", "written direction", "all planted"} <= set(shares)
    assert shares["paper"] == 1
    first = json.loads(planted.read_text().splitlines()[0])
    assert first["kind"] == "number"
    assert first["honest"] == claims[0].text
