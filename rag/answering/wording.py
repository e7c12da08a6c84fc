"""Writing into a follow-up what it is about, so that it reads as a question of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rag.answering.content import content_words
from rag.answering.pointing import Correction, Pointer
from rag.records import Paper

_ENDS = " ?.!？。！…"
_COMPARES = re.compile(
    r"\b(?:differ\w*|compar\w*|contrast\w*|distinguish\w*|relat\w+ to|unlike|in contrast to|opposed to|versus|vs|better|worse|faster"
    r"|slower|larger|smaller|similar\w*|same way|sets? .+ apart)\b",
    re.IGNORECASE,
)
_COMPARATIVE = re.compile(
    r"^(?!.*\b(?:than|or)\b).*\b(?:better|worse|cheaper|faster|slower|larger|smaller|stronger|simpler)\b",
    re.IGNORECASE | re.DOTALL,
)
_PRONOUN = re.compile(
    r"\b(?:it|them|they|this(?: (?:one|paper|method|work|approach))?|that(?: (?:one|paper))?)\b"
    r"(?! (?:is|was) (?:true|known)\b)",
    re.IGNORECASE,
)
# "The audio model", not "the paper on audio" or "the results of".
_DEFINITE = re.compile(
    r"\b(?:the|this|that) (?:[\w-]+ ){0,4}?(?P<noun>paper|work|study|article|method|approach|model"
    r"|framework|benchmark|data ?set|algorithm|system|one)\b(?! (?:on|about|of|for|with|that|which)\b)",
    re.IGNORECASE,
)
_THE_ONE_THAT = re.compile(
    r"the ones? (?=(?:that|which|who|with|about|for|on|from|in|by)\b)", re.IGNORECASE
)
_FEW_TOKENS = 4


def compares(question: str) -> bool:
    """Whether it sets what it is about beside something else."""
    return _COMPARES.search(question) is not None


def lacks_other_side(question: str) -> bool:
    """``Would X be better?`` does not say than what."""
    return _COMPARATIVE.search(question) is not None


Thing = Paper | str
"""A paper; or, where that is not clear, what a question called it."""


def title_of(things: Sequence[Thing]) -> str:
    """``“A”``, or ``the papers “A” and “B”``."""
    titles = [thing if isinstance(thing, str) else f"“{thing.title}”" for thing in things]
    if len(titles) == 1:
        return titles[0]
    return f"the papers {', '.join(titles[:-1])} and {titles[-1]}"


def write_in(
    question: str, things: Sequence[Thing], pointer: Pointer | None = None, lead: str = ""
) -> str:
    """Name the papers in a follow-up.

    Args:
        question: As typed.
        things: What it is about, at least one.
        pointer: The words that pointed at them, to be replaced.
        lead: An earlier question, put before one that says nothing by itself, such as ``why?``.
    """
    named = title_of(things)
    if pointer is not None:
        phrase = _phrase(pointer, named)
        if not pointer.start and question[0].isupper():
            phrase = phrase[0].upper() + phrase[1:]
        return question[: pointer.start] + phrase + question[pointer.end :]
    if len(things) == 1 and compares(question) and (written := replace_pronoun(question, named)):
        return written
    if lead and not content_words(question) and len(question.split()) <= _FEW_TOKENS:
        question = f"{lead} {question}"
    joint = "compared with" if lacks_other_side(question) else "in"
    return f"{question.rstrip(_ENDS)}, {joint} {named}?"


def replace_pronoun(question: str, named: str) -> str:
    """``How does it differ from X?`` with a name for ``it``; empty without a pronoun."""
    pronoun = _PRONOUN.search(question)
    return question[: pronoun.start()] + named + question[pronoun.end() :] if pronoun else ""


def _phrase(pointer: Pointer, named: str) -> str:
    if pointer.kind != "several":
        return named
    match pointer.form:
        case "which" | "each":
            return f"{pointer.form} of {named}"
        case "some":
            return f"{pointer.what.split()[0]} of {named}"
        case "both":
            return f"{named} both"
        case _:
            return named


def corrected(question: str, correction: Correction) -> str:
    """A question once more, about what was meant.

    ``How is the benchmark built?`` and ``the video benchmark`` give ``How is the video benchmark
    built?``.
    """
    meant, denied = correction.meant, correction.denied
    if denied and (said := re.search(rf"\b{re.escape(denied)}\b", question, re.IGNORECASE)):
        return question[: said.start()] + meant + question[said.end() :]
    wrong = _DEFINITE.search(question)
    if wrong is None:
        stop = "" if question[-1] in "?.!" else "."
        return f"{question}{stop} I mean {meant}."
    if clause := _THE_ONE_THAT.match(meant):
        return f"{question[: wrong.end()]} {meant[clause.end() :]}{question[wrong.end() :]}"
    if re.search(r"\bones?$", meant):
        return f"{question.rstrip(_ENDS)}, {meant}?"
    right = meant if re.match(r"(?:the|that|this)\b", meant) else f"the {wrong['noun']} on {meant}"
    return question[: wrong.start()] + right + question[wrong.end() :]


def with_titles(question: str, named: Mapping[str, Paper]) -> str:
    """With its title after each name: ``BaxBench (“BaxBench: Can LLMs ...”)``."""
    for name, paper in named.items():
        if found := re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", question):
            question = f"{question[: found.end()]} (“{paper.title}”){question[found.end() :]}"
    return question
