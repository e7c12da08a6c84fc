"""A real Chroma server for tests: ``chroma run`` of the installed package, on 127.0.0.1."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

_START_S = 120.0
_RUN = "import sys; from chromadb.cli.cli import app; sys.argv[0] = 'chroma'; app()"


class ChromaServer:
    """One server process over one folder; it can be stopped, killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        words = ["run", "--path", str(self.folder / "data"), "--host", "127.0.0.1"]
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _RUN, *words, "--port", str(self.port)],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | {"ANONYMIZED_TELEMETRY": "False"},
            )
        end = time.monotonic() + _START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError((self.folder / "server.log").read_text(errors="replace"))
            time.sleep(0.05)

    def stop(self, *, kill: bool = False) -> None:
        """Ask it to end, or end it as a crash does."""
        if self._process is None:
            return
        if kill:
            self._process.kill()
        else:
            self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/v2/heartbeat", timeout=5.0).is_success
        except httpx.HTTPError:
            return False


@contextlib.contextmanager
def running(folder: Path) -> Iterator[ChromaServer]:
    """A server that is stopped at the end."""
    server = ChromaServer(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def free_port() -> int:
    """A port on which nobody listens, unless somebody takes it in the next moment."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
