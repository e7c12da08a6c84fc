"""Files, one after the other, into one gathering of papers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rag.corpus.columns import Columns
from rag.corpus.decoding import DecodedText, NotText, read_text, suffix_of
from rag.corpus.delimited import DelimitedLoader
from rag.corpus.fields import make_paper
from rag.corpus.formats import FORMATS, SUFFIXES, choose_loader, make_loaders
from rag.corpus.gathering import Found, Gathering, free_of_shared_id
from rag.corpus.records import Loader, RejectedRow
from rag.errors import CorpusError

_N_NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class _Opened:
    """A file whose format is known."""

    loader: Loader
    decoded: DecodedText


class Reading:
    """What is being read.

    Args:
        columns: Which column or key holds which field.
    """

    def __init__(self, columns: Columns) -> None:
        self.gathering = Gathering()
        self._columns = columns
        self._loaders = make_loaders(columns)
        self._names_seen: dict[str, None] = {}

    def read_folder(self, folder: Path) -> None:
        """Read the files of a folder in order of their names, except a README.

        One that should be papers and cannot be read is turned down as a row would be; others are
        left aside with a note.
        """
        for path in sorted(folder.iterdir()):
            if not path.is_file() or path.name.startswith(".") or path.stem.upper() == "README":
                continue
            try:
                self.read_file(path)
            except CorpusError as error:
                if suffix_of(path) in SUFFIXES:
                    self.gathering.n_read += 1
                    self.gathering.rejected.append(RejectedRow(path.name, 1, error.message))
                else:
                    note = f"{path.name}: left aside, its format is not known"
                    self.gathering.notes.append(note)

    def read_file(self, path: Path) -> None:
        """Read one file.

        Raises:
            CorpusError: If its format is not known, or it is not of the format it seems to have.
        """
        opened = self._open(path)
        if opened is None:
            raise CorpusError(f"{path} has no known format.", hint=f"What is read: {FORMATS}.")
        if opened.decoded.note:
            self.gathering.notes.append(opened.decoded.note)
        n_guessed = len(self._columns.guessed)
        items = list(self._rows(opened, path.name))
        found = [item for item in items if isinstance(item, Found)]
        if isinstance(opened.loader, DelimitedLoader):
            found = self._free_of_shared_id(found)
        self.gathering.n_read += len(items)
        self.gathering.found += found
        self.gathering.rejected += [item for item in items if isinstance(item, RejectedRow)]
        for column, field in list(self._columns.guessed.items())[n_guessed:]:
            note = f"{path.name}: {column!r} was taken for the {field} of a paper"
            self.gathering.notes.append(note)

    def check_columns(self) -> None:
        """See that every column that was named is there.

        Raises:
            CorpusError: If one is in none of the files.
        """
        for field, column in self._columns.missing(self._names_seen).items():
            names = ", ".join(list(self._names_seen)[:_N_NAMES_SHOWN])
            raise CorpusError(
                f"There is no column {column!r} for the {field} of a paper.",
                hint=f"There are: {names}." if names else "No row was read.",
            )

    def _open(self, path: Path) -> _Opened | None:
        try:
            decoded = read_text(path)
        except NotText:
            if suffix_of(path) in SUFFIXES:
                raise
            return None
        loader = choose_loader(decoded.text, suffix_of(path), self._loaders)
        return _Opened(loader, decoded) if loader else None

    def _free_of_shared_id(self, found: list[Found]) -> list[Found]:
        freed = free_of_shared_id(found)
        if freed is not found:
            note = (
                f"{found[0].file}: all rows have the id {found[0].paper.paper_id!r}, so it is none"
            )
            self.gathering.notes.append(note)
        return freed

    def _rows(self, opened: _Opened, file: str) -> Iterator[Found | RejectedRow]:
        for row in opened.loader.rows(opened.decoded.text, file):
            if isinstance(row, RejectedRow):
                yield row
                continue
            if self._columns.said:
                self._names_seen |= dict.fromkeys(row.fields)
            made = make_paper(row.fields, self._columns)
            if made is None:
                yield RejectedRow(file, row.line, "it has neither a title nor an abstract")
            else:
                yield Found(made, file, row.line)
