"""What a new reading of a corpus changes in its index."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag.records import Paper


@dataclass(frozen=True, slots=True)
class Changes:
    """The papers of the next generation, and how they differ from those of the current one.

    ``len(papers) == n_added + n_updated + n_unchanged + n_kept``.
    """

    papers: tuple[Paper, ...]
    n_added: int
    n_updated: int
    n_unchanged: int
    n_kept: int
    """Papers that the source does not have any more."""
    n_removed: int


def compare(before: Mapping[str, Paper], read: Sequence[Paper], *, prune: bool) -> Changes:
    """Join what was read with what is there.

    A paper that is not in the source any more is kept, since a source may be cut short by
    mistake, unless it was read under another id: one with the same title and authors takes its
    place.

    Args:
        before: The papers of the current generation, by id.
        read: The papers of the source, each id once.
        prune: Remove what is not in the source any more.
    """
    after = {paper.paper_id: paper for paper in read}
    added = {_work(paper) for paper in read if paper.paper_id not in before}
    gone = [paper for paper_id, paper in before.items() if paper_id not in after]
    kept = [] if prune else [paper for paper in gone if _work(paper) not in added]
    n_shared = len(before) - len(gone)
    n_unchanged = sum(before.get(paper_id) == paper for paper_id, paper in after.items())
    return Changes(
        papers=(*read, *kept),
        n_added=len(after) - n_shared,
        n_updated=n_shared - n_unchanged,
        n_unchanged=n_unchanged,
        n_kept=len(kept),
        n_removed=len(gone) - len(kept),
    )


def _work(paper: Paper) -> tuple[str, ...]:
    """What is the same for one paper under two ids."""
    return tuple(re.sub(r"[\W_]+", "", name).casefold() for name in (paper.title, *paper.authors))
