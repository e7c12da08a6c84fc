"""Waits grow, keep within the time, and end."""

import pytest

from rag.errors import ProviderError
from rag.providers.backoff import Backoff

PASSING = ProviderError("x", retryable=True)


def waits(backoff: Backoff, fault: ProviderError = PASSING, left_s: float = 60) -> list[float]:
    found = []
    for n in range(99):
        wait_s = backoff.wait_s(fault, n_failed=n, left_s=left_s)
        if wait_s is None:
            break
        found.append(wait_s)
    return found


def test_waits_double_up_to_a_limit_within_their_jitter() -> None:
    found = waits(Backoff(first_s=1, most_s=8, n_retries=6))
    assert len(found) == 6
    for wait_s, most_s in zip(found, [1, 2, 4, 8, 8, 8], strict=True):
        assert most_s / 2 <= wait_s <= most_s


def test_clients_that_fail_together_return_apart() -> None:
    asked = ProviderError("x", retryable=True, retry_after_s=10)
    for fault in (PASSING, asked):
        assert len({Backoff().wait_s(fault, n_failed=0, left_s=60) for _ in range(20)}) > 1


def test_what_the_server_asks_is_waited_in_full() -> None:
    fault = ProviderError("x", retryable=True, retry_after_s=10)
    assert all(10 <= wait_s <= 11 for wait_s in waits(Backoff(), fault))


@pytest.mark.parametrize("retry_after_s", [None, 0.4])
def test_a_wait_that_leaves_no_time_is_not_begun(retry_after_s: float | None) -> None:
    fault = ProviderError("x", retryable=True, retry_after_s=retry_after_s)
    assert waits(Backoff(first_s=1), fault, left_s=0.3) == []


def test_what_will_not_change_is_not_waited_for() -> None:
    assert waits(Backoff(), ProviderError("x", retryable=False)) == []
