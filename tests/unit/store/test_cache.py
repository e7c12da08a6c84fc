import logging
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rag.errors import IndexingError
from rag.store.cache import EmbeddingCache

DIMENSION = 16
# Puts texts a-0, a-1, ... one at a time, says so, and at last kills itself or ends.
WRITER = """
import os, signal, sys
from pathlib import Path
import numpy as np
from rag.store.cache import EmbeddingCache
path, name, n, end = sys.argv[1:]
with EmbeddingCache(Path(path), 16) as cache:
    for row in range(int(n)):
        cache.put({f"{name}-{row}": np.full(16, row, dtype=np.float32)})
    if end == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
"""
FULL_DISK = """
import resource, sys
from pathlib import Path
import numpy as np
from rag.errors import IndexingError
from rag.store.cache import EmbeddingCache
with EmbeddingCache(Path(sys.argv[1]), 16) as cache:
    cache.put({"kept": np.ones(16, dtype=np.float32)})
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
    try:
        cache.put({str(row): np.ones(16, dtype=np.float32) for row in range(5000)})
    except IndexingError as error:
        sys.exit(str(error))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "embeddings-0123.sqlite"


def vectors(n: int, seed: int = 0) -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(seed)
    return {f"text {row}": random.normal(size=DIMENSION).astype(np.float32) for row in range(n)}


def assert_same(
    found: dict[str, NDArray[np.float32]], expected: dict[str, NDArray[np.float32]]
) -> None:
    assert found.keys() == expected.keys()
    for key, vector in expected.items():
        assert found[key].dtype == np.float32
        np.testing.assert_array_equal(found[key], vector)


def test_what_was_put_is_found_again_bit_for_bit(path: Path) -> None:
    expected = vectors(1200)
    with EmbeddingCache(path, DIMENSION) as cache:
        assert cache.get(["text 1"]) == {}
        cache.put(expected)
    with EmbeddingCache(path, DIMENSION) as cache:
        assert_same(cache.get([*expected, "unknown"]), expected)
        assert cache.get([]) == {}
        cache.put({"text 1": expected["text 2"]})
        np.testing.assert_array_equal(cache.get(["text 1"])["text 1"], expected["text 2"])


def test_each_embedder_has_a_file_of_its_own(tmp_path: Path) -> None:
    one = vectors(1)
    with EmbeddingCache.of(tmp_path, "bge/384", DIMENSION) as cache:
        cache.put(one)
    with EmbeddingCache.of(tmp_path, "http://host/model one/16", DIMENSION) as cache:
        assert cache.get(list(one)) == {}
    with EmbeddingCache.of(tmp_path, "bge/384", DIMENSION) as cache:
        assert_same(cache.get(list(one)), one)
    assert len(list((tmp_path / "cache").glob("embeddings-*.sqlite"))) == 2


def test_a_vector_of_another_length_is_not_found(path: Path) -> None:
    with EmbeddingCache(path, DIMENSION) as cache:
        cache.put(vectors(1))
    with EmbeddingCache(path, DIMENSION + 1) as cache:
        assert cache.get(["text 0"]) == {}


def test_what_was_put_survives_a_kill(path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(path), "a", "30", "kill"]
    assert subprocess.run(command, timeout=60, check=False).returncode == -signal.SIGKILL
    with EmbeddingCache(path, DIMENSION) as cache:
        assert len(cache.get([f"a-{row}" for row in range(30)])) == 30


def test_two_processes_may_write_at_once(path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name, "150", "end"])
        for name in "ab"
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    with EmbeddingCache(path, DIMENSION) as cache:
        found = cache.get([f"{name}-{row}" for name in "ab" for row in range(150)])
    assert len(found) == 300


def test_it_waits_for_a_process_that_is_making_the_same_file(path: Path) -> None:
    path.parent.mkdir(parents=True)
    # With this lock held SQLite refuses its log at once, and no timeout applies.
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, other.rollback)
    release.start()
    with EmbeddingCache(path, DIMENSION) as cache:
        assert release.finished.is_set()
        cache.put(vectors(1))
    other.close()


def test_a_flipped_bit_costs_its_own_vector_alone(path: Path) -> None:
    expected = vectors(3)
    with EmbeddingCache(path, DIMENSION) as cache:
        cache.put(expected)
    with sqlite3.connect(path) as database:
        blob = bytearray(expected["text 1"].tobytes())
        blob[5] ^= 1
        database.execute(
            "UPDATE embeddings SET vector = ? WHERE text_hash = 'text 1'", (bytes(blob),)
        )
    database.close()
    del expected["text 1"]
    with EmbeddingCache(path, DIMENSION) as cache:
        assert_same(cache.get(["text 0", "text 1", "text 2"]), expected)


def truncated_to(share: float) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, int(share * path.stat().st_size))


def garbled(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 8192)


def foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE embeddings (something_else)")
    database.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"no database" * 500),
        truncated_to(0.25),
        truncated_to(0.5),
        truncated_to(0.75),
        garbled,
        foreign,
    ],
    ids=["no database", "25 %", "50 %", "75 %", "garbled", "foreign"],
)
@pytest.mark.parametrize("first", ["get", "put"])
def test_a_damaged_file_is_set_aside_with_a_warning_and_the_work_goes_on(
    damage: Callable[[Path], None], first: str, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = vectors(400), vectors(3, seed=1)
    with EmbeddingCache(path, DIMENSION) as cache:
        cache.put(old)
    damage(path)
    with caplog.at_level(logging.WARNING), EmbeddingCache(path, DIMENSION) as cache:
        if first == "get":
            for key, vector in cache.get(list(old)).items():
                np.testing.assert_array_equal(vector, old[key])
        cache.put(new)
        assert_same(cache.get(list(new)), new)
    aside = list(path.parent.glob("*.damaged-*"))
    if aside or first == "get":
        assert aside
        assert f"{path} was damaged" in caplog.text
        assert "set aside" in caplog.text


def test_an_emptied_file_is_a_new_cache(path: Path) -> None:
    with EmbeddingCache(path, DIMENSION) as cache:
        cache.put(vectors(3))
    path.write_bytes(b"")
    with EmbeddingCache(path, DIMENSION) as cache:
        assert cache.get(["text 0"]) == {}
        cache.put(vectors(3))
        assert len(cache.get(["text 0"])) == 1


def test_a_full_disk_is_an_error_that_says_so_and_loses_nothing(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "The disk is full" in done.stderr
    assert "Traceback" not in done.stderr
    with EmbeddingCache(path, DIMENSION) as cache:
        assert list(cache.get(["kept"])) == ["kept"]


def test_a_file_that_cannot_be_opened_is_an_error_in_our_words(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(IndexingError, match="embedding cache failed"):
        EmbeddingCache(path, DIMENSION)
