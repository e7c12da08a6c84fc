"""Proving a new generation before anybody reads it, in a process that may crash or run away."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexDamaged, SymposiaError
from rag.store.generation import MANIFEST, VECTORS
from rag.store.index import Index, open_generation
from rag.store.lock import SharedLock

_TIMEOUT_S = 120.0
_TIMEOUT_S_PER_CHUNK = 0.02
_FILE_SLACK_BYTES = 64 * 2**20
_N_SLICE = 2000
_N_SELF_QUERIES = 200
_MIN_FOUND = 0.95
_TOLERANCE = 1e-4
_CHILD = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from rag.store.verification import main
main(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
"""


def verify(folder: Path, n_chunks: int) -> None:
    """Verify a generation in a child process, with limits on its time and on the files it writes.

    Raises:
        IndexDamaged: If a check fails, or the child crashes, hangs or writes too much.
    """
    timeout_s = _TIMEOUT_S + _TIMEOUT_S_PER_CHUNK * n_chunks
    largest = max(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    limits = [str(2 * largest + _FILE_SLACK_BYTES), str(int(timeout_s))]
    # -P: nothing may be imported from the working directory unless the parent did so, too.
    command = [sys.executable, "-P", "-c", _CHILD, json.dumps(sys.path), str(folder), *limits]
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and code
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _refused(folder, f"it took more than {timeout_s:.0f} seconds") from None
    if done.returncode != 0:
        reason = done.stderr.decode(errors="replace").strip()
        raise _refused(folder, reason or f"the check ended with code {done.returncode}")


def _refused(folder: Path, reason: str) -> IndexDamaged:
    return IndexDamaged(
        f"The new index {folder} did not pass verification: {reason}",
        hint="The previous index is untouched. Run the command again.",
    )


def main(folder: str, max_file_bytes: int, max_cpu_s: int) -> None:
    """The child: exit code 0 if all is well, else 1 with the reason on standard error."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (max_file_bytes, max_file_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (max_cpu_s, max_cpu_s))
    path = Path(folder)
    try:
        with open_generation(path, SharedLock(path / MANIFEST)) as index:
            check_index(index, np.load(path / VECTORS, allow_pickle=False))
    except SymposiaError as error:
        sys.exit(str(error))


def check_index(index: Index, vectors: NDArray[np.float32]) -> None:
    """Check that both legs hold every chunk, and that each embedding finds itself.

    Args:
        index: A generation whose files have passed the seal.
        vectors: (n_chunks, dimension) float32, in the order of the chunks: what was written.

    Raises:
        IndexDamaged: It says what is wrong.
    """
    chunk_ids = list(index.chunks)
    if index.lexical.chunk_ids != tuple(chunk_ids):
        raise IndexDamaged("The lexical index and the records hold other chunks.")
    if vectors.shape != (len(chunk_ids), index.manifest.dimension):
        raise IndexDamaged(f"There are vectors of shape {vectors.shape}.")
    for start in range(0, len(chunk_ids), _N_SLICE):
        part = slice(start, start + _N_SLICE)
        difference = index.dense.read_vectors(chunk_ids[part]) - vectors[part]
        # Written so that NaN fails.
        if not np.max(np.abs(difference)) < _TOLERANCE:
            raise IndexDamaged("The vector store holds other embeddings than were written.")
    _check_self_queries(index, chunk_ids, vectors)


def _check_self_queries(index: Index, chunk_ids: list[str], vectors: NDArray[np.float32]) -> None:
    row_of = {chunk_id: row for row, chunk_id in enumerate(chunk_ids)}
    rows = range(0, len(chunk_ids), max(1, len(chunk_ids) // _N_SELF_QUERIES))
    n_found = 0
    for row in rows:
        hits = index.dense.search(vectors[row], 1)
        # A text that is there twice may find its twin.
        n_found += bool(hits) and bool(
            np.allclose(vectors[row_of[hits[0].chunk_id]], vectors[row], atol=_TOLERANCE)
        )
    if n_found < _MIN_FOUND * len(rows):
        raise IndexDamaged(f"Only {n_found} of {len(rows)} embeddings find themselves.")
