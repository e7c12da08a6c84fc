"""The command line: ``symposia``. Heavy imports wait until a command needs them."""

from __future__ import annotations

import difflib
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from rag.errors import SymposiaError
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import ExitCode, exit_code_of_error, exit_code_of_status, exit_code_table
from ui.cli_progress import progress_bar

if TYPE_CHECKING:
    from rag.answer import Answer
    from rag.assistant import Assistant
    from rag.indexing import Progress
    from rag.settings import Settings

_STDIN_LIMIT = 1_000_000

app = typer.Typer(
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the command line and exits; the one place where errors are caught and told."""
    output.prepare_streams()
    arguments, debug = _take_debug(list(sys.argv[1:] if argv is None else argv))
    try:
        app(args=_with_command(arguments), prog_name="symposia")
    except SymposiaError as error:
        if debug:
            traceback.print_exc()
        output.write_note(f"symposia: {error.message}")
        if error.hint:
            output.write_note(error.hint)
        sys.exit(exit_code_of_error(error))


def _show_version(asked: bool) -> None:
    if asked:
        from rag import __version__

        output.write_data(f"symposia {__version__}")
        raise typer.Exit


@app.callback(
    help="Question a conference's papers; every sentence of the answer is proven by a quote.\n\n"
    'A bare question is asked: symposia "How many wells are in the Alberta dataset?"',
    epilog=f"\b\nExit codes:\n{exit_code_table()}",
)
def _root(
    _version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True),
    ] = False,
    _debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error too.")
    ] = False,
) -> None: ...


@app.command("ask")
def ask(
    question: Annotated[
        list[str], typer.Argument(help="The question; - reads it from stdin.", metavar="QUESTION")
    ],
    corpus: options.Corpus = None,
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
    as_json: options.Json = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Write Markdown with the quotes.")
    ] = False,
    as_bibtex: Annotated[
        bool, typer.Option("--bibtex", help="Write BibTeX entries of the papers.")
    ] = False,
) -> None:
    """Answer a question, with the quotes that prove it."""
    if as_json + as_markdown + as_bibtex > 1:
        raise typer.BadParameter("Give one of --json, --markdown and --bibtex.")
    filters = options.make_filters(author, venue, year, presentation, track, keyword)
    text = _read_stdin() if question == ["-"] else " ".join(question)
    with progress_bar() as progress, open_assistant(corpus, progress) as assistant:
        answer = assistant.ask(text, history=history or (), filters=filters)
    if as_json:
        output.write_data(output.escape_json(answer.to_json()))
    elif as_markdown:
        output.write_data(output.escape_controls(answer.to_markdown()))
    elif as_bibtex:
        _write_bibtex(answer)
    else:
        output.write_data(output.answer_to_text(answer, width=output.data_width()))
    raise typer.Exit(exit_code_of_status(answer.status))


@app.command("search")
def search(
    query: Annotated[
        list[str], typer.Argument(help="What to look for; - reads it from stdin.", metavar="QUERY")
    ],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many papers.")] = 10,
    corpus: options.Corpus = None,
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
    text = _read_stdin() if query == ["-"] else " ".join(query)
    with progress_bar() as progress, open_assistant(corpus, progress) as assistant:
        hits = assistant.search(text, k=k, filters=filters)
    if as_json:
        output.write_data(output.to_json([asdict(hit) for hit in hits]))
    elif hits:
        output.write_data(output.hits_to_text(hits, width=output.data_width()))
    if not hits:
        output.write_note("Nothing was found.")
        raise typer.Exit(ExitCode.NOT_IN_CORPUS)


class ExportForm(StrEnum):
    """How `symposia export` writes papers."""

    BIBTEX = "bibtex"
    MARKDOWN = "markdown"
    JSON = "json"
    JSONL = "jsonl"


@app.command("export")
def export(
    form: Annotated[ExportForm, typer.Option("--format", help="How to write them.")] = (
        ExportForm.BIBTEX
    ),
    corpus: options.Corpus = None,
    author: options.Authors = None,
    venue: options.Venues = None,
    year: options.Years = None,
    presentation: options.Presentations = None,
    track: options.Tracks = None,
    keyword: options.Keywords = None,
) -> None:
    """Write the papers of a corpus as BibTeX, Markdown or JSON."""
    filters = options.make_filters(author, venue, year, presentation, track, keyword)
    with progress_bar() as progress, open_assistant(corpus, progress) as assistant:
        papers = [paper for paper in assistant.papers if filters is None or keeps(filters, paper)]
    output.write_data(output.papers_to_text(papers, form))
    if not papers:
        output.write_note("No paper matches these filters.")
        raise typer.Exit(ExitCode.NOT_IN_CORPUS)


@app.command("doctor")
def doctor(as_json: options.Json = False) -> None:
    """Say what is installed, configured and broken."""
    from ui.doctor import examine

    report = examine()
    output.write_data(report.to_json() if as_json else output.escape_controls(report.to_text()))
    if report.broken:
        raise typer.Exit(ExitCode.ERROR)


def open_settings(corpus: str | None) -> Settings:
    """The settings in force, with the corpus that the command line names."""
    from rag.settings import Settings

    return Settings(corpus=corpus) if corpus is not None else Settings()


def open_assistant(corpus: str | None, progress: Callable[[Progress], None] | None) -> Assistant:
    """The engine over the corpus that the command line names, or the configured one."""
    from rag.assistant import Assistant

    return Assistant.open(open_settings(corpus), progress=progress)


def _take_debug(arguments: list[str]) -> tuple[list[str], bool]:
    """``--debug`` may stand anywhere, so that it can be added to the line that just failed."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [argument for argument in arguments[:end] if argument != "--debug"]
    return kept + arguments[end:], len(kept) < end


def _with_command(arguments: list[str]) -> list[str]:
    """Puts ``ask`` before a bare question."""
    commands = [command.name for command in app.registered_commands if command.name]
    if not arguments or arguments[0] in (*commands, "--version", "--help", "-h"):
        return arguments
    near = difflib.get_close_matches(arguments[0], commands, n=1, cutoff=0.75)
    if near:
        output.write_note(
            f"symposia: there is no command {arguments[0]!r}; did you mean {near[0]!r}? "
            f"To ask it as a question: symposia ask {arguments[0]!r}"
        )
        sys.exit(ExitCode.USAGE)
    return ["ask", *arguments]


def _read_stdin() -> str:
    return sys.stdin.buffer.read(_STDIN_LIMIT).decode("utf-8-sig", "replace")


def _write_bibtex(answer: Answer) -> None:
    output.write_data(output.escape_controls(answer.to_bibtex()))
    if answer.status != "answered":
        output.write_note(answer.text)
