"""Everything works unchanged on a Chroma server: opening, asking, filters, several processes."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chroma_server import ChromaServer, free_port, running

from rag.assistant import Assistant
from rag.corpus import Corpus
from rag.errors import CorpusError, IndexMissing, SettingsError, StoreUnavailable
from rag.factory import make_place, open_library
from rag.indexing import sync_index
from rag.indexing.catalogue import last_report, list_corpora
from rag.library import Library
from rag.records import Filters, Paper
from rag.settings import Settings
from rag.store.served import store as served_store

ROOT = Path(__file__).parents[2]
CORPUS = """{"id": "%s", "title": "Sparse things", "abstract": "Pruning %s helps."}\n"""


@pytest.fixture
def settings(tmp_path: Path, chroma_server: ChromaServer) -> Callable[..., Settings]:
    """Of one machine: each has a data folder of its own, and knows the server."""

    def settings(machine: str = "one", **changes: Any) -> Settings:
        given = {"chroma_url": chroma_server.url, "data_dir": tmp_path / machine}
        return Settings(**(given | {"corpus": tmp_path.name} | changes), _env_file=None)

    return settings


SettingsOf = Callable[..., Settings]


@pytest.fixture
def write(settings: SettingsOf, hash_embedder: Any) -> Callable[..., Any]:
    def write(papers: list[Paper], machine: str = "one", **how: Any) -> Any:
        mine = settings(machine)
        return sync_index(
            Corpus(mine.corpus, tuple(papers), (), len(papers)),
            name=mine.corpus,
            data_dir=mine.data_dir,
            store=make_place(mine).store(mine.corpus),
            embedder=hash_embedder,
            chunk_tokens=448,
            **how,
        )

    return write


@pytest.fixture
def open_it(
    settings: SettingsOf, hash_embedder: Any, overlap_reader: Any
) -> Iterator[Callable[..., Assistant]]:
    opened: list[Assistant] = []

    def open_it(machine: str) -> Assistant:
        mine = settings(machine)
        library = open_library(mine, hash_embedder)
        opened.append(Assistant(library, overlap_reader, mine))
        return opened[-1]

    yield open_it
    for assistant in opened:
        assistant.close()


def test_a_machine_that_has_only_the_address_and_the_name_asks_and_filters(
    write: Any, open_it: Any, small_papers: dict[str, Paper]
) -> None:
    report = write(list(small_papers.values()))
    assert (report.n_added, report.changed) == (len(small_papers), True)
    assistant = open_it("two")
    answer = assistant.ask("How many wells are in the Alberta dataset?")
    assert answer.status == "answered"
    for citation in answer.citations:
        assert citation.paper.abstract[citation.start : citation.end] == citation.quote
    assert answer.papers[0].paper_id == "wells"
    found = assistant.search("wells", filters=Filters(presentation="spotlight"))
    assert [hit.paper.paper_id for hit in found] == ["auctions"]
    assert assistant.search("Zeppelin")[0].paper == small_papers["untold"]


def test_a_change_by_one_machine_is_noticed_by_those_that_read(
    write: Any, open_it: Any, small_papers: dict[str, Paper]
) -> None:
    papers = list(small_papers.values())
    write(papers[:2])
    readers = [open_it("two"), open_it("three")]
    assert all(
        not reader.search("auctions")[0].paper.title.startswith("Auct") for reader in readers
    )
    report = write(papers, "four")
    # The vectors of what did not change come from the server, whoever made them.
    n_new = len(papers) - 2
    assert (report.n_added, report.n_embedded, report.n_from_cache) == (n_new, n_new, 2)
    assert all(reader.search("auctions")[0].paper.paper_id == "auctions" for reader in readers)
    assert not write(papers, "two").changed


def test_the_lexical_index_is_built_once_on_each_machine(
    write: Any,
    settings: SettingsOf,
    hash_embedder: Any,
    small_papers: dict[str, Paper],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(list(small_papers.values()))
    fetched = []
    fetch = served_store.fetch
    monkeypatch.setattr(served_store, "fetch", lambda *given: fetched.append(1) or fetch(*given))
    for machine in ("one", "two", "two", "two"):
        library = open_library(settings(machine), hash_embedder)
        assert library.view().index.lexical.search("Alberta", 3)[0].chunk_id == "wells#0"
        library.close()
    assert len(fetched) == 1, "the machine that wrote has its copy already"


def test_a_path_is_indexed_on_the_server_and_kept_in_line(
    settings: SettingsOf, hash_embedder: Any, tmp_path: Path
) -> None:
    path = tmp_path / "papers.jsonl"
    path.write_text(CORPUS % ("a", "weights"), encoding="utf-8")
    mine = settings(corpus=str(path))
    for text in ("weights", "heads"):
        path.write_text(CORPUS % ("a", text), encoding="utf-8")
        library = open_library(mine, hash_embedder)
        assert text in library.view().index.papers["a"].abstract
        library.close()
    assert not (mine.data_dir / "indexes").exists()
    report = last_report(make_place(mine), library.name)
    assert report is not None
    assert report.n_updated == 1


def test_indexes_of_a_server_are_listed(
    write: Any, settings: SettingsOf, hash_embedder: Any, small_papers: dict[str, Paper]
) -> None:
    write(list(small_papers.values()))
    listed = {item.name: item for item in list_corpora(make_place(settings()), hash_embedder, 448)}
    mine = listed[settings().corpus]
    assert (mine.state, mine.n_papers, mine.n_bytes) == ("current", len(small_papers), None)
    assert listed["seeds"].state == "unbuilt"


def test_a_dry_run_writes_nothing(
    write: Any, settings: SettingsOf, small_papers: dict[str, Paper]
) -> None:
    report = write(list(small_papers.values()), dry_run=True)
    assert (report.is_dry_run, report.n_added) == (True, len(small_papers))
    assert make_place(settings()).store(settings().corpus).current() is None


def test_a_name_that_the_server_does_not_know(settings: SettingsOf, hash_embedder: Any) -> None:
    with pytest.raises(CorpusError, match="There is no corpus"):
        open_library(settings(corpus="unknown"), hash_embedder)
    with pytest.raises(IndexMissing, match="on the Chroma server"):
        Library.of(make_place(settings()).store("unknown"), hash_embedder, depth=10)


def test_a_server_that_goes_away_and_comes_back(
    tmp_path: Path, hash_embedder: Any, small_papers: dict[str, Paper]
) -> None:
    with running(tmp_path / "server") as server:
        mine = Settings(
            chroma_url=server.url, data_dir=tmp_path / "data", corpus="small", _env_file=None
        )
        place, papers = make_place(mine), tuple(small_papers.values())
        given: dict[str, Any] = {
            "name": "small",
            "data_dir": mine.data_dir,
            "store": place.store("small"),
            "embedder": hash_embedder,
            "chunk_tokens": 448,
        }
        sync_index(Corpus("small", papers[:2], (), 2), **given)
        library = open_library(mine, hash_embedder)
        server.stop()
        for act in (
            library.view,
            lambda: open_library(mine, hash_embedder),
            lambda: sync_index(Corpus("small", papers, (), len(papers)), **given),
        ):
            with pytest.raises(StoreUnavailable, match="cannot be reached") as caught:
                act()
            assert "chroma run" in caught.value.hint
        server.start()
        assert len(library.view().index.papers) == 2
        assert sync_index(Corpus("small", papers, (), len(papers)), **given).changed
        assert len(library.view().index.papers) == len(papers)


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "http://me:canary@127.0.0.1:8000"])
def test_a_wrong_address_is_a_wrong_setting(url: str, settings: SettingsOf) -> None:
    with pytest.raises(SettingsError, match="SYMPOSIA_CHROMA_URL") as caught:
        make_place(settings(chroma_url=url))
    assert "canary" not in str(caught.value)


def test_the_command_line_says_what_is_wrong_in_two_lines(tmp_path: Path) -> None:
    variables = {
        "PATH": "/usr/bin",
        "PYTHONPATH": str(ROOT),
        "SYMPOSIA_CHROMA_URL": f"http://127.0.0.1:{free_port()}",
        "SYMPOSIA_CHROMA_TOKEN": "canary",
        "SYMPOSIA_DATA_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", "from ui.cli import main; main()", "search", "wells"],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr
    assert "canary" not in done.stderr + done.stdout
