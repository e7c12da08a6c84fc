"""JSON: one object a line, a list of objects, or an object that holds such a list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rag.corpus.records import RejectedRow, Row
from rag.errors import CorpusError

_SPACE = re.compile(r"\s*")


class JsonLoader:
    """Reads ``.jsonl`` and ``.json``; which of the two a file is, its content tells."""

    suffixes = (".jsonl", ".ndjson", ".json")

    def rows(self, text: str, file: str) -> Iterator[Row | RejectedRow]:
        """See ``Loader``; what follows a broken element of a list cannot be read."""
        first_line = text.strip().partition("\n")[0].strip()
        if first_line.startswith("["):
            return _list_elements(text, text.index("["), file)
        if first_line.startswith("{") and not _is_json(first_line) and _is_json(text):
            return _document(text, file)
        return _lines(text, file)


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


def _list_elements(text: str, bracket: int, file: str) -> Iterator[Row | RejectedRow]:
    decoder = json.JSONDecoder()
    line, counted_to = 1, 0
    position = _skip_space(text, bracket + 1)
    while position < len(text) and text[position] != "]":
        line += text.count("\n", counted_to, position)
        counted_to = position
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
            line += text.count("\n", counted_to, position)
            yield RejectedRow(file, line, "the list breaks off or lacks a comma here")
            return


def _document(text: str, file: str) -> Iterator[Row | RejectedRow]:
    """One paper, or an object with a list of papers under some name."""
    document: dict[str, Any] = json.loads(text)
    lists = [value for value in document.values() if _is_list_of_objects(value)]
    if len(lists) > 1:
        raise CorpusError(
            f"{file} holds {len(lists)} lists of objects, and it is unclear which are the papers.",
            hint="Give a file with one list of papers, or one paper a line.",
        )
    for number, value in enumerate(lists[0] if lists else [document], start=1):
        yield Row(number, value)


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _row(value: object, line: int, file: str) -> Row | RejectedRow:
    if isinstance(value, dict):
        return Row(line, value)
    return RejectedRow(file, line, f"a paper must be a JSON object, this is {_kind(value)}")


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _complaint(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} at column {error.colno}"
    return "not valid JSON: nested too deeply, or a number is too long"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
