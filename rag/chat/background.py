"""One event loop for all requests to language models, on a thread of its own.

A request on an event loop can be broken off at any moment, whatever it waits for: an address, a
connection, headers, the next piece. A blocking request can not, not from another thread. The loop
is shared and never closed, because providers' packages keep their connections from one request to
the next, and a connection belongs to the loop that opened it.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_process_id = 0


def submit(coroutine: Coroutine[object, object, Result]) -> Future[Result]:
    """Run a coroutine in the background; its context variables are the caller's."""
    return asyncio.run_coroutine_threadsafe(coroutine, _running_loop())


def _running_loop() -> asyncio.AbstractEventLoop:
    global _loop, _process_id
    with _lock:
        # A forked process has the loop's object, but not the thread that ran it.
        if _loop is None or _process_id != os.getpid():
            _loop = asyncio.new_event_loop()
            _process_id = os.getpid()
            threading.Thread(target=_loop.run_forever, name="symposia-chat", daemon=True).start()
        return _loop
