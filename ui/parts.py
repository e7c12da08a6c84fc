"""The parts of the page, before anything is wired."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui import view
from ui.conversation import Conversation
from ui.desk import Chatter
from ui.markup import LATEX_DELIMITERS

if TYPE_CHECKING:
    import gradio as gr


def head(assistant: Chatter) -> gr.Button:
    """The line on top: what this is, who answers, from what; and the way to begin anew."""
    import gradio as gr

    with gr.Row(elem_id="head"):
        title = view.header(
            mode=assistant.mode, n_papers=assistant.n_papers, corpus_name=assistant.corpus_name
        )
        gr.Markdown(title, elem_id="masthead")
        return gr.Button("New conversation", elem_id="fresh", size="sm", scale=0)


def chips(name: str, words: Sequence[str]) -> list[gr.Button]:
    """A row of small buttons."""
    import gradio as gr

    with gr.Row(elem_id=name):
        return [gr.Button(each, elem_classes="chip", size="sm", scale=0) for each in words]


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
