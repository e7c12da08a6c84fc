"""The parts of the page, before anything is wired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui import view
from ui.conversation import Conversation
from ui.markup import LATEX_DELIMITERS

if TYPE_CHECKING:
    import gradio as gr


def chat() -> gr.Chatbot:
    """The conversation."""
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


def box() -> gr.Textbox:
    """Where one asks."""
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


def panel() -> gr.Markdown:
    """The sources, under their heading."""
    import gradio as gr

    gr.Markdown("## Sources")
    return gr.Markdown(
        Conversation().sources(),
        elem_id="sources",
        latex_delimiters=LATEX_DELIMITERS,
        container=False,
    )
