"""What shared words are worth, what thresholds do, and that the product uses what was found."""

import json

import numpy as np
import pytest

from eval.calibration.support import CURVE, Labelled, curve, fit_shortfall
from eval.calibration.support_readings import Readings, Seen
from eval.planting import Trial
from rag.answering.grounding import SupportThresholds
from rag.embeddings import judge
from rag.records import Paper

WELLS = Paper("wells", "Counting Wells", "Wells leak methane. We count 213,000 wells in Alberta.")
CLAIM = "There are wells in Alberta."


@pytest.fixture
def readings(tmp_path) -> Readings:
    path = tmp_path / "readings.jsonl"
    rows = [
        {"claim": claim, "text": text, "odds": odds}
        for claim, odds in ((CLAIM, 2.0), ("Alberta counts wells.", -6.0))
        for text in ("Wells leak methane.", "We count 213,000 wells in Alberta.", WELLS.abstract)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return Readings(path)


def test_what_was_read_is_kept(readings) -> None:
    assert [item.odds for item in readings.see(CLAIM, WELLS)] == [2.0, 2.0, 2.0]
    assert max(item.shared for item in readings.see(CLAIM, WELLS)) == 1
    assert readings.score(CLAIM, ["We count 213,000 wells in Alberta."]) == [
        pytest.approx(judge.probability(2.0, 1.0))
    ]


def test_what_was_not_read_is_read_by_the_judge_and_kept(tmp_path) -> None:
    path = tmp_path / "readings.jsonl"
    text = "We count 213,000 wells in Alberta."
    score = Readings(path).score(CLAIM, [text])
    assert score == pytest.approx(judge.LocalJudge().score(CLAIM, [text]), abs=1e-3)
    (row,) = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert (row["claim"], row["text"]) == (CLAIM, text)
    assert Readings(path).score(CLAIM, [text]) == pytest.approx(score, abs=1e-3)


def test_an_abstract_without_places_is_seen_as_nothing(readings) -> None:
    (seen,) = readings.see(CLAIM, Paper("empty", "", ""))
    assert seen == Seen(-np.inf, 0.0)


def test_words_count_where_they_tell_and_no_more_than_they_must() -> None:
    told = Labelled([[Seen(0.0, 0.9)], [Seen(0.0, 0.1)]], np.array([True, False]))
    best, *others = fit_shortfall(told, told)
    assert (best.scifact_auc, best.claims_auc, best.worth) == (1.0, 1.0, 1.0)
    assert best.lost == min(item.lost for item in others if item.worth == 1.0)
    by_odds = Labelled([[Seen(5.0, 0.1)], [Seen(-5.0, 0.1)]], np.array([True, False]))
    assert fit_shortfall(by_odds, by_odds)[0].lost == 0


def test_thresholds_are_shown_with_what_they_do(readings) -> None:
    put = [Trial("honest", CLAIM, WELLS), Trial("written name", "Alberta counts wells.", WELLS)]
    points = list(curve(put, readings))
    assert len(points) == len({(point.passes, point.flags) for point in points}) > 1
    for point in points:
        assert (point.honest_dropped, point.honest_warned) == (0.0, 0.0)
        assert point.caught == {"written name": 1.0}


def test_the_product_uses_what_was_found() -> None:
    found = json.loads(CURVE.read_text(encoding="utf-8"))
    best = found["shortfall"][0]
    assert (best["enough"], best["lost"]) == (judge.ENOUGH_SHARED, judge.LOST_PER_SHARE)
    limits = SupportThresholds()
    assert (limits.passes, limits.flags) in {
        (point["passes"], point["flags"]) for point in found["thresholds"]
    }
