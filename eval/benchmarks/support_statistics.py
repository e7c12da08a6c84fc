"""How well scores tell supported from unsupported: ROC-AUC, thresholds, and their intervals.

Every figure takes weights, one a pair, so that a bootstrap needs no copy of the scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from eval.intervals import Interval

Values = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ranks = NDArray[np.intp]

_RESAMPLES = 2000
_SEED = 0


def rank(scores: Values) -> Ranks:
    """(n,): 0 for the lowest score, equal ones share a rank."""
    return np.unique(scores, return_inverse=True)[1]


def auc(ranks: Ranks, supported: Flags, weights: Values | None = None) -> float:
    """The chance that a supported pair ranks above an unsupported one; a tie counts one half.

    Args:
        ranks: (n,), by ``rank``: once for all the resamples of a bootstrap.
        supported: (n,).
        weights: (n,), how often each pair counts; None for once.

    Returns:
        From 0 to 1; NaN where one of the two classes has no weight.
    """
    if weights is None:
        weights = np.ones(len(ranks))
    good = np.bincount(ranks, weights * supported)
    bad = np.bincount(ranks, weights * ~supported)
    below = np.cumsum(bad) - bad
    n_pairs = good.sum() * bad.sum()
    return float(good @ (below + bad / 2) / n_pairs) if n_pairs else float("nan")


def share(flags: Flags, weights: Values) -> float:
    """The weighted share of true flags; NaN where nothing has weight."""
    total = weights.sum()
    return float(weights @ flags / total) if total else float("nan")


def balanced_accuracy(passed: Flags, supported: Flags, weights: Values | None = None) -> float:
    """The mean of two shares: of the supported that pass, and of the others that do not."""
    if weights is None:
        weights = np.ones(len(passed))
    passing = share(passed[supported], weights[supported])
    return (passing + share(~passed[~supported], weights[~supported])) / 2


def best_threshold(scores: Values, supported: Flags) -> float:
    """The threshold of the best balanced accuracy, half way between two scores.

    A pair passes from the threshold on. Of equally good ones it is the lowest, which flags least.

    Args:
        scores: (n,), with both classes among them.
        supported: (n,).
    """
    levels, places = np.unique(scores, return_inverse=True)
    good = np.bincount(places, supported) / supported.sum()
    bad = np.bincount(places, ~supported) / (~supported).sum()
    # Entry i: what balanced accuracy gains, but for a constant, if levels below i do not pass.
    gains = np.concatenate([[0.0], np.cumsum(bad - good)[:-1]])
    best = int(np.argmax(gains.round(12)))
    return float((levels[max(best - 1, 0)] + levels[best]) / 2)


def losing(scores: Values, lost: float) -> float:
    """The threshold under which at most a share ``lost`` of these scores lies.

    Args:
        scores: (n,), of supported pairs.
        lost: From 0 to 1.
    """
    return float(np.sort(scores)[int(lost * len(scores))])


def cluster_interval(statistic: Callable[[Values], float], documents: Sequence[str]) -> Interval:
    """The 95 % percentile bootstrap over documents: all pairs of a document go together.

    Args:
        statistic: From the weights of all pairs; a NaN, where a class is missing, is left out.
        documents: Of each pair.
    """
    number_of = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    places = np.array([number_of[name] for name in documents])
    draw = np.random.default_rng(_SEED)
    values = []
    for _ in range(_RESAMPLES):
        drawn = draw.integers(len(number_of), size=len(number_of))
        counts = np.bincount(drawn, minlength=len(number_of)).astype(np.float64)
        values.append(statistic(counts[places]))
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return Interval(float(low), float(high))
