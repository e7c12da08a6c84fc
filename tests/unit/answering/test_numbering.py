"""A paper keeps its number through a conversation, and no number ever means two papers."""

import pytest

from rag.answering.numbering import Numbering, with_listed_sources
from rag.records import Paper, Turn


def told(*sources: tuple[int, str]) -> Turn:
    return Turn("assistant", "So it is. [1]", sources)


def test_without_a_history_numbers_start_at_one() -> None:
    assert Numbering.of([]).number(["a", "b"]) == [1, 2]
    assert Numbering.of([Turn("user", "Why?"), told()]).number(["a", "b"]) == [1, 2]


def test_known_papers_keep_their_numbers_and_new_ones_get_the_next() -> None:
    numbering = Numbering.of([told((1, "a"), (2, "b")), told((2, "b"), (3, "c"))])
    assert numbering.number(["d", "b", "e", "a"]) == [4, 2, 5, 1]


def test_a_gap_is_not_filled_for_its_number_may_have_been_given() -> None:
    assert Numbering.of([told((5, "a"))]).number(["b", "a"]) == [6, 5]


def test_where_two_papers_have_had_one_number_neither_gets_it_again() -> None:
    numbering = Numbering.of([told((1, "a"), (2, "b")), told((1, "c"), (3, "b"))])
    assert numbering.number(["a", "c", "d"]) == [4, 5, 6]
    assert numbering.number(["b"]) in ([2], [3])
    assert numbering.papers[1] == "c", "whoever says [1] means the latest answer"


def test_a_dispute_is_not_settled_by_repeating_one_side() -> None:
    numbering = Numbering.of([told((1, "a")), told((1, "b")), told((1, "b"))])
    assert numbering.number(["b"]) == [2]


@pytest.mark.parametrize("n_turns", [10, 500])
def test_numbers_hold_however_long_the_conversation(n_turns) -> None:
    turns: list[Turn] = []
    meant: dict[int, str] = {}
    for n in range(n_turns):
        paper_ids = [f"p{(n * 7 + k * 3) % 90}" for k in range(6)]
        sources = tuple(zip(Numbering.of(turns).number(paper_ids), paper_ids, strict=True))
        assert len(dict(sources)) == 6
        assert all(meant.setdefault(marker, paper_id) == paper_id for marker, paper_id in sources)
        turns.append(told(*sources))
    assert len(meant) == len(set(meant.values())) <= 90
    assert max(meant) == len(meant)


LISTED = (
    "Wells leak. [3] Heads are sparse. [12]\n\nSources:\n\n"
    "- [3] [Counting \\[Oil\\] Wells](https://papers.example/w). Ann Example. ICML 2025.\n"
    "- [12] Sparse Heads. Bo Muster.\n- [13] Nobody Knows. X."
)


def find(title: str) -> Paper | None:
    papers = {"Counting [Oil] Wells": "wells", "Sparse Heads": "heads"}
    return Paper(papers[title], title, "") if title in papers else None


def test_an_answer_that_lists_its_sources_brings_their_numbers() -> None:
    (turn,) = with_listed_sources([Turn("assistant", LISTED)], find)
    assert turn == Turn("assistant", LISTED, ((3, "wells"), (12, "heads")))
    assert Numbering.of([turn]).number(["new", "wells"]) == [13, 3]


def test_what_is_known_or_asked_is_left_as_it_is() -> None:
    turns = (
        Turn("user", LISTED),
        Turn("assistant", LISTED, ((1, "wells"),)),
        Turn("assistant", "So. [1]"),
    )
    assert with_listed_sources(turns, find) == turns
