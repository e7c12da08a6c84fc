"""Faults of name: one method, model or data set in the place of another."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from eval.planting.edits import Edit
from rag.text import strip_markup

_TOKEN = re.compile(r"(?<![^\s(\"'\[/])[^\W_](?:[\w.+-]*[\w+])?")
_CAPITALISED = re.compile(r"[A-Z][\w+-]*[a-z]")
_MARKED = re.compile(r"[A-Z\d]")
_WORD = re.compile(r"[^\W_]{3,}")
_LINK = re.compile(r"\S*(?:https?:|www\.|github|\.io|\.com)\S*")
_MAX_WORDS = 4
_MIN_LENGTH = 2


@dataclass(frozen=True, slots=True)
class Name:
    """A name where it stands in a text."""

    text: str
    start: int
    end: int


def names_in(sentence: str) -> list[Name]:
    """Runs of capitalised words with two at least, or with one like ``LoRA`` or ``CIFAR-10``.

    A first word is in capitals anyway, and belongs to a name only if it is one by itself.
    """
    runs: list[list[re.Match[str]]] = []
    for token in _TOKEN.finditer(sentence):
        if not _is_coined(token[0]) and not (token.start() and _CAPITALISED.fullmatch(token[0])):
            continue
        if runs and sentence[runs[-1][-1].end() : token.start()] == " ":
            runs[-1].append(token)
        else:
            runs.append([token])
    return [
        Name(sentence[run[0].start() : run[-1].end()], run[0].start(), run[-1].end())
        for run in runs
        if len(run) <= _MAX_WORDS and (len(run) > 1 or _is_coined(run[0][0]))
    ]


def _is_coined(token: str) -> bool:
    """Two capitals, or one and a digit after it, and one of either in every part."""
    if not all(_MARKED.search(part) for part in token.split("-")):
        return False
    capitals = sum(map(str.isupper, token))
    has_digit = any(map(str.isdigit, token[1:]))
    return capitals > 1 or (token[0].isupper() and has_digit and len(token) > _MIN_LENGTH)


def name_edits(
    claim: str, proof: str, abstract: str, sources: Iterable[str], draw: random.Random
) -> Iterator[Edit]:
    """Another name in the place of each name of the claim.

    Args:
        claim: The sentence to be made false.
        proof: What proves it; a name that is said there could be just as true.
        abstract: Where a short form of a name is explained.
        sources: Sentences with other names.
        draw: Decides between several.
    """
    said = (claim + " " + proof).casefold()
    others = [
        name.text
        for source in sources
        for name in names_in(_LINK.sub("", strip_markup(source)))
        if name.text.casefold() not in said
    ]
    for name in names_in(claim):
        fitting = [
            other
            for other in dict.fromkeys(others)
            if _is_plural(other) == _is_plural(name.text)
            and not _same_thing(name.text, other, abstract)
        ]
        if fitting and claim.count(name.text) == 1:
            yield Edit(name.start, name.end, draw.choice(fitting))


def _is_plural(name: str) -> bool:
    """As in ``LLMs`` and ``Language Models``, not in ``RLHF-S`` and ``Wellness``."""
    return re.search(r"(?:[A-Z]| .*[^s])s\Z", name) is not None


def _same_thing(name: str, other: str, abstract: str) -> bool:
    """Whether one may be a form of the other.

    It is a part of it, begins with its initials, has a word in common, or stands beside it in
    brackets.
    """
    first, second = name.casefold(), other.casefold()
    initials = sorted((_capitals(name), _capitals(other)), key=len)
    if first in second or second in first or initials[1].startswith(initials[0]):
        return True
    if set(_WORD.findall(first)) & set(_WORD.findall(second)):
        return True
    return any(pair in abstract for pair in (f"{name} ({other}", f"{other} ({name}"))


def _capitals(name: str) -> str:
    return "".join(filter(str.isupper, name))
