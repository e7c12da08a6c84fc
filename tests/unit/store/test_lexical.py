import math
from pathlib import Path

import numpy as np
import pytest

from rag.chunking import split_paper
from rag.errors import IndexDamaged
from rag.records import Chunk, Paper
from rag.store import lexical
from rag.store.lexical import LexicalIndex, lexicon


@pytest.fixture
def index(tmp_path: Path, papers: dict[str, Paper], chunks: dict[str, Chunk]) -> LexicalIndex:
    LexicalIndex.create(tmp_path / "bm25", papers, chunks.values())
    return LexicalIndex.open(tmp_path / "bm25", chunks)


def index_of(folder: Path, *papers: Paper) -> LexicalIndex:
    chunks = {
        chunk.chunk_id: chunk for paper in papers for chunk in split_paper(paper, max_tokens=448)
    }
    LexicalIndex.create(folder, {paper.paper_id: paper for paper in papers}, chunks.values())
    return LexicalIndex.open(folder, chunks)


@pytest.mark.parametrize(
    ("query", "chunk_id"),
    [
        ("Counting Wells from Orbit", "p1#0"),
        ("alberta wells dataset", "p1#0"),
        ("papers by Muster", "p1#0"),
        ("213000", "p1#0"),
        ("Zoe Beispiel", "p2#0"),
        ("Δ-IRIS", "p2#0"),
        ("delta iris", "p2#0"),
        ("prune a transformer", "p3#0"),
        ("title without abstract", "p4#0"),
    ],
)
def test_a_paper_is_found_by_its_titles_authors_and_abstract(
    index: LexicalIndex, query: str, chunk_id: str
) -> None:
    best = index.search(query, 10)[0]
    assert best.chunk_id == chunk_id
    assert best.score > 0


def test_only_chunks_that_share_a_term_are_found(index: LexicalIndex) -> None:
    assert [hit.chunk_id for hit in index.search("Crafter", 10)] == ["p2#0"]
    for query in ("", "   ", "the of and", "zebra", "?!", "\U0001f600"):
        assert index.search(query, 10) == []


def test_the_score_is_that_of_lucene(tmp_path: Path) -> None:
    index = index_of(
        tmp_path,
        Paper("1", "", "alpha alpha beta"),
        Paper("2", "", "beta gamma delta epsilon zeta"),
    )
    (hit,) = index.search("alpha", 10)
    # Robertson and Zaragoza 2009 with Lucene's idf and without its constant factor k1 + 1.
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert hit.score == pytest.approx(idf * 2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / 4)), rel=1e-5)


def test_a_filter_leaves_the_scores_of_the_rest(index: LexicalIndex) -> None:
    found = index.search("wells models transformers", 10)
    assert {hit.chunk_id for hit in found} == {"p1#0", "p2#0", "p3#0"}
    allowed = frozenset({"p2", "p3", "elsewhere"})
    assert index.search("wells models transformers", 10, allowed) == [
        hit for hit in found if hit.chunk_id != "p1#0"
    ]
    assert index.search("wells", 10, frozenset()) == []


def test_equal_scores_are_ordered_by_id_at_the_cut_too(tmp_path: Path) -> None:
    papers = [Paper(f"p{n}", "Same title", "same words") for n in (3, 10, 1, 2)]
    index = index_of(tmp_path, *papers)
    assert [hit.chunk_id for hit in index.search("words", 10)] == ["p1#0", "p10#0", "p2#0", "p3#0"]
    assert [hit.chunk_id for hit in index.search("words", 2)] == ["p1#0", "p10#0"]
    assert index.search("words", 0) == []


@pytest.mark.parametrize("texts", [("", "12"), ("the of", "?"), ("", "")])
def test_texts_without_terms_do_no_harm(texts: tuple[str, str], tmp_path: Path) -> None:
    index = index_of(tmp_path, *(Paper(f"p{n}", "", text) for n, text in enumerate(texts)))
    assert index.chunk_ids == ("p0#0", "p1#0")
    assert [hit.chunk_id for hit in index.search("12", 10)] == ["p1#0"] * ("12" in texts)


def test_a_paper_is_found_by_its_id_and_by_those_in_its_links(tmp_path: Path) -> None:
    index = index_of(
        tmp_path,
        Paper("Oty1LQrnFc", "One", "first text"),
        Paper(
            "muster25a",
            "Two",
            "second text",
            url="https://openreview.net/forum?id=hmGhP5DO2W",
            pdf_url="https://proceedings.mlr.press/v267/muster25a/muster25a.pdf",
        ),
        Paper("267", "Three", "third text", url="https://example.org/267"),
    )
    assert [hit.chunk_id for hit in index.search("paper Oty1LQrnFc", 9)] == ["Oty1LQrnFc#0"]
    for query in ("https://openreview.net/forum?id=hmGhP5DO2W", "muster25a"):
        assert [hit.chunk_id for hit in index.search(query, 9)] == ["muster25a#0"]
    assert index.search("267 of them", 9) == []


def test_no_score_is_above_the_ceiling(index: LexicalIndex) -> None:
    for query in ("alberta wells dataset", "wells wells zebra", "Δ-IRIS"):
        assert 0 < index.search(query, 1)[0].score < index.ceiling(query)
    assert index.ceiling("the of") == 0
    assert index.ceiling("zebra") > index.ceiling("wells") > 0


def test_it_is_known_how_many_chunks_hold_a_term(tmp_path: Path) -> None:
    index = index_of(
        tmp_path,
        Paper("a", "Networks", "networks of wells", ("Ann Wells",)),
        Paper("b", "Deep network", "networks"),
    )
    assert [index.n_holding(term) for term in ("network", "well", "deep", "zebra")] == [2, 1, 1, 0]
    # Names are no words that a misspelt one may have been.
    assert index.words == {"networks": 2}


def test_the_lexicon_changes_with_what_is_indexed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = lexicon()
    lexicon.cache_clear()
    monkeypatch.setattr(lexical, "_FORM", "other")
    assert lexicon() != before
    lexicon.cache_clear()


def test_nothing_is_pickled(tmp_path: Path, index: LexicalIndex) -> None:
    files = list((tmp_path / "bm25").iterdir())
    assert {path.suffix for path in files} == {".json", ".npy"}
    for path in files:
        if path.suffix == ".npy":
            np.load(path, allow_pickle=False)


def test_an_index_of_other_chunks_is_refused(
    tmp_path: Path, index: LexicalIndex, chunks: dict[str, Chunk]
) -> None:
    del chunks["p2#0"]
    with pytest.raises(IndexDamaged, match="other chunks"):
        LexicalIndex.open(tmp_path / "bm25", chunks)


def test_the_lexicon_changes_with_the_rules_for_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    before = lexicon()
    assert before == lexicon()
    assert len(before) == 12
    rules = lexical.search_terms
    for change in (
        lambda text: rules(text.replace("-", " ")),
        lambda text: [term[:5] for term in rules(text)],
        lambda text: [*rules(text), "the"],
    ):
        lexicon.cache_clear()
        monkeypatch.setattr(lexical, "search_terms", change)
        assert lexicon() != before
    lexicon.cache_clear()
