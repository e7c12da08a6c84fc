"""Cues over thousands of questions about abstracts: none hides the paper that is asked about."""

import json
from pathlib import Path

import pytest

from rag.answering.lookup import look_up_paper, look_up_papers
from rag.answering.lookup_titles import Titles
from rag.corpus import load_corpus
from rag.records import Filters, Paper, Query
from rag.retrieval.cues import with_cues
from rag.retrieval.filters import matches
from rag.retrieval.vocabulary import Vocabulary

EVAL = Path(__file__).parents[3] / "eval"


@pytest.fixture(scope="module")
def papers() -> dict[str, Paper]:
    return {paper.paper_id: paper for paper in load_corpus("icml2025").papers}


def questions(name: str, *, step: int = 1) -> list[dict]:
    lines = (EVAL / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[::step]]


@pytest.mark.parametrize(
    ("name", "step", "at_most"),
    [("training/questions.jsonl", 4, 0.002), ("datasets/seeds.jsonl", 1, 0.05)],
)
def test_cues_hide_no_gold_paper_and_records_answer_nothing(papers, name, step, at_most) -> None:
    every = tuple(papers.values())
    vocabulary, titles = Vocabulary(every), Titles(every)
    n_cued, asked = 0, questions(name, step=step)
    for case in asked:
        question = case["question"]
        assert look_up_paper(question, titles, among=lambda paper: True) is None, question
        query = with_cues(Query(question, question), vocabulary)
        assert look_up_papers(query, every[:1], every, corpus="icml2025") is None, question
        n_cued += bool(query.cues)
        gold = case.get("gold_papers") or [case["paper_id"]] if query.filters != Filters() else []
        assert all(matches(papers[paper_id], query.filters) for paper_id in gold), question
    assert 0 < n_cued <= at_most * len(asked)
