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

    about: float = 0.73
    background: float = -0.38
    constant: float = -3.6
    """The log-odds of a member are the sum of these times what the reader takes for the log-odds
    that a paper is about the topic, times those of the papers read last, and 1."""
    usual_background: float = -2.11
    """Of the papers read last, where too few were read to know."""
    member: float = 0.5
    """The chance from which a paper is counted."""
    borderline: float = 0.2
    """The chance from which a paper is named apart."""

    def chance(self, about: float, background: float) -> float:
        """How likely a paper belongs on the list, from 0 to 1."""
        log_odds = self.about * about + self.background * background + self.constant
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
    read: list[ReadPaper] = []
    for part in _parts(hits):
        read += read_papers(reader, topic, part)
        last = background(_abouts(read), limits)
        chances = [limits.chance(item.reading.about, last) for item in read[-N_LAST:]]
        if all(limits.verdict(chance) == "out" for chance in chances):
            break
    last = background(_abouts(read), limits)
    return [_judge(item, limits.chance(item.reading.about, last), limits) for item in read]


def background(abouts: Sequence[float], criteria: Criteria) -> float:
    """What the reader says of papers that are not about the topic, but near to it.

    It takes every paper on language models for somewhat about anything that has to do with them,
    and hardly any paper for about a rare abbreviation; beside those read last, a member stands out.

    Args:
        abouts: The log-odds of all papers read, in the order of the search.
        criteria: What is usual.
    """
    if len(abouts) < N_FIRST:
        return criteria.usual_background
    return sum(abouts[-N_LAST:]) / N_LAST


def _abouts(read: Sequence[ReadPaper]) -> list[float]:
    return [item.reading.about for item in read]


def _parts(hits: Sequence[Hit]) -> Iterator[Sequence[Hit]]:
    """The first ones together, then a few at a time."""
    yield hits[:N_FIRST]
    for start in range(N_FIRST, len(hits), N_LAST):
        yield hits[start : start + N_LAST]


def _judge(item: ReadPaper, chance: float, criteria: Criteria) -> Judged:
    paper, score, verdict = item.hit.paper, item.hit.score, criteria.verdict(chance)
    if not item.sentences:
        # Nothing to quote: its title alone cannot prove that it belongs on the list.
        unproven: Verdict = "borderline" if verdict == "member" else "out"
        return Judged(paper, score, min(chance, 0.5), None, unproven)
    return Judged(paper, score, chance, item.sentences[item.best_first()[0]], verdict)
