"""Tokens of an embedding server: as it says, else as counted here, from any number of threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from rag.embeddings.meter import Meter
from rag.records import Usage


def test_what_the_server_says_counts() -> None:
    meter = Meter(price_usd=0.02)
    meter.hear(500_000)
    meter.count(["two words"])
    assert meter.usage == Usage(500_000, 0, "provider", pytest.approx(0.01))


def test_what_it_does_not_say_is_counted_here_and_that_is_said() -> None:
    meter = Meter()
    meter.count(["hello world", "hello world"])
    assert meter.usage == Usage(4, 0, "us", None)
    meter.hear(10)
    meter.count(["hello world"])
    assert meter.usage == Usage(14, 0, "us", None)


def test_no_request_is_no_usage() -> None:
    assert Meter(price_usd=1.0).usage == Usage()


def test_threads_do_not_mix_up_what_they_hear() -> None:
    meter = Meter()

    def request(number: int) -> None:
        for _ in range(200):
            meter.hear(number)
            meter.count(["hello world"])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(request, range(1, 9)))
    assert meter.usage == Usage(200 * sum(range(1, 9)), 0, "provider", None)
