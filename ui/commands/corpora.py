"""`symposia corpora`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ui import cli_engine as engine
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import UsageError
from ui.cli_report import corpora_to_text, report_to_text


def corpora(
    name: Annotated[
        str | None, typer.Argument(help="Show this one with its last report.", metavar="NAME")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """List the corpora that are indexed or come with Symposia."""
    listed = [item for item in engine.list_corpora() if name in (None, item.name)]
    if name is not None and not listed:
        raise UsageError(f"There is no corpus {name!r}.", hint="`symposia corpora` lists them.")
    report = engine.last_report(name) if name is not None else None
    if as_json:
        plain = [asdict(item) for item in listed]
        one = {**plain[0], "report": report.to_dict() if report else None} if name else None
        output.write_data(output.to_json(one or plain))
        return
    output.write_data(corpora_to_text(listed))
    if report is not None:
        output.write_data("\n" + report_to_text(report))
