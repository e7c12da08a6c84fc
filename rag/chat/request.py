"""Gets one reply from a LangChain model, in as many attempts as it takes, before one deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rag.chat.base import Finish, Message
from rag.chat.manner import SERVER, Manner, ParameterRefused, chat_fault
from rag.chat.tally import Prices, Tally
from rag.errors import ProviderError
from rag.providers.backoff import Backoff
from rag.providers.faults import fault
from rag.records import Usage
from rag.text import clean

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

_logger = logging.getLogger(__name__)

_TAIL_S = 2.0
"""How long to wait for the usage, and for the end of the stream, after the model has finished."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every request to one model."""

    name: str
    silence_s: float | None
    """Seconds without a chunk before the first text; None for models that think in silence."""
    speaks_openai: bool
    """Whether the OpenAI protocol is behind it. Then a stream that ends with neither a reason nor
    the usage was cut; of other packages that cannot be said."""
    prices: Prices = field(default_factory=Prices)
    backoff: Backoff = field(default_factory=Backoff)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a reply ended that had some text."""

    finish: Finish
    usage: Usage | None
    """As the provider counted; None where it did not."""
    manner: Manner
    """How the server wants to be asked."""


class Request:
    """One question to a model; runs on the event loop.

    Args:
        terms: What holds for the model.
        model_for: The LangChain model that asks in a given manner.
        messages: The system's first, the question last.
        timeout_s: Seconds for everything.
        give: Takes the pieces of the text, as they come.
    """

    def __init__(
        self,
        terms: Terms,
        model_for: Callable[[Manner], BaseChatModel],
        messages: Sequence[Message],
        *,
        timeout_s: float,
        give: Callable[[str], None],
    ) -> None:
        self._terms = terms
        self._model_for = model_for
        self._messages = _as_langchain(messages)
        self._timeout_s = timeout_s
        self._give = give
        self._deadline = 0.0

    async def send(self, manner: Manner) -> Ended:
        """Ask until there is a first piece, or no use or no time in asking again.

        Raises:
            ProviderError: If no piece of a reply could be had.
        """
        self._deadline = _now() + self._timeout_s
        n_failed = 0
        while True:
            try:
                return await self._attempt(manner)
            except ParameterRefused as refused:
                manner = manner.without(refused.parameter)
            except ProviderError as failed:
                left_s = self._deadline - _now()
                wait_s = self._terms.backoff.wait_s(failed, n_failed=n_failed, left_s=left_s)
                if wait_s is None:
                    raise
                _logger.info("Asking again in %.1f s. %s", wait_s, failed.message)
                n_failed += 1
                await asyncio.sleep(wait_s)

    async def _attempt(self, manner: Manner) -> Ended:
        tally = Tally(repeats_usage=self._terms.speaks_openai)
        try:
            async for text in self._texts(manner, tally):
                self._give(text)
        except ProviderError as failed:
            if not tally.has_text and not tally.finish:
                raise
            if not tally.finish:
                _logger.warning("A reply of %s was cut. %s", self._terms.name, failed.message)
                tally.finish = "cut"
        if not tally.finish:
            # Ollama has been seen to end whole replies without a reason.
            is_whole = tally.has_usage or not self._terms.speaks_openai
            tally.finish = "stop" if is_whole else "cut"
        if not tally.has_text:
            raise _nothing_written(tally.finish)
        return Ended(tally.finish, tally.usage(self._terms.prices), manner)

    async def _texts(self, manner: Manner, tally: Tally) -> AsyncIterator[str]:
        # A chain that Symposia is a part of would hand its callbacks down, and they would hear what
        # has not been proven yet.
        stream = self._model_for(manner).astream(self._messages, {"callbacks": []})
        while True:
            limit = self._limit(manner, tally)
            try:
                async with asyncio.timeout_at(limit):
                    text = tally.add(await anext(stream))
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise self._late(limit) from None
            except Exception as error:  # noqa: BLE001
                # The provider's own error is not chained: its words may quote the key.
                raise chat_fault(error, manner, n_chunks=tally.n_chunks) from None
            if text:
                yield text

    def _limit(self, manner: Manner, tally: Tally) -> float:
        """When the next chunk must be here, by the loop's clock."""
        if tally.finish:
            return min(self._deadline, _now() + _TAIL_S)
        if tally.has_text or not manner.stream or self._terms.silence_s is None:
            return self._deadline
        return min(self._deadline, _now() + self._terms.silence_s)

    def _late(self, limit: float) -> ProviderError:
        if limit >= self._deadline:
            details = f"not done within {self._timeout_s:g} s"
        else:
            details = f"silent for {self._terms.silence_s:g} s"
        return fault("timeout", server=SERVER, details=details, retryable=True)


def _nothing_written(finish: Finish) -> ProviderError:
    if finish == "content_filter":
        return fault("content_filter", server=SERVER)
    if finish == "length":
        return fault("bad_reply", server=SERVER, details="it reached a token limit before a word")
    # A stream that ends before its first word and gives no reason is a lost connection.
    return fault("bad_reply", server=SERVER, details="an empty reply", retryable=finish == "cut")


def _as_langchain(messages: Sequence[Message]) -> list[BaseMessage]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds: dict[str, type[BaseMessage]] = {
        "system": SystemMessage,
        "user": HumanMessage,
        "assistant": AIMessage,
    }
    return [kinds[message.role](content=clean(message.text)) for message in messages]


def _now() -> float:
    return asyncio.get_running_loop().time()
