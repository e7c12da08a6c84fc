"""The browser chat: wires an assistant to a Gradio page; drawing is in ``ui.view``."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.errors import SettingsError
from ui import feedback, parts, view
from ui.conversation import Conversation
from ui.desk import Chatter, Desk
from ui.guard import LOOPBACK_NAMES, Guard, is_loopback
from ui.ticks import with_ticks
from ui.turnstile import CONCURRENT_ANSWERS, WAITING_QUESTIONS

if TYPE_CHECKING:
    import gradio as gr
    from fastapi import FastAPI

_SESSIONS = 1000
_TICK_S = 1.0
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
) -> tuple[gr.Blocks, str]:
    """Serve the chat in the background; returns the page, to ``close()``, and its address.

    Raises:
        SettingsError: If the port is taken.
    """
    warn_if_open(host, auth, share=share)
    page = build(assistant, keep_feedback=keep_feedback)
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
) -> FastAPI:
    """Add the chat to ``app``, and guard all of ``app``.

    Args:
        app: May have routes of its own.
        assistant: Answers the questions.
        path: Where the page is.
        names: Host names under which the server may be addressed; empty for any.
        auth: See ``ui.guard.Guard``.
        keep_feedback: See ``launch``.
    """
    page = build(assistant, keep_feedback=keep_feedback)
    from gradio.routes import mount_gradio_app

    mount_gradio_app(app, page, path=path, **_page_options())
    app.add_middleware(Guard, hosts=names, auth=auth)
    return app


def build(assistant: Chatter, *, keep_feedback: feedback.Keep | None = None) -> gr.Blocks:
    """The page, ready to be launched or mounted; see ``launch``."""
    # Gradio would otherwise report its use to its makers.
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    import gradio as gr

    page = gr.Blocks(title="Symposia", analytics_enabled=False, fill_height=True)
    with page:
        conversation = gr.State(Conversation())
        with gr.Row(elem_id="head"):
            gr.Markdown(
                view.header(
                    mode=assistant.mode,
                    n_papers=assistant.n_papers,
                    corpus_name=assistant.corpus_name,
                ),
                elem_id="masthead",
            )
            fresh = gr.Button("New conversation", elem_id="fresh", size="sm", scale=0)
        with gr.Row(elem_id="desk"):
            with gr.Column(elem_id="talk", scale=3, min_width=320):
                chat = parts.chat()
                with gr.Row(elem_id="examples"):
                    chips = [
                        gr.Button(example, elem_classes="chip", size="sm", scale=0)
                        for example in assistant.examples
                    ]
                controls = feedback.draw() if keep_feedback else None
                box = parts.box()
            with gr.Column(elem_id="evidence", scale=2, min_width=320):
                panel = parts.panel()
        changes = _wire(Desk(assistant), (box, chat, panel, conversation), chips, fresh)
        if controls and keep_feedback:
            corpus = assistant.corpus_name
            feedback.wire(controls, conversation, changes, keep_feedback, corpus=corpus)
    page.queue(
        default_concurrency_limit=CONCURRENT_ANSWERS, max_size=WAITING_QUESTIONS, api_open=False
    )
    return page


def _wire(
    desk: Desk,
    outputs: tuple[gr.Textbox, gr.Chatbot, gr.Markdown, gr.State],
    chips: list[gr.Button],
    fresh: gr.Button,
) -> list[Any]:
    """Let the parts act; returns the events that leave another conversation behind."""
    import gradio as gr
    from gradio.events import api

    box, _, _, conversation = outputs
    busy: dict[str, Any] = {"submit_btn": False, "stop_btn": True}
    idle: dict[str, Any] = {"submit_btn": True, "stop_btn": False}
    nothing = (gr.skip(),) * len(outputs)

    def drawn(step: Conversation) -> tuple[Any, ...]:
        return step.messages(), step.sources(), step

    async def respond(message: str | None, so_far: Conversation) -> AsyncGenerator[Any]:
        change = gr.update(value="", **busy)
        async with aclosing(with_ticks(desk.converse(message, so_far), _TICK_S)) as steps:
            async for step in steps:
                yield (change, *drawn(step)) if step else nothing
                change = gr.skip()
        yield gr.update(**idle), *nothing[1:]

    async def stop(so_far: Conversation) -> tuple[Any, ...]:
        return gr.update(**idle), *drawn(so_far.stopped())

    async def clear() -> tuple[Any, ...]:
        return gr.update(value="", **idle), *drawn(Conversation())

    # Every listener is an HTTP endpoint; only ``ask`` is meant for programs.
    hidden: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    answering: dict[str, Any] = {**hidden, "outputs": list(outputs), "concurrency_id": "answers"}
    asked: list[Any] = [box.submit(respond, [box, conversation], **answering)]
    asked += [chip.click(respond, [chip, conversation], **answering) for chip in chips]
    quick: dict[str, Any] = {**hidden, "outputs": list(outputs), "queue": False}
    stopped = box.stop(None, cancels=asked).then(stop, [conversation], **quick)
    cleared = fresh.click(None, cancels=asked).then(clear, **quick)
    api(desk.ask, api_name="ask", concurrency_id="answers")
    return [*asked, stopped, cleared]


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

    return {"app_kwargs": {"middleware": [Middleware(Guard, hosts=names, auth=auth)]}}


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
