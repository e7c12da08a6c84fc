"""Signs of life between the steps of a slow generator."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TypeVar

T = TypeVar("T")


async def with_ticks(steps: AsyncGenerator[T, None], every_s: float) -> AsyncGenerator[T | None]:
    """The steps of a generator, and None each time that ``every_s`` seconds passed without one.

    Gradio notices only between two steps that a browser has left. Closing this generator closes
    ``steps`` at once, in the middle of a step if need be.
    """
    pending: asyncio.Task[T] | None = None
    try:
        while True:
            pending = pending or asyncio.create_task(_next(steps))
            if not (await asyncio.wait([pending], timeout=every_s))[0]:
                yield None
                continue
            try:
                step = pending.result()
            except StopAsyncIteration:
                return
            pending = None
            yield step
    finally:
        if pending is not None and not pending.done():
            pending.cancel()
            await asyncio.wait([pending])
        await steps.aclose()


async def _next(steps: AsyncGenerator[T, None]) -> T:
    return await anext(steps)
