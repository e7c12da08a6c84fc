"""The reader's word on the latest answer: controls under it, kept by whoever serves the page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from eval.feedback import Feedback, Verdict, feedback_on
from rag.answer import Answer
from ui.conversation import Conversation

if TYPE_CHECKING:
    import gradio as gr

Keep = Callable[[Feedback], None]
"""Stores one reader's word; may raise ``OSError``."""

VERDICTS: dict[Verdict, str] = {
    "helpful": "Helpful",
    "not_helpful": "Not helpful",
    "wrong_source": "Wrong source",
}
"""What can be said of an answer, and the words on the button."""

_MOST_CHARS = 2000
_THANKS = '<p class="thanks">Thank you. Your word is kept on this server only.</p>'
_NOT_KEPT = (
    '<p class="thanks failed">Your word could not be kept; the server\'s log has the details.</p>'
)
_logger = logging.getLogger(__name__)


def ratable(conversation: Conversation) -> Answer | None:
    """The session's latest answer if it is finished and about papers, else None."""
    latest = conversation.latest
    if latest is None or latest.stage != "finished" or latest.answer is None:
        return None
    return latest.answer if latest.answer.passages or latest.answer.sentences else None


def rate(
    keep: Keep, corpus: str, verdict: Verdict, comment: object, conversation: Conversation
) -> str:
    """Keep a reader's word on the latest answer of a session.

    Args:
        keep: Stores it.
        corpus: What the papers are called together.
        verdict: One of ``VERDICTS``.
        comment: As the browser sent it; anything but text is no comment.
        conversation: The server's own state: what is rated never comes from a browser.

    Returns:
        What the page says then; empty where there is no answer to rate.
    """
    answer = ratable(conversation)
    if answer is None:
        return ""
    said = comment[:_MOST_CHARS] if isinstance(comment, str) else ""
    told = said.encode("utf-8", "replace").decode("utf-8")
    history = [past.question for past in conversation.past]
    try:
        keep(feedback_on(answer, verdict, corpus=corpus, comment=told, history=history))
    except OSError:
        _logger.exception("What a reader said could not be kept")
        return _NOT_KEPT
    return _THANKS


@dataclass(frozen=True)
class Controls:
    """The parts of the page by which an answer is rated."""

    row: gr.Row
    comment: gr.Textbox
    buttons: dict[Verdict, gr.Button]
    thanks: gr.Markdown


def draw() -> Controls:
    """The controls, hidden until there is an answer."""
    import gradio as gr

    with gr.Row(elem_id="feedback", visible=False) as row:
        buttons = {
            verdict: gr.Button(words, elem_classes="chip", size="sm", scale=0)
            for verdict, words in VERDICTS.items()
        }
        comment = gr.Textbox(
            elem_id="comment",
            label="Comment on this answer (optional)",
            show_label=False,
            container=False,
            placeholder="Comment on this answer (optional)",
            max_lines=1,
            max_length=_MOST_CHARS,
            min_width=200,
        )
    return Controls(row, comment, buttons, gr.Markdown("", elem_id="thanks", container=False))


def wire(
    controls: Controls, conversation: gr.State, after: Iterable[Any], keep: Keep, *, corpus: str
) -> None:
    """Let the controls rate the latest answer of ``conversation``, each answer once.

    Args:
        controls: What ``draw`` returned.
        conversation: The session's state.
        after: The events after which there may be another answer to rate, or none.
        keep: Stores what is said.
        corpus: What the papers are called together.
    """
    import gradio as gr

    rated = gr.State(None)

    def say(verdict: Verdict, comment: object, so_far: Conversation, last: Any) -> tuple[Any, ...]:
        answer = ratable(so_far)
        if answer is None or answer is last:
            return gr.skip(), gr.skip(), gr.skip()
        words = rate(keep, corpus, verdict, comment, so_far)
        is_kept = words == _THANKS
        return gr.update(visible=not is_kept), words, answer if is_kept else last

    def offer(so_far: Conversation, last: Any) -> tuple[Any, ...]:
        answer = ratable(so_far)
        if answer is not None and answer is last:
            return gr.skip(), gr.skip(), gr.skip()
        return gr.update(visible=answer is not None), "", ""

    hidden: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    for verdict, button in controls.buttons.items():
        button.click(
            partial(say, verdict),
            [controls.comment, conversation, rated],
            [controls.row, controls.thanks, rated],
            # One at a time, so that two quick clicks are one word.
            concurrency_id="feedback",
            concurrency_limit=1,
            **hidden,
        )
    shown = [controls.row, controls.comment, controls.thanks]
    for event in after:
        event.then(offer, [conversation, rated], shown, queue=False, **hidden)
