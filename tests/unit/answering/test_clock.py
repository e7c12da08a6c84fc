"""Stages are timed and added up."""

import pytest

from rag.answering.clock import Clock


def test_a_stage_counts_each_time_it_is_entered(monkeypatch) -> None:
    ticks = iter([0.0, 1.0, 1.5, 7.0, 7.25])
    monkeypatch.setattr("rag.answering.clock.time.perf_counter", lambda: next(ticks))
    clock = Clock()
    for _ in range(2):
        with clock.stage("gate"):
            pass
    assert clock.timings_ms == {"gate": 750.0}


def test_a_stage_that_fails_is_counted_too(monkeypatch) -> None:
    ticks = iter([0.0, 1.0, 3.0])
    monkeypatch.setattr("rag.answering.clock.time.perf_counter", lambda: next(ticks))
    clock = Clock()
    with pytest.raises(ValueError, match="broken"), clock.stage("write"):
        raise ValueError("broken")
    assert clock.timings_ms == {"write": 2000.0}


def test_times_taken_elsewhere_are_added() -> None:
    clock = Clock()
    clock.add({"dense": 2.0, "lexical": 1.0})
    clock.add({"dense": 3.0})
    assert clock.timings_ms == {"dense": 5.0, "lexical": 1.0}


def test_it_runs_from_the_moment_it_is_made(monkeypatch) -> None:
    ticks = iter([1.0, 3.5])
    monkeypatch.setattr("rag.answering.clock.time.perf_counter", lambda: next(ticks))
    assert Clock().elapsed_s == 2.5
