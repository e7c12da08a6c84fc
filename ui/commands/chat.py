"""`symposia chat`."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from ui import cli_engine as engine
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_ports import require_free_port
from ui.cli_progress import progress_bar


def chat(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 7860,
    corpus: options.Corpora = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser window.")
    ] = False,
) -> None:
    """Open the chat in the browser."""
    require_free_port(host, port)
    settings = engine.open_settings(corpus)
    with progress_bar() as progress:
        assistant = engine.open_assistant(corpus, progress)
        n_papers = assistant.n_papers
    from ui.web import launch

    # Gradio prints notices of its own, and standard output is for data.
    with assistant, redirect_stdout(sys.stderr):
        launch(
            assistant,
            host=host,
            port=port,
            open_browser=not no_browser,
            auth=engine.login(settings),
            keep_feedback=engine.keep_feedback(settings),
            shelf=engine.shelf(settings, assistant.corpus_name),
            on_ready=lambda url: output.write_note(
                f"{n_papers} papers of {assistant.corpus_name} are open to questions at {url} "
                "(Ctrl-C ends)."
            ),
        )
