"""Single values of a row: lines of text, lists, years; in whatever type a file has them."""

from __future__ import annotations

import html
import html.entities
import re
from collections.abc import Iterable

from rag.corpus.latex import decode_accents
from rag.text import clean

_NO_VALUE = frozenset({"", "n/a", "na", "none", "null", "nan", "-", "--", "tba", "not available"})
_NO_ABSTRACT = _NO_VALUE | {"no abstract", "no abstract available", "abstract not available"}
# 2025, or the beginning of 20250713.
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})(?:(?:0[1-9]|1[0-2])[0-3]\d)?(?!\d)")
# Without its semicolon an ampersand may be one: "AT&T", "R&D".
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
# As Python, NumPy and JSON write lists of texts; NumPy without commas.
_LIST = re.compile(rf"\s*\[\s*(?:(?:{_QUOTED})[\s,]*)*\]\s*", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-fA-F]{4})|([nt])|(['\"\\/]))")


def has_value(value: object) -> bool:
    """Whether a value says something; ``N/A``, ``-`` and the like do not."""
    if isinstance(value, str):
        return value.strip().casefold() not in _NO_VALUE
    return value is not None and value not in ([], {})


def decode_entities(text: str) -> str:
    """HTML entities as the characters they stand for, once: ``&amp;lt;`` gives ``&lt;``."""
    return _ENTITY.sub(_entity, text) if "&" in text else text


def abstract_of(value: object) -> str:
    """An abstract, as it is but for what cannot be stored and for entities; empty if there is none.

    A list of sentences becomes one text.
    """
    if isinstance(value, str) and (sentences := listed(value)) is not None:
        value = sentences
    if isinstance(value, list):
        value = " ".join(item.strip() for item in value if isinstance(item, str))
    text = clean(decode_entities(value)) if isinstance(value, str) else ""
    return "" if text.strip().rstrip(".").casefold() in _NO_ABSTRACT else text


def one_line(value: object) -> str:
    """A value on one line, without entities; empty for what is no text and no number."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str | int | float):
        return ""
    return " ".join(clean(decode_entities(str(value))).split())


def line_of_text(value: object) -> str:
    """A title or a name on one line, LaTeX accents decoded."""
    return decode_accents(one_line(value))


def listed(text: str) -> list[str] | None:
    """The items of a list that was written into a text, as in ``['a', 'b']``; None if it is none."""
    if not text.lstrip().startswith("[") or not _LIST.fullmatch(text):
        return None
    return [_ESCAPE.sub(_unescape, item[1:-1]) for item in re.findall(_QUOTED, text, re.DOTALL)]


def many(value: object, *, separators: str) -> tuple[str, ...]:
    """The items of a list, or of a text that lists them; empty ones are left out."""
    items: Iterable[object] = ()
    if isinstance(value, str):
        mark = next((mark for mark in separators if mark in value), "\n")
        listed_items = listed(value)
        items = value.split(mark) if listed_items is None else listed_items
    elif isinstance(value, list):
        items = value
    return tuple(text for item in items if (text := line_of_text(item)) and has_value(text))


def year_of(value: object) -> int | None:
    """The first year from 1900 to 2099 in a number, a date, or a structure that holds one."""
    match = _YEAR.search(str(value) if isinstance(value, list | dict) else one_line(value))
    return int(match[1]) if match else None


def _entity(match: re.Match[str]) -> str:
    is_known = match[0][1] == "#" or match[0][1:] in html.entities.html5
    return html.unescape(match[0]) if is_known else match[0]


def _unescape(match: re.Match[str]) -> str:
    byte, code, white, itself = match.groups()
    if byte or code:
        return chr(int(byte or code, 16))
    return {"n": "\n", "t": "\t"}[white] if white else str(itself)
