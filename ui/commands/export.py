"""`symposia export`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from rag.records import Filters
from ui import cli_engine as engine
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import ExitCode
from ui.cli_progress import progress_bar


class ExportForm(StrEnum):
    """How `symposia export` writes papers."""

    BIBTEX = "bibtex"
    MARKDOWN = "markdown"
    JSON = "json"
    JSONL = "jsonl"


def export(
    form: Annotated[ExportForm, typer.Option("--format", help="How to write them.")] = (
        ExportForm.BIBTEX
    ),
    corpus: options.Corpora = None,
    author: options.Authors = None,
    venue: options.Venues = None,
    year: options.Years = None,
    presentation: options.Presentations = None,
    track: options.Tracks = None,
    keyword: options.Keywords = None,
) -> None:
    """Write the papers of a corpus as BibTeX, Markdown or JSON."""
    from rag.retrieval.filters import matches

    filters = options.make_filters(author, venue, year, presentation, track, keyword)
    with progress_bar() as progress, engine.open_assistant(corpus, progress) as assistant:
        papers = [paper for paper in assistant.papers if matches(paper, filters or Filters())]
    output.write_data(output.papers_to_text(papers, form))
    if not papers:
        output.write_note("No paper matches these filters.")
        raise typer.Exit(ExitCode.NOT_IN_CORPUS)
