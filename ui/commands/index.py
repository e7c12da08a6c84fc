"""`symposia index`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ui import cli_engine as engine
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import ExitCode
from ui.cli_progress import progress_bar


def index(
    paths: Annotated[
        list[str],
        typer.Argument(help="Files or folders of papers, or seeds.", metavar="PATH"),
    ],
    name: Annotated[
        str | None, typer.Option(help="What to call the corpus.", metavar="NAME")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Read papers and build or update their index."""
    with progress_bar() as progress:
        report = engine.build_index(paths, name, progress)
    if as_json:
        output.write_data(output.to_json(asdict(report)))
    else:
        output.write_data(output.report_to_text(report))
    if report.n_indexed == 0:
        raise typer.Exit(ExitCode.ERROR)
