"""The training questions keep the promises of their README, and become examples."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from eval.cases import SEED_CASES, load_cases
from eval.training.examples import (
    PAIR_QUESTIONS,
    PAPERS,
    QUESTIONS,
    load_papers,
    load_questions,
    own_examples,
)
from rag.text import split_sentences

ROOT = Path(__file__).parents[4]
CALIBRATION = SEED_CASES.parent / "calibration"


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def letters(text):
    return "".join(filter(str.isalnum, text.casefold()))


@pytest.fixture(scope="module")
def questions():
    return (*load_questions(QUESTIONS), *load_questions(PAIR_QUESTIONS))


@pytest.fixture(scope="module")
def papers():
    return load_papers()


def test_every_paper_has_six_questions_of_either_class(papers):
    alone = load_questions(QUESTIONS)
    assert len(alone) == 30720
    assert len(papers) == 2560
    counts = Counter((question.paper_id, question.answered) for question in alone)
    assert counts == Counter(dict.fromkeys([(p, a) for p in papers for a in (True, False)], 6))


def test_every_pair_has_four_questions_to_both_papers():
    asked = defaultdict(list)
    for question in load_questions(PAIR_QUESTIONS):
        asked[question.text].append(question)
    pairs = Counter(frozenset(one.paper_id for one in both) for both in asked.values())
    assert set(pairs.values()) == {4}
    assert {len(pair) for pair in pairs} == {2}
    answered = Counter(sum(one.answered for one in both) for both in asked.values())
    assert answered == {2: 2 * len(pairs), 1: len(pairs), 0: len(pairs)}


def test_sentence_numbers_name_sentences_of_the_abstract(questions, papers):
    n_sentences = {key: len(split_sentences(paper.abstract)) for key, paper in papers.items()}
    for question in questions:
        assert bool(question.sentences) == question.answered, question
        assert len(set(question.sentences)) == len(question.sentences), question
        assert set(question.sentences) <= set(range(n_sentences[question.paper_id])), question


def test_no_question_is_asked_twice():
    alone = [letters(question.text) for question in load_questions(QUESTIONS)]
    of_pairs = {letters(question.text) for question in load_questions(PAIR_QUESTIONS)}
    counts = Counter([*alone, *of_pairs])
    assert [text for text, n in counts.items() if n > 1 or not text] == []


def test_papers_are_read_as_they_are_written(papers):
    for row in rows_of(PAPERS):
        paper = papers[row["paper_id"]]
        assert (paper.title, paper.abstract) == (row["title"], row["abstract"])
        assert list(paper.authors) == row["authors"] != []
        assert paper.url == f"https://openreview.net/forum?id={paper.paper_id}"
        assert (paper.venue, paper.year) == ("ICML 2025", 2025)


@pytest.mark.parametrize(
    "measured", [ROOT / "seeds" / "papers.jsonl", CALIBRATION / "papers.jsonl"], ids=str
)
def test_no_paper_is_one_that_the_product_is_measured_on(papers, measured):
    rows = rows_of(measured)
    assert not papers.keys() & {row["paper_id"] for row in rows}
    titles = {letters(paper.title) for paper in papers.values()}
    assert not titles & {letters(row["title"]) for row in rows}


@pytest.mark.parametrize("cases", [SEED_CASES, CALIBRATION / "cases.jsonl"], ids=str)
def test_no_question_is_one_that_the_product_is_measured_on(questions, cases):
    known = {letters(question.text) for question in questions}
    # A list of ids: a failure must not print a question of the test split.
    assert [
        case.case_id
        for case in load_cases(cases)
        if known & {letters(text) for text in (case.question, *case.history)}
    ] == []


def test_every_question_stands_beside_its_own_abstract(questions, papers):
    for question, example in zip(
        questions, own_examples(questions, papers, misspelt=0), strict=True
    ):
        assert example.question == question.text
        assert example.paper is papers[question.paper_id]
        assert example.about
        assert (example.answered, example.sentences) == (question.answered, question.sentences)


def test_some_questions_are_misspelt_and_the_labels_stay(questions, papers):
    examples = list(own_examples(questions, papers))
    pairs = list(zip(questions, examples, strict=True))
    n_changed = sum(question.text != example.question for question, example in pairs)
    assert 0.08 * len(questions) < n_changed < 0.12 * len(questions)
    assert all(question.sentences == example.sentences for question, example in pairs)


def test_the_examples_are_always_the_same(questions, papers):
    some = questions[:500]
    assert list(own_examples(some, papers)) == list(own_examples(some, papers))
    assert list(own_examples(some, papers)) != list(own_examples(some, papers, seed=1))
