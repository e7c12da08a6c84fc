"""How long each stage of an answer takes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Clock:
    """Wall time of the stages of one answer, in milliseconds."""

    def __init__(self) -> None:
        self.timings_ms: dict[str, float] = {}
        self._started = time.perf_counter()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the clock was made."""
        return time.perf_counter() - self._started

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what the block takes towards a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.add({name: 1000 * (time.perf_counter() - started)})

    def add(self, timings_ms: Mapping[str, float]) -> None:
        """Count times that were taken elsewhere."""
        for name, elapsed_ms in timings_ms.items():
            self.timings_ms[name] = self.timings_ms.get(name, 0.0) + elapsed_ms
