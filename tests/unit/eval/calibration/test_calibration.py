"""The fit of order and thresholds, on evidence made by hand, and the reader to beat."""

import random

import numpy as np
import pytest

from eval.calibration import evidence, fit
from eval.calibration.baseline import SentenceReader
from eval.calibration.evidence import CaseEvidence, PaperEvidence
from eval.cases import Case
from rag.text import split_sentences


def case(number: int, kind: str) -> Case:
    gold = () if kind == "not_in_corpus" else ("gold",)
    expected = ("answered",) if kind == "fact" else (kind,)
    return Case(f"c{number}", "dev", kind, "How?", (), expected, gold, (), ())


def paper(paper_id: str, score: float, about: float, answerable: float) -> PaperEvidence:
    best = (answerable - 1, -6.0)
    return PaperEvidence(paper_id, score, 1.0, answerable, about, best, ("a", "b"))


@pytest.fixture(scope="module")
def judged() -> list[fit.Judged]:
    """The gold paper is the one that is about the question, not the one with the best score."""
    draw = random.Random(0)  # noqa: S311 - no secret
    kinds = {"fact": (4.0, 2.0), "not_stated": (4.0, -2.0), "not_in_corpus": (-4.0, -3.0)}
    items = []
    for number in range(90):
        kind = list(kinds)[number % 3]
        about, answerable = (value + draw.gauss(0, 1) for value in kinds[kind])
        papers = (
            paper("other", 1.0, draw.gauss(-4, 1), draw.gauss(-3, 1)),
            paper("gold" if kind != "not_in_corpus" else "third", 0.5, about, answerable),
        )
        items.append(fit.Judged(case(number, kind), papers))
    return items


def test_the_fitted_order_puts_the_gold_paper_first(judged) -> None:
    by_search = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
    assert fit.gold_first(judged, by_search) == 0.0
    assert fit.gold_first(judged, fit.fit_order(judged)) > 0.95


def test_the_fitted_odds_tell_answered_from_refused(judged) -> None:
    order = fit.fit_order(judged)
    answer, about = fit.fit_answer(judged, order), fit.fit_about(judged, order)
    for item in judged:
        first = fit.first(item, order)
        if item.case.kind == "not_in_corpus":
            assert fit.log_odds(first, about) < 0.5
    odds = {
        kind: np.mean(
            [fit.log_odds(fit.first(i, order), answer) for i in judged if i.case.kind == kind]
        )
        for kind in ("fact", "not_stated", "not_in_corpus")
    }
    assert odds["fact"] > 1 > -1 > odds["not_stated"]
    assert odds["not_in_corpus"] < -1


def test_a_higher_threshold_refuses_more_of_everything(judged) -> None:
    order = fit.fit_order(judged)
    points = fit.curve(judged, order, fit.fit_answer(judged, order))
    for field in ("threshold", "false_refusal", "refused_not_stated", "refused_not_in_corpus"):
        values = [getattr(point, field) for point in points]
        assert values == sorted(values)
    assert points[0].false_refusal == 0.0
    abouts = fit.about_curve(judged, order, fit.fit_about(judged, order))
    assert [point.lost for point in abouts] == sorted(point.lost for point in abouts)


def test_evidence_is_read_as_it_was_written(tmp_path, judged) -> None:
    written = [CaseEvidence(item.case.case_id, item.papers) for item in judged]
    evidence.save(written, tmp_path / "evidence.jsonl")
    assert evidence.load(tmp_path / "evidence.jsonl") == written


def test_questions_without_evidence_are_left_out(judged) -> None:
    cases = [item.case for item in judged]
    assert fit.judge(cases, [CaseEvidence("c4", judged[4].papers)]) == [judged[4]]


def test_the_baseline_reads_each_sentence_with_the_title_before_it() -> None:
    class Scorer:
        name = "lengths"

        def score(self, query, texts):
            self.texts = list(texts)
            return np.array([float(len(text)) for text in texts], dtype=np.float32)

    scorer = Scorer()
    text = "One. Two words."
    reading = SentenceReader(scorer).read("q", "Title", text, split_sentences(text))
    assert scorer.texts == ["Title. One.", "Title. Two words."]
    assert reading.sentences == (11.0, 17.0)
    assert reading.answerable == reading.about == 17.0
    assert SentenceReader(scorer).read("q", "Title", "", []).sentences == ()
