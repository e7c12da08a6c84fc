"""The parts of an assistant and the index behind it, from settings; with a fast embedder."""

import json
import logging
import time
from types import SimpleNamespace

import pytest

from rag import factory
from rag.corpus import example_questions
from rag.embeddings.local import LocalEmbedder
from rag.errors import (
    CorpusError,
    IndexBusy,
    IndexDamaged,
    IndexingError,
    IndexMismatch,
    IndexMissing,
)
from rag.factory import (
    build_index,
    examples,
    make_embedder,
    make_reader,
    open_library,
)
from rag.library import Library
from rag.records import Filters
from rag.settings import Settings
from rag.store.folder import FolderStore
from rag.store.generation import IndexFolder
from rag.store.lock import writer_lock


class CountingEmbedder:
    """The fast embedder, counting the passages that it is asked for."""

    def __init__(self, embedder, fingerprint: str | None = None) -> None:
        self._embedder = embedder
        self.dimension = embedder.dimension
        self.fingerprint = fingerprint or embedder.fingerprint
        self.n_passages = 0

    def embed_passages(self, texts, *, progress=None):
        self.n_passages += len(texts)
        if progress is not None:
            progress(len(texts))
        return self._embedder.embed_passages(texts)

    def embed_query(self, text):
        return self._embedder.embed_query(text)


@pytest.fixture
def embedder(hash_embedder) -> CountingEmbedder:
    return CountingEmbedder(hash_embedder)


@pytest.fixture
def papers_file(tmp_path, small_papers):
    path = tmp_path / "my päpers é.jsonl"
    rows = [
        {"id": paper.paper_id, "title": paper.title, "abstract": paper.abstract}
        for paper in small_papers.values()
        if paper.abstract
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture
def settings(tmp_path, papers_file):
    def settings(corpus=papers_file) -> Settings:
        return Settings(corpus=str(corpus), data_dir=tmp_path / "my däta", _env_file=None)

    return settings


def first(library: Library, query: str) -> str:
    return library.view().retriever.search(query, k=1, filters=Filters()).hits[0].paper.paper_id


# Opening


def test_a_path_is_indexed_on_first_use(settings, embedder) -> None:
    shown = []
    library = open_library(settings(), embedder, shown.append)
    assert first(library, "wells in Alberta") == "wells"
    assert embedder.n_passages == 5
    assert list(dict.fromkeys(item.stage for item in shown)) == [
        "Embedding",
        "Writing",
        "Verifying",
    ]
    library.close()


def test_the_second_use_embeds_nothing_and_finds_the_same(settings, embedder) -> None:
    library = open_library(settings(), embedder)
    generation = library.view().index.generation_id
    library.close()
    embedder.n_passages = 0
    again = open_library(settings(), embedder)
    assert embedder.n_passages == 0
    assert again.view().index.generation_id == generation
    again.close()


def test_a_changed_file_is_followed_and_embeds_only_what_changed(
    settings, embedder, papers_file
) -> None:
    open_library(settings(), embedder).close()
    embedder.n_passages = 0
    text = papers_file.read_text(encoding="utf-8")
    papers_file.write_text(text.replace("213,000 wells", "213,001 wells"), encoding="utf-8")
    library = open_library(settings(), embedder)
    assert embedder.n_passages == 1
    assert "213,001" in library.view().index.papers["wells"].abstract
    library.close()


def test_papers_that_have_not_changed_are_not_read_again(
    settings, embedder, papers_file, monkeypatch
) -> None:
    open_library(settings(), embedder).close()

    def refuse(*_arguments):
        raise AssertionError("the papers were read")

    monkeypatch.setattr(factory, "read_source", refuse)
    open_library(settings(), embedder).close()
    papers_file.touch()
    open_library(settings(), embedder).close()
    with papers_file.open("a", encoding="utf-8") as file:
        file.write("\n")
    with pytest.raises(AssertionError, match="were read"):
        open_library(settings(), embedder)


def test_a_paper_that_is_taken_out_of_the_file_is_kept_and_said_to_be(
    settings, embedder, papers_file, caplog
) -> None:
    open_library(settings(), embedder).close()
    lines = papers_file.read_text(encoding="utf-8").splitlines()
    papers_file.write_text("\n".join(lines[1:]), encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        library = open_library(settings(), embedder)
    assert len(library.view().index.papers) == 5
    library.close()
    assert f"any more: 1. They are kept; `symposia index '{papers_file}' --prune`" in caplog.text


def test_the_seeds_need_no_path(settings, embedder) -> None:
    library = open_library(settings("seeds"), embedder)
    assert len(library.view().index.papers) == 57
    assert library.name == "seeds"
    library.close()


def test_a_name_given_before_needs_no_papers(
    settings, embedder, index_papers, small_papers
) -> None:
    index_papers(settings().data_dir, list(small_papers.values()))
    library = open_library(settings("small"), embedder)
    assert first(library, "wells in Alberta") == "wells"
    assert embedder.n_passages == 0
    library.close()


@pytest.mark.parametrize(
    "corpus",
    ["nothing", "no such file.jsonl", "/no/such/folder", "../up.csv", "~nobody/papers.json", "é"],
)
def test_what_is_no_corpus_is_named_with_what_to_give_instead(settings, embedder, corpus) -> None:
    with pytest.raises(CorpusError) as caught:
        open_library(settings(corpus), embedder)
    assert repr(corpus) in caught.value.message
    assert "path of a file or folder" in caught.value.hint
    assert not settings().data_dir.exists(), "nothing is left behind"


def test_a_path_that_cannot_be_is_no_corpus(settings, embedder) -> None:
    with pytest.raises(CorpusError, match="cannot be looked at: File name too long"):
        open_library(settings("x" * 5000), embedder)


def test_a_data_folder_that_is_a_file_is_said_to_be_none(papers_file, embedder) -> None:
    settings = Settings(corpus=str(papers_file), data_dir=papers_file, _env_file=None)
    with pytest.raises(IndexingError, match="Could not write the index"):
        open_library(settings, embedder)


def test_another_embedder_is_refused_with_the_command_that_mends_it(
    settings, embedder, hash_embedder
) -> None:
    open_library(settings(), embedder).close()
    with pytest.raises(IndexMismatch, match="symposia index"):
        open_library(settings(), CountingEmbedder(hash_embedder, "hash/other"))
    open_library(settings(), embedder).close()


@pytest.mark.parametrize("field", ["lexicon", "schema_version"])
def test_an_index_of_an_earlier_version_is_brought_up_to_date_without_embedding(
    settings, embedder, caplog, field
) -> None:
    library = open_library(settings(), embedder)
    folder = IndexFolder.of(settings().data_dir, library.name)
    manifest = folder.generation(library.view().index.generation_id) / "manifest.json"
    library.close()
    n_embedded = embedder.n_passages
    values = json.loads(manifest.read_text(encoding="utf-8"))
    values[field] = 0 if field == "schema_version" else "earlier"
    manifest.write_text(json.dumps(values), encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        again = open_library(settings(), embedder)
    assert first(again, "wells in Alberta") == "wells"
    assert embedder.n_passages == n_embedded
    assert "built anew" in caplog.text
    again.close()


def test_a_damaged_index_of_known_papers_is_built_anew(settings, embedder, caplog) -> None:
    library = open_library(settings(), embedder)
    folder = IndexFolder.of(settings().data_dir, library.name)
    path = folder.generation(library.view().index.generation_id)
    library.close()
    (path / "papers.jsonl").write_text("", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        again = open_library(settings(), embedder)
    assert first(again, "wells in Alberta") == "wells"
    assert "built anew" in caplog.text
    again.close()


def test_a_damaged_index_whose_papers_are_gone_is_kept(
    settings, embedder, index_papers, small_papers
) -> None:
    data_dir = settings().data_dir
    index_papers(data_dir, list(small_papers.values()))
    folder = IndexFolder.of(data_dir, "small")
    papers = folder.generation(folder.current()) / "papers.jsonl"
    papers.write_text("", encoding="utf-8")
    with pytest.raises(IndexDamaged):
        open_library(settings("small"), embedder)
    assert papers.exists()


# While somebody else writes


@pytest.fixture
def busy(settings, papers_file):
    """Holds the writer lock of the index of the papers."""

    def busy():
        folder = IndexFolder.of(settings().data_dir, factory.index_name(papers_file))
        folder.path.mkdir(parents=True, exist_ok=True)
        return writer_lock(folder.writer_lock)

    return busy


def test_an_index_that_is_being_updated_is_used_as_it_is(settings, embedder, busy) -> None:
    open_library(settings(), embedder).close()
    with busy():
        library = open_library(settings(), embedder)
    assert first(library, "wells in Alberta") == "wells"
    library.close()


def test_a_first_index_that_never_comes_is_given_up(settings, embedder, busy, monkeypatch) -> None:
    monkeypatch.setattr(factory, "_WAIT_FOR_WRITER_S", 0.1)
    with busy(), pytest.raises(IndexBusy, match="being written by process"):
        open_library(settings(), embedder)


def test_a_first_index_that_another_process_is_building_is_waited_for(
    settings, embedder, busy, monkeypatch
) -> None:
    lock = busy()
    lock.__enter__()
    waits = []

    def end_of_the_other_process(_seconds: float) -> None:
        waits.append(1)
        lock.__exit__(None, None, None)

    clock = SimpleNamespace(monotonic=time.monotonic, sleep=end_of_the_other_process)
    monkeypatch.setattr(factory, "time", clock)
    library = open_library(settings(), embedder)
    assert waits == [1]
    assert first(library, "wells in Alberta") == "wells"
    library.close()


# Building


@pytest.fixture
def with_fast_embedder(monkeypatch, embedder):
    monkeypatch.setattr(factory, "make_embedder", lambda _settings: embedder)


@pytest.mark.usefixtures("with_fast_embedder")
def test_an_index_may_have_a_name_of_its_own(settings, papers_file, embedder) -> None:
    report = build_index([papers_file], name="mine", settings=settings())
    assert (report.name, report.n_indexed, report.n_embedded) == ("mine", 5, 5)
    library = open_library(settings("mine"), embedder)
    assert library.view().index.manifest.source == f"'{papers_file}' --name mine"
    library.close()


@pytest.mark.usefixtures("with_fast_embedder")
def test_columns_are_named_and_remembered(settings, tmp_path, embedder) -> None:
    table = tmp_path / "talks.csv"
    table.write_text("id,Name of talk,abstract\nx,A New One,It is new.\n", encoding="utf-8")
    columns = {"title": "Name of talk"}
    report = build_index([table], name="talks", columns=columns, settings=settings())
    assert report.source.arguments == f"{table} --name talks --column 'title=Name of talk'"
    library = open_library(settings("talks"), embedder)
    assert library.view().index.papers["x"].title == "A New One"
    library.close()
    with pytest.raises(CorpusError, match="no column 'Nmae'"):
        build_index([table], name="talks", columns={"title": "Nmae"}, settings=settings())


@pytest.mark.usefixtures("with_fast_embedder")
def test_a_dry_run_leaves_nothing_behind(settings, papers_file) -> None:
    report = build_index([papers_file], dry_run=True, settings=settings())
    assert (report.is_dry_run, report.n_added, report.n_embedded) == (True, 5, 5)
    assert not settings().data_dir.exists()


@pytest.mark.usefixtures("with_fast_embedder")
def test_papers_of_ones_own_may_have_the_name_of_a_corpus_that_comes_with_symposia(
    settings, papers_file, embedder
) -> None:
    build_index([papers_file], name="seeds", settings=settings())
    library = open_library(settings("seeds"), embedder)
    assert len(library.view().index.papers) == 5
    library.close()
    report = build_index(["seeds"], settings=settings())
    assert (report.n_added, report.n_removed, report.n_kept) == (57, 5, 0)
    library = open_library(settings("seeds"), embedder)
    assert len(library.view().index.papers) == 57
    library.close()


@pytest.mark.usefixtures("with_fast_embedder")
def test_without_a_name_it_is_the_index_that_the_path_opens(
    settings, papers_file, embedder
) -> None:
    report = build_index([papers_file], settings=settings())
    embedder.n_passages = 0
    library = open_library(settings(), embedder)
    assert (library.name, embedder.n_passages) == (report.name, 0)
    library.close()


@pytest.mark.usefixtures("with_fast_embedder")
def test_several_sources_become_one_corpus_under_a_name(settings, papers_file, tmp_path) -> None:
    more = tmp_path / "more.csv"
    more.write_text("id,title,abstract\nnew,A New One,It is new.\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="--name"):
        build_index([papers_file, more], settings=settings())
    report = build_index([papers_file, more], name="both", settings=settings())
    assert report.n_indexed == 6


@pytest.mark.usefixtures("with_fast_embedder")
def test_no_source_is_no_corpus(settings) -> None:
    with pytest.raises(CorpusError):
        build_index([], settings=settings())


# Parts


def test_the_parts_are_the_local_models(settings) -> None:
    assert isinstance(make_embedder(settings()), LocalEmbedder)
    assert make_reader(settings()).name


def test_corpora_that_come_with_symposia_have_questions_to_begin_with(settings) -> None:
    assert examples(settings("seeds")) == example_questions()
    assert examples(settings("icml2025")) == example_questions("icml2025")
    assert examples(settings()) == ()


def test_a_library_needs_an_index(tmp_path, hash_embedder) -> None:
    with pytest.raises(IndexMissing, match="symposia index"):
        Library.of(FolderStore(tmp_path, "small"), hash_embedder, depth=100)
