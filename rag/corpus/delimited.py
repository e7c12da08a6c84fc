"""CSV and its relatives: comma, semicolon, tab or bar, with a line of column names first."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Protocol

from rag.corpus.columns import Columns
from rag.corpus.records import RejectedRow, Row
from rag.errors import CorpusError


class _Reader(Protocol):
    """What ``csv.reader`` gives; the standard library does not name its type."""

    line_num: int

    def __iter__(self) -> Iterator[list[str]]: ...

    def __next__(self) -> list[str]: ...


_DELIMITERS = ",;\t|"
_MAX_FIELD_CHARACTERS = 10_000_000
_MAX_HEADER_CHARACTERS = 10_000


class DelimitedLoader:
    """Reads ``.csv`` and ``.tsv``; the line of column names tells the delimiter.

    Args:
        columns: Which column holds which field.
    """

    name = "tables"
    suffixes = (".csv", ".tsv", ".tab")

    def __init__(self, columns: Columns | None = None) -> None:
        self._columns = columns or Columns()

    def recognises(self, text: str) -> bool:
        """See ``Loader``; one known name alone may stand in any sentence."""
        header = _first_line(text)
        fields = self._columns.known_in(_split(header, self._delimiter(header)))
        return len(fields) > 1 and bool(fields & {"title", "abstract"})

    def rows(self, text: str, file: str) -> Iterator[Row | RejectedRow]:
        """See ``Loader``; a row with more or fewer fields than column names is rejected."""
        lines = text.split("\n")
        delimiter = self._delimiter(lines[0])
        csv.field_size_limit(_MAX_FIELD_CHARACTERS)
        reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter)
        names = next(reader, [])
        if not self._columns.fields_in(names) & {"title", "abstract"}:
            raise CorpusError(
                f"{file} has no column named title or abstract; its first line is: "
                f"{', '.join(names)[:200]}",
                hint="The first line must name the columns, for example: id,title,abstract,authors.",
            )
        return _rows(reader, names, lines, file)

    def _delimiter(self, header: str) -> str:
        return max(_DELIMITERS, key=lambda mark: self._rank(header, mark))

    def _rank(self, header: str, delimiter: str) -> tuple[int, int]:
        names = _split(header, delimiter)
        return len(self._columns.known_in(names)), len(names)


def _first_line(text: str) -> str:
    return text[: text.find("\n") + 1 or len(text)].rstrip("\n")[:_MAX_HEADER_CHARACTERS]


def _split(header: str, delimiter: str) -> list[str]:
    return next(csv.reader([header], delimiter=delimiter), [])


def _rows(
    reader: _Reader, names: list[str], lines: list[str], file: str
) -> Iterator[Row | RejectedRow]:
    first = reader.line_num
    while True:
        try:
            values = next(reader, None)
        except csv.Error as error:
            reason = f"not valid CSV: {error}; the rest of the file is lost"
            yield RejectedRow(file, first + 1, reason)
            return
        if values is None:
            return
        last = reader.line_num
        n_quotes = sum(line.count('"') for line in lines[first:last])
        if last - first > 1 and last == len(lines) and n_quotes % 2:
            reason = "a quotation mark is not closed; the rest of the file is lost"
            yield RejectedRow(file, first + 1, reason)
        elif any(value.strip() for value in values):
            yield _row(values, names, first + 1, file)
        first = last


def _row(values: list[str], names: list[str], line: int, file: str) -> Row | RejectedRow:
    while len(values) > len(names) and not values[-1].strip():
        values = values[:-1]
    if len(values) != len(names):
        reason = f"the row has {len(values)} fields, the line of column names has {len(names)}"
        return RejectedRow(file, line, reason)
    return Row(line, dict(zip(names, values, strict=True)))
