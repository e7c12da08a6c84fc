"""How far an indexing run has come, and how long its stages took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one stage has come."""

    stage: str
    """``Embedding``, ``Writing`` or ``Verifying``."""
    done: int
    total: int
    """Of ``done``: texts for the first stage; the others are one step."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages of one run: tells whoever wants to know, and keeps their times."""

    tell: Callable[[Progress], None] | None = None
    timings_ms: dict[str, float] = field(default_factory=dict)
    """By stage, in lower case."""

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """A stage of one step."""
        self.show(name, 0, 1)
        with self.timed(name):
            yield
        self.show(name, 1, 1)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Time a stage that ends well."""
        started = time.perf_counter()
        yield
        self.timings_ms[name.lower()] = 1000 * (time.perf_counter() - started)

    def show(self, name: str, done: int, total: int) -> None:
        """Tell how far a stage has come."""
        if self.tell is not None:
            self.tell(Progress(name, done, total))
