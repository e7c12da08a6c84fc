"""What a judge of support is worth: its figures on judged pairs."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eval.benchmarks.support_pairs import SUPPORTED, Pair, SupportSet
from eval.benchmarks.support_scifact import SCIFACT
from eval.benchmarks.support_statistics import (
    Flags,
    Values,
    auc,
    balanced_accuracy,
    best_threshold,
    cluster_interval,
    losing,
    rank,
    share,
)
from rag.answering.support import SupportScorer

AUC = "AUC"
BALANCED = "BAcc, own threshold"
LOST = 0.1
"""The share of false alarms at which the caught are counted."""
_TRAINED = "of SciFact"

Parts = Callable[[Sequence[str]], list[str]]
"""From the sentences of a text to what the scorer is shown of it; the best one counts."""


def whole(sentences: Sequence[str]) -> list[str]:
    """The text as one."""
    return [" ".join(sentences)]


def singly(sentences: Sequence[str]) -> list[str]:
    """Each sentence alone."""
    return list(sentences)


def up_to_two(sentences: Sequence[str]) -> list[str]:
    """Each sentence alone and each with the next, as the product quotes them."""
    return [*sentences, *(" ".join(pair) for pair in itertools.pairwise(sentences))]


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of one method on one set, and its 95 % bootstrap interval over documents."""

    method: str
    data: str
    metric: str
    value: float
    low: float
    high: float
    n_pairs: int
    """How many pairs the value comes from."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The pairs of a set with their scores."""

    data: SupportSet
    scores: Values
    """(n_pairs,), from 0 to 1."""

    @property
    def supported(self) -> Flags:
        """(n_pairs,): whether each is supported."""
        return np.array([pair.supported for pair in self.data.pairs], dtype=bool)

    def take(self, keep: Callable[[Pair], bool]) -> Scored:
        """Only some of the pairs."""
        flags = np.array([keep(pair) for pair in self.data.pairs], dtype=bool)
        pairs = tuple(pair for pair, flag in zip(self.data.pairs, flags, strict=True) if flag)
        return Scored(replace(self.data, pairs=pairs), self.scores[flags])

    def judged(self, *parts: str) -> Scored:
        """The pairs of these parts that people have judged."""
        made = self.data.made
        return self.take(lambda pair: pair.part in parts and pair.kind not in made)


def measure(
    scorer: SupportScorer,
    sets: Sequence[SupportSet],
    *,
    parts: Parts = singly,
    name: str | None = None,
    threshold: float | None = None,
) -> list[Figure]:
    """Compare a scorer with people.

    Args:
        scorer: The judge.
        sets: What people said. If SciFact is among them, the threshold that is best on its
            training claims is tried on every set.
        parts: What the scorer is shown of a text.
        name: For the report; None for the scorer's own name.
        threshold: Also report what passes at this one.
    """
    scored = [score(scorer, data, parts) for data in sets]
    thresholds = {} if threshold is None else {f"{threshold:g}": threshold}
    for item in scored:
        if item.data.name == SCIFACT:
            train = item.judged("train")
            thresholds[_TRAINED] = best_threshold(train.scores, train.supported)
    scored += [responses(item) for item in scored if any(pair.response for pair in item.data.pairs)]
    return [figure for item in scored for figure in _figures(name or scorer.name, item, thresholds)]


def score(scorer: SupportScorer, data: SupportSet, parts: Parts) -> Scored:
    """Score every pair: the best score of the parts of its evidence, 0 where there is none."""
    best: dict[tuple[str, tuple[str, ...]], float] = {}
    for number, pair in enumerate(data.pairs, 1):
        key = pair.claim, pair.evidence
        if key not in best:
            best[key] = max(scorer.score(pair.claim, parts(pair.evidence)), default=0.0)
        if number % 100 == 0 or number == len(data.pairs):
            sys.stderr.write(f"\r{scorer.name}, {data.name}: {number} of {len(data.pairs)}")
    sys.stderr.write("\n")
    values = [best[pair.claim, pair.evidence] for pair in data.pairs]
    return Scored(data, np.array(values, dtype=np.float64))


def responses(scored: Scored) -> Scored:
    """Whole responses: each as good as its worst sentence."""
    rows: dict[str, list[int]] = {}
    for row, pair in enumerate(scored.data.pairs):
        rows.setdefault(pair.response, []).append(row)
    pairs = []
    for group in rows.values():
        sentences = [scored.data.pairs[row] for row in group]
        kind = SUPPORTED if all(pair.supported for pair in sentences) else "fault"
        pairs.append(replace(sentences[0], kind=kind))
    data = replace(scored.data, name=f"{scored.data.name} (responses)", pairs=tuple(pairs))
    return Scored(data, np.array([scored.scores[group].min() for group in rows.values()]))


def _figures(method: str, scored: Scored, thresholds: Mapping[str, float]) -> Iterator[Figure]:
    test = scored.take(lambda pair: pair.part in scored.data.calibrated_on)
    judged = scored.judged(*scored.data.calibrated_on)
    yield _auc(method, AUC, judged)
    yield _balanced(method, BALANCED, judged, _own_thresholds(scored, judged))
    for name, threshold in thresholds.items():
        cuts = np.full(len(judged.scores), threshold)
        yield _balanced(method, f"BAcc, threshold {name}", judged, cuts)
    kinds = dict.fromkeys(pair.kind for pair in test.data.pairs if not pair.supported)
    at_a_price = losing(test.scores[test.supported], LOST)
    for kind in kinds:
        if len(kinds) > 1:
            yield _auc(method, f"AUC against {kind}", _against(test, kind))
        yield _flagged(method, f"caught {kind} at {LOST:.0%} false alarms", test, kind, at_a_price)
    for name, threshold in thresholds.items():
        yield _flagged(method, f"false alarms, threshold {name}", test, SUPPORTED, threshold)
        for kind in kinds:
            yield _flagged(method, f"caught {kind}, threshold {name}", test, kind, threshold)


def _against(test: Scored, kind: str) -> Scored:
    return test.take(lambda pair: pair.kind in (SUPPORTED, kind))


def _own_thresholds(scored: Scored, judged: Scored) -> Values:
    """(n_judged,): for each pair the threshold that is best on the part chosen for its own."""
    best: dict[str, float] = {}
    for part, chosen_on in scored.data.calibrated_on.items():
        other = scored.judged(chosen_on)
        best[part] = best_threshold(other.scores, other.supported)
    return np.array([best[pair.part] for pair in judged.data.pairs])


def _auc(method: str, metric: str, scored: Scored) -> Figure:
    supported = scored.supported
    ranks = rank(scored.scores)
    return _figure(method, metric, scored, lambda weights: auc(ranks, supported, weights))


def _balanced(method: str, metric: str, judged: Scored, thresholds: Values) -> Figure:
    passed, supported = judged.scores >= thresholds, judged.supported
    return _figure(
        method, metric, judged, lambda weights: balanced_accuracy(passed, supported, weights)
    )


def _flagged(method: str, metric: str, test: Scored, kind: str, threshold: float) -> Figure:
    some = test.take(lambda pair: pair.kind == kind)
    flagged = some.scores < threshold
    return _figure(method, metric, some, lambda weights: share(flagged, weights))


def _figure(
    method: str, metric: str, scored: Scored, statistic: Callable[[Values], float]
) -> Figure:
    n_pairs = len(scored.scores)
    value = statistic(np.ones(n_pairs))
    interval = cluster_interval(statistic, [pair.document for pair in scored.data.pairs])
    return Figure(method, scored.data.name, metric, value, interval.low, interval.high, n_pairs)
