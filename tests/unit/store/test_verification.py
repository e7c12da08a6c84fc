import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rag.errors import IndexDamaged
from rag.store import verification
from rag.store.generation import VECTORS, IndexFolder
from rag.store.index import Index, open_index
from rag.store.verification import check_index, verify

Build = Callable[..., Path]


@pytest.fixture
def index(folder: IndexFolder, build: Build) -> Index:
    build()
    return open_index(folder.path.parents[1], "papers", embedder_fingerprint="hash/32")


def test_a_sound_generation_passes_in_a_child_and_is_not_changed(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = build()
    decoy = tmp_path / "decoy"
    (decoy / "rag").mkdir(parents=True)
    for name in ("json.py", "rag/__init__.py"):
        (decoy / name).write_text("raise SystemExit('the decoy was imported')")
    monkeypatch.chdir(decoy)
    before = {file: file.stat().st_mtime_ns for file in path.rglob("*.bin")}
    verify(path, 4)
    assert {file: file.stat().st_mtime_ns for file in path.rglob("*.bin")} == before


def test_a_damaged_generation_does_not_pass(build: Build) -> None:
    path = build()
    (level,) = path.rglob("data_level0.bin")
    os.truncate(level, 100)
    with pytest.raises(IndexDamaged, match=r"did not pass verification: .*data_level0\.bin") as no:
        verify(path, 4)
    assert "previous index is untouched" in no.value.hint


@pytest.mark.parametrize(
    ("child", "reason"),
    [
        (f"import os; os.kill(os.getpid(), {int(signal.SIGSEGV)})", f"code -{int(signal.SIGSEGV)}"),
        ("raise MemoryError('no more')", "no more"),
        ("import time; time.sleep(60)", "more than 1 seconds"),
    ],
)
def test_a_child_that_crashes_or_hangs_does_not_take_the_parent_along(
    child: str, reason: str, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build()
    monkeypatch.setattr(verification, "_CHILD", child)
    monkeypatch.setattr(verification, "_TIMEOUT_S", 1.0)
    with pytest.raises(IndexDamaged, match=reason):
        verify(path, 4)


def test_a_store_that_runs_away_while_it_is_read_is_stopped(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The limits are real: a child that fills a file without end is ended by them."""
    path = build()
    runaway = tmp_path / "link_lists.bin"
    child = verification._CHILD.replace(
        "main(",
        f"""
import rag.store.verification as v
def run_away(*_):
    with open({str(runaway)!r}, "wb") as file:
        while True:
            file.write(bytes(2**20))
v.check_index = run_away
main(""",
    )
    monkeypatch.setattr(verification, "_CHILD", child)
    monkeypatch.setattr(verification, "_FILE_SLACK_BYTES", 2**20)
    with pytest.raises(IndexDamaged, match="File too large"):
        verify(path, 4)
    assert runaway.stat().st_size < 4 * 2**20


def test_a_sound_index_passes(index: Index, folder: IndexFolder) -> None:
    check_index(index, stored_vectors(folder))


def stored_vectors(folder: IndexFolder) -> np.ndarray:
    path = folder.generation(folder.current() or "")
    return np.load(path / VECTORS)


@pytest.mark.parametrize("value", [np.nan, 0.5])
def test_a_vector_store_with_another_embedding_does_not_pass(
    value: float, index: Index, folder: IndexFolder
) -> None:
    written = stored_vectors(folder)
    written[2, 7] = value
    with pytest.raises(IndexDamaged, match="other embeddings"):
        check_index(index, written)


def test_swapped_vectors_do_not_pass(index: Index, folder: IndexFolder) -> None:
    with pytest.raises(IndexDamaged, match="other embeddings"):
        check_index(index, stored_vectors(folder)[[1, 0, 2, 3]])


def test_a_missing_vector_does_not_pass(index: Index, folder: IndexFolder) -> None:
    with pytest.raises(IndexDamaged, match=r"shape \(3, 32\)"):
        check_index(index, stored_vectors(folder)[:3])


def test_embeddings_that_do_not_find_themselves_do_not_pass(
    index: Index, folder: IndexFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = type(index.dense).search
    monkeypatch.setattr(
        type(index.dense), "search", lambda self, vector, k: search(self, -vector, k)
    )
    with pytest.raises(IndexDamaged, match="Only 0 of 4 embeddings find themselves"):
        check_index(index, stored_vectors(folder))
    monkeypatch.setattr(type(index.dense), "search", lambda *_: [])
    with pytest.raises(IndexDamaged, match="Only 0 of 4"):
        check_index(index, stored_vectors(folder))


def test_legs_of_other_chunks_do_not_pass(index: Index, folder: IndexFolder) -> None:
    index.lexical.chunk_ids = index.lexical.chunk_ids[1:]
    with pytest.raises(IndexDamaged, match="other chunks"):
        check_index(index, stored_vectors(folder))
