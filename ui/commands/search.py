"""`symposia search`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ui import cli_engine as engine
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import ExitCode
from ui.cli_progress import progress_bar


def search(
    query: Annotated[
        list[str], typer.Argument(help="What to look for; - reads it from stdin.", metavar="QUERY")
    ],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many papers.")] = 10,
    corpus: options.Corpora = None,
    author: options.Authors = None,
    venue: options.Venues = None,
    year: options.Years = None,
    presentation: options.Presentations = None,
    track: options.Tracks = None,
    keyword: options.Keywords = None,
    as_json: options.Json = False,
) -> None:
    """List the papers nearest to a query, with their scores."""
    filters = options.make_filters(author, venue, year, presentation, track, keyword)
    text = options.read_stdin() if query == ["-"] else " ".join(query)
    with progress_bar() as progress, engine.open_assistant(corpus, progress) as assistant:
        hits = assistant.search(text, k=k, filters=filters)
    if as_json:
        output.write_data(output.to_json([asdict(hit) for hit in hits]))
    elif hits:
        output.write_data(output.hits_to_text(hits, width=output.data_width()))
    if not hits:
        output.write_note("Nothing was found.")
        raise typer.Exit(ExitCode.NOT_IN_CORPUS)
