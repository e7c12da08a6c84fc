"""From a message to the growing conversation, for any assistant; knows nothing of Gradio's page."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any, Protocol

from rag.answer import Answer, Event, Finished
from rag.errors import SymposiaError
from rag.records import Filters
from ui import choice
from ui.conversation import Conversation

MAX_MESSAGE_CHARS = 100_000
"""Longer messages are refused before anything else looks at them."""

_KEPT_QUESTION_CHARS = 4000
_TOLD_QUESTIONS = 30
_BROKEN = "The answer could not be made. Please ask again; the server's log has the details."
_UNFORESEEN = "A question could not be answered"
_logger = logging.getLogger(__name__)


class Chatter(Protocol):
    """What the page needs of an assistant."""

    @property
    def mode(self) -> str:
        """``extractive``, or the name of the model that writes."""

    @property
    def n_papers(self) -> int:
        """How many papers can be asked about."""

    @property
    def corpus_name(self) -> str:
        """What the papers are called together."""

    @property
    def corpora(self) -> tuple[str, ...]:
        """The names of the corpora that are open."""

    @property
    def examples(self) -> tuple[str, ...]:
        """Questions that show what can be asked."""

    def astream(
        self,
        question: str,
        history: Sequence[Any] = (),
        filters: Filters | None = None,
        *,
        corpus: str | Sequence[str] | None = None,
        read_cues: bool = True,
    ) -> AsyncIterator[Event]:
        """The events of one answer from these corpora or all; the last is ``Finished``."""

    def follow_ups(self, answer: Answer) -> tuple[str, ...]:
        """Questions that may come next."""


class Desk:
    """Answers the page's events; keeps nothing between them."""

    def __init__(self, assistant: Chatter) -> None:
        self._assistant = assistant

    async def converse(
        self,
        message: object,
        conversation: Conversation,
        ticked: object = (),
        *,
        read_cues: bool = True,
    ) -> AsyncGenerator[Conversation]:
        """The conversation after each step of answering ``message``; nothing for a blank one.

        The answer is looked for in the corpora that are ticked, or in all; see ``ui.choice``.
        Closing the generator closes the assistant's stream. Errors end in a ``failed`` exchange.
        """
        question = _cleaned(message)
        if not question.strip():
            return
        exchange = conversation.next_exchange(question[:_KEPT_QUESTION_CHARS])
        conversation = conversation.with_exchange(exchange)
        yield conversation
        try:
            corpora = choice.chosen(ticked, self._assistant.corpora)
            events = self._events(question, conversation.history(), corpora, read_cues=read_cues)
            async with aclosing(events):
                async for event in events:
                    exchange = exchange.followed_by(event)
                    yield conversation.with_exchange(exchange)
        except SymposiaError as error:
            yield conversation.with_exchange(exchange.failed(str(error)))
        except Exception:
            _logger.exception(_UNFORESEEN)
            yield conversation.with_exchange(exchange.failed(_BROKEN))

    async def ask(self, question: str, history: list[str] | None = None) -> dict[str, object]:
        """Answer one question from the papers.

        Args:
            question: The question.
            history: Earlier questions of the same conversation, if this is a follow-up.

        Returns:
            The answer: status, text, sentences, citations with their quotes, what was read.
        """
        import gradio as gr

        told = history[-_TOLD_QUESTIONS:] if isinstance(history, list) else []
        earlier = [_cleaned(item)[:_KEPT_QUESTION_CHARS] for item in told if item]
        try:
            async with aclosing(self._events(_cleaned(question), earlier)) as events:
                async for event in events:
                    if isinstance(event, Finished):
                        return event.answer.to_dict()
        except SymposiaError as error:
            raise gr.Error(str(error), print_exception=False) from None
        except Exception:
            _logger.exception(_UNFORESEEN)
        raise gr.Error(_BROKEN, print_exception=False)

    async def _events(
        self,
        question: str,
        history: Sequence[Any],
        corpora: Sequence[str] = (),
        *,
        read_cues: bool = True,
    ) -> AsyncGenerator[Event]:
        if len(question) > MAX_MESSAGE_CHARS:
            raise SymposiaError(
                f"This message has {len(question):,} characters.",
                hint="Please ask in a few sentences.",
            )
        stream = self._assistant.astream(
            question, history, corpus=corpora or None, read_cues=read_cues
        )
        try:
            async for event in stream:
                yield event
        finally:
            if isinstance(stream, AsyncGenerator):
                await stream.aclose()


def _cleaned(message: object) -> str:
    """``message`` as text that can be encoded: surrogate pairs joined, lone ones replaced."""
    text = message if isinstance(message, str) else ""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
