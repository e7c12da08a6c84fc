"""Coroutines run on one thread in the background, with the context of who sent them."""

import asyncio
import os
import threading
from contextvars import ContextVar

import pytest

from rag.chat.background import submit

_asker: ContextVar[str] = ContextVar("asker", default="nobody")


async def _where() -> tuple[threading.Thread, str]:
    return threading.current_thread(), _asker.get()


def test_one_thread_serves_all_and_keeps_the_callers_context() -> None:
    _asker.set("this test")
    first, asker = submit(_where()).result(5)
    second, _ = submit(_where()).result(5)
    assert first is second is not threading.current_thread()
    assert first.daemon
    assert asker == "this test"


def test_what_is_cancelled_stops() -> None:
    stopped = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    task = submit(wait())
    submit(_where()).result(5)
    task.cancel()
    assert stopped.wait(1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_has_a_loop_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before, _ = submit(_where()).result(5)
    monkeypatch.setattr("os.getpid", lambda: -1)
    after, _ = submit(_where()).result(5)
    assert before is not after
