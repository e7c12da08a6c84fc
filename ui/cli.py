"""The command line: ``symposia``. Heavy imports wait until a command needs them."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from rag.errors import SymposiaError
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import exit_code_of_error, exit_code_table
from ui.commands.ask import ask
from ui.commands.chat import chat
from ui.commands.corpora import corpora
from ui.commands.doctor import doctor
from ui.commands.evaluate import evaluating
from ui.commands.export import export
from ui.commands.index import index
from ui.commands.mcp import mcp
from ui.commands.search import search
from ui.commands.serve import serve

app = typer.Typer(
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS: dict[str, Callable[..., None] | typer.Typer] = {
    "ask": ask,
    "chat": chat,
    "serve": serve,
    "mcp": mcp,
    "index": index,
    "corpora": corpora,
    "search": search,
    "eval": evaluating,
    "export": export,
    "doctor": doctor,
}
for _name, _command in COMMANDS.items():
    if isinstance(_command, typer.Typer):
        app.add_typer(_command, name=_name)
    else:
        app.command(_name)(_command)


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the command line and exits; the one place where errors are caught and told."""
    output.prepare_streams()
    arguments, debug = options.take_debug(list(sys.argv[1:] if argv is None else argv))
    try:
        app(args=options.with_command(arguments, list(COMMANDS)), prog_name="symposia")
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
