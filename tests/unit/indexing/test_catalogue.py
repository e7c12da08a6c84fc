"""The list of corpora: what has an index, of what state, and what could have one."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rag.corpus.seeds import SEED_CORPORA
from rag.indexing import Source, read_source, sync_index
from rag.indexing.catalogue import Listed, last_report, list_corpora, made_from
from rag.store.folder import FolderPlace
from rag.store.generation import IndexFolder


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    path = tmp_path / "papers.jsonl"
    rows = [{"id": f"p{n}", "title": f"Title {n}", "abstract": "It is so."} for n in range(3)]
    path.write_text("\n".join(map(json.dumps, rows)) + "\nno JSON\n")
    return path


@pytest.fixture
def build(tmp_path: Path, papers: Path, hash_embedder) -> Callable[[str], None]:
    def build(name: str) -> None:
        corpus, origin = read_source(
            Source.of(papers, name=name, description="Papers of a test."), hash_embedder, 448
        )
        sync_index(
            corpus,
            name=name,
            data_dir=tmp_path / "data",
            embedder=hash_embedder,
            chunk_tokens=448,
            origin=origin,
        )

    return build


@pytest.fixture
def look(tmp_path: Path, hash_embedder) -> Callable[..., Listed]:
    def look(name: str, chunk_tokens: int = 448) -> Listed:
        listed = list_corpora(FolderPlace(tmp_path / "data"), hash_embedder, chunk_tokens)
        assert [item.name for item in listed] == sorted({*SEED_CORPORA, name})
        return next(item for item in listed if item.name == name)

    return look


def test_what_comes_with_symposia_is_listed_before_it_has_an_index(tmp_path, look) -> None:
    listed = look("icml2025")
    assert (listed.state, listed.source, listed.n_papers) == ("unbuilt", "icml2025", 0)
    assert "3,330 papers" in listed.description
    assert (listed.built_at, listed.n_bytes) == ("", 0)
    assert not (tmp_path / "data").exists()


def test_a_fresh_index_is_current(tmp_path, papers, build, look, hash_embedder) -> None:
    build("mine")
    listed = look("mine")
    assert (listed.state, listed.detail) == ("current", "")
    assert listed.description == "Papers of a test."
    assert (listed.n_papers, listed.n_chunks) == (3, 3)
    assert listed.embedder == hash_embedder.fingerprint
    assert listed.built_at.startswith("20")
    files = [path for path in (tmp_path / "data/indexes").rglob("*") if path.is_file()]
    assert listed.n_bytes == sum(path.stat().st_size for path in files) > 10_000
    assert (
        listed.source
        == f"{papers} --name mine"
        == made_from(FolderPlace(tmp_path / "data"), "mine")
    )
    report = last_report(FolderPlace(tmp_path / "data"), "mine")
    assert report is not None
    assert [row.line for row in report.rejected] == [4]


def test_an_index_of_ones_own_is_not_described_as_the_one_that_comes_with_symposia(
    build, look
) -> None:
    build("icml2025")
    assert look("icml2025").description == "Papers of a test."


def test_a_changed_source_makes_it_stale_and_a_touched_one_does_not(papers, build, look) -> None:
    build("mine")
    papers.touch()
    assert look("mine").state == "current"
    assert look("mine", chunk_tokens=64).state == "stale"
    papers.write_text(papers.read_text() + '{"title": "One more"}\n')
    assert look("mine").state == "stale"
    build("mine")
    assert look("mine").state == "current"
    papers.unlink()
    listed = look("mine")
    assert listed.state == "stale"
    assert f"its source is gone: {papers} cannot be read" in listed.detail


def test_what_cannot_be_served_says_why(tmp_path, build, look, hash_embedder) -> None:
    build("mine")
    folder = IndexFolder.of(tmp_path / "data", "mine")
    (manifest,) = folder.path.rglob("manifest.json")
    values = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(values | {"embedder": "other/64"}))
    listed = look("mine")
    assert listed.state == "unfit"
    assert f"other/64, but {hash_embedder.fingerprint} is configured" in listed.detail
    manifest.write_text("{}")
    assert look("mine").state == "damaged"
    shutil.rmtree(manifest.parent)
    assert look("mine").state == "damaged"
    (folder.path / "CURRENT").unlink()
    assert look("mine").state == "unbuilt"
    assert made_from(FolderPlace(tmp_path / "data"), "mine") is None
