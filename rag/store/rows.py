"""Papers and chunks as JSON lines, in the order given."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rag.records import Chunk, Paper

# What is found about a paper when it is opened beside others.
_NOT_STORED = ("corpus", "copies")


def write_rows(path: Path, records: Iterable[Paper] | Iterable[Chunk]) -> None:
    """Write one record a line."""
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            # ASCII, so that half of a surrogate pair can be written and read back.
            file.write(json.dumps(stored(record)) + "\n")


def stored(record: Paper | Chunk) -> dict[str, Any]:
    """What an index keeps of a record, as plain values."""
    values = asdict(record)
    return {name: value for name, value in values.items() if name not in _NOT_STORED}


def paper_row(paper: Paper) -> str:
    """One paper as a line of its own."""
    return json.dumps(stored(paper))


def parse_paper(row: str) -> Paper:
    """The paper that ``paper_row`` wrote.

    Raises:
        ValueError, TypeError: If it is another text.
    """
    return Paper(**_with_tuples(json.loads(row)))


def read_papers(path: Path) -> dict[str, Paper]:
    """Read papers by their id."""
    papers = (Paper(**_with_tuples(row)) for row in _rows(path))
    return {paper.paper_id: paper for paper in papers}


def read_chunks(path: Path) -> dict[str, Chunk]:
    """Read chunks by their id."""
    chunks = (Chunk(**row) for row in _rows(path))
    return {chunk.chunk_id: chunk for chunk in chunks}


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _with_tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
