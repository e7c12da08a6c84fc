"""Questions that may be asked next: about papers that were read, and answered by their abstracts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag.embeddings.base import Reader
from rag.records import Paper
from rag.text import normalise, split_sentences

MOST = 3
"""Suggestions after one answer."""
SURE, SHOWN = 2.5, -1.0
"""The log-odds, as the reader takes them, from which an abstract answers a question for certain, and
from which a sentence of it shows the answer."""
_MOST_EACH, _MOST_READ = 2, 8
_OF_A_METHOD = (
    "How does {} work?",
    "What results does {} achieve?",
    "What problem does {} solve?",
    "How is {} evaluated?",
)
_OF_A_PAPER = (
    "What is the main finding of “{}”?",
    "What problem does “{}” address?",
)
_OF_A_POSITION = ("What does the position paper “{}” call for?",)
_NAME_WORDS, _TITLE_CHARS = 2, 80
_POSITION = re.compile(r"^position(?: paper)?:\s*", re.IGNORECASE)


def suggest(
    reader: Reader, papers: Sequence[Paper], asked: Sequence[str], *, most: int = MOST
) -> list[str]:
    """Questions that the abstracts of these papers answer, about as many of them as may be.

    Args:
        reader: Says whether an abstract answers a question.
        papers: Those that matter most first.
        asked: What has been asked already, and is not suggested again.
        most: How many at the most.
    """
    known = {normalise(question) for question in asked}
    waiting = [list(_candidates(paper, number)) for number, paper in enumerate(papers)]
    found: list[str] = []
    n_read = 0
    # One of each paper, then another one of those that have more to say.
    for _ in range(_MOST_EACH):
        for paper, candidates in zip(papers, waiting, strict=True):
            while candidates and len(found) < most and n_read < _MOST_READ:
                question = candidates.pop(0)
                if normalise(question) in known:
                    continue
                n_read += 1
                if _is_answered(reader, question, paper):
                    found.append(question)
                    break
    return found


def _candidates(paper: Paper, turn: int) -> Iterator[str]:
    """Questions about a paper; the form changes from paper to paper."""
    title = _POSITION.sub("", paper.title)
    name = method_name(paper.title)
    if "$" in (name or title):
        return
    if not name and len(title) > _TITLE_CHARS:
        return
    of_a_paper = _OF_A_PAPER if title == paper.title else _OF_A_POSITION
    forms: tuple[str, ...] = _OF_A_METHOD if name else of_a_paper
    subject = name or title
    start = turn % len(forms)
    for form in (*forms[start:], *forms[:start]):
        yield form.format(subject)


def method_name(title: str) -> str:
    """What a title names before its colon, if that looks like the name of a method; else empty.

    ``MaAS: Multi-agent Search`` has one, ``Position: ...`` and ``A survey: ...`` have none.
    """
    head, colon, _ = title.partition(":")
    words = head.split()
    if not colon or not words or len(words) > _NAME_WORDS:
        return ""
    # A name has a capital or a digit where a word has none.
    return head.strip() if re.search(r"[a-z0-9][A-Z]|[A-Z]{2}|\d", head) else ""


def _is_answered(reader: Reader, question: str, paper: Paper) -> bool:
    spans = split_sentences(paper.abstract)
    if not spans:
        return False
    reading = reader.read(question, paper.title, paper.abstract, spans)
    return reading.answerable >= SURE and max(reading.sentences) >= SHOWN
