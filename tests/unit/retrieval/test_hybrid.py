"""The retriever: both legs, the same filters, one entry a paper, the same result every time."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from rag.embeddings.local import LocalEmbedder
from rag.records import Chunk, Filters, LegHit, LegRanks, Paper
from rag.retrieval.hybrid import HybridRetriever

PAPERS = {
    name: Paper(name, f"Title {name}", f"Abstract {name}", authors=(author,))
    for name, author in [("a", "Ann Sun"), ("b", "Bo Liu"), ("c", "Ann Sun"), ("d", "Di Wang")]
}
CHUNKS = {
    f"{name}#{n}": Chunk(f"{name}#{n}", name, "text", 0, 4, 1, "hash")
    for name in PAPERS
    for n in range(2)
}


class ListedLeg:
    """Returns what it was given, as far as it is allowed, and remembers how it was asked."""

    words: Mapping[str, int] = {"wells": 9}

    def __init__(self, **scores: float) -> None:
        self.hits = [
            LegHit(name.replace("_", "#"), score)
            for name, score in sorted(scores.items(), key=lambda item: -item[1])
        ]
        self.asked: list[tuple[object, int, frozenset[str] | None]] = []

    def search(self, what: object, k: int, allowed: frozenset[str] | None) -> Sequence[LegHit]:
        self.asked.append((what, k, allowed))
        return [
            hit for hit in self.hits if allowed is None or CHUNKS[hit.chunk_id].paper_id in allowed
        ][:k]

    def ceiling(self, text: str) -> float:
        return 10.0

    def n_holding(self, term: str) -> int:
        return 9


def retriever(dense: ListedLeg, lexical: ListedLeg, depth: int = 200) -> HybridRetriever:
    return HybridRetriever(LocalEmbedder(), dense, lexical, PAPERS, CHUNKS, depth=depth)


def search(
    dense: ListedLeg, lexical: ListedLeg, *, k: int = 10, filters: Filters | None = None
) -> list[tuple[str, str, LegRanks]]:
    result = retriever(dense, lexical).search("wells", k=k, filters=filters or Filters())
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(hit.paper is PAPERS[hit.chunk.paper_id] for hit in result.hits)
    return [(hit.paper.paper_id, hit.chunk.chunk_id, hit.ranks) for hit in result.hits]


def test_every_hit_remembers_its_rank_in_each_leg() -> None:
    found = search(ListedLeg(a_0=0.9, b_0=0.8, c_0=0.1), ListedLeg(b_0=7, d_0=3, a_0=2))
    assert found == [
        ("b", "b#0", LegRanks(dense=2, lexical=1)),
        ("a", "a#0", LegRanks(dense=1, lexical=3)),
        ("d", "d#0", LegRanks(dense=None, lexical=2)),
        ("c", "c#0", LegRanks(dense=3, lexical=None)),
    ]


def test_a_paper_comes_once_by_its_best_chunk_and_ranks_count_papers() -> None:
    found = search(ListedLeg(a_1=0.9, a_0=0.8, b_1=0.7), ListedLeg(d_1=5, d_0=4, b_0=3, b_1=1))
    assert found == [
        ("a", "a#1", LegRanks(dense=1, lexical=None)),
        ("d", "d#1", LegRanks(dense=None, lexical=1)),
        ("b", "b#0", LegRanks(dense=2, lexical=2)),
    ]


def test_of_a_long_paper_the_chunk_is_shown_that_one_leg_is_sure_of() -> None:
    found = search(ListedLeg(a_0=0.56, a_1=0.55, b_0=0.4), ListedLeg(a_1=9, b_0=1))
    assert found[0][:2] == ("a", "a#1")


def test_filters_are_the_same_on_both_legs() -> None:
    dense, lexical = ListedLeg(a_0=0.9, b_0=0.8, c_0=0.7), ListedLeg(b_0=7, c_0=2)
    filters = Filters(authors=("sun",))
    found = retriever(dense, lexical).search("wells", k=10, filters=filters)
    assert {hit.paper.paper_id for hit in found.hits} == {"a", "c"}
    assert found.n_candidates == 2
    assert dense.asked[0][2] == lexical.asked[0][2] == {"a", "c"}


def test_without_filters_the_legs_search_all() -> None:
    dense, lexical = ListedLeg(a_0=0.9), ListedLeg(a_0=1)
    assert retriever(dense, lexical).search("wells", k=1, filters=Filters()).n_candidates == 4
    assert dense.asked[0][2] is None
    assert lexical.asked[0][2] is None


def test_a_filter_that_matches_nothing_asks_no_leg() -> None:
    dense, lexical = ListedLeg(a_0=0.9), ListedLeg(a_0=1)
    result = retriever(dense, lexical).search("wells", k=10, filters=Filters(years=(1999,)))
    assert result.hits == ()
    assert result.n_candidates == 0
    assert dense.asked == lexical.asked == []


def test_each_leg_gets_its_own_form_of_the_query_and_the_depth() -> None:
    dense, lexical = ListedLeg(), ListedLeg()
    result = retriever(dense, lexical, depth=17).search("wells", k=3, filters=Filters())
    vector, dense_depth, _ = dense.asked[0]
    assert isinstance(vector, np.ndarray)
    np.testing.assert_array_equal(vector, LocalEmbedder().embed_query("wells"))
    np.testing.assert_array_equal(result.query_vector, vector)
    assert lexical.asked[0][:2] == ("wells", 17)
    assert dense_depth == 17


@pytest.mark.parametrize("k", [0, 1, 2, 9])
def test_at_most_k_papers_are_returned(k: int) -> None:
    found = search(ListedLeg(a_0=0.9, b_0=0.8, c_0=0.1), ListedLeg(b_0=7), k=k)
    assert len(found) == min(k, 3)


def test_ties_are_ordered_by_id_whatever_the_legs_order() -> None:
    forward = ListedLeg(d_0=0.5, b_0=0.5, c_1=0.5, c_0=0.5)
    backward = ListedLeg(c_0=0.5, c_1=0.5, b_0=0.5, d_0=0.5)
    found = search(forward, ListedLeg())
    assert found == search(backward, ListedLeg())
    assert [(paper, chunk) for paper, chunk, _ in found] == [
        ("b", "b#0"),
        ("c", "c#0"),
        ("d", "d#0"),
    ]


def test_what_the_question_names_comes_first() -> None:
    legs = (ListedLeg(a_0=0.9, b_0=0.8, c_0=0.1), ListedLeg(b_0=9, c_0=0.1))
    found = retriever(*legs).search("What does 'Title c' say?", k=9, filters=Filters())
    assert [hit.paper.paper_id for hit in found.hits] == ["c", "b", "a"]


def test_both_legs_look_for_the_mended_question() -> None:
    dense, lexical = ListedLeg(), ListedLeg()
    lexical.n_holding = lambda term: 9 * (term == "well")  # type: ignore[method-assign]
    result = retriever(dense, lexical).search("wwells", k=3, filters=Filters())
    assert lexical.asked[0][0] == result.wording == "wells"
    np.testing.assert_array_equal(result.query_vector, LocalEmbedder().embed_query("wells"))


def test_stages_are_timed() -> None:
    result = retriever(ListedLeg(), ListedLeg()).search("wells", k=1, filters=Filters())
    assert result.timings_ms.keys() == {"dense", "lexical"}
    assert result.timings_ms["dense"] > 0


def test_a_real_question_finds_its_paper() -> None:
    """Real vectors, real words: the embedder with an exact leg and shared words."""
    abstracts = {
        "a": "Satellite images reveal 213,000 wells in Alberta.",
        "b": "Sparse attention needs at least linear depth.",
        "c": "Proteins are folded by diffusion.",
        "d": "Wells of potential in physics.",
    }
    embedder = LocalEmbedder()
    vectors = embedder.embed_passages(list(abstracts.values()))

    class Exact:
        def search(
            self, vector: NDArray[np.float32], k: int, allowed: frozenset[str] | None
        ) -> list[LegHit]:
            scores = vectors @ vector
            return [LegHit(f"{n}#0", float(s)) for n, s in zip(abstracts, scores, strict=True)]

    class Words:
        def search(self, text: str, k: int, allowed: frozenset[str] | None) -> list[LegHit]:
            words = set(text.lower().split())
            shared = {n: len(words & set(a.lower().split())) for n, a in abstracts.items()}
            return [LegHit(f"{n}#0", float(s)) for n, s in shared.items() if s]

        words: Mapping[str, int] = {}

        def ceiling(self, text: str) -> float:
            return float(len(text.split()))

        def n_holding(self, term: str) -> int:
            return 1

    found = HybridRetriever(embedder, Exact(), Words(), PAPERS, CHUNKS).search(
        "How many wells are there in Alberta ?", k=2, filters=Filters()
    )
    assert [hit.paper.paper_id for hit in found.hits] == ["a", "d"]


def test_a_filter_leaves_the_scores_of_those_that_pass() -> None:
    def legs() -> tuple[ListedLeg, ListedLeg]:
        return ListedLeg(a_0=0.9, b_0=0.8, c_0=0.7, d_0=0.5), ListedLeg(b_0=7, c_0=2)

    every = retriever(*legs()).search("wells", k=10, filters=Filters())
    some = retriever(*legs()).search("wells", k=10, filters=Filters(authors=("sun",)))
    scores = {hit.paper.paper_id: hit.score for hit in every.hits}
    assert {hit.paper.paper_id: hit.score for hit in some.hits} == {
        name: scores[name] for name in ("a", "c")
    }
