import shutil
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from rag.errors import IndexDamaged, IndexingError
from rag.records import Chunk, LegHit
from rag.store.chroma import ChromaStore

N, DIMENSION = 3000, 24
OPEN_FILES = Path("/proc/self/fd")


def make_chunks(n: int, per_paper: int = 1) -> list[Chunk]:
    return [
        Chunk(
            chunk_id=f"p{row // per_paper}#{row % per_paper}",
            paper_id=f"p{row // per_paper}",
            text="",
            start=0,
            end=0,
            n_tokens=0,
            content_hash="",
        )
        for row in range(n)
    ]


def make_vectors(n: int, dimension: int, seed: int = 0) -> NDArray[np.float32]:
    """Clustered, as embeddings of text are."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(20, dimension))
    vectors = centres[random.integers(0, 20, n)] + 0.7 * random.normal(size=(n, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


CHUNKS = make_chunks(N, per_paper=2)
VECTORS = make_vectors(N, DIMENSION)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store") / "chroma"
    ChromaStore.create(folder, CHUNKS, VECTORS)
    return folder


@pytest.fixture(scope="module")
def store(folder: Path) -> ChromaStore:
    return ChromaStore.open(folder, CHUNKS)


def exact(
    vector: NDArray[np.float32], k: int, allowed: frozenset[str] | None = None
) -> list[LegHit]:
    scores = VECTORS @ vector
    hits = [
        LegHit(chunk.chunk_id, float(score))
        for chunk, score in zip(CHUNKS, scores, strict=True)
        if allowed is None or chunk.paper_id in allowed
    ]
    return sorted(hits, key=lambda hit: -hit.score)[:k]


def ids(hits: Sequence[LegHit]) -> set[str]:
    return {hit.chunk_id for hit in hits}


def test_the_nearest_come_first_with_their_cosine_similarity(store: ChromaStore) -> None:
    for query in make_vectors(5, DIMENSION, seed=1):
        found, expected = store.search(query, 100), exact(query, 100)
        assert ids(found) == ids(expected)
        assert [hit.score for hit in found] == pytest.approx(
            [hit.score for hit in expected], abs=1e-5
        )
        assert found == sorted(found, key=lambda hit: (-hit.score, hit.chunk_id))


def test_a_chunk_finds_itself_with_score_1_and_its_opposite_has_minus_1(
    store: ChromaStore,
) -> None:
    (hit,) = store.search(VECTORS[7], 1)
    assert hit.chunk_id == CHUNKS[7].chunk_id
    assert hit.score == pytest.approx(1.0, abs=1e-5)
    farthest = store.search(-VECTORS[7], N)[-1]
    assert farthest.score == pytest.approx(-1.0, abs=1e-5)


@pytest.mark.parametrize("n_papers", [1, 7, 40, 150, 400, 900, 1499])
def test_a_filtered_search_is_exact(store: ChromaStore, n_papers: int) -> None:
    random = np.random.default_rng(n_papers)
    chosen = random.choice(N // 2, n_papers, replace=False).tolist()
    allowed = frozenset(f"p{paper}" for paper in chosen)
    for query in make_vectors(5, DIMENSION, seed=n_papers):
        found = store.search(query, 100, allowed)
        assert len(found) == min(100, 2 * n_papers)
        assert ids(found) == ids(exact(query, 100, allowed))


def test_a_filter_may_name_papers_that_have_no_chunk(store: ChromaStore) -> None:
    assert ids(store.search(VECTORS[0], 5, frozenset({"p0", "elsewhere"}))) == {"p0#0", "p0#1"}
    assert store.search(VECTORS[0], 5, frozenset({"elsewhere"})) == []
    assert store.search(VECTORS[0], 5, frozenset()) == []


def test_as_many_hits_as_asked_for_and_no_more_than_there_are(store: ChromaStore) -> None:
    assert len(store.search(VECTORS[0], 3)) == 3
    assert len(store.search(VECTORS[0], 2 * N)) == N
    assert store.search(VECTORS[0], 0) == []


def test_equal_scores_are_ordered_by_id(tmp_path: Path) -> None:
    chunks = make_chunks(20)
    same = np.tile(np.eye(1, 4, dtype=np.float32), (20, 1))
    ChromaStore.create(tmp_path, chunks, same)
    store = ChromaStore.open(tmp_path, chunks)
    found = [hit.chunk_id for hit in store.search(same[0], 20)]
    assert found == sorted(chunk.chunk_id for chunk in chunks)
    store.close()


@pytest.mark.parametrize("n", [1, 2])
def test_a_tiny_store_works(n: int, tmp_path: Path) -> None:
    ChromaStore.create(tmp_path, make_chunks(n), VECTORS[:n])
    store = ChromaStore.open(tmp_path, make_chunks(n))
    assert len(store) == n
    assert store.search(VECTORS[0], 10)[0].chunk_id == "p0#0"
    store.close()


def test_more_than_one_batch_can_be_written_and_filtered(tmp_path: Path) -> None:
    n = 6000  # above Chroma's largest batch, and above the variables of an SQL statement in all
    chunks, vectors = make_chunks(n), make_vectors(n, 8)
    ChromaStore.create(tmp_path, chunks, vectors)
    store = ChromaStore.open(tmp_path, chunks)
    assert len(store) == n
    allowed = frozenset(chunk.paper_id for chunk in chunks[1:])
    assert store.search(vectors[0], 3, allowed)[0].chunk_id != "p0#0"
    assert store.search(vectors[0], 1)[0].chunk_id == "p0#0"
    np.testing.assert_allclose(
        store.read_vectors([chunk.chunk_id for chunk in chunks]), vectors, atol=1e-6
    )
    store.close()


def test_vectors_are_read_back_in_the_order_asked_for(store: ChromaStore) -> None:
    rows = [5, 3, 2999, 0]
    found = store.read_vectors([CHUNKS[row].chunk_id for row in rows])
    np.testing.assert_allclose(found, VECTORS[rows], atol=1e-6)
    with pytest.raises(IndexDamaged, match="lost"):
        store.read_vectors(["p0#0", "p0#7"])


@pytest.mark.parametrize("bad", [np.nan, np.inf, 0.0, 9.0])
def test_a_query_must_be_a_unit_vector(store: ChromaStore, bad: float) -> None:
    query = VECTORS[0].copy()
    query[:] = bad
    with pytest.raises(IndexingError, match="vectors of lengths"):
        store.search(query, 3)


def test_a_query_of_another_dimension_is_refused_in_our_words(store: ChromaStore) -> None:
    with pytest.raises(IndexingError, match="dimension"):
        store.search(np.eye(1, DIMENSION + 1, dtype=np.float32)[0], 3)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 0.0])
def test_no_store_is_made_with_a_vector_that_is_none(bad: float, tmp_path: Path) -> None:
    vectors = VECTORS[:10].copy()
    vectors[4] = bad
    with pytest.raises(IndexingError, match="embedder returned vectors of lengths"):
        ChromaStore.create(tmp_path / "chroma", make_chunks(10), vectors)
    assert not (tmp_path / "chroma").exists()


def test_no_store_is_made_with_too_few_vectors(tmp_path: Path) -> None:
    with pytest.raises(IndexingError, match=r"shape \(9, 24\), not \(10, 24\)"):
        ChromaStore.create(tmp_path / "chroma", make_chunks(10), VECTORS[:9])


def test_one_folder_reached_by_several_paths_is_one_store(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    monkeypatch.chdir(folder.parent)
    paths = [folder, link, Path(folder.name), Path(f"./{folder.name}")]
    stores = [ChromaStore.open(path, CHUNKS) for path in paths]
    for store in stores:
        assert store.search(VECTORS[3], 1)[0].chunk_id == CHUNKS[3].chunk_id
        store.close()


def test_several_threads_may_open_and_search(folder: Path) -> None:
    def search(row: int) -> str:
        store = ChromaStore.open(folder, CHUNKS)
        try:
            return store.search(VECTORS[row], 1)[0].chunk_id
        finally:
            store.close()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(search, range(40)))
    assert found == [chunk.chunk_id for chunk in CHUNKS[:40]]


@pytest.mark.skipif(not OPEN_FILES.is_dir(), reason="needs /proc to count open files")
def test_closing_or_forgetting_a_store_gives_its_files_back(tmp_path: Path) -> None:
    ChromaStore.create(tmp_path, make_chunks(3), VECTORS[:3])

    def n_open() -> int:
        return sum(tmp_path in link.resolve().parents for link in OPEN_FILES.iterdir())

    for _ in range(3):
        store = ChromaStore.open(tmp_path, make_chunks(3))
        store.search(VECTORS[0], 1)
        assert n_open() > 0
        store.close()
        store.close()
        store = ChromaStore.open(tmp_path, make_chunks(3))
        del store
    # Chroma closes its database in a thread of its own.
    deadline = time.monotonic() + 20
    while n_open() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert n_open() == 0


@pytest.mark.parametrize("content", [None, b"", b"no database" * 1000])
def test_an_empty_or_broken_database_is_never_an_empty_store(
    content: bytes | None, tmp_path: Path
) -> None:
    ChromaStore.create(tmp_path, make_chunks(3), VECTORS[:3])
    database = tmp_path / "chroma.sqlite3"
    database.unlink()
    if content is not None:
        database.write_bytes(content)
    with pytest.raises(IndexDamaged, match="could not open"):
        ChromaStore.open(tmp_path, make_chunks(3))


def test_a_store_that_lost_records_is_refused(tmp_path: Path) -> None:
    ChromaStore.create(tmp_path, make_chunks(3), VECTORS[:3])
    with pytest.raises(IndexDamaged, match="holds 3 chunks by cosine distance, expected 4"):
        ChromaStore.open(tmp_path, make_chunks(4))


def test_a_store_with_another_distance_is_refused(tmp_path: Path) -> None:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(tmp_path, Settings(anonymized_telemetry=False))
    collection = client.create_collection("chunks", embedding_function=None)
    collection.add(ids=["p0#0"], embeddings=VECTORS[:1])
    client.close()
    with pytest.raises(IndexDamaged, match="by l2 distance"):
        ChromaStore.open(tmp_path, make_chunks(1))


def test_a_python_with_an_old_sqlite_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 31, 0))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.31.0")
    with pytest.raises(IndexingError) as refused:
        ChromaStore.create(tmp_path, make_chunks(1), VECTORS[:1])
    assert "This Python has SQLite 3.31.0" in str(refused.value)
    assert "another Python" in refused.value.hint


def test_whatever_fails_on_a_full_disk_is_said_to_fail_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chroma's own message may name the step that failed, and not the reason."""
    chunks = CHUNKS[:3]
    ChromaStore.create(tmp_path / "chroma", chunks, VECTORS[:3])
    with pytest.raises(IndexingError) as refused:
        ChromaStore.create(tmp_path / "chroma", chunks, VECTORS[:3])
    assert "disk" not in refused.value.hint
    usage = SimpleNamespace(free=100_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)
    with pytest.raises(IndexingError, match="The disk is full: make room"):
        ChromaStore.create(tmp_path / "chroma", chunks, VECTORS[:3])
