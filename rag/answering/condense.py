"""From a follow-up to a question that stands alone, without a language model."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rag.records import Paper, Turn
from rag.text import normalise, search_terms

History = Sequence[str | Turn | Mapping[str, Any]]
"""Earlier turns, oldest first: plain strings are earlier questions."""

_PRONOUN = re.compile(
    r"\b(it|its|itself|they|them|their|theirs|he|she|him|his|her|this|these|those|"
    r"the (paper|papers|authors?|method|methods|model|approach|framework|data ?set|benchmark|work|study|"
    r"algorithm|system|technique|results?|former|latter|same|other one|first one|second one)|ones?)\b"
)
_DEMONSTRATIVE_THAT = re.compile(
    r"(^|\b(about|of|for|with|from|to|in|on|than|is|was|does|do|did|like|by|and) )that( \w+)?( ?\?|$)"
)
_OPENER = re.compile(
    r"^(and|but|or|so|then|also|what about|how about|why\b ?\??$|how so|how come|what else|more)\b"
)
_NAME = re.compile(r"\b\w*[A-Z]\w*[A-Z0-9]\w*\b|\b[A-Za-z]+-?\d+\w*\b|[\"“”]")
_FEW_TERMS = 2


def as_turns(history: History) -> list[Turn]:
    """Earlier turns in one form; whatever is neither a question nor an answer is left out."""
    turns = [_as_turn(item) for item in history]
    return [turn for turn in turns if turn is not None and turn.text.strip()]


def _as_turn(item: str | Turn | Mapping[str, Any]) -> Turn | None:
    if isinstance(item, Turn):
        return item
    if isinstance(item, str):
        return Turn("user", item)
    role, content = item.get("role"), item.get("content")
    if role not in ("user", "assistant"):
        return None
    if isinstance(content, list):
        # Chat interfaces send content as a list of typed parts.
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        content = " ".join(part for part in parts if isinstance(part, str))
    return Turn(role, content) if isinstance(content, str) else None


def leans_on_history(question: str) -> bool:
    """Whether a question cannot be understood without the turns before it."""
    plain = normalise(question).strip()
    if _OPENER.match(plain) or _DEMONSTRATIVE_THAT.search(plain):
        return True
    pronoun = _PRONOUN.search(plain)
    if pronoun is not None:
        # "Does LASER help, and where does it fail?" says itself what "it" is.
        before = plain[: pronoun.start()]
        return len(search_terms(before)) <= _FEW_TERMS and not _names(question)
    return len(search_terms(plain)) < _FEW_TERMS and not _names(question)


def condense(question: str, turns: Sequence[Turn], resolve: Callable[[str], Paper | None]) -> str:
    """Write into a follow-up what it takes from earlier turns.

    Args:
        question: The latest question.
        turns: What was said before, oldest first.
        resolve: Finds the paper that an earlier question was about, if there is a clear one.

    Returns:
        The question itself if it stands alone, else the question with the title of the paper
        that the conversation is about, or with the earlier question.
    """
    earlier = [turn.text for turn in turns if turn.role == "user"]
    if not earlier or not leans_on_history(question):
        return question
    before = condense(earlier[-1], [Turn("user", text) for text in earlier[:-1]], resolve)
    paper = resolve(before)
    if paper is not None:
        return f"{question.rstrip(' ?.!')}, in “{paper.title}”?"
    return f"{before} {question}"


def _names(question: str) -> bool:
    return any(match.start() > 0 for match in _NAME.finditer(question))
