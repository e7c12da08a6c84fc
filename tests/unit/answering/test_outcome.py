"""Which outcome a question has, and how a refusal is worded."""

import json
from dataclasses import astuple

import pytest

from eval.calibration.__main__ import CURVE
from rag.answering.outcome import (
    ABOUT,
    ANSWERS,
    ORDER,
    Thresholds,
    decide,
    not_in_corpus_notice,
    not_stated_notice,
    relevance,
)
from rag.records import Paper

LIMITS = Thresholds(answers=1.0, about=-2.0)


@pytest.fixture
def judged(small_papers, read_paper):
    """One paper, as the reader judges it."""

    def judged(answerable: float, about: float, name: str = "wells", score: float = 0.5):
        return read_paper(small_papers[name], answerable=answerable, about=about, score=score)

    return judged


@pytest.mark.parametrize(
    ("answers_above", "about_above", "status"),
    [
        (0.0, 0.0, "answered"),
        (3.0, 3.0, "answered"),
        (-0.01, 0.0, "not_stated"),
        (-0.01, 3.0, "not_stated"),
        (0.0, -0.01, "not_in_corpus"),
        (-0.01, -0.01, "not_in_corpus"),
    ],
)
def test_log_odds_count_from_their_threshold_upwards(
    judged, answers_above, about_above, status
) -> None:
    item = judged(1.0, 2.0)
    limits = Thresholds(
        answers=ANSWERS.of(item) - answers_above, about=ABOUT.of(item) - about_above
    )
    assert decide([item], limits) == status


def test_less_is_needed_where_each_paper_answers_a_part(judged) -> None:
    item = judged(1.0, 2.0)
    odds = ANSWERS.of(item)
    limits = Thresholds(answers=odds + 1, answers_several=odds - 1, about=-99.0)
    assert decide([item], limits) == "not_stated"
    assert decide([item], limits, several=True) == "answered"


def test_nothing_found_is_not_in_the_corpus() -> None:
    assert decide([], LIMITS) == "not_in_corpus"


def test_the_most_relevant_paper_decides(judged) -> None:
    sure, unsure = judged(9.0, 5.0), judged(-9.0, 5.0, "sparse")
    assert decide([sure, unsure], LIMITS) == "answered"
    assert decide([unsure, sure], LIMITS) == "not_stated"


def test_the_weights_are_those_that_were_fitted() -> None:
    fitted = json.loads(CURVE.read_text(encoding="utf-8"))
    assert astuple(ORDER) == (*fitted["order"], 0.0)
    assert astuple(ANSWERS) == tuple(fitted["answer"])
    assert astuple(ABOUT) == tuple(fitted["about"])


def test_relevance_rises_with_each_of_its_parts(judged) -> None:
    base = relevance(judged(0.0, 0.0, score=0.5))
    assert relevance(judged(1.0, 0.0, score=0.5)) > base
    assert relevance(judged(0.0, 1.0, score=0.5)) > base
    assert relevance(judged(0.0, 0.0, score=0.9)) > base


def test_not_stated_names_and_links_the_paper(small_papers) -> None:
    notice = not_stated_notice(small_papers["wells"])
    assert "[Counting Wells from Orbit](https://papers.example/wells)" in notice
    assert "Example et al., 2025" in notice


def test_not_stated_names_a_paper_that_has_no_link(small_papers) -> None:
    notice = not_stated_notice(small_papers["auctions"])
    assert "Auctions that Nobody Can Rig" in notice
    assert "](" not in notice


def test_not_stated_says_when_there_is_no_abstract_to_look_in(small_papers) -> None:
    assert "its abstract is not in this collection" in not_stated_notice(small_papers["untold"])
    assert "()" not in not_stated_notice(Paper("p", "Title", "Text."))


@pytest.mark.parametrize(
    ("n_papers", "said"),
    [(57, "the 57 papers of x"), (1, "the one paper of x"), (3330, "the 3,330 papers of x")],
)
def test_not_in_corpus_says_where_was_looked(n_papers, said) -> None:
    assert said in not_in_corpus_notice(n_papers, "x", "")


def test_not_in_corpus_says_which_filter_was_set() -> None:
    notice = not_in_corpus_notice(3, "seeds", "author Sun; year 2025")
    assert "3 papers of seeds" in notice
    assert "author Sun; year 2025" in notice


def test_a_filter_that_matches_nothing_is_named() -> None:
    notice = not_in_corpus_notice(0, "seeds", "presentation keynote")
    assert notice.startswith("No paper of seeds matches")
    assert "presentation keynote" in notice


def test_a_paper_without_an_abstract_answers_nothing(judged) -> None:
    untold = judged(9.0, 9.0, "untold")
    assert decide([untold], LIMITS) == "not_stated"
    assert decide([untold, judged(-9.0, 9.0)], LIMITS) == "not_stated"
    assert decide([untold, judged(9.0, 9.0)], LIMITS) == "answered"
