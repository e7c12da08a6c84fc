"""Which values the papers of a corpus have, and which of them a misspelt one may stand for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from functools import cached_property

from rag.records import Cue, Filters, Paper, values_of
from rag.retrieval.filters import name_words
from rag.text import normalise

_MAX_NAMESAKES = 6
"""Authors that one way of writing a name may stand for."""
_MAX_NAME_WORDS = 6
_SHOWN = 3
_NEAR = 0.7
_N_COMPARED = 200


class Vocabulary:
    """The values of all fields that can be filtered; each is gathered when it is first needed.

    Args:
        papers: All papers of a corpus.
    """

    def __init__(self, papers: Iterable[Paper]) -> None:
        self._papers = tuple(papers)

    @cached_property
    def venues(self) -> tuple[str, ...]:
        """As the papers have them, in the order in which they first occur."""
        return _distinct(paper.venue for paper in self._papers)

    @cached_property
    def years(self) -> tuple[int, ...]:
        """Ascending."""
        return tuple(sorted({paper.year for paper in self._papers if paper.year is not None}))

    @cached_property
    def presentations(self) -> tuple[str, ...]:
        """As the papers have them."""
        return _distinct(paper.presentation for paper in self._papers)

    @cached_property
    def tracks(self) -> tuple[str, ...]:
        """As the papers have them."""
        return _distinct(paper.track for paper in self._papers)

    @cached_property
    def keywords(self) -> dict[str, str]:
        """Normalised keyword -> as a paper has it."""
        return {normalise(word): word for paper in self._papers for word in paper.keywords}

    @cached_property
    def authors(self) -> tuple[str, ...]:
        """Full names as the papers have them."""
        return _distinct(name for paper in self._papers for name in paper.authors)

    @cached_property
    def surnames(self) -> dict[str, str]:
        """Normalised last word of a name -> as a paper has it."""
        return {
            words[-1]: name.replace(",", " ").split()[-1] if "," not in name else words[-1].title()
            for name in self.authors
            if (words := name_words(name))
        }

    @cached_property
    def first_surnames(self) -> dict[str, frozenset[int | None]]:
        """Normalised surname of a first author, who has others beside -> the years of the papers."""
        years: dict[str, set[int | None]] = {}
        for paper in self._papers:
            if len(paper.authors) > 1 and (words := name_words(paper.authors[0])):
                years.setdefault(words[-1], set()).add(paper.year)
        return {surname: frozenset(found) for surname, found in years.items()}

    @cached_property
    def _full_names(self) -> dict[str, list[str]]:
        """Normalised full name -> its spellings."""
        return _grouped((" ".join(name_words(name)), name) for name in self.authors)

    @cached_property
    def _short_names(self) -> dict[str, list[str]]:
        """Other ways to write a name in two words or more -> the full names."""
        return _grouped(
            (short, name) for name in self.authors for short in _shortened(name_words(name))
        )

    def authors_called(self, words: Sequence[str]) -> tuple[str, ...]:
        """The full names that a name of two words or more stands for; empty if there are none.

        Args:
            words: Normalised. A middle name may lack, a first name may be an initial.
        """
        called = " ".join(words)
        found = self._full_names.get(called) or self._short_names.get(called, [])
        return tuple(found) if len(words) > 1 and len(found) <= _MAX_NAMESAKES else ()

    def longest_name(self, words: Sequence[str]) -> int:
        """How many of the first words are one author's name; 0 if not even two are."""
        longest = min(len(words), _MAX_NAME_WORDS)
        return next((n for n in range(longest, 1, -1) if self.authors_called(words[:n])), 0)

    def has(self, field: str, value: str) -> bool:
        """Whether some paper has a value, however it is written."""
        if field == "authors":
            words = name_words(value)
            if len(words) == 1:
                return words[0] in self.surnames
            return " ".join(words) in self._full_names or " ".join(words) in self._short_names
        return normalise(value) in map(normalise, self._values(field))

    def nearest(self, field: str, value: str) -> tuple[str, ...]:
        """Up to three values that exist and that may be meant, the nearest first."""
        values = self._values(field)
        if field != "authors":
            return values if len(values) <= _SHOWN else _nearest(value, values)
        words = name_words(value)
        near = _nearest(" ".join(words), values) if len(words) > 1 else ()
        return near or _nearest(words[-1] if words else "", self.surnames.values())

    def corrections(self, filters: Filters) -> tuple[Cue, ...]:
        """For each value that no paper has, the nearest ones that exist, with it as their text."""
        return tuple(
            Cue(field, near, value)
            for field in ("authors", "venues", "years", "presentation", "track", "keywords")
            for value in values_of(getattr(filters, field))
            if not self.has(field, value)
            for near in self.nearest(field, value)
        )

    def _values(self, field: str) -> tuple[str, ...]:
        match field:
            case "authors":
                return self.authors
            case "venues":
                return self.venues
            case "years":
                return tuple(map(str, self.years))
            case "presentation":
                return self.presentations
            case "track":
                return self.tracks
            case _:
                return tuple(self.keywords.values())


def _distinct(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for key, value in pairs:
        if value not in (group := groups.setdefault(key, [])):
            group.append(value)
    return groups


def _shortened(words: Sequence[str]) -> set[str]:
    """Without what stands before: ``zico kolter``; without the middle; with an initial; reversed."""
    if len(words) < 2:
        return set()
    tails = {" ".join(words[n:]) for n in range(1, len(words) - 1)}
    initials = {f"{word[0]} {words[-1]}" for word in words[:-1]}
    return tails | initials | {f"{words[0]} {words[-1]}", f"{words[-1]} {words[0]}"}


def _nearest(value: str, values: Iterable[str]) -> tuple[str, ...]:
    plain = {" ".join(name_words(each)): each for each in values}
    sought = " ".join(name_words(value))
    compared = _sharing_most(sought, plain)
    near = difflib.get_close_matches(sought, compared, n=_SHOWN, cutoff=_NEAR)
    return tuple(plain[each] for each in near)


def _sharing_most(value: str, candidates: Iterable[str]) -> list[str]:
    """The candidates that share most pairs of letters, as many as can be compared exactly."""
    pairs = _pairs(value)
    return sorted(candidates, key=lambda each: (-len(pairs & _pairs(each)), each))[:_N_COMPARED]


def _pairs(text: str) -> set[str]:
    return {text[n : n + 2] for n in range(len(text) - 1)}
