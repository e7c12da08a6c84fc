"""How many questions are answered at once, and how many may wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rag.errors import SymposiaError

CONCURRENT_ANSWERS = 8
"""Of the page, and as many of the interface for programs."""
WAITING_QUESTIONS = 64


class TooBusy(SymposiaError):
    """More questions wait than can be answered soon."""


class Turnstile:
    """Lets some in and some wait; turns the others away with a polite word.

    Args:
        inside: How many are answered at once.
        waiting: How many more may wait.
    """

    def __init__(self, inside: int, waiting: int) -> None:
        self._free = asyncio.Semaphore(inside)
        self._most = inside + waiting
        self._count = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and keep it while the block runs.

        Raises:
            TooBusy: At once, if too many wait already.
        """
        if self._count >= self._most:
            raise TooBusy(
                "Many people are asking at this moment.", hint="Please try again in a minute."
            )
        self._count += 1
        try:
            async with self._free:
                yield
        finally:
            self._count -= 1
