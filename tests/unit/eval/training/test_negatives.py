"""A hard negative is another paper that the product's own search finds."""

from collections import Counter
from itertools import islice

import pytest

from eval.training.examples import QUESTIONS, Question, load_papers, load_questions
from eval.training.negatives import hard_negatives


@pytest.fixture(scope="module")
def some():
    """The questions and the papers of one in sixteen papers."""
    papers = load_papers()
    ids = list(papers)[::16]
    kept = set(ids)
    return (
        [question for question in load_questions(QUESTIONS) if question.paper_id in kept],
        {key: papers[key] for key in ids},
    )


def test_it_is_another_paper_and_teaches_nothing_else(some, hash_embedder):
    questions, papers = some
    paper_of = {question.text: question.paper_id for question in questions}
    negatives = list(hard_negatives(questions, papers, hash_embedder, share=1))
    assert len(negatives) > 0.95 * len(questions)
    for example in negatives:
        assert example.paper.paper_id != paper_of[example.question]
        assert (example.answered, example.about, example.sentences) == (False, False, ())


def test_a_share_of_the_questions_is_drawn(some, hash_embedder):
    questions, papers = some
    negatives = list(hard_negatives(questions, papers, hash_embedder, share=0.3))
    assert 0.25 * len(questions) < len(negatives) < 0.35 * len(questions)


def test_early_ranks_are_drawn_most(some, hash_embedder):
    questions, papers = some
    many_times = [questions[0]] * 400
    drawn = Counter(
        example.paper.paper_id
        for example in hard_negatives(many_times, papers, hash_embedder, share=1)
    ).most_common()
    assert len(drawn) > 15
    assert drawn[0][1] > 5 * drawn[len(drawn) // 2][1]


def test_a_question_about_several_papers_has_none(some, hash_embedder):
    _, papers = some
    first, second = islice(papers, 2)
    both = [Question(key, True, (0,), "Which losses are used?") for key in (first, second)]
    assert list(hard_negatives(both, papers, hash_embedder, share=1)) == []


def test_another_seed_draws_others(some, hash_embedder):
    first, second = (
        [
            example.question
            for example in islice(hard_negatives(*some, hash_embedder, seed=seed), 20)
        ]
        for seed in (0, 1)
    )
    assert first != second
