"""Papers and chunks as records of a collection, and back.

A record is a chunk. The first one of a paper carries the paper, as JSON of plain ASCII; the text of
a chunk is a part of its paper's abstract. All is metadata, since Chroma makes a full-text index of
documents, which nobody searches and which takes twice the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rag.errors import IndexDamaged
from rag.records import Chunk, Paper
from rag.store.rows import paper_row, parse_paper
from rag.store.served.collection import Row


@dataclass(frozen=True, slots=True)
class Contents:
    """What the records of one generation hold."""

    papers: Mapping[str, Paper]
    """By paper id, in the order of the corpus."""
    chunks: Mapping[str, Chunk]
    """By chunk id, sorted."""


def rows_of(contents: Contents) -> Iterator[Row]:
    """One record for each chunk, in their order."""
    positions = {paper_id: position for position, paper_id in enumerate(contents.papers)}
    for chunk in contents.chunks.values():
        metadata: dict[str, str | int | float] = {
            "paper_id": chunk.paper_id,
            "start": chunk.start,
            "end": chunk.end,
            "n_tokens": chunk.n_tokens,
            "content_hash": chunk.content_hash,
        }
        position = positions.pop(chunk.paper_id, None)
        if position is not None:
            metadata["position"] = position
            metadata["paper"] = paper_row(contents.papers[chunk.paper_id])
        yield Row(chunk.chunk_id, metadata)


def contents_of(rows: Iterable[Row]) -> Contents:
    """What the records hold.

    Raises:
        IndexDamaged: If one is not as ``rows_of`` makes it.
    """
    placed: dict[int, Paper] = {}
    by_id = sorted(rows, key=lambda row: row.row_id)
    try:
        for row in by_id:
            if "paper" in row.metadata:
                placed[int(row.metadata["position"])] = parse_paper(str(row.metadata["paper"]))
        papers = {placed[position].paper_id: placed[position] for position in sorted(placed)}
        return Contents(papers, {row.row_id: _chunk(row, papers) for row in by_id})
    except (KeyError, TypeError, ValueError) as error:
        raise IndexDamaged(
            f"A record on the Chroma server is not as it was written: {error!r}."
        ) from error


def _chunk(row: Row, papers: Mapping[str, Paper]) -> Chunk:
    paper_id = str(row.metadata["paper_id"])
    start, end = int(row.metadata["start"]), int(row.metadata["end"])
    return Chunk(
        chunk_id=row.row_id,
        paper_id=paper_id,
        text=papers[paper_id].abstract[start:end],
        start=start,
        end=end,
        n_tokens=int(row.metadata["n_tokens"]),
        content_hash=str(row.metadata["content_hash"]),
    )
