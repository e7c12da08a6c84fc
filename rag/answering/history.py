"""What was said before: earlier turns in one form, and as much of them as is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag.answer import Answer
from rag.answering.question import is_small_talk
from rag.answering.sources import cited_texts
from rag.records import Turn
from rag.text import clean
from rag.tokens import count_tokens

History = Answer | Sequence[str | Answer | Turn | Mapping[str, Any]]
"""Earlier answers with their questions, or turns, oldest first: plain strings are earlier questions.
A mapping has ``role`` and ``content`` and for an answer its ``sources``, or it is an
``Answer.to_dict()``. Answers and sources keep the numbers of papers."""

MAX_TOKENS = 4000
"""Of earlier turns, the newest kept."""
_MAX_EXCHANGES = 10
_MAX_QUESTION_CHARS = 1000
_MAX_ANSWER_CHARS = 6000
_MAX_MARKER = 999_999


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question and what was replied."""

    question: str
    answer: str = ""
    """Empty where it is not known."""
    sources: tuple[tuple[int, str], ...] = ()
    """Marker and paper id of each paper that the answer numbered, where they are known."""


def as_turns(history: History) -> list[Turn]:
    """Earlier turns in one form; whatever is neither a question nor an answer is left out."""
    items = [history] if isinstance(history, str | Answer) else history or ()
    turns = [turn for item in items for turn in _turns(item)]
    # An answer that was broken off has numbered its papers, too.
    return [turn for turn in turns if turn.text.strip() or turn.sources]


def _turns(item: object) -> Sequence[Turn]:
    match item:
        case str():
            return (Turn("user", clean(item)),)
        case Turn():
            return (Turn(item.role, clean(item.text), _sources(item.sources)),)
        case Answer():
            return _asked_and_answered(item.question, item.text, item.sources)
        case Mapping():
            return _turns_of_mapping(item)
    return ()


def _turns_of_mapping(item: Mapping[str, Any]) -> Sequence[Turn]:
    sources = item.get("sources")
    match item:
        case {"question": str(question), "text": str(text)}:
            return _asked_and_answered(question, text, sources)
        case {"role": "user" | "assistant" as role}:
            text = _text(item.get("content", item.get("text")))
            return (Turn(role, clean(text), _sources(sources)),)
    return ()


def _asked_and_answered(question: str, text: str, sources: object) -> Sequence[Turn]:
    return (
        Turn("user", clean(question)),
        Turn("assistant", clean(text), _sources(sources)),
    )


def _text(content: object) -> str:
    if isinstance(content, list):
        # Chat interfaces send content as a list of typed parts.
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        return " ".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _sources(value: object) -> tuple[tuple[int, str], ...]:
    """Pairs of marker and paper id, as records hold them or JSON gives them."""
    found: list[tuple[int, str]] = []
    for pair in value if isinstance(value, list | tuple) else ():
        match pair:
            case [int(marker), str(paper_id)] if 0 < marker <= _MAX_MARKER:
                found.append((marker, paper_id))
    return tuple(found)


def exchanges(turns: Sequence[Turn], *, max_tokens: int = MAX_TOKENS) -> list[Exchange]:
    """The newest exchanges, oldest first, without small talk.

    Args:
        turns: Oldest first.
        max_tokens: Of all turns that are looked at; the newest one always is.
    """
    kept: list[Exchange] = []
    answer, n_left = "", max_tokens
    sources: tuple[tuple[int, str], ...] = ()
    for turn in reversed(turns):
        is_question = turn.role == "user"
        text = turn.text[: _MAX_QUESTION_CHARS if is_question else _MAX_ANSWER_CHARS]
        n_left -= count_tokens(text)
        if (n_left < 0 and turn is not turns[-1]) or len(kept) == _MAX_EXCHANGES:
            break
        if not is_question:
            answer = "\n".join(part for part in (text, answer) if part)
            sources = turn.sources + sources
            continue
        # "Yes" to an offer is none where the answer speaks of papers.
        if not is_small_talk(text) or cited_texts(answer):
            kept.append(Exchange(text, answer, sources))
        answer, sources = "", ()
    return kept[::-1]
