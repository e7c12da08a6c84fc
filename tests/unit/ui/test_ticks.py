"""A slow generator gives signs of life, and can be closed in the middle of a step."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from ui.ticks import with_ticks


class Steps:
    """Yields 1 at once, 2 after a while, and then waits for ever; notes when it is closed."""

    def __init__(self) -> None:
        self.closed = False

    async def run(self) -> AsyncGenerator[int]:
        try:
            yield 1
            await asyncio.sleep(0.05)
            yield 2
            await asyncio.sleep(3600)
        finally:
            self.closed = True


async def test_ticks_come_between_steps_and_steps_in_order() -> None:
    ticking = with_ticks(Steps().run(), every_s=0.01)
    seen = [await anext(ticking)]
    while seen[-1] != 2:
        seen.append(await anext(ticking))
    assert [step for step in seen if step is not None] == [1, 2]
    assert seen.count(None) >= 1
    await ticking.aclose()


async def test_of_a_burst_only_the_last_step_is_given() -> None:
    async def bursts() -> AsyncGenerator[int]:
        for step in range(1, 9):
            if step == 4:
                await asyncio.sleep(0.3)
            yield step

    assert [step async for step in with_ticks(bursts(), every_s=5)] == [3, 8]


async def test_a_burst_that_does_not_end_is_shown_all_the_same() -> None:
    async def endless() -> AsyncGenerator[int]:
        step = 0
        while True:
            step += 1
            yield step
            await asyncio.sleep(0.001)

    ticking = with_ticks(endless(), every_s=5)
    seen = [await asyncio.wait_for(anext(ticking), timeout=5) for _ in range(3)]
    assert seen == sorted(set(seen), key=lambda step: step or 0)
    await ticking.aclose()


async def test_what_came_before_an_error_is_given_first() -> None:
    async def broken() -> AsyncGenerator[int]:
        yield 1
        yield 2
        raise ValueError("broken")

    ticking = with_ticks(broken(), every_s=5)
    assert await anext(ticking) == 2
    with pytest.raises(ValueError, match="broken"):
        await anext(ticking)


async def test_closing_interrupts_the_step_under_way() -> None:
    steps = Steps()
    ticking = with_ticks(steps.run(), every_s=0.01)
    while await anext(ticking) != 2:
        pass
    assert await anext(ticking) is None
    assert not steps.closed
    await asyncio.wait_for(ticking.aclose(), timeout=5)
    assert steps.closed


async def test_the_end_and_errors_are_passed_on() -> None:
    async def short() -> AsyncGenerator[int]:
        yield 1

    async def broken() -> AsyncGenerator[int]:
        yield 1
        raise ValueError("broken")

    assert [step async for step in with_ticks(short(), every_s=5)] == [1]
    with pytest.raises(ValueError, match="broken"):
        _ = [step async for step in with_ticks(broken(), every_s=5)]
