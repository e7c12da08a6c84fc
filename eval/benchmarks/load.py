"""What fifty people at once do to the server, as a ratio to one person.

    python -m eval.benchmarks.load [--users 50] [--rounds 3] [--out FILE]

A real server (``symposia serve``) with the settings of the environment, over the seed papers; every person asks five questions one after
the other, half of them over the page's ``/ask``, the others over ``/v1/chat/completions``. Each
question is first asked alone; the same answer must come when all ask together, so that no two get
mixed. The resident memory of the server is read after every round. Times are given in seconds and
as ratios to the one person, who asks the same questions; with ``n`` people on few cores the ratio of
the medians cannot be far below ``n`` divided by the number of cores.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval.cases import load_cases
from eval.machine import describe_machine

RESULT = Path(__file__).with_suffix(".json")
N_QUESTIONS = 5
_N_POOL = 25
_PATIENCE_S = 600.0
_ADDRESS = re.compile(r"Serving (http://[\d.:]+)/")
_SERVE = "from ui.cli import main; main()"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that was put to the server."""

    question: str
    door: str
    seconds: float
    text: str
    """Of the answer; empty after an error."""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """All users, each with its questions, at once."""

    users: int
    p50_s: float
    p95_s: float
    n_answers: int
    n_errors: int
    n_mixed: int
    """Answers that are not the one that the question gets when it is asked alone."""
    resident_mib: float
    """Of the server, afterwards."""


class Server:
    """The address of a running server, and its process.

    Args:
        address: ``http://127.0.0.1:7860``.
        pid: Of its process.
    """

    def __init__(self, address: str, pid: int) -> None:
        self.address = address
        self._pid = pid

    def resident_mib(self) -> float:
        """Its resident memory, in MiB."""
        status = Path(f"/proc/{self._pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0.0

    def ask(self, question: str, door: str) -> Asked:
        """Put one question; an error is part of the result."""
        started = time.perf_counter()
        try:
            text = self._page(question) if door == "page" else self._completion(question)
        except (OSError, ValueError, KeyError) as error:
            return Asked(question, door, time.perf_counter() - started, "", repr(error))
        return Asked(question, door, time.perf_counter() - started, text)

    def _page(self, question: str) -> str:
        event = self._post("/gradio_api/call/ask", {"data": [question, []]})["event_id"]
        with self._open(f"/gradio_api/call/ask/{event}") as stream:
            name = ""
            for line in stream:
                kind, _, rest = line.decode().strip().partition(": ")
                name = rest if kind == "event" else name
                if kind == "data" and name == "complete":
                    return str(json.loads(rest)[0]["text"])
                if kind == "data" and name == "error":
                    raise ValueError(rest)
        raise ValueError("the stream ended without an answer")

    def _completion(self, question: str) -> str:
        message = {"role": "user", "content": question}
        reply = self._post("/v1/chat/completions", {"model": "symposia", "messages": [message]})
        return str(reply["choices"][0]["message"]["content"])

    def _post(self, path: str, body: object) -> Any:
        with self._open(path, json.dumps(body).encode()) as reply:
            return json.load(reply)

    def _open(self, path: str, body: bytes | None = None) -> Any:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, body, headers)  # noqa: S310 - http
        return urllib.request.urlopen(request, timeout=_PATIENCE_S)  # noqa: S310 - http


@contextmanager
def serving(log: Path) -> Iterator[Server]:
    """Run a server with the settings of the environment; it ends with the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", _SERVE, "serve", "--port", str(port)]
    with (
        log.open("w", encoding="utf-8") as output,
        subprocess.Popen(command, stdout=output, stderr=output) as process,  # noqa: S603 - our own program
    ):
        try:
            yield Server(_address(process, log), process.pid)
        finally:
            process.terminate()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    give_up_at = time.monotonic() + _PATIENCE_S
    while process.poll() is None and time.monotonic() < give_up_at:
        if found := _ADDRESS.search(log.read_text(encoding="utf-8")):
            return found[1]
        time.sleep(0.2)
    raise RuntimeError(f"The server did not start: {log.read_text(encoding='utf-8')}")


def questions_of(user: int, pool: Sequence[str]) -> list[tuple[str, str]]:
    """What one user asks: questions and doors."""
    door = ("page", "completions")[user % 2]
    return [(pool[(user * N_QUESTIONS + n) % len(pool)], door) for n in range(N_QUESTIONS)]


def ask_at_once(server: Server, users: int, pool: Sequence[str]) -> list[Asked]:
    """Let all users ask, each its own questions one after the other."""
    found: list[Asked] = []
    start = threading.Barrier(users)

    def go(user: int) -> None:
        start.wait()
        for question, door in questions_of(user, pool):
            found.append(server.ask(question, door))

    threads = [threading.Thread(target=go, args=(user,)) for user in range(users)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def summarise(
    asked: Sequence[Asked],
    alone: Mapping[tuple[str, str], Asked],
    *,
    users: int,
    resident_mib: float,
) -> Round:
    """One round in figures."""
    seconds = sorted(item.seconds for item in asked)
    right = [alone[item.question, item.door].text for item in asked]
    mixed = [item for item, text in zip(asked, right, strict=True) if item.text != text]
    return Round(
        users=users,
        p50_s=round(statistics.median(seconds), 3),
        p95_s=round(seconds[int(0.95 * (len(seconds) - 1))], 3),
        n_answers=len(asked),
        n_errors=sum(bool(item.error) for item in asked),
        n_mixed=sum(not item.error for item in mixed),
        resident_mib=round(resident_mib, 1),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the figures."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmarks.load")
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=RESULT)
    given = parser.parse_args(arguments)
    cases = load_cases(split="dev")
    pool = [case.question for case in cases if not case.history][:_N_POOL]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "server.log") as server,
    ):
        asked = {item for user in range(given.users) for item in questions_of(user, pool)}
        server.ask(pool[0], "page")
        alone = {item: server.ask(*item) for item in sorted(asked)}
        one = summarise(list(alone.values()), alone, users=1, resident_mib=server.resident_mib())
        rounds = []
        for _ in range(given.rounds):
            found = ask_at_once(server, given.users, pool)
            rss = server.resident_mib()
            rounds.append(summarise(found, alone, users=given.users, resident_mib=rss))
    together = rounds[-1]
    result = {
        "machine": describe_machine(),
        "one_user": asdict(one),
        "rounds": [asdict(item) for item in rounds],
        "p50_ratio": round(together.p50_s / one.p50_s, 2),
        "p95_ratio": round(together.p95_s / one.p95_s, 2),
        "memory_growth_after_first_round_mib": round(
            together.resident_mib - rounds[0].resident_mib, 1
        ),
    }
    given.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
