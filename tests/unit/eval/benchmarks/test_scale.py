"""The benchmark of scale: what it measures is the product, on papers that are what it says."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.benchmarks import scale
from eval.benchmarks.scale import Plan, Searched, build, growth, search
from eval.benchmarks.scale_papers import TurnedEmbedder, make_papers, make_questions
from eval.benchmarks.scale_timing import Latency, Spent
from rag.records import Paper
from rag.settings import Settings
from rag.text import content_hash

BASE = [
    Paper(f"b{n}", f"Base {n}", f"Base one {n}. Base two {n}.", presentation="oral")
    for n in range(4)
]
POOL = [Paper(str(n), f"Pool {n}", f"Pool one {n}. Pool two {n}.") for n in range(3)]


def test_papers_are_the_base_the_pool_and_then_halves_of_two() -> None:
    papers = make_papers(BASE, POOL, 12)
    assert papers[:4] == BASE
    assert [paper.abstract for paper in papers[4:7]] == [paper.abstract for paper in POOL]
    assert len({paper.paper_id for paper in papers}) == 12
    sentences = {part for paper in [*BASE, *POOL] for part in paper.abstract.split(". ")}
    for paper in papers[7:]:
        first, second = paper.abstract.split(". ")
        assert f"{first}" in sentences
        assert second in sentences
    assert make_papers(BASE, POOL, 12) == papers
    assert make_papers(BASE, POOL, 3) == BASE[:3]


def test_questions_are_titles_and_sentences_in_turn() -> None:
    questions = make_questions(BASE, 4)
    assert sum(question.startswith("What is known about Base") for question in questions) == 2
    assert sum(question.startswith("Base one") for question in questions) == 2


def test_known_texts_keep_their_vectors_and_others_have_one_nearby(hash_embedder: Any) -> None:
    known = {content_hash(text): hash_embedder.embed_query(text) for text in ("one", "two")}
    embedder = TurnedEmbedder(hash_embedder, known)
    one, other, again = embedder.embed_passages(["one", "other", "other"])
    np.testing.assert_array_equal(one, hash_embedder.embed_query("one"))
    np.testing.assert_array_equal(other, again)
    assert np.linalg.norm(other) == pytest.approx(1.0, abs=1e-5)
    nearness = sorted(float(other @ vector) for vector in known.values())
    assert nearness[-1] > 0.7
    assert embedder.fingerprint != hash_embedder.fingerprint


def test_an_index_is_built_and_every_stage_is_timed(tmp_path: Path, hash_embedder: Any) -> None:
    settings = Settings(data_dir=tmp_path, _env_file=None)
    built = build(make_papers(BASE, POOL, 9), settings, hash_embedder)
    assert built.n_papers == 9
    assert built.peak_mib > 10
    assert built.children_peak_mib > 10
    assert {"embedding", "writing", "verifying"} <= set(built.timings_ms)
    found = search(make_questions(BASE, 4), settings, hash_embedder)
    assert (found.n_papers, found.n_questions) == (9, 4)
    for timed in (found.stages, found.filtered):
        assert set(timed) == set(scale.STAGES)
        parts = sum(timed[stage].median_ms for stage in scale.STAGES if stage != "total")
        assert 0 < parts <= 2 * timed["total"].p95_ms + 1
        assert all(timed[stage].median_ms > 0 for stage in ("embed", "dense", "lexical"))


def test_growth_is_that_of_the_95th_percentile() -> None:
    def searched(factor: float) -> Searched:
        stages = {stage: Latency(1.0, 2.0 * factor, 1.0, 4.0 * factor) for stage in scale.STAGES}
        return Searched(1, 1, 1.0, stages, stages, 1.0)

    expected = dict.fromkeys(scale.STAGES, 3.0)
    assert growth(searched(1), searched(3)) == dict.fromkeys(("wall", "cpu"), expected)


def test_the_report_says_what_the_vectors_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stages = {stage: Latency.of([Spent(1.0, 1.0), Spent(2.0, 2.0)]) for stage in scale.STAGES}
    built = scale.Built(5, 1.0, {}, 1.0, 1.0)
    searched = Searched(5, 2, 1.0, stages, stages, 1.0)
    asked: list[Plan] = []

    def measure(plan: Plan) -> tuple[scale.Built, Searched]:
        asked.append(plan)
        return built, searched

    monkeypatch.setattr(scale, "measure", measure)
    out = tmp_path / "scale.json"
    scale.main(["--pool", "pool.jsonl", "--sizes", "50", "5", "--out", str(out)])
    report = json.loads(out.read_text())
    assert json.loads(capsys.readouterr().out) == report
    assert [plan.n_papers for plan in asked] == [5, 50]
    assert "turned copies" in report["vectors"]
    assert report["store"] == "embedded"
    assert report["p95_growth"]["cpu"]["total"] == 1.0
