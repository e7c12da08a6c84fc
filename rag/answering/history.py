"""What was said before: earlier turns in one form, and as much of them as is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag.answering.question import is_small_talk
from rag.records import Turn
from rag.text import clean
from rag.tokens import count_tokens

History = Sequence[str | Turn | Mapping[str, Any]]
"""Earlier turns, oldest first: plain strings are earlier questions."""

MAX_TOKENS = 4000
"""Of earlier turns, the newest kept."""
_MAX_EXCHANGES = 10
_MAX_QUESTION_CHARS = 1000
_MAX_ANSWER_CHARS = 6000


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question and what was replied."""

    question: str
    answer: str = ""
    """Empty where it is not known."""


def as_turns(history: History) -> list[Turn]:
    """Earlier turns in one form; whatever is neither a question nor an answer is left out."""
    turns = [_as_turn(item) for item in ([history] if isinstance(history, str) else history or ())]
    return [turn for turn in turns if turn is not None and turn.text.strip()]


def _as_turn(item: object) -> Turn | None:
    if isinstance(item, Turn):
        return Turn(item.role, clean(item.text))
    if isinstance(item, str):
        return Turn("user", clean(item))
    if not isinstance(item, Mapping):
        return None
    role, content = item.get("role"), item.get("content")
    if role not in ("user", "assistant"):
        return None
    if isinstance(content, list):
        # Chat interfaces send content as a list of typed parts.
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        content = " ".join(part for part in parts if isinstance(part, str))
    return Turn(role, clean(content)) if isinstance(content, str) else None


def exchanges(turns: Sequence[Turn], *, max_tokens: int = MAX_TOKENS) -> list[Exchange]:
    """The newest exchanges, oldest first, without small talk.

    Args:
        turns: Oldest first.
        max_tokens: Of all turns that are looked at; the newest one always is.
    """
    kept: list[Exchange] = []
    answer, n_left = "", max_tokens
    for turn in reversed(turns):
        is_question = turn.role == "user"
        text = turn.text[: _MAX_QUESTION_CHARS if is_question else _MAX_ANSWER_CHARS]
        n_left -= count_tokens(text)
        if (n_left < 0 and turn is not turns[-1]) or len(kept) == _MAX_EXCHANGES:
            break
        if not is_question:
            answer = f"{text}\n{answer}" if answer else text
            continue
        if not is_small_talk(text):
            kept.append(Exchange(text, answer))
        answer = ""
    return kept[::-1]
