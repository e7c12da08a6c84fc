"""What the loaders and the corpus hand on: rows, papers, and what was odd or turned down and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from rag.records import Paper


@dataclass(frozen=True, slots=True)
class _RowNote:
    """Something about one row of a source file."""

    file: str
    """Name of the file, without its folder."""
    line: int
    """Where the row begins, from 1."""
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class RejectedRow(_RowNote):
    """A row of a source file that gave no paper."""


@dataclass(frozen=True, slots=True)
class Remark(_RowNote):
    """A row that gave a paper of which something should be known, such as a missing abstract."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row as its file has it: field names in any spelling, values of any JSON type."""

    line: int
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Papers that were read together; ``n_read == len(papers) + len(rejected)``."""

    name: str
    papers: tuple[Paper, ...]
    rejected: tuple[RejectedRow, ...]
    n_read: int
    notes: tuple[str, ...] = ()
    """What a reader should know of how the files were read, such as a guessed encoding."""
    remarks: tuple[Remark, ...] = ()
    """What a reader should know of single papers, in the order of their files and lines."""


class Loader(Protocol):
    """Reads one format."""

    @property
    def name(self) -> str:
        """What the format is called: ``"BibTeX"``."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """File name endings of the format, in lower case: ``(".csv", ".tsv")``."""
        ...

    def recognises(self, text: str) -> bool:
        """Whether the content looks like this format, whatever the file is called."""
        ...

    def rows(self, text: str, file: str) -> Iterator[Row | RejectedRow]:
        """The rows of a file in order; a row that cannot be parsed comes as a rejected one.

        Args:
            text: The decoded content, cleaned, lines parted by a newline.
            file: The file's name, for rejected rows and messages.

        Raises:
            CorpusError: If the file as a whole is not of this format.
        """
        ...
