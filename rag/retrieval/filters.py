"""Which papers a filter lets through."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from rag.errors import QuestionError
from rag.records import Filters, Paper, values_of
from rag.text import normalise

_FIELDS = tuple(field.name for field in fields(Filters))
_PLAIN = re.compile(r"[A-Za-z .-]*")
_FIELDS_HINT = f"The fields are {', '.join(_FIELDS)}."
_OneOrMore = str | int | Sequence[str] | Sequence[int]


def matches(paper: Paper, filters: Filters) -> bool:
    """Whether a paper, or a copy of it, passes every field of ``filters``.

    Case and accents are ignored, and so are blank values. An author matches by full name or by
    surname, however many words it has. A paper that lacks a filtered field does not pass.
    """
    return any(matches_itself(entry, filters) for entry in paper.entries)


def matches_itself(paper: Paper, filters: Filters) -> bool:
    """``matches`` without regard to copies."""
    return (
        _has(paper.venue, filters.venues)
        and _has(paper.year, filters.years)
        and _has(paper.presentation, filters.presentation)
        and _has(paper.track, filters.track)
        and _has(paper.keywords, filters.keywords)
        and _has_author(paper.authors, filters.authors)
    )


def as_filters(values: Filters | Mapping[str, Any] | None) -> Filters:
    """Filters as they come from a program: as such, as a mapping of its fields, or none.

    One value may stand for several, and a year may be text.

    Raises:
        QuestionError: If there is no such field, or its value is neither text nor a number.
    """
    if values is None:
        return Filters()
    if isinstance(values, Filters):
        values = {name: getattr(values, name) for name in _FIELDS}
    if not isinstance(values, Mapping):
        raise QuestionError(
            f"Filters are given as rag.Filters or as a mapping, not as {type(values).__name__}.",
            hint=_FIELDS_HINT,
        )
    return Filters(**{name: _field(str(name), value) for name, value in values.items()})


def _field(name: str, value: Any) -> tuple[Any, ...]:
    several = (value,) if isinstance(value, str | int) else tuple(value or ())
    if name not in _FIELDS or not all(isinstance(each, str | int) for each in several):
        raise QuestionError(f"There is no filter {name}={value!r}.", hint=_FIELDS_HINT)
    if name != "years":
        return tuple(str(each) for each in several)
    if not all(str(year).strip().isdecimal() for year in several):
        raise QuestionError(f"{value!r} is no year.", hint="Write it as in years=(2025,).")
    return tuple(int(year) for year in several)


def _has(found: _OneOrMore | None, wanted: _OneOrMore) -> bool:
    if not wanted:
        return True
    sought = {_fold(value) for value in values_of(wanted)}
    return not sought or any(_fold(value) in sought for value in values_of(found))


def _has_author(found: Sequence[str], wanted: Sequence[str]) -> bool:
    if not wanted:
        return True
    sought = [words for author in values_of(wanted) if (words := name_words(author))]
    # A surname is what a name ends with, and so is the full name.
    names = [name_words(name) for name in found]
    return not sought or any(name[-len(words) :] == words for words in sought for name in names)


@functools.lru_cache(maxsize=100_000)
def name_words(name: str) -> tuple[str, ...]:
    """``"Ann B. Example"`` and ``"Example, Ann B."`` both give ``("ann", "b", "example")``."""
    surname, _, given = name.partition(",")
    whole = f"{given} {surname}"
    # Most names need no more, and a large corpus has a hundred thousand.
    return tuple(re.findall(r"\w+", whole.lower() if _PLAIN.fullmatch(whole) else normalise(whole)))


@functools.lru_cache(maxsize=100_000)
def _fold(text: str) -> str:
    return normalise(text)
