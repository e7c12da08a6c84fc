"""JSON: an object a line, a list of objects, or an object that holds or names them."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from rag.corpus import arxiv, openreview, paper_list, semantic_scholar
from rag.corpus.columns import Columns
from rag.corpus.records import RejectedRow, Row
from rag.errors import CorpusError

_SPACE = re.compile(r"\s*")
_LIST_OF_OBJECTS = re.compile(r"\[\s*\{")
_START = re.compile(r'\s*(?:\{\s*["}]|\[\s*[{\]])')
# Each knows the records of one source; what none knows is taken as it is.
_SOURCES = (
    (openreview.is_record, openreview.make_row),
    (arxiv.is_record, arxiv.make_row),
    (semantic_scholar.is_record, semantic_scholar.make_row),
    (paper_list.is_record, paper_list.make_row),
)


class JsonLoader:
    """Reads ``.jsonl`` and ``.json``; which of the shapes a file has, its content tells."""

    name = "JSON"
    suffixes = (".jsonl", ".ndjson", ".json")

    def recognises(self, text: str) -> bool:
        """See ``Loader``."""
        return bool(_START.match(text))

    def rows(self, text: str, file: str) -> Iterator[Row | RejectedRow]:
        """See ``Loader``; what follows a broken element of a list cannot be read."""
        lines = list(islice((line for line in _split(text) if line.strip()), 3))
        first = lines[0].strip() if lines else ""
        if first.startswith("["):
            return _elements(text, text.index("["), file)
        if first.startswith("{"):
            is_whole = _is_json(first)
            if (is_whole and len(lines) == 1) or (not is_whole and _is_document(text, lines)):
                return _document(text, file)
        return _lines(text, file)


def _is_document(text: str, lines: list[str]) -> bool:
    """Whether an object that goes on after its first line is the file, whole or broken off."""
    return _is_json(text) or (len(lines) > 1 and not any(map(_is_object, lines[1:])))


def _split(text: str) -> Iterator[str]:
    return (match[0] for match in re.finditer(r"[^\n]+", text))


def _lines(text: str, file: str) -> Iterator[Row | RejectedRow]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield RejectedRow(file, number, _complaint(error))
        else:
            yield _row(value, number, file)


def _elements(text: str, bracket: int, file: str) -> Iterator[Row | RejectedRow]:
    decoder, lines = json.JSONDecoder(), _LineNumbers(text)
    position = _skip_space(text, bracket + 1)
    while position < len(text) and text[position] != "]":
        line = lines.at(position)
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            yield RejectedRow(file, line, _complaint(error) + "; the rest of the list is lost")
            return
        yield _row(value, line, file)
        position = _skip_space(text, end)
        if text[position : position + 1] == ",":
            position = _skip_space(text, position + 1)
        elif text[position : position + 1] != "]":
            reason = "the list breaks off or lacks a comma here"
            yield RejectedRow(file, lines.at(position), reason)
            return


@dataclass(frozen=True, slots=True)
class _Member:
    """One ``"key": value`` of an object and where its parts begin."""

    key: str
    value: object
    """A ``ValueError`` or ``RecursionError`` if the value is broken."""
    position: int
    value_position: int


def _document(text: str, file: str) -> Iterator[Row | RejectedRow]:
    """One paper, an object with a list of papers under some name, or papers named by their keys."""
    members = list(_members(text))
    values = {member.key: member.value for member in members}
    lists = [member for member in members if _is_list_of_papers(member, text)]
    if len(lists) > 1:
        raise CorpusError(
            f"{file} holds {len(lists)} lists of objects, and it is unclear which are the papers.",
            hint="Give a file with one list of papers, or one paper a line.",
        )
    is_named = members and all(isinstance(member.value, dict | Exception) for member in members)
    if lists:
        yield from _elements(text, lists[0].value_position, file)
    elif is_named and not _has_title(values):
        yield from _named(members, _LineNumbers(text), file)
    else:
        yield _row(values, _LineNumbers(text).at(text.index("{")), file)


def _named(members: list[_Member], lines: _LineNumbers, file: str) -> Iterator[Row | RejectedRow]:
    for member in members:
        line = lines.at(member.position)
        if isinstance(member.value, ValueError | RecursionError):
            yield RejectedRow(file, line, _complaint(member.value) + "; the rest is lost")
        elif isinstance(member.value, dict):
            name = "url" if "://" in member.key else "id"
            yield _row({name: member.key, **member.value}, line, file)


def _members(text: str) -> Iterator[_Member]:
    decoder = json.JSONDecoder()
    position = _skip_space(text, text.index("{") + 1)
    while text[position : position + 1] == '"':
        start, key = position, ""
        try:
            key, position = decoder.raw_decode(text, position)
            position = _skip_space(text, _skip_space(text, position) + 1)
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            yield _Member(key, error, start, position)
            return
        yield _Member(key, value, start, position)
        position = _skip_space(text, end)
        if text[position : position + 1] == ",":
            position = _skip_space(text, position + 1)


def _is_list_of_papers(member: _Member, text: str) -> bool:
    if isinstance(member.value, Exception):
        return bool(_LIST_OF_OBJECTS.match(text, member.value_position))
    items = member.value
    if not isinstance(items, list) or not items or not isinstance(items[0], dict):
        return False
    return _has_title(items[0]) or "content" in items[0]


def _has_title(record: Mapping[str, object]) -> bool:
    return bool(Columns().fields_in(record) & {"title", "abstract"})


class _LineNumbers:
    """Line numbers, from 1, of positions in a text."""

    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, position: int) -> int:
        return bisect_left(self._ends, position) + 1


def _row(value: object, line: int, file: str) -> Row | RejectedRow:
    if not isinstance(value, dict):
        return RejectedRow(file, line, f"a paper must be a JSON object, this is {_kind(value)}")
    for is_record, make_row in _SOURCES:
        if is_record(value):
            return make_row(value, line, file)
    return Row(line, value)


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _complaint(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} at column {error.colno}"
    return "not valid JSON: nested too deeply, or a number is too long"


def _is_object(text: str) -> bool:
    return text.lstrip().startswith("{") and _is_json(text)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
