"""What may come next, under an answer: follow-up questions, and the question without its filters."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rag.answering.suggesting import MOST
from ui.conversation import Conversation
from ui.desk import Chatter

if TYPE_CHECKING:
    import gradio as gr

_SHOWN_CHARS = 60


@dataclass(frozen=True)
class Controls:
    """The parts of the page that offer something."""

    row: gr.Row
    questions: list[gr.Button]
    unfiltered: gr.Button


def draw() -> Controls:
    """Chips, hidden until there is something to offer."""
    import gradio as gr

    chip: dict[str, Any] = {"elem_classes": "chip", "size": "sm", "scale": 0, "visible": False}
    with gr.Row(elem_id="offers", visible=False) as row:
        unfiltered = gr.Button("", elem_id="unfiltered", **chip)
        questions = [gr.Button("", **chip) for _ in range(MOST)]
    return Controls(row, questions, unfiltered)


def outputs(controls: Controls) -> list[Any]:
    """What ``Offers.make`` fills, in its order."""
    return [controls.row, controls.unfiltered, *controls.questions]


class Offers:
    """Finds what may come next.

    Args:
        assistant: Suggests questions.
    """

    def __init__(self, assistant: Chatter) -> None:
        self._assistant = assistant

    async def make(self, conversation: Conversation) -> tuple[Any, ...]:
        """The chips for the latest answer; none where there is no finished one."""
        import gradio as gr

        latest = conversation.latest
        answer = latest.answer if latest is not None and latest.stage == "finished" else None
        questions: tuple[str, ...] = ()
        if answer is not None and answer.passages:
            questions = await asyncio.to_thread(self._assistant.follow_ups, answer)
        removal = unfiltered_label(conversation)
        labels = [removal, *questions[:MOST]] + [""] * (MOST - len(questions))
        chips = [gr.update(value=label, visible=bool(label)) for label in labels]
        return gr.update(visible=any(labels)), *chips


def follow(event: Any, controls: Controls, made: Offers, conversation: gr.State) -> None:
    """Offer anew after an event that may have brought another answer."""
    hidden: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    # Not by the queue: a question that is asked while its stream is being closed would be lost.
    event.then(made.make, [conversation], outputs(controls), queue=False, **hidden)


async def hide() -> tuple[Any, ...]:
    """No chips, while another answer comes."""
    import gradio as gr

    return (gr.update(visible=False),) * (MOST + 2)


def unfiltered_label(conversation: Conversation) -> str:
    """What a chip says that takes back the filters that were read from the latest question."""
    latest = conversation.latest
    if latest is None or latest.query is None or not latest.query.cues:
        return ""
    named = ", ".join(f"{cue.field} {cue.value}" for cue in latest.query.cues)
    short = named if len(named) <= _SHOWN_CHARS else named[: _SHOWN_CHARS - 1] + "…"
    return f"✕ Without the filter: {short}"
