"""What happens on the page: asking, stopping, asking again, beginning anew."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from ui import offers
from ui.archive import Archive
from ui.conversation import Conversation
from ui.desk import Desk
from ui.ticks import with_ticks
from ui.visitor import token_of

if TYPE_CHECKING:
    import gradio as gr

_TICK_S = 1.0
_PAGES_REMEMBERED = 1000


class Talk:
    """What the page does with a conversation, as Gradio calls it.

    Args:
        desk: Answers.
        archive: Keeps conversations, if there is one.
    """

    def __init__(self, desk: Desk, archive: Archive | None) -> None:
        self._desk = desk
        self._archive = archive
        self._in_use: dict[str, None] = {}

    def is_in_use(self, request: Any) -> bool:
        """Whether something was asked on a page since it was opened."""
        return request.session_hash in self._in_use

    async def respond(
        self,
        message: object,
        here: object,
        so_far: Conversation,
        ticked: object,
        request: Any,
        *,
        read_cues: bool = True,
    ) -> AsyncGenerator[Any]:
        """Answer step by step; then the box takes the next question."""
        import gradio as gr

        self._in_use[request.session_hash] = None
        while len(self._in_use) > _PAGES_REMEMBERED:
            del self._in_use[next(iter(self._in_use))]
        so_far = await self._resumed(here, so_far, request)
        change = gr.update(value="", submit_btn=False, stop_btn=True)
        nothing = (gr.skip(),) * 4
        talk = self._desk.converse(message, so_far, ticked, read_cues=read_cues)
        async with aclosing(with_ticks(talk, _TICK_S)) as steps:
            async for step in steps:
                yield (change, *drawn(step)) if step else (gr.skip(), *nothing)
                change = gr.skip()
                so_far = step or so_far
        kept = await self._kept(so_far)
        yield _idle(), *nothing[2:], kept.conversation_id, kept

    async def ask_again(
        self, here: object, so_far: Conversation, ticked: object, request: Any
    ) -> AsyncGenerator[Any]:
        """The latest question once more, in the place of its answer."""
        async with aclosing(self._repeat(here, so_far, ticked, request, read_cues=True)) as changes:
            async for change in changes:
                yield change

    async def ask_unfiltered(
        self, here: object, so_far: Conversation, ticked: object, request: Any
    ) -> AsyncGenerator[Any]:
        """The same with no word of the question read as a filter."""
        changes = self._repeat(here, so_far, ticked, request, read_cues=False)
        async with aclosing(changes):
            async for change in changes:
                yield change

    async def _repeat(
        self, here: object, so_far: Conversation, ticked: object, request: Any, *, read_cues: bool
    ) -> AsyncGenerator[Any]:
        so_far = await self._resumed(here, so_far, request)
        question, before = _asked_last(so_far), so_far.without_latest()
        changes = self.respond(question, "", before, ticked, request, read_cues=read_cues)
        async with aclosing(changes):
            async for change in changes:
                yield change

    async def edit(self, here: object, so_far: Conversation, request: Any) -> tuple[Any, ...]:
        """The latest question back where one asks; its answer goes when another one is asked."""
        so_far = await self._resumed(here, so_far, request)
        return _idle(value=_asked_last(so_far)), *drawn(so_far.without_latest())

    async def stop(self, so_far: Conversation) -> tuple[Any, ...]:
        """What came until now is kept."""
        return _idle(), *drawn(await self._kept(so_far.stopped()))

    async def clear(self, here: object, so_far: Conversation, request: Any) -> tuple[Any, ...]:
        """An empty page; what was said until now stays in the list."""
        so_far = await self._resumed(here, so_far, request)
        if so_far.latest and so_far.latest.is_open:
            await self._kept(so_far.stopped())
        return _idle(value=""), *drawn(so_far.fresh())

    async def _resumed(self, here: object, so_far: Conversation, request: Any) -> Conversation:
        if self._archive is None or so_far.owner:
            return so_far
        owner = token_of(request.cookies)
        return await asyncio.to_thread(self._archive.resumed, so_far, here, owner)

    async def _kept(self, step: Conversation) -> Conversation:
        return await asyncio.to_thread(self._archive.keep, step) if self._archive else step


def wire(
    talk: Talk,
    desk: Desk,
    outputs: tuple[gr.Textbox, gr.Chatbot, gr.Markdown, gr.Textbox, gr.State],
    corpora: gr.CheckboxGroup,
    chips: list[gr.Button],
    fresh: gr.Button,
    again: list[gr.Button],
    offered: offers.Controls,
) -> tuple[list[Any], list[Any]]:
    """Let the parts act.

    Args:
        talk: What they do.
        desk: Answers programs.
        outputs: Where one asks, the chat, the sources, the id and the state of the conversation.
        corpora: Where answers are looked for.
        chips: Questions that are asked by a click.
        fresh: Begins a new conversation.
        again: Asks the latest question again; puts it back where one asks.
        offered: What may come next; its questions are among ``chips``.

    Returns:
        The events that answer a question, and the others that leave another conversation behind.
    """
    import gradio as gr
    from gradio.events import api

    box, shown = outputs[0], list(outputs[-2:])
    # Resolved by Gradio, which is imported here only.
    for act in (Talk.respond, Talk.ask_again, Talk.ask_unfiltered, Talk.edit, Talk.clear):
        act.__annotations__["request"] = gr.Request
    # Every listener is an HTTP endpoint; only ``ask`` is meant for programs.
    hidden: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    answering: dict[str, Any] = {**hidden, "outputs": list(outputs), "concurrency_id": "answers"}
    asking = [*shown, corpora]
    asked: list[Any] = [box.submit(talk.respond, [box, *asking], **answering)]
    asked += [chip.click(talk.respond, [chip, *asking], **answering) for chip in chips]
    asked.append(again[0].click(talk.ask_again, asking, **answering))
    asked.append(offered.unfiltered.click(talk.ask_unfiltered, asking, **answering))
    beginning = [box.submit, again[0].click, offered.unfiltered.click]
    beginning += [chip.click for chip in chips]
    # What was offered with the answer before is gone when the next one comes.
    gr.on(beginning, offers.hide, None, offers.outputs(offered), queue=False, **hidden)
    quick: dict[str, Any] = {**hidden, "outputs": list(outputs), "queue": False}
    edited = again[1].click(talk.edit, shown, **quick)
    stopped = box.stop(None, cancels=asked).then(talk.stop, shown[-1:], **quick)
    cleared = fresh.click(None, cancels=asked).then(talk.clear, shown, **quick)
    api(desk.ask, api_name="ask", concurrency_id="answers")
    return asked, [edited, stopped, cleared]


def drawn(step: Conversation) -> tuple[Any, ...]:
    """What the page shows of a conversation: messages, sources; its id, and its state."""
    return step.messages(), step.sources(), step.conversation_id, step


def opened(step: Conversation) -> tuple[Any, ...]:
    """The same for one in which nobody is answering, and the box that takes the next question."""
    return _idle(), *drawn(step)


def _idle(**changes: Any) -> Any:
    """The box when no answer is coming."""
    import gradio as gr

    return gr.update(submit_btn=True, stop_btn=False, **changes)


def _asked_last(conversation: Conversation) -> str:
    return conversation.latest.question if conversation.latest else ""
