"""`symposia doctor`."""

from __future__ import annotations

import typer

from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import ExitCode


def doctor(as_json: options.Json = False) -> None:
    """Say what is installed, configured and broken."""
    from ui.doctor import examine

    report = examine()
    output.write_data(report.to_json() if as_json else output.escape_controls(report.to_text()))
    if report.broken:
        raise typer.Exit(ExitCode.ERROR)
