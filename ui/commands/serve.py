"""`symposia serve`."""

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


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 7860,
    corpus: options.Corpora = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A host name under which a proxy shows this server.", metavar="NAME"),
    ] = None,
) -> None:
    """Serve people and programs: the page, a health check, OpenAI's chat completions."""
    require_free_port(host, port)
    settings = engine.open_settings(corpus)
    with progress_bar() as progress:
        assistant = engine.open_assistant(corpus, progress)
    import uvicorn

    from ui.server import build_app
    from ui.web import trusted_names, warn_if_open

    login = engine.login(settings)
    warn_if_open(host, login)
    # Gradio prints notices of its own, and standard output is for data.
    with assistant, redirect_stdout(sys.stderr):
        app = build_app(
            assistant,
            names=trusted_names(host, name or (), share=False),
            auth=login,
            keep_feedback=engine.keep_feedback(settings),
            shelf=engine.shelf(settings, assistant.corpus_name),
        )
        output.write_note(
            f"Serving http://{host}:{port}/ and http://{host}:{port}/v1 (Ctrl-C ends)."
        )
        uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
