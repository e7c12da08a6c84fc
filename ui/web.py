"""The browser chat: wires an assistant to a Gradio page; drawing is in ``ui.view``."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.errors import SettingsError
from ui import choice, feedback, history, offers, parts, wiring
from ui.archive import Archive
from ui.conversation import Conversation
from ui.desk import Chatter, Desk
from ui.guard import LOOPBACK_NAMES, Guard, is_loopback
from ui.shelf import Shelf
from ui.turnstile import CONCURRENT_ANSWERS, WAITING_QUESTIONS
from ui.visitor import Visitor

if TYPE_CHECKING:
    import gradio as gr
    from fastapi import FastAPI

_SESSIONS = 1000
_STATIC = Path(__file__).parent / "static"
_logger = logging.getLogger(__name__)


def launch(
    assistant: Chatter,
    *,
    host: str = "127.0.0.1",
    port: int = 7860,
    share: bool = False,
    open_browser: bool = False,
    names: Collection[str] = (),
    auth: str = "",
    keep_feedback: feedback.Keep | None = None,
    shelf: Shelf | None = None,
    on_ready: Callable[[str], object] | None = None,
) -> None:
    """Serve the chat until interrupted.

    Args:
        assistant: Answers the questions.
        host: Address to bind; others than this machine's own let strangers in.
        port: Port to bind.
        share: Also open a public tunnel through Gradio's servers.
        open_browser: Open the page in the default browser.
        names: Further host names under which a proxy on this machine serves the page.
        auth: ``user:password`` that a browser has to give; empty where everybody may come in.
        keep_feedback: Stores what readers say of answers; without it they are not asked.
        shelf: Keeps conversations; without it they end with the page.
        on_ready: Called once with the page's address.

    Raises:
        SettingsError: If the port is taken.
    """
    page, url = start(
        assistant,
        host=host,
        port=port,
        share=share,
        open_browser=open_browser,
        names=names,
        auth=auth,
        keep_feedback=keep_feedback,
        shelf=shelf,
    )
    if on_ready:
        on_ready(url)
    page.block_thread()


def start(
    assistant: Chatter,
    *,
    host: str = "127.0.0.1",
    port: int = 7860,
    share: bool = False,
    open_browser: bool = False,
    names: Collection[str] = (),
    auth: str = "",
    keep_feedback: feedback.Keep | None = None,
    shelf: Shelf | None = None,
) -> tuple[gr.Blocks, str]:
    """Serve the chat in the background; returns the page, to ``close()``, and its address.

    Raises:
        SettingsError: If the port is taken.
    """
    warn_if_open(host, auth, share=share)
    page = build(assistant, keep_feedback=keep_feedback, shelf=shelf)
    try:
        _, url, _ = page.launch(
            server_name=host,
            server_port=port,
            share=share,
            inbrowser=open_browser,
            prevent_thread_lock=True,
            quiet=True,
            state_session_capacity=_SESSIONS,
            **_page_options(),
            **_guarded(trusted_names(host, names, share=share), auth),
        )
    except OSError as error:
        raise SettingsError(
            f"The chat cannot listen on {host}:{port}.",
            hint="Stop what uses the port, or choose another one with --port.",
        ) from error
    return page, url


def mount(
    app: FastAPI,
    assistant: Chatter,
    *,
    path: str = "/",
    names: Collection[str] = (),
    auth: str = "",
    keep_feedback: feedback.Keep | None = None,
    shelf: Shelf | None = None,
) -> FastAPI:
    """Add the chat to ``app``, and guard all of ``app``.

    Args:
        app: May have routes of its own.
        assistant: Answers the questions.
        path: Where the page is.
        names: Host names under which the server may be addressed; empty for any.
        auth: See ``ui.guard.Guard``.
        keep_feedback: See ``launch``.
        shelf: See ``launch``.
    """
    page = build(assistant, keep_feedback=keep_feedback, shelf=shelf)
    from gradio.routes import mount_gradio_app

    mount_gradio_app(app, page, path=path, **_page_options())
    app.add_middleware(Visitor)
    app.add_middleware(Guard, hosts=names, auth=auth)
    return app


def build(
    assistant: Chatter, *, keep_feedback: feedback.Keep | None = None, shelf: Shelf | None = None
) -> gr.Blocks:
    """The page, ready to be launched or mounted; see ``launch``."""
    # Gradio would otherwise report its use to its makers.
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    import gradio as gr

    page = gr.Blocks(title="Symposia", analytics_enabled=False, fill_height=True)
    with page:
        conversation = gr.State(Conversation())
        # The browser holds it, so that a page outlives the session behind it.
        here = gr.Textbox(visible=False)
        kept = history.draw() if shelf else None
        fresh = parts.head(assistant)
        with gr.Row(elem_id="desk"):
            with gr.Column(elem_id="talk", scale=3, min_width=320):
                chat = parts.chat()
                chips = parts.chips("examples", assistant.examples)
                offered = offers.draw()
                again = parts.chips("again", ("Ask again", "Edit the question"))
                controls = feedback.draw() if keep_feedback else None
                if kept:
                    kept.trouble.render()  # type: ignore[no-untyped-call]
                corpora = choice.draw(assistant.corpora)
                box = parts.box()
            with gr.Column(elem_id="evidence", scale=2, min_width=320):
                panel = parts.panel()
        outputs = (box, chat, panel, here, conversation)
        archive = Archive(shelf) if shelf else None
        desk = Desk(assistant)
        talk = wiring.Talk(desk, archive)
        chips += offered.questions
        asked, others = wiring.wire(talk, desk, outputs, corpora, chips, fresh, again, offered)
        changes = [*asked, *others]
        if kept and archive:
            shown = history.Shown(outputs, wiring.opened, talk.is_in_use)
            changes += history.wire(kept, archive, shown, asked, changes, page)
        for event in changes:
            offers.follow(event, offered, offers.Offers(assistant), conversation)
        if controls and keep_feedback:
            corpus = assistant.corpus_name
            feedback.wire(controls, conversation, changes, keep_feedback, corpus=corpus)
    page.queue(
        default_concurrency_limit=CONCURRENT_ANSWERS, max_size=WAITING_QUESTIONS, api_open=False
    )
    return page


def warn_if_open(host: str, auth: str, *, share: bool = False) -> None:
    """Say so where strangers can reach a server that asks for no login."""
    if not auth and (share or not is_loopback(host)):
        _logger.warning("The chat is open to everyone who can reach %s; it has no login.", host)


def trusted_names(host: str, names: Collection[str], *, share: bool) -> frozenset[str]:
    """The host names that requests may use; empty for any."""
    if share or not is_loopback(host):
        return frozenset()
    return LOOPBACK_NAMES | {host.strip("[]"), *names}


def _guarded(names: Collection[str], auth: str) -> Mapping[str, Any]:
    from starlette.middleware import Middleware

    guards = [Middleware(Guard, hosts=names, auth=auth), Middleware(Visitor)]
    return {"app_kwargs": {"middleware": guards}}


def _page_options() -> Mapping[str, Any]:
    from ui.theme import theme

    script = (_STATIC / "page.js").read_text(encoding="utf-8")
    return {
        "theme": theme(),
        "css_paths": [_STATIC / "page.css"],
        "head": f"<script>{script}</script>",
        "favicon_path": str(_STATIC / "favicon.svg"),
        "footer_links": [],
        "run_history": False,
        "show_error": False,
        "allowed_paths": [],
        "max_file_size": "1kb",
        "enable_monitoring": False,
        "ssr_mode": False,
        "mcp_server": False,
        "pwa": False,
    }
