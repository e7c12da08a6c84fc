"""From the name of a corpus, a file or a folder to its papers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rag.corpus.columns import Columns
from rag.corpus.decoding import suffix_of
from rag.corpus.formats import FORMATS, SUFFIXES
from rag.corpus.reading import Reading
from rag.corpus.records import Corpus, RejectedRow
from rag.corpus.seeds import SEED_CORPORA, is_seed_corpus, seeds_folder
from rag.errors import CorpusError

_N_REASONS_SHOWN = 3


def load_corpus(
    source: str | Path,
    *more: str | Path,
    name: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Corpus:
    """Read papers.

    Args:
        source: The name of a corpus that comes with Symposia (``seeds``, ``icml2025``), a file,
            or a folder, whose files of known formats are read in order of their names, except a
            README.
        more: Further sources of the same corpus.
        name: What the corpus is called; by default ``corpus_name(source)``.
        columns: Which column or key holds a field, where its name does not tell:
            ``{"title": "Name of talk"}``. For tables and for JSON of no known source.

    Raises:
        CorpusError: If there is no such source, or not one paper could be read.
    """
    paths = [_locate(item) for item in (source, *more)]
    reading = Reading(Columns(columns or {}))
    for path in paths:
        if path.is_dir():
            reading.read_folder(path)
        else:
            reading.read_file(path)
    reading.check_columns()
    gathered = reading.gathering.settle()
    if not gathered.papers:
        raise _nothing_read(paths[0], gathered.rejected)
    return Corpus(
        name=name or corpus_name(source),
        papers=gathered.papers,
        rejected=gathered.rejected,
        n_read=reading.gathering.n_read,
        notes=tuple(reading.gathering.notes),
        remarks=gathered.remarks,
    )


def corpus_name(source: str | Path) -> str:
    """What a corpus is called: its name, or that of its file or folder without the ending."""
    if is_seed_corpus(source):
        return str(source)
    path = Path(source).expanduser().resolve()
    if suffix_of(path) not in SUFFIXES:
        return path.name
    return (path.with_suffix("") if path.suffix.lower() == ".gz" else path).stem


def source_path(source: str | Path) -> Path:
    """Where the papers of a source are, or would be."""
    if is_seed_corpus(source):
        return seeds_folder() / SEED_CORPORA[str(source)].papers
    return Path(source).expanduser()


def _locate(source: str | Path) -> Path:
    path = source_path(source)
    if not path.exists():
        raise CorpusError(
            f"There is no corpus, file or folder {str(source)!r}.",
            hint="Give the path of a file or folder with papers, or one of the names "
            f"{', '.join(SEED_CORPORA)}.",
        )
    return path


def _nothing_read(path: Path, rejected: tuple[RejectedRow, ...]) -> CorpusError:
    reasons = "; ".join(map(str, rejected[:_N_REASONS_SHOWN]))
    more = f"; and {len(rejected) - _N_REASONS_SHOWN} more" * (len(rejected) > _N_REASONS_SHOWN)
    return CorpusError(
        f"Not one paper could be read from {path}"
        + (f"; rejected rows: {len(rejected)}: {reasons}{more}." if rejected else "."),
        hint=f"What is read: {FORMATS}.",
    )
