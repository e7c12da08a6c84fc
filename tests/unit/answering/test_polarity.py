"""Polarity: a clear contradiction is found, a paraphrase is left alone."""

import pytest

from rag.answering.polarity import Clash, Clauses, clash


@pytest.mark.parametrize(
    ("claim", "evidence", "word"),
    [
        ("It reduces training cost.", "It increases training cost.", "reduces"),
        ("The error is lower.", "The error is higher.", "lower"),
        ("Accuracy decreases by 5%.", "Accuracy increases by 5%.", "decreases"),
        (
            "It increases memory and reduces speed.",
            "It reduces memory and increases speed.",
            "increases",
        ),
        ("The models are less accurate.", "The models are more accurate.", "less accurate"),
        ("It underperforms the baselines.", "It outperforms the baselines.", "underperforms"),
        ("It worsens generalization.", "It improves generalization.", "worsens"),
        ("It finds a local optimum.", "It finds a global optimum.", "local"),
        ("Supervised learning works.", "Unsupervised learning works.", "supervised"),
        ("It handles linear models.", "It handles non-linear models.", "linear"),
        ("It is inefficient here.", "It is efficient here.", "inefficient"),
    ],
)
def test_an_opposite_direction_about_the_same_thing_clashes(claim, evidence, word) -> None:
    found = clash(Clauses(claim), Clauses(evidence))
    assert found is not None
    assert found.ours == word
    assert found.theirs


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("It does not improve accuracy.", "It improves accuracy.", Clash("improve", "", True)),
        ("It improves accuracy.", "It doesn't improve accuracy.", Clash("improve", "")),
        ("It works with fine-tuning.", "It works without fine-tuning.", Clash("fine", "")),
        ("It works without fine-tuning.", "It works with fine-tuning.", Clash("fine", "", True)),
        ("No method helps on speech.", "Every method helps on speech.", Clash("method", "", True)),
        ("It never converges.", "It converges.", Clash("converges", "", True)),
    ],
)
def test_a_denial_clashes_with_the_same_words_affirmed(claim, evidence, expected) -> None:
    assert clash(Clauses(claim), Clauses(evidence)) == expected


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It has a lower error.", "It has a higher accuracy."),
        ("It greatly reduces cost.", "It significantly reduces cost."),
        ("There is a larger reduction of cost.", "It reduces the cost."),
        ("It uses no labels.", "It does not use labels."),
        ("It requires no retraining.", "It avoids retraining."),
        ("It works without labels.", "It works with no labels."),
        ("Not only does it scale, it is fast.", "It scales and is fast."),
        ("It reduces memory and increases speed.", "It increases speed and reduces memory."),
        ("It eliminates the need for labels.", "It does not need labels."),
        ("It needs less data.", "It is trained with fewer data."),
        ("It is simple.", "Nothing alike."),
        ("", ""),
    ],
)
def test_other_words_for_the_same_do_not_clash(claim, evidence) -> None:
    assert clash(Clauses(claim), Clauses(evidence)) is None


def test_a_sentence_never_clashes_with_itself(small_papers) -> None:
    for paper in small_papers.values():
        assert clash(Clauses(paper.abstract), Clauses(paper.abstract)) is None
