"""Which number each paper has in a conversation, so that a marker means one paper all along."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from rag.answering.sources import listed_titles
from rag.records import Paper, Turn


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers that a conversation has given so far."""

    papers: Mapping[int, str]
    """By marker the id of the paper that had it last."""
    markers: Mapping[str, int]
    """By paper id its marker. Where answers that knew nothing of each other gave one number to two
    papers, neither has it any longer."""

    @classmethod
    def of(cls, turns: Sequence[Turn]) -> Self:
        """Gather the numbers of all turns, also of those too old to be read."""
        papers: dict[int, str] = {}
        disputed: set[int] = set()
        for marker, paper_id in (source for turn in turns for source in turn.sources):
            if papers.get(marker, paper_id) != paper_id:
                disputed.add(marker)
            papers[marker] = paper_id
        settled = {
            paper_id: marker for marker, paper_id in papers.items() if marker not in disputed
        }
        return cls(papers, settled)

    def number(self, paper_ids: Iterable[str]) -> list[int]:
        """The markers of some papers: the one that each has, else the next that none ever had."""
        free = itertools.count(max(self.papers, default=0) + 1)
        return [self.markers.get(paper_id) or next(free) for paper_id in paper_ids]


def with_listed_sources(
    turns: Sequence[Turn], find: Callable[[str], Paper | None]
) -> tuple[Turn, ...]:
    """Turns with the sources that answers list, where a program gave back their text alone.

    Args:
        turns: Oldest first.
        find: The paper with a title.
    """
    return tuple(
        turn
        if turn.sources or turn.role == "user"
        else replace(turn, sources=tuple(_listed(turn.text, find)))
        for turn in turns
    )


def _listed(answer: str, find: Callable[[str], Paper | None]) -> Iterator[tuple[int, str]]:
    for marker, title in listed_titles(answer).items():
        if paper := find(title):
            yield marker, paper.paper_id
