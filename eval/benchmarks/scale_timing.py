"""Timing the stages of a search where they are called, without a change to the product."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Spent:
    """Time of one thing: on the wall, and of all threads of this process."""

    wall_ms: float = 0.0
    cpu_ms: float = 0.0

    @classmethod
    def now(cls) -> Spent:
        """Both clocks."""
        return cls(1000 * time.perf_counter(), 1000 * time.process_time())

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.wall_ms + other.wall_ms, self.cpu_ms + other.cpu_ms)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.wall_ms - other.wall_ms, self.cpu_ms - other.cpu_ms)


@dataclass(frozen=True, slots=True)
class Latency:
    """One stage of many searches, in milliseconds."""

    median_ms: float
    p95_ms: float
    cpu_median_ms: float
    cpu_p95_ms: float

    @classmethod
    def of(cls, spent: Sequence[Spent]) -> Latency:
        """The median and the 95th percentile, of wall time and of processor time."""
        wall = np.percentile([one.wall_ms for one in spent], (50, 95))
        cpu = np.percentile([one.cpu_ms for one in spent], (50, 95))
        return cls(*(round(float(value), 2) for value in (*wall, *cpu)))


@dataclass(frozen=True, slots=True)
class Timed:
    """Passes calls on, and adds up how long those of one name took."""

    inner: object
    method: str
    stage: str
    spent: dict[str, Spent]

    def __getattr__(self, name: str) -> object:
        found = getattr(self.inner, name)
        if name != self.method:
            return found

        def timed(*given: object, **named: object) -> object:
            started = Spent.now()
            try:
                return found(*given, **named)
            finally:
                before = self.spent.get(self.stage, Spent())
                self.spent[self.stage] = before + (Spent.now() - started)

        return timed
