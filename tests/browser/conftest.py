"""A real browser, and servers of the chat in processes of their own."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).parents[2]
# Debian's; where it is missing these tests fail, for a skipped browser test proves nothing.
CHROMIUM = "/usr/bin/chromium"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # One module long: while it runs, Playwright holds the event loop of this thread.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-background-networking"]
        )
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture(scope="session")
def real_chat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the chat over the seed papers."""
    with served("real", tmp_path_factory.mktemp("data")) as url:
        yield url


@pytest.fixture(scope="session")
def closed_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the scripted assistant notes the streams that were closed."""
    log = tmp_path_factory.mktemp("log") / "closed"
    log.touch()
    return log


@pytest.fixture(scope="session")
def scripted_chat(closed_log: Path) -> Iterator[str]:
    """The address of the chat with the scripted assistant."""
    with served("scripted", closed_log) as url:
        yield url


@pytest.fixture(scope="session")
def serve() -> Callable[..., AbstractContextManager[str]]:
    """Runs a server in a process of its own while a block does; gives its address."""
    return served


@contextmanager
def served(kind: str, place: Path, port: int = 0) -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).with_name("serve.py"))]
    with subprocess.Popen(
        [*command, kind, str(place), str(port or free_port())],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        try:
            assert url.startswith("http"), "the server of the chat did not start"
            yield url
        finally:
            process.terminate()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def listener() -> Iterator[tuple[str, Callable[[], int]]]:
    """An address nobody should reach, and how many connections reached it."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.setblocking(False)

        def count() -> int:
            reached = 0
            while True:
                try:
                    connection, _ = server.accept()
                except BlockingIOError:
                    return reached
                connection.close()
                reached += 1

        yield f"http://127.0.0.1:{server.getsockname()[1]}", count
