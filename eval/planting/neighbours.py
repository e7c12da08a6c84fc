"""The papers that a claim is most easily mistaken to be about, by the product's own search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from eval.planting.claims import Claim
from eval.search import open_retriever
from rag.embeddings.base import Embedder
from rag.records import Filters, Paper

_N_NEAREST = 5


def nearest_papers(
    claims: Iterable[Claim],
    papers: Mapping[str, Paper],
    embedder: Embedder,
    *,
    progress: Callable[[int], None] | None = None,
) -> dict[str, tuple[Paper, ...]]:
    """For each claim the first papers that a search for its words finds, without its own.

    Args:
        claims: What to search for.
        papers: To search, by id: each whole, every vector compared.
        embedder: Gives the vectors of the search.
        progress: Called now and then with the number of abstracts embedded so far.

    Returns:
        The text of a claim -> up to five papers, nearest first.
    """
    retriever = open_retriever(papers, embedder, progress=progress)
    nearest = {}
    for claim in claims:
        hits = retriever.search(claim.text, k=_N_NEAREST + 1, filters=Filters()).hits
        others = [hit.paper for hit in hits if hit.paper.paper_id != claim.paper_id]
        nearest[claim.text] = tuple(others[:_N_NEAREST])
    return nearest
