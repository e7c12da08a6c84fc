"""The questions that retrieval is measured on are what eval/datasets/README.md says of them."""

import json
from collections import Counter
from pathlib import Path

import pytest

from eval.benchmarks.retrieval_kinds import (
    QUESTIONS,
    SPLITS,
    load_questions,
    main,
    places,
    to_markdown,
)
from eval.benchmarks.retrieval_methods import Engine
from eval.cases import SEED_CASES
from rag.corpus import load_corpus

ALL = [question for split in SPLITS for question in load_questions(QUESTIONS, split=split)]


def test_every_kind_is_in_both_splits_and_nothing_is_twice() -> None:
    assert len(ALL) == len(QUESTIONS.read_text("utf-8").splitlines())
    kinds = Counter((question.split, question.kind) for question in ALL)
    assert len(kinds) == 10
    assert min(kinds.values()) >= 20
    for values in ([q.case_id for q in ALL], [q.text for q in ALL]):
        assert len(set(values)) == len(values)


def test_questions_about_one_paper_are_of_one_split() -> None:
    splits: dict[str, set[str]] = {}
    for question in ALL:
        splits.setdefault(question.gold, set()).add(question.split)
    assert all(len(names) == 1 for names in splits.values())


def test_every_paper_is_there_and_in_no_other_question_set() -> None:
    gold = {question.gold for question in ALL}
    assert gold <= {paper.paper_id for paper in load_corpus("icml2025").papers}
    other = {paper.paper_id for paper in load_corpus("seeds").papers}
    calibration = SEED_CASES.parent / "calibration" / "papers.jsonl"
    assert gold.isdisjoint(other | {paper.paper_id for paper in load_corpus(calibration).papers})


def test_the_table_by_hand() -> None:
    found = {"dense": {"plain": [1, 3, None, 9], "typo": [1]}}
    assert to_markdown(found).splitlines() == [
        "| method | plain (4) | typo (1) |",
        "| --- | --- | --- |",
        "| dense | .25 .50 .75 | 1.00 1.00 1.00 |",
    ]


def test_a_place_is_that_of_the_gold_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ALL[0]
    monkeypatch.setattr(
        Engine, "rankings", lambda *_: {"one": ["x", question.gold], "other": ["x"]}
    )
    engine = Engine(None, None, None, {}, {})  # type: ignore[arg-type]
    found = places(engine, [question])
    assert found == {"one": {question.kind: [2]}, "other": {question.kind: [None]}}


def test_the_command_asks_a_split_of_a_small_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = tmp_path / "questions.jsonl"
    rows = [
        {"case_id": "1", "split": "dev", "kind": "plain", "question": "wells?", "gold": "a"},
        {"case_id": "2", "split": "test", "kind": "plain", "question": "proteins?", "gold": "b"},
    ]
    questions.write_text("\n".join(map(json.dumps, rows)))
    papers = tmp_path / "papers.jsonl"
    records = [
        {"paper_id": "a", "title": "Wells", "abstract": "Wells of oil."},
        {"paper_id": "b", "title": "Folding", "abstract": "Proteins fold."},
    ]
    papers.write_text("\n".join(map(json.dumps, records)))
    monkeypatch.setattr("eval.benchmarks.retrieval_kinds.QUESTIONS", questions)
    main(["--split", "dev", "--corpus", str(papers)])
    table, _ = capsys.readouterr()
    assert "| method | plain (1) |" in table
    assert "| product | 1.00 1.00 1.00 |" in table
