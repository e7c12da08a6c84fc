"""The history of a benchmark conversation, in each form in which the product may be told it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rag.answer import Answer
from rag.answering.history import as_turns
from rag.answering.sources import cited_texts, named_title
from rag.records import Paper, Turn
from rag.text import normalise, split_sentences

FORMS = ("written", "sources", "played", "words")
"""As it was written down; with the sources of its answers; its questions with the assistant's own
answers, with their sources; the same answers without."""
Ask = Callable[[str, Sequence[Answer]], Answer]
_QUOTE_CHARS = 25


def with_sources(turns: Sequence[Turn], papers: Mapping[str, Paper]) -> tuple[Turn, ...]:
    """Each answer with the papers of its markers, as an ``Answer`` knows them.

    The answers of the data set quote, so that a paper is known by its title or one of its sentences.
    """
    return tuple(
        Turn(turn.role, turn.text, _sources(turn.text, papers))
        if turn.role == "assistant"
        else turn
        for turn in turns
    )


def _sources(answer: str, papers: Mapping[str, Paper]) -> tuple[tuple[int, str], ...]:
    texts = cited_texts(answer) or {1: named_title(answer)}
    found = {marker: _quoted(normalise(text), papers) for marker, text in texts.items()}
    return tuple((marker, paper_id) for marker, paper_id in found.items() if paper_id)


def _quoted(said: str, papers: Mapping[str, Paper]) -> str:
    for paper in papers.values():
        spans = split_sentences(paper.abstract)
        sentences = (normalise(paper.abstract[span.start : span.end]) for span in spans)
        if normalise(paper.title) in said or any(
            len(sentence) >= _QUOTE_CHARS and sentence in said for sentence in sentences
        ):
            return paper.paper_id
    return ""


def played(turns: Sequence[Turn], ask: Ask) -> tuple[Turn, ...]:
    """The earlier questions, each answered with the answers before it as history."""
    answers: list[Answer] = []
    for turn in turns:
        if turn.role == "user":
            answers.append(ask(turn.text, answers))
    return tuple(as_turns(answers))


def without_sources(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The same words, and no more."""
    return tuple(Turn(turn.role, turn.text) for turn in turns)
