"""A process that starts indexing runs to be killed, starved or made to fail.

Everything heavy is imported once; each run is then a fork of this process, a real process of its
own. Commands come as JSON lines on standard input, answers go to standard output. Run as a script
by test_index_faults.py.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

import bm25s  # noqa: F401 - so that no run spends its time on it
import chromadb.api.rust  # noqa: F401
import numpy as np
from numpy.typing import NDArray

from rag.chunking import split_paper
from rag.corpus import Corpus
from rag.errors import SymposiaError
from rag.indexing import embedding, sync_index
from rag.records import Paper
from rag.store import folder as folder_module
from rag.store.generation import MANIFEST, VECTORS
from rag.store.index import open_generation
from rag.store.lexical import lexicon
from rag.store.lock import SharedLock
from rag.store.rows import read_papers
from rag.store.verification import check_index

N_SLICE = 10
MAX_FILE_BYTES = 2**30


@dataclass(frozen=True)
class Run:
    """One indexing run and what is to happen to it."""

    data_dir: str
    papers: str
    """A file of papers, one JSON object a line."""
    result: str
    """Where the outcome is written, unless the run is killed."""
    delay_s: float = 0.0
    """Time that the embedding of a slice takes."""
    verify: str = "here"
    """``child`` as in real life, ``here`` to save time, or ``sleep``: it does not end."""
    kill_at: Sequence[str] = ()
    """Kill the run right before it does this: an audit event and the end of its path."""
    fail_at: int = -1
    """Let the operation with that number fail, counted from 0."""
    fail_with: int = errno.ENOSPC
    """As on a full disk, or any other error number; ``EROFS`` fails all that follow, too."""
    prune: bool = True
    """So that the index holds the given papers and no others."""
    max_file_bytes: int = MAX_FILE_BYTES
    embedded_log: str = ""
    """A line for each text that is embedded."""


class HashEmbedder:
    """Adds up one fixed random vector a word."""

    fingerprint, dimension = "hash/32", 32

    def __init__(self, delay_s: float = 0.0, log: str = "") -> None:
        self._delay_s = delay_s
        self._log = log

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        time.sleep(self._delay_s)
        if self._log:
            with Path(self._log).open("a") as file:
                file.writelines(f"{text[:40]}\n" for text in texts)
        return np.array([self.embed_query(text) for text in texts], dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        total = sum((_vector_of(word) for word in text.lower().split()), np.zeros(self.dimension))
        return (total / np.linalg.norm(total)).astype(np.float32)


@cache
def _vector_of(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).normal(size=HashEmbedder.dimension)


@dataclass
class Saboteur:
    """Sees every change that Python makes to files of the data folder, before it is made."""

    run: Run
    operations: list[str] = field(default_factory=list)

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event not in {"open", "os.rename", "os.mkdir", "shutil.rmtree"}:
            return
        path = str(arguments[1] if event == "os.rename" else arguments[0])
        if not path.startswith(self.run.data_dir):
            return
        if event == "open":
            if arguments[1] is None:
                event = "sync"  # os.open, by which files are brought to the disk or locked
            elif not set("wax+") & set(str(arguments[1])):
                return
        if self.run.kill_at and event == self.run.kill_at[0] and path.endswith(self.run.kill_at[1]):
            os.kill(os.getpid(), signal.SIGKILL)
        self.operations.append(f"{event} {path}")
        number, first = len(self.operations) - 1, self.run.fail_at
        is_read_only = self.run.fail_with == errno.EROFS and 0 <= first < number
        if number == first or is_read_only:
            raise OSError(self.run.fail_with, os.strerror(self.run.fail_with), path)


def sync(run: Run) -> dict[str, object]:
    """Carry out one run, in a process made for it."""
    limit_files(run.max_file_bytes)
    embedding.N_SLICE = N_SLICE
    if run.verify == "here":
        folder_module.verify = _verify_here
    elif run.verify == "sleep":
        folder_module.verify = lambda *_: time.sleep(60)
    saboteur = Saboteur(run)
    papers = tuple(read_papers(Path(run.papers)).values())
    sys.addaudithook(saboteur)
    try:
        report = sync_index(
            Corpus("papers", papers, (), len(papers)),
            name="papers",
            data_dir=Path(run.data_dir),
            embedder=HashEmbedder(run.delay_s, run.embedded_log),
            chunk_tokens=448,
            prune=run.prune,
        )
    except SymposiaError as error:
        outcome: dict[str, object] = {"error": type(error).__name__, "message": str(error)}
    except KeyboardInterrupt:
        outcome = {"error": "KeyboardInterrupt"}
    except Exception:  # noqa: BLE001 - the test shall see it
        outcome = {"error": "bug", "message": traceback.format_exc()}
    else:
        outcome = asdict(report)
    return outcome | {"operations": saboteur.operations, "cpu_s": time.process_time()}


def limit_files(n_bytes: int) -> None:
    """Limit the size of files, as a full disk does; the limit can be lifted again."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, resource.RLIM_INFINITY))


def _verify_here(path: Path, n_chunks: int) -> None:
    with open_generation(path, SharedLock(path / MANIFEST)) as index:
        if len(index.chunks) != n_chunks:
            raise AssertionError(path)
        check_index(index, np.load(path / VECTORS))


def main() -> None:
    """Serve: ``{"run": ...}`` answers with a process id, ``{"wait": pid}`` with its exit code."""
    # A shell starts its background jobs, and so what they start, with this signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Loaded once here, and not in every run: the token table and the stemmer.
    split_paper(Paper("p", "title", "abstract"), max_tokens=448)
    lexicon()
    for line in sys.stdin:
        command = json.loads(line)
        if "run" in command:
            answer = os.fork()
            if answer == 0:
                run = Run(**command["run"])
                try:
                    outcome = json.dumps(sync(run))
                    limit_files(MAX_FILE_BYTES)
                    Path(run.result).write_text(outcome)
                finally:
                    os._exit(0)
        else:
            _, status = os.waitpid(command["wait"], 0)
            answer = os.waitstatus_to_exitcode(status)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
