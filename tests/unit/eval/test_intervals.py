"""The intervals against published and against computed values."""

import pytest

from eval.intervals import bootstrap_mean, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (50, 50, 0.9287, 1.0),
    ],
)
def test_wilson(successes, n, low, high):
    interval = wilson(successes, n)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize(("successes", "n"), [(0, 0), (3, 2), (-1, 5)])
def test_wilson_refuses_what_is_no_proportion(successes, n):
    with pytest.raises(ValueError, match="no proportion"):
        wilson(successes, n)


def test_bootstrap_is_repeatable_and_close_to_the_normal_interval():
    values = [i / 99 for i in range(100)]
    interval = bootstrap_mean(values)
    assert interval == bootstrap_mean(values)
    half = 1.96 * 0.2916 / 10  # the standard deviation of these values, and the root of 100
    assert interval.low == pytest.approx(0.5 - half, abs=0.01)
    assert interval.high == pytest.approx(0.5 + half, abs=0.01)


def test_bootstrap_of_equal_values_has_no_width():
    interval = bootstrap_mean([0.25] * 8)
    assert (interval.low, interval.high) == (0.25, 0.25)


def test_bootstrap_refuses_nothing():
    with pytest.raises(ValueError, match="no values"):
        bootstrap_mean([])
