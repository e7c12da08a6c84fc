"""`symposia mcp`."""

from __future__ import annotations

from ui import cli_engine as engine
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_progress import progress_bar


def mcp(corpus: options.Corpora = None) -> None:
    """Offer the papers as tools (Model Context Protocol) over standard input and output."""
    with progress_bar() as progress:
        assistant = engine.open_assistant(corpus, progress)
    from ui.mcp_server import build_mcp

    with assistant:
        server = build_mcp(assistant)
        output.write_note(f"Tools ask and search_papers over {assistant.n_papers} papers.")
        server.run("stdio")
