"""Fits how papers are ordered and where the thresholds lie, on development questions only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.calibration.evidence import CaseEvidence, PaperEvidence
from eval.cases import Case

FEATURES = ("score", "prominence", "about", "answerable", "best_sentence")
_RIDGE = 1.0
_STEPS = 400


@dataclass(frozen=True, slots=True)
class Judged:
    """One question with its evidence."""

    case: Case
    papers: tuple[PaperEvidence, ...]

    @property
    def gold(self) -> int | None:
        """The place of the gold paper among those that were read, if there is just one."""
        places = [n for n, p in enumerate(self.papers) if p.paper_id in self.case.gold_papers]
        return places[0] if len(self.case.gold_papers) == 1 and places else None


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What a threshold on the log-odds of an answer does to the questions."""

    threshold: float
    false_refusal: float
    """Share of the answerable questions that are refused."""
    refused_not_stated: float
    """Share of the questions whose paper is here without the detail that are refused."""
    refused_not_in_corpus: float


def judge(cases: Sequence[Case], evidence: Sequence[CaseEvidence]) -> list[Judged]:
    """Put questions and evidence together; questions without evidence are left out."""
    papers = {item.case_id: item.papers for item in evidence}
    return [Judged(case, papers[case.case_id]) for case in cases if case.case_id in papers]


def features(paper: PaperEvidence) -> NDArray[np.float64]:
    """(5,) float64, in the order of ``FEATURES``."""
    best = max(paper.sentences, default=-20.0)
    return np.array([paper.score, paper.prominence, paper.about, paper.answerable, best])


def fit_order(judged: Sequence[Judged]) -> NDArray[np.float64]:
    """Weights, (5,), under which the gold paper comes first: a conditional logistic regression."""
    sets = [
        (np.stack([features(paper) for paper in item.papers]), item.gold)
        for item in judged
        if item.gold is not None and len(item.papers) > 1
    ]
    weights = np.zeros(len(FEATURES))
    scale = _scale(np.concatenate([rows for rows, _ in sets]))
    for step in range(_STEPS):
        gradient = -_RIDGE * weights / len(sets)
        for rows, gold in sets:
            rows = rows / scale
            chances = _softmax(rows @ weights)
            gradient += (rows[gold] - chances @ rows) / len(sets)
        weights += 2.0 / (1 + step / 100) * gradient
    result: NDArray[np.float64] = weights / scale
    return result


def fit_answer(judged: Sequence[Judged], order: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights, (6,) with the constant last, of the log-odds that the first paper answers."""
    rows, labels = [], []
    for item in judged:
        if item.case.answerable or item.case.unanswerable:
            rows.append(features(first(item, order)))
            labels.append(float(item.case.answerable))
    return logistic(np.stack(rows), np.array(labels))


def fit_about(judged: Sequence[Judged], order: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights, (6,), of the log-odds that any paper here is about the question."""
    rows = [features(first(item, order)) for item in judged]
    labels = [float(bool(item.case.gold_papers)) for item in judged]
    return logistic(np.stack(rows), np.array(labels))


def first(item: Judged, order: NDArray[np.float64]) -> PaperEvidence:
    """The paper that comes first under an order."""
    return max(item.papers, key=lambda paper: float(features(paper) @ order))


def log_odds(paper: PaperEvidence, weights: NDArray[np.float64]) -> float:
    """Of a fitted model with its constant last."""
    return float(features(paper) @ weights[:-1] + weights[-1])


def curve(
    judged: Sequence[Judged], order: NDArray[np.float64], answer: NDArray[np.float64]
) -> list[CurvePoint]:
    """What every useful threshold does."""
    groups: Mapping[str, list[float]] = {"answerable": [], "not_stated": [], "not_in_corpus": []}
    for item in judged:
        odds = log_odds(first(item, order), answer)
        if item.case.answerable:
            groups["answerable"].append(odds)
        elif item.case.kind in groups:
            groups[item.case.kind].append(odds)
    thresholds = np.quantile(groups["answerable"], np.linspace(0.0, 0.4, 41))
    return [
        CurvePoint(float(t), *(float(np.mean(np.array(odds) < t)) for odds in groups.values()))
        for t in thresholds
    ]


def gold_first(judged: Sequence[Judged], order: NDArray[np.float64]) -> float:
    """Share of the answerable questions with one gold paper whose first paper is that."""
    hits = [
        first(item, order).paper_id in item.case.gold_papers
        for item in judged
        if item.case.answerable and len(item.case.gold_papers) == 1
    ]
    return float(np.mean(hits))


@dataclass(frozen=True, slots=True)
class AboutPoint:
    """What a threshold on the log-odds of being about the question does."""

    threshold: float
    lost: float
    """Share of the questions with a paper here that are taken for ones without."""
    found_out: float
    """Share of the questions without a paper here that are told so."""


def about_curve(
    judged: Sequence[Judged], order: NDArray[np.float64], about: NDArray[np.float64]
) -> list[AboutPoint]:
    """What every useful threshold does."""
    odds = np.array([log_odds(first(item, order), about) for item in judged])
    here = np.array([bool(item.case.gold_papers) for item in judged])
    thresholds = np.quantile(odds[here], np.linspace(0.0, 0.2, 21))
    return [
        AboutPoint(float(t), float(np.mean(odds[here] < t)), float(np.mean(odds[~here] < t)))
        for t in thresholds
    ]


def logistic(rows: NDArray[np.float64], labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logistic regression by Newton's method with a ridge on all but the constant."""
    mean, scale = rows.mean(axis=0), _scale(rows)
    x = np.column_stack([(rows - mean) / scale, np.ones(len(rows))])
    ridge = _RIDGE * np.diag([1.0] * rows.shape[1] + [0.0])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        chances = 1 / (1 + np.exp(-x @ weights))
        hessian = x.T @ (x * (chances * (1 - chances))[:, None]) + ridge
        weights += np.linalg.solve(hessian, x.T @ (labels - chances) - ridge @ weights)
    slopes = weights[:-1] / scale
    result: NDArray[np.float64] = np.append(slopes, weights[-1] - slopes @ mean)
    return result


def _scale(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard deviation of each feature; 1 for one that never changes."""
    deviation: NDArray[np.float64] = rows.std(axis=0)
    return np.where(deviation > 0, deviation, 1.0)


def _softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(values - values.max())
    result: NDArray[np.float64] = powers / powers.sum()
    return result
