"""How a command line is read: shared options, the bare question, standard input."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from rag.records import Filters
from ui.cli_exit import UsageError

_STDIN_LIMIT = 1_000_000

Corpus = Annotated[
    str | None, typer.Option(help="A corpus name, or a path to papers.", metavar="NAME|PATH")
]
Corpora = Annotated[
    list[str] | None,
    typer.Option(
        "--corpus",
        help="A corpus name, or a path to papers; several are asked together.",
        metavar="NAME|PATH",
    ),
]
Authors = Annotated[
    list[str] | None,
    typer.Option("--author", help="Only papers by this author.", metavar="NAME"),
]
Venues = Annotated[
    list[str] | None, typer.Option("--venue", help="Only papers of this venue.", metavar="NAME")
]
Years = Annotated[
    list[int] | None, typer.Option("--year", help="Only papers of this year.", metavar="YEAR")
]
Presentations = Annotated[
    list[str] | None,
    typer.Option("--presentation", help="Only oral, spotlight or poster.", metavar="KIND"),
]
Tracks = Annotated[
    list[str] | None, typer.Option("--track", help="Only papers of this track.", metavar="NAME")
]
Keywords = Annotated[
    list[str] | None,
    typer.Option("--keyword", help="Only papers with this keyword.", metavar="WORD"),
]
NoCues = Annotated[
    bool,
    typer.Option("--no-cues", help='Read no filters from the question, such as "oral papers by".'),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def make_filters(
    authors: list[str] | None,
    venues: list[str] | None,
    years: list[int] | None,
    presentations: list[str] | None,
    tracks: list[str] | None,
    keywords: list[str] | None,
) -> Filters | None:
    """The filters that the options ask for; None when they ask for none."""
    filters = Filters(
        authors=tuple(authors or ()),
        venues=tuple(venues or ()),
        years=tuple(years or ()),
        presentation=tuple(presentations or ()),
        track=tuple(tracks or ()),
        keywords=tuple(keywords or ()),
    )
    return filters or None


def make_columns(given: list[str] | None) -> dict[str, str]:
    """The mapping that ``--column FIELD=COLUMN`` gives: field to column.

    Raises:
        UsageError: If one has another form, or a field is given twice.
    """
    columns: dict[str, str] = {}
    for item in given or ():
        field, sign, column = item.partition("=")
        field = field.strip()
        if not sign or not field or field in columns:
            raise UsageError(
                f"--column {item!r} does not give a field its one column.",
                hint="Write it as --column 'title=Name of talk'.",
            )
        columns[field] = column.strip()
    return columns


def take_debug(arguments: list[str]) -> tuple[list[str], bool]:
    """``--debug`` may stand anywhere, so that it can be added to the line that just failed."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [argument for argument in arguments[:end] if argument != "--debug"]
    return kept + arguments[end:], len(kept) < end


def with_command(arguments: list[str], commands: Sequence[str]) -> list[str]:
    """Puts ``ask`` before a bare question.

    Raises:
        UsageError: If the question looks like a mistyped command.
    """
    if not arguments or arguments[0] in (*commands, "--version", "--help", "-h"):
        return arguments
    near = difflib.get_close_matches(arguments[0], commands, n=1, cutoff=0.75)
    if near:
        raise UsageError(
            f"There is no command {arguments[0]!r}; did you mean {near[0]!r}?",
            hint=f"To ask it as a question: symposia ask {arguments[0]!r}",
        )
    return ["ask", *arguments]


def read_stdin() -> str:
    """What is piped in, at most a million bytes; whether it is too long is the engine's to say."""
    return sys.stdin.buffer.read(_STDIN_LIMIT).decode("utf-8-sig", "replace")
