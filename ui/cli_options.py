"""The options that several commands share, and the filters they make."""

from __future__ import annotations

from typing import Annotated

import typer

from rag.records import Filters

Corpus = Annotated[
    str | None, typer.Option(help="A corpus name, or a path to papers.", metavar="NAME|PATH")
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
