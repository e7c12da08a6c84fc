"""The training questions keep the promises of their README, and become examples."""

import json
from collections import Counter, defaultdict
from itertools import islice
from pathlib import Path

import pytest

from eval.cases import SEED_CASES, load_cases
from eval.training.examples import (
    PAPERS,
    hard_negatives,
    load_papers,
    load_questions,
    training_examples,
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
    return load_questions()


@pytest.fixture(scope="module")
def papers():
    return load_papers()


def test_every_paper_has_six_questions_of_either_class(questions, papers):
    assert len(questions) == 23040
    assert len(papers) == 1920
    counts = Counter((question.paper_id, question.answered) for question in questions)
    assert counts == Counter(dict.fromkeys([(p, a) for p in papers for a in (True, False)], 6))


def test_sentence_numbers_name_sentences_of_the_abstract(questions, papers):
    n_sentences = {key: len(split_sentences(paper.abstract)) for key, paper in papers.items()}
    for question in questions:
        assert bool(question.sentences) == question.answered, question
        assert len(set(question.sentences)) == len(question.sentences), question
        assert set(question.sentences) <= set(range(n_sentences[question.paper_id])), question


def test_no_question_is_asked_twice(questions):
    counts = Counter(letters(question.text) for question in questions)
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


@pytest.fixture(scope="module")
def some(questions, papers):
    """The questions and the papers of one in sixteen papers."""
    by_paper = defaultdict(list)
    for question in questions:
        by_paper[question.paper_id].append(question)
    ids = list(by_paper)[::16]
    return [question for key in ids for question in by_paper[key]], {
        key: papers[key] for key in ids
    }


def test_every_question_stands_beside_its_own_abstract(some):
    questions, papers = some
    for question, example in zip(questions, training_examples(*some), strict=False):
        assert example.question == question.text
        assert example.paper is papers[question.paper_id]
        assert example.about
        assert (example.answered, example.sentences) == (question.answered, question.sentences)


def test_the_examples_are_always_the_same(some):
    questions, papers = some
    backwards = dict(reversed(papers.items()))
    examples = training_examples(questions, papers)
    assert examples == training_examples(questions, backwards)
    assert len(questions) * 1.1 < len(examples) < len(questions) * 1.25


def test_a_hard_negative_is_another_paper_that_shares_words(some):
    questions, papers = some
    paper_of = {question.text: question.paper_id for question in questions}
    negatives = list(hard_negatives(questions, papers, share=1))
    assert len(negatives) > 0.95 * len(questions)
    for example in negatives:
        assert example.paper.paper_id != paper_of[example.question]
        assert (example.answered, example.about, example.sentences) == (False, False, ())


def test_another_seed_draws_others(some):
    first, second = (
        [example.question for example in islice(hard_negatives(*some, seed=seed), 20)]
        for seed in (0, 1)
    )
    assert first != second
