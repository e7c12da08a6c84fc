import gc
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rag.embeddings.base import Embedder
from rag.errors import IndexDamaged, IndexMismatch, IndexMissing
from rag.records import Paper
from rag.store.chroma import ChromaStore
from rag.store.generation import MANIFEST, IndexFolder
from rag.store.index import Index, open_index, read_records
from rag.store.lock import lock_if_unused

Build = Callable[..., Path]


def open_it(folder: IndexFolder, embedder: str = "hash/32") -> Index:
    return open_index(folder.path.parents[1], folder.path.name, embedder_fingerprint=embedder)


def is_unused(path: Path) -> bool:
    with lock_if_unused(path / MANIFEST) as unused:
        return unused


def test_an_index_gives_records_and_both_legs(
    folder: IndexFolder, build: Build, papers: dict[str, Paper], embedder: Embedder
) -> None:
    path = build()
    with open_it(folder) as index:
        assert index.generation_id == path.name
        assert index.papers == papers
        assert list(index.chunks) == ["p1#0", "p2#0", "p3#0", "p4#0"]
        assert index.manifest.n_papers == index.manifest.n_chunks == 4
        query = embedder.embed_query("Pruned transformers train at half the cost")
        assert index.dense.search(query, 1)[0].chunk_id == "p3#0"
        assert index.lexical.search("abandoned wells", 1)[0].chunk_id == "p1#0"
        only = frozenset({"p2"})
        assert [hit.chunk_id for hit in index.dense.search(query, 9, only)] == ["p2#0"]


def test_without_an_index_the_way_to_one_is_told(folder: IndexFolder) -> None:
    with pytest.raises(IndexMissing, match="There is no index 'papers'") as missing:
        open_it(folder)
    assert "`symposia index`" in missing.value.hint
    assert folder.current() is None
    assert not folder.path.exists()


def test_another_embedder_is_refused_and_nothing_is_touched(
    folder: IndexFolder, build: Build
) -> None:
    path = build()
    before = sorted(path.rglob("*"))
    with pytest.raises(IndexMismatch, match=r"hash/32.*other/32"):
        open_it(folder, "other/32")
    assert sorted(path.rglob("*")) == before
    gc.collect()
    assert is_unused(path)
    open_it(folder).close()


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def garble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [cut, garble, empty, Path.unlink])
def test_no_damaged_file_is_ever_served_or_even_loaded(
    damage: Callable[[Path], None],
    folder: IndexFolder,
    build: Build,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = build()
    files = [file for file in path.rglob("*") if file.is_file() and file.name != MANIFEST]
    assert len(files) == 16
    loaded: list[str] = []
    monkeypatch.setattr(ChromaStore, "open", lambda *_: loaded.append("chroma"))
    for file in files:
        if not file.stat().st_size:
            continue
        kept = file.read_bytes()
        damage(file)
        with pytest.raises(IndexDamaged, match=file.name) as refused:
            open_it(folder)
        assert "`symposia index papers.jsonl`" in refused.value.hint
        file.write_bytes(kept)
    assert loaded == []
    read_records(path)


@pytest.mark.parametrize("text", ["", "{}", "[1]", "no json"])
def test_a_damaged_manifest_is_refused(text: str, folder: IndexFolder, build: Build) -> None:
    (build() / MANIFEST).write_text(text)
    with pytest.raises(IndexDamaged, match=r"manifest\.json"):
        open_it(folder)


def test_a_pointer_to_a_generation_that_is_gone_is_damage(
    folder: IndexFolder, build: Build
) -> None:
    shutil.rmtree(build())
    with pytest.raises(IndexDamaged, match="which is gone"):
        open_it(folder)


def test_a_store_that_chroma_cannot_read_says_which_versions_wrote_it(
    folder: IndexFolder, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build()

    def refuse(*_: object) -> ChromaStore:
        raise IndexDamaged("Chroma could not open the vector store")

    monkeypatch.setattr(ChromaStore, "open", refuse)
    with pytest.raises(IndexDamaged, match=r"written by bm25s \d.*, chromadb \d") as refused:
        open_it(folder)
    assert "`symposia index papers.jsonl`" in refused.value.hint
    assert read_records(path).manifest.packages.keys() == {"bm25s", "chromadb"}


def test_a_reader_keeps_its_generation_and_can_tell_that_there_is_a_newer_one(
    folder: IndexFolder, build: Build, papers: dict[str, Paper], embedder: Embedder
) -> None:
    old_path = build()
    reader = open_it(folder)
    newer = Paper("p9", "A Canary", "Canaries sing in mines.")
    new_path = build([*papers.values(), newer])
    folder.remove_unread()
    assert folder.current() == new_path.name
    assert reader.generation_id == old_path.name
    assert old_path.exists()
    query = embedder.embed_query("Canaries sing in mines")
    assert "p9#0" not in {hit.chunk_id for hit in reader.dense.search(query, 9)}
    assert reader.lexical.search("canaries", 9) == []
    with open_it(folder) as second:
        assert second.dense.search(query, 1)[0].chunk_id == "p9#0"
        assert second.lexical.search("canaries", 9)[0].chunk_id == "p9#0"
    reader.close()
    folder.remove_unread()
    assert not old_path.exists()
    assert new_path.exists()


def test_a_forgotten_index_lets_its_generation_go(folder: IndexFolder, build: Build) -> None:
    path = build()
    index = open_it(folder)
    assert not is_unused(path)
    del index
    gc.collect()
    assert is_unused(path)


def test_a_generation_that_is_removed_while_it_is_opened_is_followed_by_the_new_one(
    folder: IndexFolder, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_path, new_path = build(), build()
    shutil.rmtree(old_path)
    answers = iter([old_path.name])
    current = IndexFolder.current
    monkeypatch.setattr(IndexFolder, "current", lambda self: next(answers, None) or current(self))
    with open_it(folder) as index:
        assert index.generation_id == new_path.name


def test_the_manifest_digests_what_was_written(folder: IndexFolder, build: Build) -> None:
    path = build()
    manifest = json.loads((path / MANIFEST).read_text())
    assert manifest["n_papers"] == manifest["n_chunks"] == 4
    assert manifest["dimension"] == 32
    assert {"papers.jsonl", "chunks.jsonl", "vectors.npy", "chroma/chroma.sqlite3"} <= set(
        manifest["files"]
    )


def test_the_same_papers_in_another_order_are_the_same_content(
    folder: IndexFolder, build: Build, papers: dict[str, Paper]
) -> None:
    manifests = [
        read_records(build(ordered)).manifest
        for ordered in (list(papers.values()), list(reversed(papers.values())))
    ]
    assert manifests[0].fingerprint == manifests[1].fingerprint
