"""The committed question sets keep the promises of their README."""

import json
from collections import Counter
from pathlib import Path

import pytest

from eval.cases import KINDS, SEED_CASES, load_cases
from eval.metrics.facts import missing_facts

ROOT = Path(__file__).parents[3]
CALIBRATION = SEED_CASES.parent / "calibration"
SEED_PAPERS = ROOT / "seeds" / "papers.jsonl"


def read_papers(path):
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return {row["paper_id"]: row for row in rows}


SETS = {
    "seeds": (SEED_CASES, SEED_PAPERS),
    "calibration": (CALIBRATION / "cases.jsonl", CALIBRATION / "papers.jsonl"),
}


@pytest.fixture(params=SETS)
def cases_and_papers(request):
    cases, papers = SETS[request.param]
    return load_cases(cases), read_papers(papers)


# Assertions compare lists of case ids: a failure must not print a question of the test split.


def test_every_gold_quote_is_verbatim_in_its_gold_paper(cases_and_papers):
    cases, papers = cases_and_papers
    assert [
        case.case_id
        for case in cases
        for gold in case.gold_quotes
        if gold.paper_id not in case.gold_papers
        or gold.quote not in papers[gold.paper_id]["abstract"]
    ] == []


def test_every_gold_fact_is_in_the_gold_quotes(cases_and_papers):
    cases, _ = cases_and_papers
    assert [
        case.case_id
        for case in cases
        if missing_facts(case, " ".join(gold.quote for gold in case.gold_quotes))
    ] == []


def test_gold_fits_the_expected_outcome(cases_and_papers):
    cases, papers = cases_and_papers
    for case in cases:
        has = (bool(case.gold_papers), bool(case.gold_quotes), bool(case.gold_facts))
        wanted = {
            ("answered",): (True, True, True),
            ("not_stated", "answered"): (True, True, True),
            ("not_stated",): (True, False, False),
            ("not_in_corpus",): (False, False, False),
        }[case.expected]
        assert has == wanted, case.case_id
        assert set(case.gold_papers) <= papers.keys(), case.case_id
        assert len(set(case.gold_papers)) == len(case.gold_papers), case.case_id
        assert bool(case.history) == (case.kind == "follow_up"), case.case_id


def test_every_paper_has_a_question_of_its_own_that_it_answers(cases_and_papers):
    cases, papers = cases_and_papers
    asked = {
        case.gold_papers[0] for case in cases if case.answerable and len(case.gold_papers) == 1
    }
    assert asked == papers.keys()


def test_the_seed_questions_are_many_and_of_every_kind():
    cases = load_cases()
    assert len(cases) >= 120
    for split in ("dev", "test"):
        kinds = Counter(case.kind for case in cases if case.split == split)
        assert set(kinds) == set(KINDS) - {"reported"}
        assert min(kinds.values()) >= 5


def test_the_seeds_are_split_by_paper_in_document_order():
    split_of = {
        paper_id: ("dev", "test")[position % 2]
        for position, paper_id in enumerate(read_papers(SEED_PAPERS))
    }
    cases = load_cases()
    assert len(split_of) == 57
    assert {case.split for case in cases} == {"dev", "test"}
    assert [
        case.case_id for case in cases if {split_of[g] for g in case.gold_papers} - {case.split}
    ] == []


def test_the_halves_of_the_calibration_set_share_no_paper():
    halves = {
        split: {
            g for case in load_cases(SETS["calibration"][0], split=split) for g in case.gold_papers
        }
        for split in ("cal_a", "cal_b")
    }
    assert len(halves["cal_a"]) == len(halves["cal_b"]) == 30
    assert not halves["cal_a"] & halves["cal_b"]


def test_calibration_papers_are_no_seeds_and_name_their_source():
    papers = read_papers(SETS["calibration"][1])
    assert len(papers) == 60
    assert not papers.keys() & read_papers(SEED_PAPERS).keys()
    for paper_id, paper in papers.items():
        assert paper["url"] == f"https://openreview.net/forum?id={paper_id}"
        assert paper["authors"]
        assert (paper["venue"], paper["year"]) == ("ICML 2025", 2025)


def test_no_question_is_asked_twice():
    questions = Counter(
        ("".join(filter(str.isalnum, case.question.casefold())), case.history)
        for cases, _ in SETS.values()
        for case in load_cases(cases)
    )
    assert sum(n - 1 for n in questions.values()) == 0
