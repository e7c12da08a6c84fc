"""Papers and chunks as records on a server, and back."""

from typing import Any

import pytest

from rag.chunking import split_paper
from rag.errors import IndexDamaged
from rag.records import Paper
from rag.store.served.collection import Row, _batches
from rag.store.served.rows import Contents, contents_of, rows_of

PAPERS = {
    "b": Paper("b", "Second \ud835", "Two words. " * 300, ("A B",), "V", 2025, keywords=("k",)),
    "a": Paper("a", "First", ""),
}
CHUNKS = {
    chunk.chunk_id: chunk
    for paper in (PAPERS["a"], PAPERS["b"])
    for chunk in split_paper(paper, max_tokens=448)
}
ROWS = list(rows_of(Contents(PAPERS, CHUNKS)))


def test_rows_hold_everything_once_and_come_in_any_order() -> None:
    assert [row.row_id for row in ROWS] == list(CHUNKS)
    assert sum("paper" in row.metadata for row in ROWS) == len(PAPERS)
    contents = contents_of(reversed(ROWS))
    assert list(contents.papers.items()) == list(PAPERS.items())
    assert list(contents.chunks.items()) == list(CHUNKS.items())


def test_metadata_is_of_the_kinds_that_a_server_takes() -> None:
    for row in ROWS:
        assert all(isinstance(value, str | int | float) for value in row.metadata.values())
        assert all(str(value).isascii() for value in row.metadata.values())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda m: {name: value for name, value in m.items() if name != "start"},
        lambda m: m | {"paper_id": "unknown"},
        lambda m: m | {"paper": "no JSON"},
        lambda m: m | {"paper": "{}"},
        lambda m: m | {"end": "x"},
    ],
)
def test_a_row_that_somebody_changed_is_damage(spoil: Any) -> None:
    first, *others = ROWS
    with pytest.raises(IndexDamaged, match="not as it was written"):
        contents_of([Row(first.row_id, spoil(dict(first.metadata))), *others])


def test_batches_are_of_a_bounded_number_and_size() -> None:
    rows = [Row(f"p{n}", {"paper": "x" * 1000}) for n in range(10_000)]
    parts = list(_batches(rows, 384, 5461))
    assert [row for part in parts for row in rows[part]] == rows
    assert all(part.stop - part.start <= 5461 for part in parts)
    assert max(part.stop - part.start for part in parts) * (1000 + 384 * 6) < 9 * 2**20
    assert len(list(_batches(rows, 1, 100))) == 100
    assert list(_batches([], 384, 5461)) == []
