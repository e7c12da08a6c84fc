"""What the rest of Symposia expects of a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from rag.records import Usage

Finish = Literal["", "stop", "length", "content_filter", "cut"]
"""Why a reply ended: "" while it has not, ``length`` at a token limit, ``cut`` where the connection
broke, a limit of time ran out, the server sent what cannot be read, or the reader closed it."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a language model."""

    role: Literal["system", "user", "assistant"]
    text: str


class Reply(Protocol):
    """What a model writes, piece by piece, as it arrives; iterate it once.

    Nothing is sent before the first piece is asked for. What goes wrong before the first piece is
    raised as ``ProviderError``; what breaks later ends the iteration with ``finish == "cut"``.
    """

    def __iter__(self) -> Iterator[str]: ...

    def close(self) -> None:
        """Break off: closes the connection. Safe at any time, also twice."""

    @property
    def finish(self) -> Finish:
        """Why it ended."""

    @property
    def usage(self) -> Usage:
        """Tokens so far: as the provider counted them if it did, else counted here."""


class ChatModel(Protocol):
    """A language model that can be asked to write."""

    @property
    def name(self) -> str:
        """``provider:model``, for answers and reports."""

    @property
    def window(self) -> int:
        """How many tokens a request and its reply may have together."""

    def stream(self, messages: Sequence[Message], *, timeout_s: float) -> Reply:
        """Ask for a reply.

        Args:
            messages: The system's first, the question last.
            timeout_s: Seconds for everything: waiting, retries, and the last piece.
        """
