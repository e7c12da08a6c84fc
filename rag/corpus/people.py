"""Names of people, from the ways in which files list them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rag.corpus.values import has_value, line_of_text, listed

_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md", "inc", "ltd", "llc", "gmbh"})
_AND = re.compile(r",?\s+(?:and|&)\s+")
_INITIALS_LAST = re.compile(r"(?P<surname>\S.*?)\s+(?P<initials>(?:[A-Z]\.-?){1,4})")
_NOT_PLAIN = re.compile(r"[,{}~\\]")
_WITHOUT_TEX = str.maketrans({"{": "", "}": "", "~": " "})
_GIVEN = ("given", "first", "firstName", "given_name", "first_name")
_FAMILY = ("family", "last", "lastName", "family_name", "last_name")
_WHOLE = ("name", "full_name", "display_name", "literal")


def people(value: object) -> tuple[str, ...]:
    """The authors in order, each as one says the name: ``"Ann B. Example"``.

    Args:
        value: A list of names, of objects with a name or its parts, or a text that lists them.
    """
    if isinstance(value, str):
        items = listed(value)
        value = _split(value) if items is None else items
    if not isinstance(value, list):
        return ()
    names = [person(_whole(item)) for item in value]
    return _initials_first([name for name in names if has_value(name)])


def person(name: object) -> str:
    """A name as one says it: ``"Example, Ann"`` gives ``"Ann Example"``."""
    text = line_of_text(name)
    if not _NOT_PLAIN.search(text):
        return text
    if "\\" not in text:
        text = " ".join(text.translate(_WITHOUT_TEX).split())
    parts = [part for part in (piece.strip() for piece in text.split(",")) if part]
    suffixes = [part for part in parts[1:] if part.lower().rstrip(".") in _SUFFIXES]
    plain = [part for part in parts if part not in suffixes]
    if len(plain) == 2:
        return " ".join([plain[1], plain[0], *suffixes])
    return ", ".join(parts)


def _whole(item: object) -> object:
    if not isinstance(item, dict):
        return item
    author = item.get("author")
    item = author if isinstance(author, dict) else item
    parts = (_first(item, _GIVEN), _first(item, _FAMILY))
    return _first(item, _WHOLE) or " ".join(part for part in parts if part)


def _first(item: dict[str, object], keys: Iterable[str]) -> str:
    return next((text for key in keys if (text := line_of_text(item.get(key)))), "")


def _split(text: str) -> list[str]:
    for mark in ";|\n":
        if mark in text:
            return text.split(mark)
    names = _AND.split(text)
    if len(names) > 1 and all(re.search(r"[\s,.]", name.strip()) for name in names):
        # "Example, Ann and Sample, Bo" has a comma in each name, and no other.
        if all(name.count(",") == 1 for name in names):
            return names
        return [name for part in names for name in _split_at_commas(part)]
    return _split_at_commas(text)


def _split_at_commas(text: str) -> list[str]:
    """``"Ann Example, Bo Sample"`` lists two people; ``"Example, Ann"`` is one.

    Of three and more a few may have but one name.
    """
    names = [name for name in text.split(",") if name.strip()]
    n_whole = sum(" " in name.strip() for name in names)
    is_list = n_whole == len(names) or (len(names) > 2 and n_whole > len(names) / 2)
    return names if is_list else [text]


def _initials_first(names: list[str]) -> tuple[str, ...]:
    """``Liu R.`` as ``R. Liu``, if all names are written so; one alone may be a given name."""
    matches = [_INITIALS_LAST.fullmatch(name) for name in names]
    if len(names) < 2 or None in matches:
        return tuple(names)
    return tuple(f"{match['initials']} {match['surname']}" for match in matches if match)
