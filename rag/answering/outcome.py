"""Which of the three outcomes a question has, judged from what the reader made of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from rag.answering.reading import ReadPaper
from rag.export import markdown_target
from rag.records import Paper, Status


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Log-odds from which something counts; calibrated on development questions."""

    answers: float = 0.0
    """From here the best sentences answer the question."""
    about: float = -3.0
    """From here a paper is about what the question is about."""


def relevance(item: ReadPaper) -> float:
    """How likely a paper is the one that the question is about; higher is better."""
    return item.reading.about + item.reading.answerable + 4 * item.hit.score


def decide(read: Sequence[ReadPaper], thresholds: Thresholds) -> Status:
    """The outcome before anything is written.

    Args:
        read: Most relevant first.
        thresholds: What counts.
    """
    if not read or max(item.reading.about for item in read) < thresholds.about:
        return "not_in_corpus"
    with_text = (item.reading.answerable for item in read if item.sentences)
    return "answered" if max(with_text, default=-inf) >= thresholds.answers else "not_stated"


def not_stated_notice(paper: Paper) -> str:
    """What is said when the right paper is here and its abstract does not say it."""
    name = f"[{paper.title}]({markdown_target(paper.url)})" if paper.url else f"“{paper.title}”"
    byline = f" ({paper.byline})" if paper.byline else ""
    if not paper.abstract:
        return f"The closest paper is {name}{byline}, but its abstract is not in this collection."
    return (
        f"The abstracts do not state this. The closest paper is {name}{byline}; "
        "the answer may be in its full text."
    )


def not_in_corpus_notice(n_papers: int, corpus: str, filters: str) -> str:
    """What is said when nothing here is about the question.

    Args:
        n_papers: How many papers were looked at.
        corpus: What they are called together.
        filters: The filters in words, empty if there are none.
    """
    if filters and not n_papers:
        return f"No paper of {corpus} matches the filter {filters}."
    papers = "the one paper" if n_papers == 1 else f"the {n_papers:,} papers"
    among = f"{papers} of {corpus}" + (f" with {filters}" if filters else "")
    return f"Nothing on this among {among}."
