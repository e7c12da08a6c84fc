"""The command line: ``symposia``. Heavy imports wait until a command needs them."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag.errors import SymposiaError
from rag.records import Filters
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import ExitCode, exit_code_of_error, exit_code_of_status, exit_code_table
from ui.cli_ports import require_free_port
from ui.cli_progress import progress_bar

if TYPE_CHECKING:
    from rag.answer import Answer
    from rag.assistant import Assistant
    from rag.indexing import Progress
    from rag.settings import Settings

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
    arguments, debug = options.take_debug(list(sys.argv[1:] if argv is None else argv))
    commands = [command.name for command in app.registered_commands if command.name]
    try:
        app(args=options.with_command(arguments, commands), prog_name="symposia")
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
    text = options.read_stdin() if question == ["-"] else " ".join(question)
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


@app.command("chat")
def chat(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 7860,
    corpus: options.Corpus = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser window.")
    ] = False,
) -> None:
    """Open the chat in the browser."""
    require_free_port(host, port)
    with progress_bar() as progress:
        assistant = open_assistant(corpus, progress)
        n_papers = assistant.n_papers
    from ui.web import launch

    with assistant:
        launch(
            assistant,
            host=host,
            port=port,
            open_browser=not no_browser,
            on_ready=lambda url: output.write_note(
                f"{n_papers} papers of {assistant.corpus_name} are open to questions at {url} "
                "(Ctrl-C ends)."
            ),
        )


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
    text = options.read_stdin() if query == ["-"] else " ".join(query)
    with progress_bar() as progress, open_assistant(corpus, progress) as assistant:
        hits = assistant.search(text, k=k, filters=filters)
    if as_json:
        output.write_data(output.to_json([asdict(hit) for hit in hits]))
    elif hits:
        output.write_data(output.hits_to_text(hits, width=output.data_width()))
    if not hits:
        output.write_note("Nothing was found.")
        raise typer.Exit(ExitCode.NOT_IN_CORPUS)


class Split(StrEnum):
    """The parts of an evaluation's question set."""

    DEV = "dev"
    TEST = "test"
    ALL = "all"


@app.command("eval")
def evaluate(
    split: Annotated[Split, typer.Option(help="Which questions to ask.")] = Split.DEV,
    dataset: Annotated[
        Path | None,
        typer.Option(help="A JSONL file of cases.", exists=True, dir_okay=False, metavar="FILE"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write report.json and report.md there.", metavar="FOLDER"),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(help="Ask the first questions only.", min=1, metavar="N")
    ] = None,
    corpus: options.Corpus = None,
    as_json: options.Json = False,
) -> None:
    """Judge the answers to a set of questions with known answers."""
    from eval.report import to_dict
    from eval.runner import run_eval
    from eval.tables import to_markdown

    with progress_bar() as progress, open_assistant(corpus, progress) as assistant:
        report = run_eval(
            assistant,
            split=None if split is Split.ALL else split,
            dataset=dataset,
            out=out,
            limit=limit,
        )
    output.write_data(output.to_json(to_dict(report)) if as_json else to_markdown(report))
    if report.errors:
        raise typer.Exit(ExitCode.ERROR)


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
    from rag.retrieval.filters import matches

    filters = options.make_filters(author, venue, year, presentation, track, keyword)
    with progress_bar() as progress, open_assistant(corpus, progress) as assistant:
        papers = [paper for paper in assistant.papers if matches(paper, filters or Filters())]
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


def _write_bibtex(answer: Answer) -> None:
    output.write_data(output.escape_controls(answer.to_bibtex()))
    if answer.status != "answered":
        output.write_note(answer.text)
