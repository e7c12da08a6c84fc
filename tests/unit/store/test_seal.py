import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rag.errors import IndexDamaged
from rag.records import Chunk
from rag.store.chroma import ChromaStore
from rag.store.seal import check_seal, seal

Damage = Callable[[Path], None]


@pytest.fixture
def store(tmp_path: Path, chunks: dict[str, Chunk]) -> Path:
    """A folder with a real vector store in it, and a text file."""
    vectors = np.eye(len(chunks), 8, dtype=np.float32)
    ChromaStore.create(tmp_path / "chroma", list(chunks.values()), vectors)
    (tmp_path / "papers.jsonl").write_text('{"paper_id": "p1"}\n')
    return tmp_path


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def garble(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(bytes(range(256))[: max(1, min(256, size - size // 2))])


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\0")


def test_opening_and_searching_a_store_leaves_its_seal_whole(
    store: Path, chunks: dict[str, Chunk]
) -> None:
    sealed = seal(store)
    raw = (store / "chroma" / "chroma.sqlite3").read_bytes()
    for _ in range(3):
        opened = ChromaStore.open(store / "chroma", chunks.values())
        query = np.eye(8, dtype=np.float32)[0]
        assert opened.search(query, 3)
        assert opened.search(query, 3, frozenset({"p1"}))
        opened.read_vectors(list(chunks))
        opened.close()
    check_seal(store, sealed)
    # What makes the digest of rows necessary; when this fails, the sha256 of the file would do.
    assert (store / "chroma" / "chroma.sqlite3").read_bytes() != raw


def test_every_file_is_sealed(store: Path) -> None:
    files = {path.name for path in store.rglob("*") if path.is_file()}
    assert files == {Path(name).name for name in seal(store)}
    assert {"chroma.sqlite3", "data_level0.bin", "link_lists.bin", "papers.jsonl"} <= files
    assert {"header.bin", "length.bin", "index_metadata.pickle"} <= files


@pytest.mark.parametrize("damage", [cut, garble, Path.unlink], ids=["cut", "garble", "delete"])
@pytest.mark.parametrize(
    "name",
    [
        "papers.jsonl",
        "chroma.sqlite3",
        "data_level0.bin",
        "link_lists.bin",
        "header.bin",
        "length.bin",
        "index_metadata.pickle",
    ],
)
def test_damage_to_any_file_is_noticed_and_the_file_named(
    name: str, damage: Damage, store: Path
) -> None:
    sealed = seal(store)
    (path,) = store.rglob(name)
    damage(path)
    with pytest.raises(IndexDamaged, match=name):
        check_seal(store, sealed)


def test_a_runaway_file_and_an_emptied_one_are_noticed(store: Path) -> None:
    sealed = seal(store)
    (path,) = store.rglob("link_lists.bin")
    kept = path.read_bytes()
    for damage in (grow, lambda path: path.write_bytes(b"")):
        damage(path)
        with pytest.raises(IndexDamaged, match=r"link_lists\.bin has changed"):
            check_seal(store, sealed)
        path.write_bytes(kept)
    check_seal(store, sealed)


@pytest.mark.parametrize("content", [b"", b"no database" * 2000, b"SQLite format 3\0" * 500])
def test_what_is_no_database_is_damaged(content: bytes, store: Path) -> None:
    sealed = seal(store)
    (store / "chroma" / "chroma.sqlite3").write_bytes(content)
    with pytest.raises(IndexDamaged, match=r"chroma\.sqlite3"):
        check_seal(store, sealed)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE embeddings SET embedding_id = 'p9#0' WHERE id = 1",
        "DELETE FROM embeddings WHERE id = 2",
        "DELETE FROM collections",
        "UPDATE max_seq_id SET seq_id = 1",
    ],
)
def test_a_changed_row_is_noticed(change: str, store: Path) -> None:
    sealed = seal(store)
    with sqlite3.connect(store / "chroma" / "chroma.sqlite3") as database:
        assert database.execute(change).rowcount
    database.close()
    with pytest.raises(IndexDamaged, match=r"chroma\.sqlite3 has changed"):
        check_seal(store, sealed)


def test_flipped_bits_never_pass_unless_they_change_nothing_that_is_read(store: Path) -> None:
    path = store / "chroma" / "chroma.sqlite3"
    sealed, whole = seal(store), path.read_bytes()
    rows = read_rows(path)
    places = np.random.default_rng(7).integers(0, 8 * len(whole), 60)
    n_noticed = 0
    for place in places.tolist():
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        try:
            check_seal(store, sealed)
        except IndexDamaged:
            n_noticed += 1
        else:
            assert read_rows(path) == rows
    assert n_noticed


def read_rows(path: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT id, segment_id, embedding_id FROM embeddings").fetchall()
    database.close()
    return sorted(rows)


def test_a_journal_that_a_killed_reader_left_is_no_damage(store: Path) -> None:
    sealed = seal(store)
    path = store / "chroma" / "chroma.sqlite3"
    before = path.read_bytes()
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA cache_size = 1")
    database.execute("BEGIN IMMEDIATE")
    database.execute("PRAGMA cache_spill = 1")
    database.executemany(
        "INSERT INTO embeddings_queue (operation, topic, id, vector) VALUES (0, 't', ?, ?)",
        [(str(n), b"x" * 4000) for n in range(50)],
    )
    journal = path.with_name(path.name + "-journal")
    changed, journalled = path.read_bytes(), journal.read_bytes()
    database.close()
    assert changed != before
    path.write_bytes(changed)
    journal.write_bytes(journalled)
    check_seal(store, sealed)


def test_files_that_came_later_are_ignored(store: Path) -> None:
    sealed = seal(store)
    (store / "chroma" / "chroma.sqlite3-journal").write_bytes(b"")
    check_seal(store, sealed)
