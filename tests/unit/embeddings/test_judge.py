"""The judge of support: what it makes of claims that it should understand, and of odd ones."""

import json
from pathlib import Path

import pytest

from rag.embeddings.judge import LocalJudge

WELLS = "We build a data set of 213,000 wells in Alberta from satellite images."
CANONICAL = json.loads(Path(__file__).with_name("judge.json").read_text(encoding="utf-8"))
# An int8 model gives slightly different numbers on another processor.
TOLERANCE = 0.1


@pytest.fixture(scope="module")
def judge():
    return LocalJudge()


@pytest.mark.parametrize("case", CANONICAL, ids=[case["claim"] for case in CANONICAL])
def test_scores_are_those_of_the_trained_model(judge, case) -> None:
    assert judge.score(case["claim"], [WELLS])[0] == pytest.approx(case["score"], abs=TOLERANCE)


@pytest.mark.parametrize(
    "claim",
    [
        "The data set contains no wells in Alberta.",
        "The data set of wells comes from ground surveys.",
        "Wells are found by a small network.",
        "Sourdough has to rest for a day.",
    ],
)
def test_a_true_claim_scores_above_a_false_one(judge, claim) -> None:
    true = judge.score("The authors collected wells in Alberta from satellite images.", [WELLS])[0]
    assert true > judge.score(claim, [WELLS])[0] + 0.3


def test_each_text_is_scored_alone(judge) -> None:
    claim = "The data set has 213,000 wells."
    texts = [WELLS, "Wells leak methane.", ""]
    together = judge.score(claim, texts)
    assert together == [judge.score(claim, [text])[0] for text in texts]
    assert together[0] > max(together[1:])
    assert judge.score(claim, []) == []


@pytest.mark.parametrize("claim", ["", "\ud835", "😀", "x" * 20_000, "\x00"])
def test_odd_claims_are_scored(judge, claim) -> None:
    (score,) = judge.score(claim, [WELLS])
    assert 0 <= score <= 1
