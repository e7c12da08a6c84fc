"""The steps of a slow generator: signs of life between them, and of a burst only the last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TypeVar

T = TypeVar("T")

_BURST_S = 0.03
_LONGEST_BURST_S = 0.15


async def with_ticks(steps: AsyncGenerator[T, None], every_s: float) -> AsyncGenerator[T | None]:
    """The steps of a generator, and None each time that ``every_s`` seconds passed without one.

    Of steps that follow upon one another at once only the last is given: a browser takes longer to
    draw one than the next takes to come, and each contains those before it. Gradio notices only
    between two steps that a browser has left. Closing this generator closes ``steps`` at once, in
    the middle of a step if need be.
    """
    clock = asyncio.get_running_loop().time
    pending: asyncio.Task[T] | None = None
    held: list[T] = []
    since = 0.0
    try:
        while True:
            pending = pending or asyncio.create_task(_next(steps))
            patience = min(_BURST_S, since + _LONGEST_BURST_S - clock()) if held else every_s
            if not (await asyncio.wait([pending], timeout=max(0.0, patience)))[0]:
                yield held.pop() if held else None
                continue
            if held and pending.exception() is not None:
                yield held.pop()
            try:
                step = pending.result()
            except StopAsyncIteration:
                return
            pending = None
            since = since if held else clock()
            held = [step]
    finally:
        if pending is not None and not pending.done():
            pending.cancel()
            await asyncio.wait([pending])
        await steps.aclose()


async def _next(steps: AsyncGenerator[T, None]) -> T:
    return await anext(steps)
