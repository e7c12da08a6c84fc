"""`symposia index`."""

from __future__ import annotations

from typing import Annotated

import typer

from ui import cli_engine as engine
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import ExitCode
from ui.cli_progress import progress_bar
from ui.cli_report import report_to_text


def index(
    paths: Annotated[
        list[str],
        typer.Argument(
            help="Files or folders of papers, or the name of a corpus that comes with Symposia.",
            metavar="PATH",
        ),
    ],
    name: Annotated[
        str | None, typer.Option(help="What to call the corpus.", metavar="NAME")
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            help="Which column or key holds a field, such as title='Name of talk'; repeatable.",
            metavar="FIELD=COLUMN",
        ),
    ] = None,
    description: Annotated[
        str, typer.Option(help="What the papers are, for `symposia corpora`.", metavar="TEXT")
    ] = "",
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove papers that are not in PATH any more.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and write nothing.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Read papers and build or update their index."""
    columns = options.make_columns(column)
    with progress_bar() as progress:
        report = engine.build_index(
            paths,
            name=name,
            columns=columns,
            description=description,
            prune=prune,
            dry_run=dry_run,
            progress=progress,
        )
    if as_json:
        output.write_data(output.to_json(report.to_dict()))
    else:
        output.write_data(report_to_text(report))
    if report.n_indexed == 0:
        raise typer.Exit(ExitCode.ERROR)
