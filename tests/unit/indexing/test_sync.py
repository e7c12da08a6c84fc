import hashlib
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rag.corpus import Corpus, RejectedRow
from rag.errors import IndexBusy, IndexDamaged, IndexingError, IndexMismatch
from rag.indexing import IndexReport, Progress, Source, embedding, index_name, sync_index
from rag.indexing.origin import Origin
from rag.indexing.report import read_report
from rag.records import Paper, Usage
from rag.store import build, folder
from rag.store.folder import FolderStore
from rag.store.generation import MANIFEST, VECTORS, IndexFolder
from rag.store.index import Index, open_generation, open_index
from rag.store.lock import SharedLock, writer_lock
from rag.store.verification import check_index

PAPERS = tuple(
    Paper(f"p{n}", f"Title number {n}", f"Abstract {n} speaks of subject {n * n}. It is short.")
    for n in range(12)
)


class CountingEmbedder:
    """A vector for each text, from its sha256; remembers the texts, and fails when told to."""

    dimension = 16

    def __init__(self, fingerprint: str = "sha/16") -> None:
        self.fingerprint = fingerprint
        self.texts: list[str] = []
        self.fail_after: int | None = None

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        if self.fail_after is not None and len(self.texts) + len(texts) > self.fail_after:
            raise ConnectionError("the embedding server went away")
        self.texts += texts
        vectors = [self.embed_query(text) for text in texts]
        if progress is not None:
            progress(len(texts))
        return np.array(vectors, dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        vector = np.random.default_rng(seed).normal(size=self.dimension)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


@pytest.fixture(autouse=True)
def verify_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same checks without the child, which tests/integration runs."""

    def verify(path: Path, n_chunks: int) -> None:
        with open_generation(path, SharedLock(path / MANIFEST)) as index:
            assert len(index.chunks) == n_chunks
            check_index(index, np.load(path / VECTORS))

    monkeypatch.setattr(folder, "verify", verify)


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def sync(tmp_path: Path, embedder: CountingEmbedder) -> Callable[..., IndexReport]:
    def sync(papers: Sequence[Paper] = PAPERS, **changes: object) -> IndexReport:
        corpus = Corpus("mine", tuple(papers), (), len(papers))
        given = {"name": "mine", "data_dir": tmp_path, "embedder": embedder, "chunk_tokens": 448}
        return sync_index(corpus, **(given | changes))  # type: ignore[arg-type]

    return sync


Sync = Callable[..., IndexReport]


def open_it(data_dir: Path, fingerprint: str = "sha/16") -> Index:
    return open_index(data_dir, "mine", embedder_fingerprint=fingerprint)


def generations(data_dir: Path) -> list[str]:
    return sorted(path.name for path in (data_dir / "indexes/mine/generations").iterdir())


def changes(report: IndexReport) -> tuple[int, ...]:
    counted = report.n_added + report.n_updated + report.n_unchanged + report.n_kept
    assert report.n_indexed == counted == report.n_read + report.n_kept - len(report.rejected)
    return (report.n_added, report.n_updated, report.n_removed, report.n_unchanged)


def test_the_first_run_indexes_everything(
    sync: Sync, embedder: CountingEmbedder, tmp_path: Path
) -> None:
    report = sync()
    assert report.changed
    assert report.name == "mine"
    assert report.n_read == report.n_indexed == report.n_embedded == 12
    assert changes(report) == (12, 0, 0, 0)
    assert report.n_from_cache == 0
    assert report.elapsed_ms > 0
    assert generations(tmp_path) == [report.generation_id]
    with open_it(tmp_path) as index:
        assert tuple(index.papers.values()) == PAPERS
        query = embedder.embed_query(f"{PAPERS[3].title}. {PAPERS[3].abstract}")
        assert index.dense.search(query, 1)[0].chunk_id == "p3#0"
        assert index.lexical.search("subject 81", 1)[0].chunk_id == "p9#0"


def test_a_second_run_does_nothing(sync: Sync, embedder: CountingEmbedder, tmp_path: Path) -> None:
    first, n_texts = sync(), len(embedder.texts)
    second = sync(PAPERS[::-1])
    assert not second.changed
    assert second.generation_id == first.generation_id
    assert changes(second) == (0, 0, 0, 12)
    assert second.n_embedded == 0
    assert len(embedder.texts) == n_texts
    assert generations(tmp_path) == [first.generation_id]


def test_a_changed_abstract_is_embedded_alone_and_the_new_text_wins(
    sync: Sync, embedder: CountingEmbedder, tmp_path: Path
) -> None:
    sync()
    embedder.texts.clear()
    changed = replace(PAPERS[5], abstract="Something else altogether about lighthouses.")
    report = sync([*PAPERS[:5], changed, *PAPERS[6:]])
    assert report.changed
    assert embedder.texts == [f"{changed.title}. {changed.abstract}"]
    assert changes(report) == (0, 1, 0, 11)
    assert (report.n_embedded, report.n_from_cache) == (1, 11)
    with open_it(tmp_path) as index:
        assert len(index.chunks) == 12
        assert index.chunks["p5#0"].text == changed.abstract
        assert index.lexical.search("lighthouses", 9)[0].chunk_id == "p5#0"
        assert "p5#0" not in {hit.chunk_id for hit in index.lexical.search("subject 25", 1)}
    assert generations(tmp_path) == [report.generation_id]


def test_what_the_source_lacks_is_kept(sync: Sync, tmp_path: Path) -> None:
    sync(PAPERS[:10])
    report = sync(PAPERS[3:])
    assert changes(report) == (2, 0, 0, 7)
    assert (report.n_indexed, report.n_kept, report.n_embedded) == (12, 3, 2)
    with open_it(tmp_path) as index:
        assert list(index.papers.values()) == [*PAPERS[3:], *PAPERS[:3]]
        assert index.lexical.search("subject 0 1 4", 99)
    again = sync(PAPERS[3:])
    assert (again.changed, again.n_kept) == (False, 3)


def test_pruned_papers_are_gone_and_counted(sync: Sync, tmp_path: Path) -> None:
    sync(PAPERS[:10])
    sync(PAPERS[3:])
    report = sync(PAPERS[3:], prune=True)
    assert changes(report) == (0, 0, 3, 9)
    assert (report.n_indexed, report.n_kept, report.n_embedded) == (9, 0, 0)
    with open_it(tmp_path) as index:
        assert list(index.papers.values()) == list(PAPERS[3:])
    report = sync(PAPERS[3:10], prune=True)
    assert changes(report) == (0, 0, 2, 7)
    report = sync(PAPERS[3:], prune=True)
    assert changes(report) == (2, 0, 0, 7)
    with open_it(tmp_path) as index:
        assert set(index.papers) == {f"p{n}" for n in range(3, 12)}
        assert {
            hit.chunk_id for hit in index.dense.search(np.eye(16, dtype=np.float32)[0], 99)
        } == {f"p{n}#0" for n in range(3, 12)}


def test_a_paper_under_another_id_takes_the_place_of_the_one_that_is_gone(
    sync: Sync, embedder: CountingEmbedder, tmp_path: Path
) -> None:
    sync()
    embedder.texts.clear()
    moved = replace(PAPERS[4], paper_id="other", title="TITLE - number 4!", abstract="Mended.")
    report = sync([*PAPERS[:4], moved, *PAPERS[5:]])
    assert changes(report) == (1, 0, 1, 11)
    assert (report.n_kept, len(embedder.texts)) == (0, 1)
    namesake = replace(moved, paper_id="third", authors=("Somebody Else",))
    report = sync([*PAPERS[:4], namesake, *PAPERS[5:]])
    assert changes(report) == (1, 0, 0, 11)
    assert report.n_kept == 1


def test_other_metadata_is_a_new_generation_that_costs_no_embedding(
    sync: Sync, tmp_path: Path
) -> None:
    sync()
    report = sync([replace(PAPERS[0], url="https://example.org/p0"), *PAPERS[1:]])
    assert changes(report) == (0, 1, 0, 11)
    assert report.n_embedded == 0
    with open_it(tmp_path) as index:
        assert index.papers["p0"].url == "https://example.org/p0"


def test_equal_texts_are_embedded_once(sync: Sync, embedder: CountingEmbedder) -> None:
    twin = replace(PAPERS[0], paper_id="twin")
    report = sync([*PAPERS, twin])
    assert report.n_indexed == 13
    assert report.n_embedded == len(embedder.texts) == 12


def test_a_long_abstract_has_several_chunks(sync: Sync, tmp_path: Path) -> None:
    long = replace(PAPERS[0], abstract=" ".join(f"Sentence {n} is here." for n in range(100)))
    report = sync([long], chunk_tokens=64)
    assert report.n_embedded > 5
    with open_it(tmp_path) as index:
        for chunk in index.chunks.values():
            assert chunk.text == long.abstract[chunk.start : chunk.end]
    again = sync([long], chunk_tokens=128)
    assert again.changed
    assert again.n_unchanged == 1


def test_another_embedder_makes_a_new_index_and_the_old_one_is_refused(
    sync: Sync, tmp_path: Path
) -> None:
    sync()
    other = CountingEmbedder("other/16")
    report = sync(embedder=other)
    assert report.n_embedded == len(other.texts) == 12
    assert changes(report) == (0, 0, 0, 12)
    with pytest.raises(IndexMismatch, match=r"other/16.*sha/16"):
        open_it(tmp_path)
    open_it(tmp_path, "other/16").close()
    assert sync().n_embedded == 0  # the cache still knows the first one's vectors


def test_nothing_is_embedded_again_after_the_cache_is_deleted(sync: Sync, tmp_path: Path) -> None:
    sync()
    for path in (tmp_path / "cache").iterdir():
        path.unlink()
    report = sync(PAPERS[1:], prune=True)
    assert (report.n_embedded, report.n_from_cache) == (0, 11)


@pytest.mark.parametrize("name", ["CURRENT", "chroma.sqlite3", "data_level0.bin", "papers.jsonl"])
def test_a_damaged_index_is_built_anew_from_the_cache(
    name: str, sync: Sync, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = sync()
    (path,) = (tmp_path / "indexes").rglob(name)
    path.write_bytes(b"damage")
    with pytest.raises(IndexDamaged):
        open_it(tmp_path)
    with caplog.at_level(logging.WARNING):
        report = sync()
    assert "is built anew" in caplog.text
    assert name in caplog.text
    assert report.changed
    assert report.n_embedded == 0
    assert generations(tmp_path) == [report.generation_id] != [first.generation_id]
    open_it(tmp_path).close()


def test_an_index_written_by_other_versions_is_written_anew(
    sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sync()
    monkeypatch.setattr(build, "version", lambda name: "99.0")
    report = sync()
    assert report.generation_id != first.generation_id
    assert (report.n_embedded, changes(report)) == (0, (0, 0, 0, 12))
    assert not sync().changed


def test_an_interrupted_run_keeps_what_it_embedded(
    sync: Sync, embedder: CountingEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "N_SLICE", 3)
    embedder.fail_after = 8
    with pytest.raises(ConnectionError, match="went away"):
        sync()
    assert len(embedder.texts) == 6
    assert IndexFolder.of(tmp_path, "mine").current() is None
    embedder.fail_after = None
    report = sync()
    assert (report.n_embedded, report.n_from_cache) == (6, 6)


@pytest.mark.parametrize(
    "broken",
    [
        lambda vectors: vectors * np.nan,
        lambda vectors: vectors * 0,
        lambda vectors: vectors[:-1],
        lambda vectors: vectors[:, :-1],
    ],
    ids=["NaN", "zero", "one too few", "too short"],
)
def test_vectors_that_are_none_reach_neither_the_cache_nor_the_index(
    broken: Callable[[NDArray[np.float32]], NDArray[np.float32]],
    sync: Sync,
    embedder: CountingEmbedder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = sync(PAPERS[:6])
    embed = embedder.embed_passages
    monkeypatch.setattr(
        embedder, "embed_passages", lambda texts, progress=None: broken(embed(texts))
    )
    with pytest.raises(IndexingError, match="The embedder returned vectors"):
        sync()
    assert generations(tmp_path) == [before.generation_id]
    monkeypatch.undo()
    open_it(tmp_path).close()


def test_a_generation_that_does_not_pass_is_thrown_away_and_the_old_one_stays(
    sync: Sync, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sync(PAPERS[:6])

    def refuse(path: Path, n_chunks: int) -> None:
        raise IndexDamaged("it did not pass verification")

    monkeypatch.setattr(folder, "verify", refuse)
    with pytest.raises(IndexDamaged, match="did not pass"):
        sync()
    assert generations(tmp_path) == [before.generation_id]
    with open_it(tmp_path) as index:
        assert len(index.papers) == 6


def test_a_second_writer_is_refused(sync: Sync, tmp_path: Path) -> None:
    sync(PAPERS[:6])
    lock = IndexFolder.of(tmp_path, "mine").writer_lock
    with writer_lock(lock), pytest.raises(IndexBusy):
        sync()
    assert sync().changed


def test_rejected_rows_are_handed_on(tmp_path: Path, embedder: CountingEmbedder) -> None:
    rejected = (RejectedRow("papers.csv", 7, "it has neither a title nor an abstract"),)
    report = sync_index(
        Corpus("mine", PAPERS, rejected, 13),
        name="mine",
        data_dir=tmp_path,
        embedder=embedder,
        chunk_tokens=448,
    )
    assert report.rejected == rejected
    assert report.n_read == report.n_indexed + len(report.rejected) == 13


def origin(path: Path, **given: Any) -> Origin:
    return Origin(Source.of(path), "stamp", given.get("vectors", {}), 7.0)


def test_the_source_is_what_a_mismatch_tells_to_index_again(sync: Sync, tmp_path: Path) -> None:
    sync(origin=origin(Path("/data/my papers.jsonl")))
    with pytest.raises(IndexMismatch, match=r"`symposia index '/data/my papers\.jsonl'`"):
        open_it(tmp_path, "other/16")


def test_vectors_that_come_with_the_corpus_need_no_embedder(
    sync: Sync, embedder: CountingEmbedder, tmp_path: Path
) -> None:
    sync(data_dir=tmp_path / "elsewhere")
    with open_index(tmp_path / "elsewhere", "mine", embedder_fingerprint="sha/16") as index:
        hashes = [chunk.content_hash for chunk in index.chunks.values()]
        vectors = index.dense.read_vectors(list(index.chunks))
    given = dict(zip(hashes[:8], vectors[:8], strict=True))
    embedder.texts.clear()
    report = sync(origin=origin(tmp_path, vectors=given))
    assert (report.n_embedded, report.n_from_cache, len(embedder.texts)) == (4, 8, 4)
    with open_it(tmp_path) as index:
        np.testing.assert_allclose(index.dense.read_vectors(list(index.chunks)), vectors, atol=1e-6)


# The report


def kept_report(data_dir: Path) -> IndexReport | None:
    return read_report(FolderStore(data_dir, "mine"))


def test_the_report_is_kept_with_the_index_as_it_was_given(sync: Sync, tmp_path: Path) -> None:
    assert kept_report(tmp_path) is None
    report = sync(origin=origin(tmp_path / "papers.csv"))
    assert report.timings_ms.keys() == {
        "reading",
        "splitting",
        "embedding",
        "writing",
        "verifying",
    }
    assert report.elapsed_ms > sum(report.timings_ms.values()) > 7.0
    assert report.papers_per_s == pytest.approx(12_000 / report.elapsed_ms)
    assert kept_report(tmp_path) == report
    assert json.loads(json.dumps(report.to_dict()))["n_added"] == 12


class MeteredEmbedder(CountingEmbedder):
    usage = Usage(1234, 0, "provider", 0.001)


def test_what_a_provider_read_is_part_of_the_report(sync: Sync, tmp_path: Path) -> None:
    assert sync(embedder=MeteredEmbedder()).usage == MeteredEmbedder.usage
    kept = kept_report(tmp_path)
    assert kept is not None
    assert kept.usage == MeteredEmbedder.usage


def test_a_run_that_finds_nothing_new_leaves_the_kept_report(sync: Sync, tmp_path: Path) -> None:
    first = sync()
    assert sync().elapsed_ms != first.elapsed_ms
    assert kept_report(tmp_path) == first


def test_what_an_unchanged_run_turns_down_is_kept(sync: Sync, tmp_path: Path) -> None:
    sync()
    report = sync(PAPERS[1:])
    assert (report.changed, report.n_kept) == (False, 1)
    assert kept_report(tmp_path) == report


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": "mine"}', '{"source": 1}', "\x00"])
def test_a_report_that_cannot_be_read_is_none_and_is_written_again(
    text: str, sync: Sync, tmp_path: Path
) -> None:
    sync()
    (tmp_path / "indexes/mine/report.json").write_text(text)
    assert kept_report(tmp_path) is None
    assert sync() == kept_report(tmp_path)


def test_a_description_stays_until_another_is_given(sync: Sync, tmp_path: Path) -> None:
    def described(description: str) -> str:
        source = Source.of(tmp_path / "papers.csv", description=description)
        report = sync(origin=Origin(source, "stamp", {}, 0.0))
        assert kept_report(tmp_path) == report or not report.changed
        kept = kept_report(tmp_path)
        assert kept is not None
        assert kept.source is not None
        return kept.source.description

    assert [described(text) for text in ("One.", "", "Two.", "")] == [
        "One.",
        "One.",
        "Two.",
        "Two.",
    ]


# Dry runs


def everything_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_dry_run_tells_what_the_run_then_does_and_writes_nothing(
    sync: Sync, embedder: CountingEmbedder, tmp_path: Path
) -> None:
    rehearsal = sync(dry_run=True)
    assert list(tmp_path.iterdir()) == []
    assert embedder.texts == []
    assert rehearsal.is_dry_run
    report = sync()
    assert not report.is_dry_run
    assert what_is_done(rehearsal) == what_is_done(report)
    changed = [replace(PAPERS[0], abstract="New."), *PAPERS[1:9], replace(PAPERS[0], paper_id="x")]
    sync([PAPERS[0], replace(PAPERS[1], abstract="An early version."), *PAPERS[2:]])
    for papers, prune in ((PAPERS, False), (changed, False), (changed, True)):
        before, n_texts = everything_in(tmp_path), len(embedder.texts)
        rehearsal = sync(papers, prune=prune, dry_run=True)
        assert everything_in(tmp_path) == before
        assert len(embedder.texts) == n_texts
        assert what_is_done(rehearsal) == what_is_done(sync(papers, prune=prune))


def what_is_done(report: IndexReport) -> tuple[object, ...]:
    return (*changes(report), report.n_kept, report.changed, report.n_embedded, report.n_from_cache)


def test_progress_goes_from_the_first_text_to_the_verified_index(
    sync: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "N_SLICE", 5)
    seen: list[Progress] = []
    sync(progress=seen.append)
    assert seen == [
        Progress("Embedding", 5, 12),
        Progress("Embedding", 10, 12),
        Progress("Embedding", 12, 12),
        Progress("Writing", 0, 1),
        Progress("Writing", 1, 1),
        Progress("Verifying", 0, 1),
        Progress("Verifying", 1, 1),
    ]
    seen.clear()
    sync(progress=seen.append)
    assert seen == []


def test_a_folder_that_cannot_be_written_is_an_error_that_says_so(
    sync: Sync, tmp_path: Path
) -> None:
    (tmp_path / "indexes").write_text("a file where the folder should be")
    with pytest.raises(IndexingError, match="Could not write the index"):
        sync()


def test_a_name_names_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seeds").mkdir()
    assert index_name("seeds") == "seeds"
    assert index_name("icml2025") == "icml2025"


def test_a_path_gives_its_stem_and_where_it_really_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a/papers.jsonl", "b/papers.jsonl", "c/Ünïcode & spaces.v2.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    (tmp_path / "link.jsonl").symlink_to("a/papers.jsonl")
    one = index_name("a/papers.jsonl")
    assert one == index_name(tmp_path / "a" / ".." / "a" / "papers.jsonl")
    assert one.startswith("papers-")
    assert len(one) == len("papers-") + 8
    assert index_name("b/papers.jsonl") != one
    assert index_name("link.jsonl") == one
    for source in ("a/papers.jsonl", "c/Ünïcode & spaces.v2.csv", "c", "."):
        IndexFolder.of(tmp_path, index_name(source))
