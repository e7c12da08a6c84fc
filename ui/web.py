"""The browser chat: wires an assistant to a Gradio page; drawing is in ``ui.view``."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.errors import SettingsError
from ui import view
from ui.conversation import Conversation
from ui.desk import Chatter, Desk
from ui.guard import LOOPBACK_NAMES, Guard, is_loopback
from ui.markup import LATEX_DELIMITERS
from ui.ticks import with_ticks

if TYPE_CHECKING:
    import gradio as gr
    from fastapi import FastAPI

_CONCURRENT_ANSWERS = 8
_WAITING_QUESTIONS = 64
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
) -> tuple[gr.Blocks, str]:
    """Serve the chat in the background; returns the page, to ``close()``, and its address.

    Raises:
        SettingsError: If the port is taken.
    """
    warn_if_open(host, auth, share=share)
    page = build(assistant)
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
) -> FastAPI:
    """Add the chat to ``app``, and guard all of ``app``.

    Args:
        app: May have routes of its own.
        assistant: Answers the questions.
        path: Where the page is.
        names: Host names under which the server may be addressed; empty for any.
        auth: See ``ui.guard.Guard``.
    """
    page = build(assistant)
    from gradio.routes import mount_gradio_app

    mount_gradio_app(app, page, path=path, **_page_options())
    app.add_middleware(Guard, hosts=names, auth=auth)
    return app


def build(assistant: Chatter) -> gr.Blocks:
    """The page, ready to be launched or mounted."""
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
                chat = _chat()
                with gr.Row(elem_id="examples"):
                    chips = [
                        gr.Button(example, elem_classes="chip", size="sm", scale=0)
                        for example in assistant.examples
                    ]
                box = _box()
            with gr.Column(elem_id="evidence", scale=2, min_width=320):
                panel = _panel()
        _wire(Desk(assistant), (box, chat, panel, conversation), chips, fresh)
    page.queue(
        default_concurrency_limit=_CONCURRENT_ANSWERS, max_size=_WAITING_QUESTIONS, api_open=False
    )
    return page


def _chat() -> gr.Chatbot:
    import gradio as gr

    return gr.Chatbot(
        elem_id="chat",
        label="Conversation",
        show_label=False,
        container=False,
        height="100%",
        buttons=[],
        layout="bubble",
        feedback_options=None,
        allow_tags=False,
        line_breaks=False,
        group_consecutive_messages=False,
        latex_delimiters=LATEX_DELIMITERS,
        placeholder=view.welcome(),
    )


def _box() -> gr.Textbox:
    import gradio as gr

    return gr.Textbox(
        elem_id="box",
        label="Your question",
        show_label=False,
        container=False,
        placeholder="Ask about the papers",
        max_lines=6,
        autofocus=True,
        submit_btn=True,
    )


def _panel() -> gr.Markdown:
    import gradio as gr

    gr.Markdown("## Sources")
    return gr.Markdown(
        Conversation().sources(),
        elem_id="sources",
        latex_delimiters=LATEX_DELIMITERS,
        container=False,
    )


def _wire(
    desk: Desk,
    outputs: tuple[gr.Textbox, gr.Chatbot, gr.Markdown, gr.State],
    chips: list[gr.Button],
    fresh: gr.Button,
) -> None:
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
    box.stop(None, cancels=asked).then(stop, [conversation], **quick)
    fresh.click(None, cancels=asked).then(clear, **quick)
    api(desk.ask, api_name="ask", concurrency_id="answers")


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
