"""Papers that were read, made by hand."""

from collections.abc import Callable, Sequence

import pytest

from rag.answering.reading import ReadPaper
from rag.embeddings.base import Reading
from rag.records import Chunk, Hit, LegRanks, Paper, Passage
from rag.text import split_sentences


@pytest.fixture
def read_paper() -> Callable[..., ReadPaper]:
    """A paper with one score a sentence; answerable and about follow the best of them."""

    def read_paper(
        paper: Paper,
        scores: Sequence[float] | None = None,
        *,
        answerable: float | None = None,
        about: float = 5.0,
        score: float = 0.5,
        rank: int = 1,
    ) -> ReadPaper:
        spans = tuple(split_sentences(paper.abstract))
        scores = tuple(scores if scores is not None else [0.0] * len(spans))
        assert len(scores) == len(spans)
        chunk = Chunk(
            f"{paper.paper_id}#0", paper.paper_id, paper.abstract, 0, len(paper.abstract), 9, "hash"
        )
        hit = Hit(chunk, score, rank, LegRanks(dense=rank, lexical=rank), paper)
        best = max(scores, default=-20.0)
        return ReadPaper(
            hit, spans, Reading(scores, best if answerable is None else answerable, about)
        )

    return read_paper


@pytest.fixture
def passages(small_papers) -> dict[int, Passage]:
    """The first three papers of the small corpus, by marker."""
    papers = list(small_papers.values())[:3]
    return {n: Passage(n, paper, paper.abstract, 0.5) for n, paper in enumerate(papers, start=1)}
