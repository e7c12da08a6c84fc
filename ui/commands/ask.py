"""`symposia ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rag.export import usage_in_words
from ui import cli_engine as engine
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import exit_code_of_status
from ui.cli_progress import progress_bar

if TYPE_CHECKING:
    from rag.answer import Answer


def ask(
    question: Annotated[
        list[str], typer.Argument(help="The question; - reads it from stdin.", metavar="QUESTION")
    ],
    corpus: options.Corpora = None,
    author: options.Authors = None,
    venue: options.Venues = None,
    year: options.Years = None,
    presentation: options.Presentations = None,
    track: options.Tracks = None,
    keyword: options.Keywords = None,
    history: Annotated[
        list[str] | None,
        typer.Option(help="An earlier question, oldest first.", metavar="QUESTION"),
    ] = None,
    no_cues: options.NoCues = False,
    as_json: options.Json = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Write Markdown with the quotes.")
    ] = False,
    as_bibtex: Annotated[
        bool, typer.Option("--bibtex", help="Write BibTeX entries of the papers.")
    ] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Write a table of the papers with verdicts and quotes.")
    ] = False,
) -> None:
    """Answer a question, with the quotes that prove it."""
    if as_json + as_markdown + as_bibtex + as_csv > 1:
        raise typer.BadParameter("Give one of --json, --markdown, --bibtex and --csv.")
    filters = options.make_filters(author, venue, year, presentation, track, keyword)
    text = options.read_stdin() if question == ["-"] else " ".join(question)
    with progress_bar() as progress, engine.open_assistant(corpus, progress) as assistant:
        answer = assistant.ask(text, history=history or (), filters=filters, read_cues=not no_cues)
    if as_json:
        output.write_data(output.escape_json(answer.to_json()))
    elif as_markdown:
        output.write_data(output.escape_controls(answer.to_markdown()))
    elif as_bibtex:
        _write_papers(answer, answer.to_bibtex())
    elif as_csv:
        _write_papers(answer, answer.to_csv())
    else:
        output.write_data(output.answer_to_text(answer, width=output.data_width()))
    if answer.usage.counted_by:
        output.write_note(f"{assistant.mode}: {usage_in_words(answer.usage)}")
    raise typer.Exit(exit_code_of_status(answer.status))


def _write_papers(answer: Answer, papers: str) -> None:
    output.write_data(output.escape_controls(papers))
    if answer.status != "answered":
        output.write_note(answer.text)
