"""Any LangChain chat model as our ChatModel, under one deadline that we own.

Providers' packages retry, wait and time out each in its own way, and none of them knows how long
the user is willing to wait: one obeyed ``Retry-After: 120`` twice under a time-out of 3 s. So their
retries and time-outs are off, and every request runs on an event loop where it can be broken off.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from rag.chat.background import submit
from rag.chat.base import Finish, Message
from rag.chat.manner import Manner
from rag.chat.request import Ended, Request, Terms
from rag.chat.tally import Prices, counted_here
from rag.errors import ProviderError
from rag.providers.backoff import Backoff
from rag.records import Usage
from rag.tokens import encoding_name_for

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

UNKNOWN_WINDOW = 16_000


class LangChainChat:
    """A LangChain chat model; may be shared by threads.

    Args:
        open_model: Makes the model that asks in a given manner.
        name: ``provider:model``.
        window: Tokens of a request and its reply; 0 = what LangChain knows, else 16,000.
        first_token_timeout_s: Seconds of silence before the first text, after which the request
            is sent again. Models known to think before they write are given the whole time.
        prices: For the estimate of costs.
        backoff: When a failed request is sent again.
        speaks_openai: Whether the OpenAI protocol is behind it; see ``Terms``.
    """

    def __init__(
        self,
        open_model: Callable[[Manner], BaseChatModel],
        *,
        name: str,
        window: int = 0,
        first_token_timeout_s: float = 20.0,
        prices: Prices | None = None,
        backoff: Backoff | None = None,
        speaks_openai: bool = False,
    ) -> None:
        self._open_model = open_model
        self.manner = Manner()
        self._models = {self.manner: open_model(self.manner)}
        profile = self._models[self.manner].profile or {}
        self._window = window or profile.get("max_input_tokens") or UNKNOWN_WINDOW
        self.terms = Terms(
            name,
            None if profile.get("reasoning_output") else first_token_timeout_s,
            speaks_openai,
            prices or Prices(),
            backoff or Backoff(),
        )

    @property
    def name(self) -> str:
        """``provider:model``."""
        return self.terms.name

    @property
    def window(self) -> int:
        """How many tokens a request and its reply may have together."""
        return self._window

    def stream(self, messages: Sequence[Message], *, timeout_s: float) -> LangChainReply:
        """Ask for a reply; see ``ChatModel``."""
        return LangChainReply(self, tuple(messages), timeout_s)

    def model_for(self, manner: Manner) -> BaseChatModel:
        """The LangChain model that asks in this manner."""
        if manner not in self._models:
            self._models[manner] = self._open_model(manner)
        return self._models[manner]


class LangChainReply:
    """One reply of a LangChain chat model; see ``Reply``.

    Iterating raises ``ProviderError`` if not one piece could be had. A reply that is closed before
    its end has ``finish == "cut"``.
    """

    def __init__(
        self, chat: LangChainChat, messages: tuple[Message, ...], timeout_s: float
    ) -> None:
        self._chat = chat
        self._messages = messages
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._task: Future[Ended] | None = None
        self._is_closed = False
        self._read: list[str] = []
        self._finish: Finish = ""
        self._usage: Usage | None = None

    def __iter__(self) -> Iterator[str]:
        pieces: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        with self._lock:
            if self._is_closed or self._task is not None:
                return
            self._task = self._send(pieces.put)
        self._task.add_done_callback(lambda _: pieces.put(None))
        try:
            while (piece := pieces.get()) is not None and not self._is_closed:
                self._read.append(piece)
                yield piece
            if not self._is_closed:
                self._end(self._task)
        finally:
            self.close()

    def close(self) -> None:
        """Break off: closes the connection. Safe at any time, also twice."""
        with self._lock:
            self._is_closed = True
            if self._task is not None:
                self._task.cancel()
                self._finish = self._finish or "cut"

    @property
    def finish(self) -> Finish:
        """Why it ended."""
        return self._finish

    @property
    def usage(self) -> Usage:
        """Tokens so far; a request that was not answered at all counts as nothing."""
        if self._usage is not None:
            return self._usage
        if self._task is None:
            return Usage()
        encoding = encoding_name_for(self._chat.name.partition(":")[2])
        return counted_here(
            self._messages,
            "".join(self._read),
            encoding=encoding,
            prices=self._chat.terms.prices,
        )

    def _send(self, give: Callable[[str], None]) -> Future[Ended]:
        chat = self._chat
        request = Request(
            chat.terms, chat.model_for, self._messages, timeout_s=self._timeout_s, give=give
        )
        return submit(request.send(chat.manner))

    def _end(self, task: Future[Ended]) -> None:
        try:
            ended = task.result()
        except ProviderError:
            self._usage = Usage()
            raise
        self._finish = ended.finish
        self._usage = ended.usage
        self._chat.manner = ended.manner
