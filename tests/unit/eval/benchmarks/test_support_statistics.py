"""The figures by hand, and against the slow definitions."""

import math

import numpy as np
import pytest

from eval.benchmarks.support_statistics import (
    auc,
    balanced_accuracy,
    best_threshold,
    cluster_interval,
    losing,
    rank,
    share,
)

SCORES = np.array([0.9, 0.8, 0.8, 0.5, 0.5, 0.1])
SUPPORTED = np.array([True, True, False, True, False, False])


def slow_auc(scores, supported):
    pairs = [(a, b) for a in scores[supported] for b in scores[~supported]]
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)


def test_auc_counts_ties_by_half():
    assert auc(rank(SCORES), SUPPORTED) == slow_auc(SCORES, SUPPORTED) == 7 / 9


def test_auc_is_the_chance_to_rank_right():
    draw = np.random.default_rng(3)
    scores, supported = draw.integers(20, size=200) / 20, draw.random(200) < 0.3
    assert auc(rank(scores), supported) == pytest.approx(slow_auc(scores, supported))


def test_a_weight_counts_as_so_many_pairs():
    weights = np.array([2, 0, 1, 3, 1, 2])
    copies = np.repeat(np.arange(6), weights)
    expected = slow_auc(SCORES[copies], SUPPORTED[copies])
    assert auc(rank(SCORES), SUPPORTED, weights.astype(float)) == pytest.approx(expected)


def test_without_one_class_there_is_no_auc():
    assert math.isnan(auc(rank(SCORES), np.ones(6, dtype=bool)))


def test_balanced_accuracy_by_hand():
    passed = SCORES >= 0.6
    assert balanced_accuracy(passed, SUPPORTED) == pytest.approx((2 / 3 + 2 / 3) / 2)
    weights = np.array([1.0, 1, 1, 0, 0, 1])
    assert balanced_accuracy(passed, SUPPORTED, weights) == pytest.approx((1 + 1 / 2) / 2)


def test_share_of_nothing_is_unknown():
    assert share(np.array([True, False]), np.array([3.0, 1.0])) == 0.75
    assert math.isnan(share(np.array([True]), np.array([0.0])))


def test_no_threshold_beats_the_best_one():
    draw = np.random.default_rng(5)
    supported = draw.random(300) < 0.4
    scores = np.round(draw.normal(size=300) + supported, 1)
    best = best_threshold(scores, supported)
    reached = balanced_accuracy(scores >= best, supported)
    tried = [balanced_accuracy(scores >= cut, supported) for cut in np.unique(scores)]
    assert reached == pytest.approx(max(tried))
    assert best not in scores


def test_of_equally_good_thresholds_the_lowest():
    scores, supported = np.array([0.1, 0.3, 0.5, 0.7]), np.array([False, True, False, True])
    assert best_threshold(scores, supported) == pytest.approx(0.2)


def test_scores_that_say_nothing_flag_nothing():
    scores = np.array([0.4, 0.4, 0.4])
    assert best_threshold(scores, np.array([True, False, True])) <= 0.4


def test_losing_at_most_a_share():
    scores = np.arange(20) / 20
    assert np.mean(scores < losing(scores, 0.1)) == 0.1
    assert np.mean(scores < losing(scores, 0.0)) == 0.0


def test_pairs_of_one_document_go_together():
    values = np.array([1.0] * 50 + [0.0] * 50)

    def mean(weights):
        return float(weights @ values / weights.sum())

    alone = cluster_interval(mean, [str(number) for number in range(100)])
    in_two = cluster_interval(mean, ["a"] * 50 + ["b"] * 50)
    assert 0.35 < alone.low < 0.45
    assert 0.55 < alone.high < 0.65
    assert (in_two.low, in_two.high) == (0, 1)


def test_resamples_without_a_class_are_left_out():
    ranks, supported = rank(np.array([0.9, 0.1])), np.array([True, False])
    interval = cluster_interval(lambda w: auc(ranks, supported, w), ["a", "b"])
    assert (interval.low, interval.high) == (1, 1)
