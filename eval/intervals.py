"""95 % confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_Z95 = 1.959963984540054
_RESAMPLES = 2000
_SEED = 0


@dataclass(frozen=True, slots=True)
class Interval:
    """The two ends, both included."""

    low: float
    high: float


def wilson(successes: int, n: int) -> Interval:
    """The score interval of a proportion (Wilson 1927), without continuity correction.

    Raises:
        ValueError: ``n`` is not positive, or ``successes`` is not in [0, n].
    """
    if n <= 0 or not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} is no proportion.")
    p, z2 = successes / n, _Z95**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    # At p = 0 and p = 1 the ends are exactly 0 and 1, but for rounding.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return Interval(low, high)


def bootstrap_mean(values: Sequence[float]) -> Interval:
    """The percentile bootstrap interval of a mean: 2,000 resamples, always the same seed.

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("The mean of no values has no interval.")
    sample = np.asarray(values, dtype=np.float64)
    picks = np.random.default_rng(_SEED).integers(len(sample), size=(_RESAMPLES, len(sample)))
    low, high = np.percentile(sample[picks].mean(axis=1), [2.5, 97.5])
    return Interval(float(low), float(high))
