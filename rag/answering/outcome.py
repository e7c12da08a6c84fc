"""Which of the three outcomes a question has, judged from what the reader made of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering.reading import ReadPaper
from rag.export import markdown_target
from rag.records import Paper, Status

# Where there is no sentence: what the best one of an unrelated abstract gets.
_NO_SENTENCE = -5.0


@dataclass(frozen=True, slots=True)
class Weights:
    """A linear function of what is known of a paper that was read."""

    score: float
    prominence: float
    about: float
    answerable: float
    best_sentence: float
    constant: float = 0.0

    def of(self, item: ReadPaper) -> float:
        """The value for one paper; higher is better."""
        reading = item.reading
        best = max(reading.sentences, default=_NO_SENTENCE)
        return (
            self.score * item.hit.score
            + self.prominence * item.hit.prominence
            + self.about * reading.about
            + self.answerable * reading.answerable
            + self.best_sentence * best
            + self.constant
        )


# Fitted on the development and calibration questions: eval/calibration/curve.json.
ORDER = Weights(13.25, 1.858, 0.448, 0.294, 0.166)
"""How likely a paper is the one that is asked about, among those that were read."""
ANSWERS = Weights(-0.285, 0.269, -0.157, 0.559, 0.269, 1.543)
"""The log-odds that the first paper answers the question."""
ABOUT = Weights(8.465, 0.828, 0.67, 0.105, 0.089, -1.801)
"""The log-odds that a paper is about what is asked."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Log-odds from which something counts, chosen on the same questions."""

    answers: float = -0.6
    answers_several: float = -1.5
    """For a question that needs several papers, of which each answers its part alone."""
    about: float = 0.0


def relevance(item: ReadPaper) -> float:
    """How likely a paper is the one that the question is about; higher is better."""
    return ORDER.of(item)


def is_about(item: ReadPaper) -> bool:
    """Whether a paper is about what is asked, as far as the outcome counts it so."""
    return ABOUT.of(item) >= Thresholds().about


def decide(
    read: Sequence[ReadPaper], thresholds: Thresholds | None = None, *, several: bool = False
) -> Status:
    """The outcome before anything is written.

    Args:
        read: Most relevant first.
        thresholds: What counts.
        several: Whether the question needs more than one paper.
    """
    limits = thresholds or Thresholds()
    if not read or ABOUT.of(read[0]) < limits.about:
        return "not_in_corpus"
    first = next((item for item in read if item.sentences), None)
    needed = limits.answers_several if several else limits.answers
    return "answered" if first is not None and ANSWERS.of(first) >= needed else "not_stated"


def refusal(
    status: Status, read: Sequence[ReadPaper], n_papers: int, corpus: str, filters: str
) -> str:
    """What is said instead of an answer; empty when answered.

    Args:
        status: The outcome.
        read: Most relevant first.
        n_papers: How many papers were looked at.
        corpus: What they are called together.
        filters: The filters in words, empty if there are none.
    """
    if status == "not_stated":
        return not_stated_notice(read[0].hit.paper)
    if status == "not_in_corpus":
        return not_in_corpus_notice(n_papers, corpus, filters)
    return ""


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
    return f"Nothing on this among {among(n_papers, corpus, filters)}."


def among(n_papers: int, corpus: str, filters: str) -> str:
    """``"the 57 papers of seeds with author Sun"``; see ``not_in_corpus_notice``."""
    papers = "the one paper" if n_papers == 1 else f"the {n_papers:,} papers"
    return f"{papers} of {corpus}" + (f" with {filters}" if filters else "")
