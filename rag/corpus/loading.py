"""From the name of a corpus, a file or a folder to its papers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rag.corpus.decoding import read_text
from rag.corpus.delimited import DelimitedLoader
from rag.corpus.fields import make_paper
from rag.corpus.json_rows import JsonLoader
from rag.corpus.plain_text import PlainTextLoader
from rag.corpus.records import Corpus, Loader, RejectedRow
from rag.corpus.seeds import SEEDS, seeds_folder
from rag.errors import CorpusError
from rag.records import Paper

LOADERS: tuple[Loader, ...] = (JsonLoader(), DelimitedLoader(), PlainTextLoader())
_LOADER_OF = {suffix: loader for loader in LOADERS for suffix in loader.suffixes}
_N_REASONS_SHOWN = 3


def load_corpus(source: str | Path, *more: str | Path, name: str | None = None) -> Corpus:
    """Read papers.

    Args:
        source: ``seeds`` (the papers that come with Symposia), a file, or a folder, whose files
            of known formats are read in order of their names, except a README.
        more: Further sources of the same corpus.
        name: What the corpus is called; by default ``corpus_name(source)``.

    Raises:
        CorpusError: If there is no such source, or not one paper could be read.
    """
    paths = [_locate(item) for item in (source, *more)]
    reading = _Reading()
    for path in paths:
        if path.is_dir():
            _read_folder(path, reading)
        else:
            _read_file(path, reading)
    papers, rejected = reading.settle()
    if not papers:
        raise _nothing_read(paths[0], rejected)
    name = name or corpus_name(source)
    return Corpus(name, papers, rejected, reading.n_read, tuple(reading.notes))


def corpus_name(source: str | Path) -> str:
    """What a corpus is called: ``seeds``, or the name of its file or folder without the ending."""
    if source == SEEDS:
        return SEEDS
    path = Path(source).expanduser().resolve()
    return path.stem if path.suffix.lower() in _LOADER_OF else path.name


@dataclass(frozen=True, slots=True)
class _Found:
    """A paper, where it was found, and whether its title is its own."""

    paper: Paper
    has_own_title: bool
    file: str
    line: int

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(slots=True)
class _Reading:
    """What has been read so far, from all files of a source."""

    found: list[_Found] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    n_read: int = 0

    def settle(self) -> tuple[tuple[Paper, ...], tuple[RejectedRow, ...]]:
        """Every paper once: repeated ids, and untitled texts that a titled record has, go."""
        titled = {item.paper.abstract: item for item in reversed(self.found) if item.has_own_title}
        kept: dict[str, _Found] = {}
        for item in self.found:
            twin = titled.get(item.paper.abstract)
            same_id = kept.get(item.paper.paper_id)
            if twin is not None and not item.has_own_title:
                self._reject(item, f"the same abstract as {twin.place}, which has its title")
            elif same_id is None:
                kept[item.paper.paper_id] = item
            elif same_id.paper == item.paper:
                self._reject(item, f"the same record as {same_id.place}")
            else:
                self._reject(
                    item,
                    f"another paper has the id {item.paper.paper_id!r}: "
                    f"{same_id.place} and {item.place} differ",
                )
        rejected = sorted(self.rejected, key=lambda row: (row.file, row.line))
        return tuple(item.paper for item in kept.values()), tuple(rejected)

    def _reject(self, item: _Found, reason: str) -> None:
        self.rejected.append(RejectedRow(item.file, item.line, reason))


def _locate(source: str | Path) -> Path:
    if source == SEEDS:
        return seeds_folder() / "papers.jsonl"
    path = Path(source).expanduser()
    if not path.exists():
        raise CorpusError(
            f"There is no corpus, file or folder {str(source)!r}.",
            hint=f"Give the path of a file or folder with papers, or the name {SEEDS!r}.",
        )
    return path


def _read_folder(folder: Path, reading: _Reading) -> None:
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith(".") or path.stem.upper() == "README":
            continue
        if path.suffix.lower() not in _LOADER_OF:
            reading.notes.append(f"{path.name}: left aside, its format is not known")
            continue
        try:
            _read_file(path, reading)
        except CorpusError as error:
            reading.n_read += 1
            reading.rejected.append(RejectedRow(path.name, 1, error.message))


def _read_file(path: Path, reading: _Reading) -> None:
    loader = _LOADER_OF.get(path.suffix.lower())
    if loader is None:
        raise CorpusError(
            f"{path} has no known format.", hint=f"Known are: {', '.join(sorted(_LOADER_OF))}."
        )
    decoded = read_text(path)
    if decoded.note:
        reading.notes.append(decoded.note)
    for item in _read_rows(loader, decoded.text, path.name):
        reading.n_read += 1
        if isinstance(item, RejectedRow):
            reading.rejected.append(item)
        else:
            reading.found.append(item)


def _read_rows(loader: Loader, text: str, file: str) -> Iterator[_Found | RejectedRow]:
    for row in loader.rows(text, file):
        if isinstance(row, RejectedRow):
            yield row
            continue
        made = make_paper(row.fields)
        if made is None:
            yield RejectedRow(file, row.line, "it has neither a title nor an abstract")
        else:
            yield _Found(made.paper, made.has_own_title, file, row.line)


def _nothing_read(path: Path, rejected: tuple[RejectedRow, ...]) -> CorpusError:
    reasons = "; ".join(map(str, rejected[:_N_REASONS_SHOWN]))
    more = f"; and {len(rejected) - _N_REASONS_SHOWN} more" * (len(rejected) > _N_REASONS_SHOWN)
    return CorpusError(
        f"Not one paper could be read from {path}"
        + (f"; rejected rows: {len(rejected)}: {reasons}{more}." if rejected else "."),
        hint=f"Files of papers end in {', '.join(sorted(_LOADER_OF))}.",
    )
