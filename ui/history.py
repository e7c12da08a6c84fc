"""The list of conversations beside the page, and what can be done with one of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from rag.export import papers_to_bibtex
from ui.archive import Archive
from ui.conversation import Conversation
from ui.tables import handed
from ui.visitor import token_of

if TYPE_CHECKING:
    import gradio as gr

_NAMELESS = "This browser sends no cookie to this page, so its conversations end with the page."


def files(conversation: Conversation) -> str:
    """The conversation as Markdown, JSON and BibTeX of the papers it speaks of, to download."""
    answers = [item.answer for item in conversation.exchanges() if item.answer is not None]
    papers = {paper.paper_id: paper for answer in answers for paper in answer.papers}
    plain = {"answers": [answer.to_dict() for answer in answers]}
    texts = {
        "Markdown": "\n".join(answer.to_markdown() for answer in answers),
        "JSON": json.dumps(plain, ensure_ascii=False, indent=2) + "\n",
        "BibTeX": papers_to_bibtex(papers.values()),
    }
    return '<p class="files">' + " ".join(handed("file", *item) for item in texts.items()) + "</p>"


@dataclass(frozen=True)
class Controls:
    """The parts of the page that show and handle conversations."""

    listed: gr.Radio
    wanted: gr.Textbox
    """The id that was chosen from the list."""
    managed: gr.Column
    title: gr.Textbox
    rename: gr.Button
    export: gr.Button
    delete: gr.Button
    sure: gr.Row
    """Asks once more before something is deleted."""
    surely: gr.Button
    spare: gr.Button
    exported: gr.Markdown
    trouble: gr.Markdown
    """Says that something could not be kept or read; not drawn yet, for its place is elsewhere."""


def draw() -> Controls:
    """The list, folded away at the side until it is opened."""
    import gradio as gr

    chip: dict[str, Any] = {"elem_classes": "chip", "size": "sm", "scale": 0}
    with gr.Sidebar(open=False, elem_id="shelf", width=300):
        gr.Markdown("## Conversations")
        listed = gr.Radio(
            [], label="Kept conversations", show_label=False, container=False, elem_id="kept"
        )
        wanted = gr.Textbox(visible=False)
        with gr.Column(visible=False, elem_id="managed") as managed:
            title = gr.Textbox(label="Name of this conversation", max_lines=1, elem_id="title")
            with gr.Row(elem_id="handling"):
                rename = gr.Button("Rename", **chip)
                export = gr.Button("Export", **chip)
                delete = gr.Button("Delete", **chip)
            with gr.Row(visible=False, elem_id="sure") as sure:
                surely = gr.Button("Delete for good", elem_id="surely", **chip)
                spare = gr.Button("Keep it", **chip)
            exported = gr.Markdown("", elem_id="exported", container=False)
    trouble = gr.Markdown("", elem_id="trouble", container=False, render=False)
    return Controls(
        listed,
        wanted,
        managed,
        title,
        rename,
        export,
        delete,
        sure,
        surely,
        spare,
        exported,
        trouble,
    )


def _as_sent(chosen: object) -> object:
    return chosen


@dataclass(frozen=True)
class Shown:
    """Where a conversation is shown."""

    outputs: Sequence[Any]
    """The parts of the page; the last are the id and the state of the conversation."""
    fill: Callable[[Conversation], tuple[Any, ...]]
    """What goes into them."""
    is_in_use: Callable[[Any], bool]
    """Whether something was asked there already, by the request."""


class Side:
    """What the list does, as Gradio calls it.

    Args:
        archive: Keeps conversations.
        place: Where one is shown.
    """

    def __init__(self, archive: Archive, place: Shown) -> None:
        self._archive = archive
        self._place = place

    def restore(self, request: Any) -> tuple[Any, ...]:
        """What the browser of a request has seen last; nothing if it was quicker to ask."""
        import gradio as gr

        shown = self._all(self._archive.last(token_of(request.cookies)))
        return (gr.skip(),) * len(shown) if self._place.is_in_use(request) else shown

    def choose(
        self, chosen: object, here: object, so_far: Conversation, request: Any
    ) -> tuple[Any, ...]:
        """Another conversation of the list; what was coming in this one until now is kept."""
        so_far = self._resumed(here, so_far, request)
        if so_far.latest and so_far.latest.is_open:
            self._archive.keep(so_far.stopped())
        return self._all(self._archive.open(so_far.owner, chosen))

    def rename(
        self, title: object, here: object, so_far: Conversation, request: Any
    ) -> tuple[Any, ...]:
        """The list with the conversation called otherwise."""
        return self.drawn(self._archive.rename(self._resumed(here, so_far, request), title))

    def delete(self, here: object, so_far: Conversation, request: Any) -> tuple[Any, ...]:
        """An empty page, and a list without the conversation."""
        return self._all(self._archive.delete(self._resumed(here, so_far, request)))

    def export(self, here: object, so_far: Conversation, request: Any) -> str:
        """Files of the conversation, to download."""
        return files(self._resumed(here, so_far, request))

    def drawn(self, shown: Conversation) -> tuple[Any, ...]:
        """The list with the conversation that is shown marked in it, its name below, any trouble."""
        import gradio as gr

        titles = self._archive.titles(shown.owner)
        choices = [(title.text, title.conversation_id) for title in titles]
        name = next((t.text for t in titles if t.conversation_id == shown.conversation_id), None)
        marked = shown.conversation_id if name is not None else None
        listed = gr.update(choices=choices, value=marked)
        managed, sure = gr.update(visible=name is not None), gr.update(visible=False)
        trouble = shown.trouble or ("" if shown.owner else _NAMELESS)
        return listed, managed, name or "", sure, "", trouble

    def _resumed(self, here: object, so_far: Conversation, request: Any) -> Conversation:
        return self._archive.resumed(so_far, here, token_of(request.cookies))

    def _all(self, shown: Conversation) -> tuple[Any, ...]:
        return *self._place.fill(shown), *self.drawn(shown)


def wire(
    controls: Controls,
    archive: Archive,
    place: Shown,
    asked: Sequence[Any],
    after: Sequence[Any],
    page: gr.Blocks,
) -> list[Any]:
    """Let the list act.

    Args:
        controls: What ``draw`` returned.
        archive: Keeps conversations.
        place: Where a conversation is shown.
        asked: The events that answer; they end when another conversation is opened.
        after: The events after which the list may be another.
        page: The whole page.

    Returns:
        The events that leave another conversation behind.
    """
    import gradio as gr

    shown = list(place.outputs[-2:])
    side = Side(archive, place)
    lines = [controls.listed, controls.managed, controls.title, controls.sure]
    lines += [controls.exported, controls.trouble]
    # Resolved by Gradio, which is imported here only.
    for act in (Side.restore, Side.choose, Side.rename, Side.delete, Side.export):
        act.__annotations__["request"] = gr.Request
    # Not by the queue: a question that is asked while its stream is being closed would be lost.
    hidden: dict[str, Any] = {
        "api_visibility": "private",
        "show_progress": "hidden",
        "queue": False,
    }
    all_of_it: dict[str, Any] = {**hidden, "outputs": [*place.outputs, *lines]}
    opened = page.load(side.restore, **all_of_it)
    left = controls.listed.input(None, cancels=list(asked))
    # Without a look at the choices, of which the server knows none after a restart.
    taken = left.then(_as_sent, [controls.listed], [controls.wanted], preprocess=False, **hidden)
    chosen = taken.then(side.choose, [controls.wanted, *shown], **all_of_it)
    sure = controls.surely.click(None, cancels=list(asked))
    gone = sure.then(side.delete, shown, **all_of_it)
    for begin in (controls.rename.click, controls.title.submit):
        begin(side.rename, [controls.title, *shown], lines, **hidden)
    for button, is_sure in ((controls.delete, True), (controls.spare, False)):
        button.click(partial(gr.update, visible=is_sure), None, [controls.sure], **hidden)
    controls.export.click(side.export, shown, [controls.exported], **hidden)
    for event in after:
        event.then(side.drawn, shown[-1:], lines, **hidden)
    return [opened, chosen, gone]
