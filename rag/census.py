"""What a census finds: which papers are of a kind, each with the words that show it."""

from __future__ import annotations

from dataclasses import dataclass

from rag.records import Paper


@dataclass(frozen=True, slots=True)
class Member:
    """One paper of a census: ``paper.abstract[start:end] == quote``."""

    paper: Paper
    marker: int
    """The number by which the answer cites it."""
    confidence: float
    """How likely it belongs on the list, from 0 to 1."""
    quote: str
    """What shows it; empty only for a borderline paper whose abstract is not in the collection."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Census:
    """All papers of a kind among many: the list, and how it was made."""

    topic: str
    """What a paper must be about, or do, to be counted."""
    rule: str
    """How it was decided, in words."""
    n_screened: int
    """How many papers could have been found: all that pass the filters."""
    n_considered: int
    """How many of them, the nearest ones, were read."""
    members: tuple[Member, ...]
    """Those that are counted, the surest first."""
    borderline: tuple[Member, ...]
    """Those that may belong on the list and are not counted, the likeliest first."""

    @property
    def count(self) -> int:
        """How many papers are counted: as many as the list has."""
        return len(self.members)
