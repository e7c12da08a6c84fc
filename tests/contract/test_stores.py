"""What every store of an index promises, tried on the embedded one and on a real Chroma server."""

import multiprocessing
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import store_writer
from chroma_server import ChromaServer, running
from numpy.typing import NDArray
from store_writer import Address, commit, content_of

from rag.errors import IndexBusy, IndexDamaged, IndexingError, IndexMismatch, IndexMissing
from rag.records import LegHit, Paper
from rag.store import folder
from rag.store.index import Index
from rag.store.served.collection import find_collection
from rag.store.served.connection import Connection
from rag.store.served.lease import Lease

FINGERPRINT = "hash/64"
KINDS = ["embedded", "served"]
N_MANY = 6000
"""More than any store takes at once."""


class TinyEmbedder:
    """Short vectors, quickly made, of which some papers share one."""

    fingerprint, dimension = "tiny/8", 8

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        return np.array([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        rng = np.random.default_rng(int(text.split(".")[0].rpartition(" ")[2]) // 2)
        vector = rng.normal(size=8)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


@pytest.fixture(autouse=True)
def verify_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "verify", store_writer.verify_here)


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Of an index that nobody has written yet."""
    here = Address(tmp_path / "data", f"papers-{tmp_path.name}")
    if request.param == "embedded":
        return here
    server: ChromaServer = request.getfixturevalue("chroma_server")
    return replace(here, url=server.url)


@pytest.fixture
def papers(small_papers: dict[str, Paper]) -> list[Paper]:
    return list(small_papers.values())


@pytest.fixture
def write(hash_embedder: Any) -> Callable[[Address, Sequence[Paper]], str]:
    def write(address: Address, papers: Sequence[Paper]) -> str:
        with address.store().writing() as writer:
            return commit(writer, papers, hash_embedder)

    return write


Write = Callable[[Address, Sequence[Paper]], str]


def read(address: Address, fingerprint: str = FINGERPRINT) -> Index:
    """Open the index as another process does: on a server even from another machine."""
    if address.url:
        address = replace(address, data_dir=address.data_dir / "elsewhere")
    return address.store().open(embedder_fingerprint=fingerprint)


# Writing and reading


def test_before_anything_is_written_there_is_nothing_and_the_way_is_told(address: Address) -> None:
    store = address.store()
    assert store.current() is None
    assert [store.look(), store.examine(), store.read(), store.note()] == [None] * 4
    with pytest.raises(IndexMissing, match=f"no index '{address.name}'") as caught:
        read(address)
    assert "symposia index" in caught.value.hint


@pytest.mark.parametrize("name", ["", "a/b", "../up", "é", "-a", "a" * 129])
def test_what_cannot_name_an_index_is_refused(name: str, address: Address) -> None:
    with pytest.raises(IndexingError, match="cannot name an index"):
        replace(address, name=name).store()


@pytest.mark.parametrize("name", ["a..b", "a.", "A-_.", "127.0.0.1", "b" * 128, "7"])
def test_any_name_of_an_index_will_do(
    name: str, address: Address, papers: list[Paper], write: Write
) -> None:
    named = replace(address, name=name)
    write(named, papers[:1])
    with read(named) as index:
        assert list(index.papers.values()) == papers[:1]


STRANGE = [
    Paper("b/2 é", "Second in the alphabet, first in the corpus", "Naïve “quotes” and \\alpha."),
    Paper("a\t1", "Half of a pair: \ud835", "Tab\tand\nline. \u0000 Null."),
    Paper("c#0", "", "An id that looks like a chunk's."),
    Paper(
        "long", "Long", "A sentence of some words. " * 400, ("A", "B, C."), "V", 2025, "https://u"
    ),
    Paper("none", "No abstract at all", "", keywords=("k", "l"), other_titles=("Old title",)),
]


def test_what_is_written_is_read(address: Address, hash_embedder: Any, write: Write) -> None:
    generation_id = write(address, STRANGE)
    content, vectors = content_of(STRANGE, hash_embedder)
    records = address.store().read()
    assert records is not None
    assert records.generation_id == address.store().current() == generation_id
    assert list(records.papers.values()) == STRANGE
    assert records.chunks == content.chunks
    np.testing.assert_allclose(records.read_vectors(), vectors, atol=1e-6)
    with read(address) as index:
        assert index.generation_id == generation_id
        assert list(index.papers.values()) == STRANGE
        assert index.chunks == content.chunks
        assert index.manifest.fingerprint == content.manifest().fingerprint
    assert address.store().look() == address.store().examine() == records.manifest
    assert address.store().note() == generation_id


def test_both_legs_find_a_paper(
    address: Address, papers: list[Paper], hash_embedder: Any, write: Write
) -> None:
    write(address, papers)
    with read(address) as index:
        query = "oil wells in Alberta"
        for hits in (
            index.dense.search(hash_embedder.embed_query(query), 3),
            index.lexical.search(query, 3),
        ):
            assert hits[0].chunk_id == "wells#0"
            assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


@pytest.mark.parametrize("vector", [np.zeros(64), np.full(64, np.nan), np.ones(64)])
def test_a_vector_that_is_none_is_refused(
    vector: NDArray[np.float64], address: Address, papers: list[Paper], write: Write
) -> None:
    write(address, papers)
    with read(address) as index, pytest.raises(IndexingError, match="not 1"):
        index.dense.search(vector.astype(np.float32), 3)


@pytest.mark.parametrize("spoil", [lambda v: v * np.nan, lambda v: v[:-1], lambda v: v * 0])
def test_vectors_that_are_none_are_not_written(
    spoil: Callable[[Any], Any], address: Address, papers: list[Paper], hash_embedder: Any
) -> None:
    content, vectors = content_of(papers, hash_embedder)
    with address.store().writing() as writer, pytest.raises(IndexingError, match="vectors"):
        writer.write(content, spoil(vectors))
    assert address.store().current() is None


# Many papers: two of each two share a vector


@pytest.fixture(scope="module")
def many() -> list[Paper]:
    return [Paper(f"p{number}", f"Paper {number}", "One line.") for number in range(N_MANY)]


@pytest.fixture(scope="module", params=KINDS)
def many_address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, many: list[Paper]
) -> Address:
    data_dir = tmp_path_factory.mktemp("many")
    address = Address(data_dir, data_dir.name)
    if request.param == "served":
        address = replace(address, url=request.getfixturevalue("chroma_server").url)
    with pytest.MonkeyPatch.context() as patch, address.store().writing() as writer:
        patch.setattr(folder, "verify", store_writer.verify_here)
        commit(writer, many, TinyEmbedder())
    return address


@pytest.fixture
def many_index(many_address: Address) -> Iterator[Index]:
    with many_address.store().open(embedder_fingerprint=TinyEmbedder.fingerprint) as index:
        yield index


def best(papers: Sequence[Paper], vector: NDArray[np.float32], k: int) -> list[LegHit]:
    """By comparing with every vector."""
    embedder = TinyEmbedder()
    scores = [embedder.embed_query(paper.title) @ vector for paper in papers]
    hits = [LegHit(f"{p.paper_id}#0", float(s)) for p, s in zip(papers, scores, strict=True)]
    return sorted(hits, key=lambda hit: (-round(hit.score, 5), hit.chunk_id))[:k]


def assert_same(found: list[LegHit], expected: list[LegHit]) -> None:
    assert [hit.chunk_id for hit in found] == [hit.chunk_id for hit in expected]
    np.testing.assert_allclose(
        [hit.score for hit in found], [hit.score for hit in expected], atol=1e-5
    )


def test_more_papers_than_fit_into_one_request_are_all_there(
    many_index: Index, many: list[Paper]
) -> None:
    assert list(many_index.papers.values()) == many
    read_back = many_index.dense.read_vectors([f"p{number}#0" for number in (0, 5461, 5999)])
    expected = TinyEmbedder().embed_passages([many[n].title for n in (0, 5461, 5999)])
    np.testing.assert_allclose(read_back, expected, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_the_nearest_are_found_and_ties_go_by_id(
    seed: int, many_index: Index, many: list[Paper]
) -> None:
    vector = TinyEmbedder().embed_query(f"Paper {50_000 + seed * 2}")
    # An even number, so that no pair of equals is cut in two.
    found = many_index.dense.search(vector, 100)
    assert_same(found, best(many, vector, 100))


@pytest.mark.parametrize("n_allowed", [0, 1, 40, 2000, 5900])
def test_a_filter_of_any_size_is_exact(
    n_allowed: int, many_index: Index, many: list[Paper]
) -> None:
    allowed = [many[int(n)] for n in np.random.default_rng(1).permutation(N_MANY)[:n_allowed]]
    vector = TinyEmbedder().embed_query("Paper 70000")
    names = frozenset(paper.paper_id for paper in allowed) | {"of another corpus"}
    expected = best(allowed, vector, 60)
    found = many_index.dense.search(vector, 60, names)
    assert len(found) == min(60, n_allowed)
    # At the end of the list one of a pair may be cut off, whichever.
    assert_same(found[:59], expected[:59])
    lexical = many_index.lexical.search("line", 60, names)
    assert {hit.chunk_id for hit in lexical} <= {f"{name}#0" for name in names}
    assert len(lexical) == min(60, n_allowed)


def test_no_more_is_asked_for_than_there_is(
    address: Address, papers: list[Paper], hash_embedder: Any, write: Write
) -> None:
    write(address, papers)
    vector = hash_embedder.embed_query("wells")
    with read(address) as index:
        assert len(index.dense.search(vector, 999)) == len(index.chunks)
        assert index.dense.search(vector, 0) == index.dense.search(vector, -1) == []


# Generations


def test_readers_go_on_with_what_they_opened_until_they_open_anew(
    address: Address, papers: list[Paper], hash_embedder: Any, write: Write
) -> None:
    old_id = write(address, papers[:3])
    reader = address.store()
    with reader.open(embedder_fingerprint=FINGERPRINT) as old:
        vector = hash_embedder.embed_query("auctions")
        before = old.dense.search(vector, 9)
        new_id = write(address, papers)
        assert old.dense.search(vector, 9) == before
        assert old.generation_id == old_id
        assert reader.current() == new_id
        with reader.open(embedder_fingerprint=FINGERPRINT) as new:
            assert new.generation_id == new_id
            assert new.dense.search(vector, 9)[0].chunk_id == "auctions#0"
            assert len(new.papers) == len(papers)


def test_what_is_not_switched_to_is_not_seen_and_is_removed_by_the_next_writer(
    address: Address, papers: list[Paper], hash_embedder: Any, write: Write
) -> None:
    old_id = write(address, papers[:3])
    content, vectors = content_of(papers, hash_embedder)
    with address.store().writing() as writer:
        generation_id = writer.write(content, vectors)
        writer.verify(generation_id, content, vectors)
        assert address.store().current() == old_id
    with read(address) as index:
        assert len(index.papers) == 3
    with address.store().writing() as writer:
        writer.remove_unread()
        with pytest.raises((IndexingError, FileNotFoundError)):
            writer.verify(generation_id, content, vectors)
    assert address.store().current() == old_id


def test_a_discarded_generation_is_gone(
    address: Address, papers: list[Paper], hash_embedder: Any
) -> None:
    content, vectors = content_of(papers, hash_embedder)
    with address.store().writing() as writer:
        generation_id = writer.write(content, vectors)
        writer.discard(generation_id)
        with pytest.raises((IndexingError, FileNotFoundError)):
            writer.verify(generation_id, content, vectors)


def test_the_same_papers_give_the_same_fingerprint_and_another_generation(
    address: Address, papers: list[Paper], write: Write
) -> None:
    first = write(address, papers)
    with read(address) as index:
        fingerprint = index.manifest.fingerprint
    assert write(address, papers) != first
    with read(address) as index:
        assert index.manifest.fingerprint == fingerprint


def test_wrong_vectors_do_not_pass_verification(
    address: Address, papers: list[Paper], hash_embedder: Any
) -> None:
    content, vectors = content_of(papers, hash_embedder)
    with address.store().writing() as writer:
        generation_id = writer.write(content, np.roll(vectors, 1, axis=0))
        if not address.url:
            pytest.skip("the folder has the vectors that were written")
        with pytest.raises(IndexDamaged, match="other embeddings"):
            writer.verify(generation_id, content, vectors)


def test_another_embedder_is_refused_with_the_way_out_and_nothing_is_lost(
    address: Address, papers: list[Paper], write: Write
) -> None:
    write(address, papers)
    with pytest.raises(IndexMismatch, match="hash/64, but other/64 is configured") as caught:
        read(address, "other/64")
    assert "symposia index papers.jsonl" in caught.value.hint
    read(address).close()


def test_an_index_is_named_where_it_lives(
    address: Address, papers: list[Paper], write: Write
) -> None:
    write(address, papers)
    from rag.store.folder import FolderPlace
    from rag.store.served.store import ServerPlace

    place = (
        ServerPlace(Connection(address.url), address.data_dir)
        if address.url
        else FolderPlace(address.data_dir)
    )
    assert address.name in place.names()
    assert place.store(address.name).current() is not None
    assert (address.url or str(address.data_dir)) in place.where


# Company


def test_of_two_writers_the_second_is_told_at_once_who_is_first(
    address: Address, papers: list[Paper], write: Write
) -> None:
    with address.store().writing():
        began = time.monotonic()
        with pytest.raises(IndexBusy, match="being written by process") as caught:
            write(address, papers)
        assert time.monotonic() - began < 20
    assert "Wait until that has ended" in caught.value.hint
    write(address, papers)


def test_of_writers_that_start_together_one_wins(address: Address) -> None:
    barrier, until = threading.Barrier(4), threading.Event()
    won: list[int] = []
    refused: list[int] = []

    def try_it() -> None:
        store = address.store()
        barrier.wait()
        try:
            with store.writing():
                won.append(1)
                until.wait(60)
        except IndexBusy:
            refused.append(1)
            if len(refused) == 3:
                until.set()

    threads = [threading.Thread(target=try_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), len(refused)) == (1, 3)


def test_several_threads_search_at_once(
    address: Address, papers: list[Paper], hash_embedder: Any, write: Write
) -> None:
    write(address, papers)
    with read(address) as index:
        queries = [hash_embedder.embed_query(paper.title) for paper in papers] * 5
        found: dict[int, list[LegHit]] = {}

        def search(number: int) -> None:
            found[number] = index.dense.search(queries[number], 3)

        threads = [threading.Thread(target=search, args=(n,)) for n in range(len(queries))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [found[n] for n in range(len(queries))] == [
            index.dense.search(q, 3) for q in queries
        ]


# Kills


@pytest.fixture(scope="module")
def processes() -> Any:
    """Makes processes quickly, each a fork of one that has everything imported and nothing open."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["store_writer", "bm25s", "chromadb.api.rust"])
    return context


STEPS = [
    ("write", False),
    ("a batch", False),
    ("write", True),
    ("verify", True),
    ("switch", False),
    ("switch", True),
    ("remove_unread", False),
]


@pytest.mark.parametrize(("step", "after"), STEPS, ids=lambda value: str(value))
def test_after_a_kill_at_any_step_the_index_is_old_or_new_and_the_next_run_makes_it(
    step: str,
    after: bool,
    address: Address,
    papers: list[Paper],
    hash_embedder: Any,
    write: Write,
    processes: Any,
) -> None:
    if step == "a batch" and not address.url:
        pytest.skip("tests/integration kills the embedded store's writer at every file")
    old_id = write(address, papers[:3])
    given = (address, papers, hash_embedder, step)
    child = processes.Process(
        target=store_writer.write_and_die, args=given, kwargs={"after": after}
    )
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    is_new = (step, after) == ("switch", True)
    with read(address) as index:
        assert len(index.papers) == (len(papers) if is_new else 3)
        assert (index.generation_id != old_id) == is_new
        assert address.store().examine() == index.manifest
    end_lease(address)
    new_id = write(address, papers)
    with read(address) as index:
        assert index.generation_id == new_id
        assert list(index.papers.values()) == papers
    assert generations(address) - {new_id} <= {old_id, index.generation_id} | replaced(address)


def end_lease(address: Address) -> None:
    """As if the time had passed for which the right to write outlives its holder."""
    if address.url:
        lease = find_collection(Connection(address.url), lease_name(address))
        assert lease is not None, "a killed writer cannot release it"
        lease.annotate({**lease.metadata, "ends_at": 0.0})


def lease_name(address: Address) -> str:
    name: str = address.store()._catalog.lease_name  # type: ignore[attr-defined]
    return name


def generations(address: Address) -> set[str]:
    """All that are kept."""
    if address.url:
        return set(address.store()._catalog.generations())  # type: ignore[attr-defined]
    folder = address.data_dir / "indexes" / address.name / "generations"
    return {path.name for path in folder.iterdir()}


def replaced(address: Address) -> set[str]:
    """Those that were current once and are kept for their readers."""
    if not address.url:
        return set()
    found = address.store()._catalog.generations()  # type: ignore[attr-defined]
    return {name for name, item in found.items() if "replaced_at" in item.metadata}


# Of the server alone


@pytest.fixture
def served(tmp_path: Path, chroma_server: ChromaServer) -> Address:
    return Address(tmp_path / "data", f"papers-{tmp_path.name}", chroma_server.url)


def test_a_replaced_generation_is_kept_for_its_readers_and_then_removed(
    served: Address, papers: list[Paper], write: Write
) -> None:
    first = write(served, papers[:2])
    second = write(served, papers[:3])
    assert generations(served) == {first, second}
    third = write(replace(served, grace_s=0.0), papers)
    assert generations(served) == {third}


def test_a_writer_that_died_holds_the_others_up_for_a_while_only(
    served: Address, papers: list[Paper], hash_embedder: Any, write: Write, processes: Any
) -> None:
    given = (replace(served, lease_s=3.0), papers, hash_embedder, "switch")
    child = processes.Process(target=store_writer.write_and_die, args=given, kwargs={"after": True})
    child.start()
    child.join()
    with pytest.raises(IndexBusy, match=f"process {child.pid} on") as caught:
        write(served, papers)
    assert "If it has died, others may write in" in caught.value.hint
    time.sleep(3.1)
    write(served, papers)


def test_a_writer_renews_its_right_for_as_long_as_it_needs(served: Address) -> None:
    with Lease.take(Connection(served.url), lease_name(served), lasts_s=3.0) as lease:
        time.sleep(4.5)
        lease.check()
        with pytest.raises(IndexBusy), served.store().writing():
            pass


def test_a_writer_that_was_held_up_too_long_does_not_switch(
    served: Address, papers: list[Paper], hash_embedder: Any, write: Write
) -> None:
    content, vectors = content_of(papers, hash_embedder)
    with served.store().writing() as writer:
        generation_id = writer.write(content, vectors)
        end_lease(served)
        winner = write(served, papers[:2])
        with pytest.raises(IndexBusy, match="lost the right to write"):
            writer.switch(generation_id)
    assert served.store().current() == winner
    assert generations(served) == {winner}


@pytest.fixture
def restarted(tmp_path: Path, many: list[Paper]) -> Iterator[tuple[ChromaServer, Address]]:
    """With more than a thousand records, from where on a server writes files of its own."""
    with running(tmp_path / "server") as server:
        address = Address(tmp_path / "data", "papers", server.url)
        with address.store().writing() as writer:
            commit(writer, many[:1500], TinyEmbedder())
        yield server, address


@pytest.mark.parametrize("kill", [False, True])
def test_an_index_survives_the_end_of_its_server(
    kill: bool, restarted: tuple[ChromaServer, Address], many: list[Paper]
) -> None:
    server, address = restarted
    vector = TinyEmbedder().embed_query("Paper 90000")
    with address.store().open(embedder_fingerprint="tiny/8") as index:
        before = index.dense.search(vector, 20)
        assert_same(before, best(many[:1500], vector, 20))
        server.stop(kill=kill)
        with pytest.raises(IndexingError, match="cannot be reached"):
            index.dense.search(vector, 20)
        server.start()
        assert index.dense.search(vector, 20) == before
    with read(address, "tiny/8") as index:
        assert index.dense.search(vector, 20) == before


def test_a_server_that_lost_its_vectors_is_not_read_as_if_they_were_few(
    restarted: tuple[ChromaServer, Address],
) -> None:
    server, address = restarted
    server.stop()
    for segment in (server.folder / "data").iterdir():
        if segment.is_dir():
            shutil.rmtree(segment)
    server.start()
    with pytest.raises(IndexingError) as caught:
        read(address, "tiny/8")
    assert caught.value.hint
