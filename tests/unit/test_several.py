"""One question to several corpora: found as in one, each paper once, by every way of asking."""

import json
from dataclasses import replace

import pytest

import rag.assistant
from rag import factory
from rag.assistant import Assistant
from rag.corpus import Corpus
from rag.errors import CorpusError, QuestionError
from rag.factory import open_library
from rag.indexing import corpora_in, sync_index
from rag.library import Collection, Library, OpenIndex
from rag.records import Filters, Paper
from rag.settings import Settings
from rag.store.folder import FolderStore

QUERIES = ("wells in Alberta", "pruning transformers", "zeppelin", "learning", "sparse")
WELLS_AGAIN = {"paper_id": "w2", "venue": "NeurIPS", "url": "https://openreview.net/forum?id=Wx7Qz"}


@pytest.fixture
def build(tmp_path, hash_embedder):
    """Writes an index with these papers."""

    def build(name: str, papers: list[Paper]) -> FolderStore:
        corpus = Corpus(name, tuple(papers), (), len(papers), ())
        sync_index(corpus, name=name, data_dir=tmp_path, embedder=hash_embedder, chunk_tokens=448)
        return FolderStore(tmp_path, name)

    return build


@pytest.fixture
def together(hash_embedder):
    def together(*stores: FolderStore) -> Library:
        opened = [OpenIndex(store, hash_embedder) for store in stores]
        return Library(Collection(opened), hash_embedder, depth=100)

    return together


@pytest.fixture
def papers(small_papers) -> list[Paper]:
    return list(small_papers.values())


@pytest.fixture
def pair(build, together, papers):
    """Two corpora that both have the paper on wells."""
    one = build("one", papers[:3])
    with_copy = [replace(papers[0], **WELLS_AGAIN), *papers[3:]]
    library = together(one, build("two", with_copy))
    yield library
    library.close()


@pytest.fixture
def assistant(pair, overlap_reader, tmp_path):
    settings = Settings(corpus="one, two", data_dir=tmp_path, _env_file=None)
    return Assistant(pair, overlap_reader, settings)


def ranked(library: Library, query: str, filters: Filters | None = None) -> list[tuple[str, float]]:
    hits = library.view().retriever.search(query, k=10, filters=filters or Filters()).hits
    return [(hit.paper.paper_id, pytest.approx(hit.score, rel=1e-4)) for hit in hits]


def test_two_halves_rank_as_the_whole(build, together, papers) -> None:
    whole = together(build("whole", papers))
    halves = together(build("even", papers[::2]), build("odd", papers[1::2]))
    for query in QUERIES:
        assert ranked(halves, query) == ranked(whole, query)
    filters = Filters(presentation="poster")
    assert ranked(halves, "learning", filters) == ranked(whole, "learning", filters)
    halves.close()
    whole.close()


def test_a_paper_of_both_is_shown_once_with_both_entries(assistant) -> None:
    answer = assistant.ask("How many wells are in the Alberta dataset?")
    (paper,) = answer.papers
    assert (paper.paper_id, paper.corpus) == ("wells", "one")
    assert [(copy.paper_id, copy.corpus, copy.venue) for copy in paper.copies] == [
        ("w2", "two", "NeurIPS")
    ]
    assert assistant.n_papers == 6
    for text in (answer.to_markdown(), answer.to_bibtex(), answer.to_csv()):
        assert "NeurIPS" in text
        assert "two" in text
        assert WELLS_AGAIN["url"] in text
    assert json.loads(answer.to_json())["citations"][0]["paper"]["copies"][0]["paper_id"] == "w2"


def test_one_of_several_can_be_chosen(assistant) -> None:
    (hit,) = assistant.search("wells in Alberta", k=1, corpus="two")
    assert (hit.paper.paper_id, hit.paper.corpus, hit.paper.copies) == ("w2", "two", ())
    assert {hit.paper.corpus for hit in assistant.search("learning", corpus=["one"])} == {"one"}
    with pytest.raises(QuestionError, match="'three' is not open") as raised:
        assistant.search("wells", corpus="three")
    assert "one, two" in raised.value.hint


def test_the_id_of_either_entry_puts_the_paper_first(assistant) -> None:
    for asked in ("w2", "Wx7Qz", "wells"):
        assert assistant.search(f"What is {asked}?", k=1)[0].paper.paper_id == "wells"
    answer = assistant.ask("Who wrote the paper Wx7Qz?")
    assert "Ann Example" in answer.text


def test_filters_cues_and_lists_span_both(assistant) -> None:
    answer = assistant.ask("How many papers at NeurIPS are there?")
    assert answer.text.startswith("1 of the 6 papers of one, two is at NeurIPS")
    assert answer.papers[0].venue == "NeurIPS"
    assert "6 papers" in assistant.ask("How many papers are there?").text
    both = assistant.search("wells", filters={"venues": ["NeurIPS"]})
    assert [hit.paper.paper_id for hit in both] == ["wells"]


def test_small_talk_tells_how_many_papers_each_has(assistant) -> None:
    assert "the 6 papers of one (3) and two (4)" in assistant.ask("hello").text


def test_one_id_of_two_papers_is_told_apart_by_its_corpus(build, together, papers) -> None:
    other = replace(papers[3], paper_id="wells")
    library = together(build("one", papers[:1]), build("two", [other]))
    assert list(library.view().index.papers) == ["one:wells", "two:wells"]
    assert list(library.choose(["two"]).view().index.papers) == ["two:wells"]
    chunk = library.view().retriever.search("auctions", k=1, filters=Filters()).hits[0].chunk
    assert chunk.chunk_id == "two:wells#0"
    vectors = library.view().index.dense.read_vectors([chunk.chunk_id, "one:wells#0"])
    assert vectors.shape == (2, 64)
    library.close()


def test_within_one_corpus_a_paper_is_shown_once(build, together, papers) -> None:
    library = together(build("one", [*papers, replace(papers[0], **WELLS_AGAIN)]))
    view = library.view()
    assert len(view.index.papers) == len(papers)
    assert view.index.papers["wells"].copies[0].paper_id == "w2"
    assert view.index.papers["wells"].corpus == ""
    library.close()


def test_a_newer_generation_of_either_is_followed(pair, build, papers) -> None:
    chosen = pair.choose(["one"])
    build("one", [papers[0], replace(papers[4], paper_id="new", title="Another One")])
    assert "new" in pair.view().index.papers
    assert "new" in chosen.view().index.papers
    assert pair.choose(["one"]) is chosen


@pytest.mark.parametrize(
    ("given", "corpora"),
    [
        ("seeds", ("seeds",)),
        ("seeds,mine", ("seeds", "mine")),
        (" mine , seeds, mine,", ("mine", "seeds")),
        (["mine", "seeds,mine"], ("mine", "seeds")),
        ("", ()),
    ],
)
def test_corpora_are_named_by_commas_or_one_by_one(given, corpora) -> None:
    assert corpora_in(given) == corpora


def test_a_comma_in_the_name_of_a_file_parts_nothing(tmp_path) -> None:
    path = tmp_path / "a, b.jsonl"
    path.touch()
    assert corpora_in(f"{path},seeds") == (str(path), "seeds")
    assert corpora_in([str(path), f"{tmp_path}/./a, b.jsonl"]) == (str(path),)


def test_an_unknown_corpus_names_the_known_ones(build, papers, tmp_path, hash_embedder) -> None:
    build("one", papers)
    settings = Settings(corpus="one, nope", data_dir=tmp_path, _env_file=None)
    with pytest.raises(CorpusError, match=r"no corpus 'nope'.*icml2025, one, seeds"):
        open_library(settings, hash_embedder)


def test_ask_opens_the_corpora_that_are_named(
    build, papers, tmp_path, monkeypatch, hash_embedder, overlap_reader
) -> None:
    build("one", papers[:3])
    build("two", papers[3:])
    monkeypatch.setenv("SYMPOSIA_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(rag.assistant, "make_embedder", lambda _: hash_embedder)
    monkeypatch.setattr(rag.assistant, "make_reader", lambda _: overlap_reader)
    answer = rag.assistant.ask("Which auctions are truthful?", corpus=["one", "two"])
    assert {passage.paper.corpus for passage in answer.passages} <= {"one", "two"}
    assert rag.assistant.ask("Which auctions are truthful?", corpus="one,two").text == answer.text
    rag.assistant._default_assistant.cache_clear()


def test_examples_are_of_all_that_have_some() -> None:
    settings = Settings(corpus="seeds, icml2025", _env_file=None)
    both = factory.examples(settings)
    assert len(both) == len(set(both)) > 0
    assert set(factory.examples(Settings(corpus="seeds", _env_file=None))) & set(both)
