"""Counts read back from the scores that were made of them."""

import random

import numpy as np
from bm25s import BM25

from rag.store.postings import K1, B, Postings


def texts(n: int = 60) -> list[list[str]]:
    draw = random.Random(7)  # noqa: S311 - the texts need only be the same each time
    words = [f"w{number}" for number in range(80)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    return [[""], *(draw.choices(words, weights, k=draw.randint(1, 90)) for _ in range(n))]


def scores(bm25: BM25, words: list[str]) -> np.ndarray:
    return np.asarray(bm25.get_scores(words))


def made_of(lists: list[list[str]]) -> BM25:
    bm25 = BM25(method="lucene", k1=K1, b=B)
    bm25.index(lists, show_progress=False)
    return bm25


def table(postings: Postings) -> dict[tuple[str, int], float]:
    names = {number: term for term, number in postings.columns.items()}
    numbers = zip(postings.terms, postings.rows, postings.counts, strict=True)
    return {(names[int(term)], int(row)): float(count) for term, row, count in numbers}


def test_counts_and_lengths_are_read_back_exactly() -> None:
    lists = texts()
    read, counted = Postings.read(made_of(lists), len(lists)), Postings.of(lists)
    assert table(read) == table(counted)
    assert read.lengths.tolist() == counted.lengths.tolist() == [len(terms) for terms in lists]


def test_two_halves_score_as_the_whole() -> None:
    lists = texts()
    places = (np.arange(0, len(lists), 2), np.arange(1, len(lists), 2))
    halves = [
        Postings.read(made_of([lists[row] for row in rows]), len(rows)).place(rows, len(lists))
        for rows in places
    ]
    joined, whole = Postings.join(halves).scored(), made_of(lists)
    for words in (["w0"], ["w3", "w70"], ["w5", "w5", "w79"]):
        np.testing.assert_allclose(scores(joined, words), scores(whole, words), rtol=1e-5)


def test_what_is_left_out_counts_for_nothing() -> None:
    lists = texts()
    places = np.arange(len(lists))
    places[-1] = -1
    left = Postings.read(made_of(lists), len(lists)).place(places, len(lists) - 1).scored()
    np.testing.assert_allclose(
        scores(left, ["w0", "w9"]), scores(made_of(lists[:-1]), ["w0", "w9"]), rtol=1e-5
    )
