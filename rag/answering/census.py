"""Screening for a census: the nearest papers are read, and each is in, out or borderline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rag.answering.reading import ReadPaper, read_papers
from rag.embeddings.base import Reader
from rag.records import Hit, Paper
from rag.text import Span

Verdict = Literal["member", "borderline", "out"]


@dataclass(frozen=True, slots=True)
class Criteria:
    """What counts. Fitted on the development topics: eval/benchmarks/census.json."""

    about: float = 0.62
    constant: float = -2.58
    """The log-odds of a member are ``about`` times what the reader takes for the log-odds that a
    paper is about the topic, and this."""
    member: float = 0.4
    """The chance from which a paper is counted."""
    borderline: float = 0.15
    """The chance from which a paper is named apart."""

    def chance(self, about: float) -> float:
        """How likely a paper belongs on the list, from 0 to 1."""
        log_odds = self.about * about + self.constant
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, log_odds))))

    def verdict(self, chance: float) -> Verdict:
        """What a chance means."""
        if chance >= self.member:
            return "member"
        return "borderline" if chance >= self.borderline else "out"


N_FIRST = 40
"""So many papers are read at least: of the nearest, some members may lie behind others' words."""
N_LAST = 12
"""While one of the papers read last may belong on the list, so many more are read."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One paper that was considered."""

    paper: Paper
    score: float
    """Of the search."""
    chance: float
    """That it belongs on the list, from 0 to 1."""
    quote: Span | None
    """Where its abstract shows it best; None where there is no abstract."""
    verdict: Verdict

    @property
    def quoted(self) -> str:
        """The words of ``quote``."""
        return self.paper.abstract[self.quote.start : self.quote.end] if self.quote else ""


def screen(
    reader: Reader, topic: str, hits: Sequence[Hit], criteria: Criteria | None = None
) -> list[Judged]:
    """Read the nearest papers until they are clearly of something else.

    Args:
        reader: Reads topic and abstract together.
        topic: What a paper must be about, or do.
        hits: The nearest first.
        criteria: What counts.

    Returns:
        Those that were read, in the order of the hits.
    """
    limits = criteria or Criteria()
    judged: list[Judged] = []
    for part in _parts(hits):
        judged += [_judge(item, limits) for item in read_papers(reader, topic, part)]
        if all(item.verdict == "out" for item in judged[-N_LAST:]):
            break
    return judged


def _parts(hits: Sequence[Hit]) -> Iterator[Sequence[Hit]]:
    """The first ones together, then a few at a time."""
    yield hits[:N_FIRST]
    for start in range(N_FIRST, len(hits), N_LAST):
        yield hits[start : start + N_LAST]


def _judge(item: ReadPaper, criteria: Criteria) -> Judged:
    paper, score = item.hit.paper, item.hit.score
    chance = criteria.chance(item.reading.about)
    verdict = criteria.verdict(chance)
    if not item.sentences:
        # Nothing to quote: its title alone cannot prove that it belongs on the list.
        unproven: Verdict = "borderline" if verdict == "member" else "out"
        return Judged(paper, score, min(chance, criteria.member), None, unproven)
    return Judged(paper, score, chance, item.sentences[item.best_first()[0]], verdict)
