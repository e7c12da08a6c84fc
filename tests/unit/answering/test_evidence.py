"""Which papers are read: whole abstracts, numbered in order, within the budget."""

import pytest

from rag.answering.evidence import select_passages
from rag.answering.numbering import Numbering
from rag.records import Paper, Turn
from rag.tokens import count_tokens

SHORT = "A short abstract of one sentence."
LONG = " ".join(["A long abstract repeats itself."] * 60)


@pytest.fixture
def select(read_paper):
    def select(*abstracts: str, token_budget: int = 6000, sources=()):
        read = [
            read_paper(Paper(f"p{n}", f"Title {n}", text), score=1 / (n + 1))
            for n, text in enumerate(abstracts)
        ]
        numbering = Numbering.of([Turn("assistant", "So it is. [1]", tuple(sources))])
        return select_passages(read, token_budget=token_budget, numbering=numbering)

    return select


def test_papers_are_numbered_from_one_in_the_order_given(select) -> None:
    passages = select(SHORT, LONG, SHORT)
    assert [(item.marker, item.paper.paper_id) for item in passages] == [
        (1, "p0"),
        (2, "p1"),
        (3, "p2"),
    ]
    assert [item.score for item in passages] == [1, 1 / 2, 1 / 3]


def test_a_passage_is_the_whole_abstract(select) -> None:
    for passage in select(LONG, SHORT, token_budget=500):
        assert passage.text == passage.paper.abstract


def test_a_paper_that_does_not_fit_is_left_out_whole_and_a_shorter_one_taken(select) -> None:
    passages = select(SHORT, LONG, SHORT, token_budget=2 * count_tokens(SHORT))
    assert [(item.marker, item.paper.paper_id) for item in passages] == [(1, "p0"), (2, "p2")]


def test_the_first_paper_is_taken_even_when_it_exceeds_the_budget(select) -> None:
    passages = select(LONG, SHORT, token_budget=10)
    assert [item.paper.paper_id for item in passages] == ["p0"]
    assert passages[0].text == LONG


def test_the_budget_holds(select) -> None:
    passages = select(*[LONG] * 8, token_budget=3 * count_tokens(LONG) + 5)
    assert sum(count_tokens(item.text) for item in passages) <= 3 * count_tokens(LONG) + 5
    assert len(passages) == 3


def test_a_paper_keeps_its_number_and_new_ones_get_the_next_best_first_all_the_same(
    select,
) -> None:
    passages = select(SHORT, SHORT, SHORT, SHORT, sources=[(1, "p2"), (2, "other"), (4, "p0")])
    assert [(item.marker, item.paper.paper_id) for item in passages] == [
        (4, "p0"),
        (5, "p1"),
        (1, "p2"),
        (6, "p3"),
    ]


def test_of_nothing_nothing_is_selected(select) -> None:
    assert select() == []


def test_a_paper_without_an_abstract_is_a_passage_of_no_words(select) -> None:
    assert [item.text for item in select("", SHORT)] == ["", SHORT]
