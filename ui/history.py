"""The list of conversations beside the page, and what can be done with one of them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from rag.export import papers_to_bibtex
from ui.conversation import Conversation
from ui.shelf import Shelf, Title
from ui.tables import handed
from ui.visitor import token_of

if TYPE_CHECKING:
    import gradio as gr

_NOT_KEPT = "Conversations cannot be kept at the moment; the server's log has the details."
_TITLE_CHARS = 200
_logger = logging.getLogger(__name__)
T = TypeVar("T")


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


class Archive:
    """What the page asks of a shelf; where that fails, the page works on without it.

    Args:
        shelf: Keeps conversations.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def titles(self, owner: str) -> list[Title]:
        """See ``Shelf.titles``."""
        return _or_else(lambda: self._shelf.titles(owner), [])

    def last(self, owner: str) -> Conversation:
        """The conversation that was used last, or an empty one."""
        found = self.titles(owner)[:1]
        return self.open(owner, found[0].conversation_id) if found else Conversation(owner=owner)

    def open(self, owner: str, conversation_id: str) -> Conversation:
        """A conversation of ``owner``; an empty one if it is gone."""
        loaded = _or_else(lambda: self._shelf.load(owner, conversation_id), None)
        return loaded or Conversation(owner=owner)

    def keep(self, conversation: Conversation) -> Conversation:
        """See ``Shelf.keep``."""
        return _or_else(lambda: self._shelf.keep(conversation), conversation)

    def rename(self, conversation: Conversation, title: object) -> None:
        """Call a conversation otherwise."""
        text = title[:_TITLE_CHARS] if isinstance(title, str) else ""
        owner, name = conversation.owner, conversation.conversation_id
        _or_else(lambda: self._shelf.rename(owner, name, text), None)

    def delete(self, conversation: Conversation) -> Conversation:
        """Forget a conversation; returns an empty one."""
        owner, name = conversation.owner, conversation.conversation_id
        _or_else(lambda: self._shelf.delete(owner, name), None)
        return conversation.fresh()


def _or_else(act: Callable[[], T], otherwise: T) -> T:
    try:
        return act()
    except OSError:
        _logger.exception(_NOT_KEPT)
        return otherwise


@dataclass(frozen=True)
class Controls:
    """The parts of the page that show and handle conversations."""

    listed: gr.Radio
    managed: gr.Column
    title: gr.Textbox
    rename: gr.Button
    export: gr.Button
    delete: gr.Button
    surely: gr.Button
    exported: gr.Markdown


def draw() -> Controls:
    """The list, folded away at the side until it is opened."""
    import gradio as gr

    chip: dict[str, Any] = {"elem_classes": "chip", "size": "sm", "scale": 0}
    with gr.Sidebar(open=False, elem_id="shelf", width=300):
        gr.Markdown("## Conversations")
        listed = gr.Radio(
            [], label="Kept conversations", show_label=False, container=False, elem_id="kept"
        )
        with gr.Column(visible=False, elem_id="managed") as managed:
            title = gr.Textbox(label="Name of this conversation", max_lines=1, elem_id="title")
            with gr.Row(elem_id="handling"):
                rename = gr.Button("Rename", **chip)
                export = gr.Button("Export", **chip)
                delete = gr.Button("Delete", **chip)
                surely = gr.Button("Delete for good", visible=False, **chip)
            exported = gr.Markdown("", elem_id="exported", container=False)
    return Controls(listed, managed, title, rename, export, delete, surely, exported)


@dataclass(frozen=True)
class Shown:
    """Where a conversation is shown."""

    outputs: Sequence[Any]
    """The parts of the page; the last is the state of the conversation."""
    fill: Callable[[Conversation], tuple[Any, ...]]
    """What goes into them."""


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
        """What the browser of a request has seen last."""
        return self._all(self._archive.last(token_of(request.cookies)))

    def choose(self, chosen: object, so_far: Conversation) -> tuple[Any, ...]:
        """Another conversation of the list."""
        return self._all(
            self._archive.open(so_far.owner, chosen if isinstance(chosen, str) else "")
        )

    def rename(self, title: object, so_far: Conversation) -> tuple[Any, ...]:
        """The list with the conversation called otherwise."""
        self._archive.rename(so_far, title)
        return self.drawn(so_far)

    def delete(self, so_far: Conversation) -> tuple[Any, ...]:
        """An empty page, and a list without the conversation."""
        return self._all(self._archive.delete(so_far))

    def drawn(self, shown: Conversation) -> tuple[Any, ...]:
        """The list with the conversation that is shown marked in it, and its name below."""
        import gradio as gr

        titles = self._archive.titles(shown.owner)
        choices = [(title.text, title.conversation_id) for title in titles]
        name = next((t.text for t in titles if t.conversation_id == shown.conversation_id), None)
        marked = shown.conversation_id if name is not None else None
        listed = gr.update(choices=choices, value=marked)
        return listed, gr.update(visible=name is not None), name or "", gr.update(visible=False), ""

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

    conversation = place.outputs[-1]
    side = Side(archive, place)
    lines = [controls.listed, controls.managed, controls.title, controls.surely, controls.exported]
    # Resolved by Gradio, which is imported here only.
    Side.restore.__annotations__["request"] = gr.Request
    hidden: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    all_of_it: dict[str, Any] = {**hidden, "outputs": [*place.outputs, *lines]}
    opened = page.load(side.restore, **all_of_it)
    left = controls.listed.input(None, cancels=list(asked))
    chosen = left.then(side.choose, [controls.listed, conversation], **all_of_it)
    sure = controls.surely.click(None, cancels=list(asked))
    gone = sure.then(side.delete, [conversation], **all_of_it)
    for act in (controls.rename.click, controls.title.submit):
        act(side.rename, [controls.title, conversation], lines, **hidden)
    controls.delete.click(lambda: gr.update(visible=True), None, [controls.surely], **hidden)
    controls.export.click(files, [conversation], [controls.exported], **hidden)
    for event in after:
        event.then(side.drawn, [conversation], lines, **hidden)
    return [opened, chosen, gone]
