"""What came of a reply: its text, why it ended, and what it used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag.chat.base import Finish, Message
from rag.chat.thoughts import ThoughtFilter
from rag.records import Usage
from rag.text import clean
from rag.tokens import count_tokens

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

_REASON_KEYS = ("finish_reason", "stop_reason", "done_reason", "stopReason")
_LENGTH = frozenset({"length", "max_tokens", "model_length", "model_context_window_exceeded"})
_FILTERED = frozenset(
    {
        "content_filter",
        "content_filtered",
        "guardrail_intervened",
        "refusal",
        "safety",
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
    }
)
_TOKENS_PER_MESSAGE = 4
"""What chat formats add to each message, about."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens; None where they are not known."""

    input_usd: float | None = None
    output_usd: float | None = None

    def cost_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """What so many tokens cost; None unless both prices are known."""
        if self.input_usd is None or self.output_usd is None:
            return None
        return (input_tokens * self.input_usd + output_tokens * self.output_usd) / 1e6


class Tally:
    """Adds up the chunks of one reply.

    Args:
        repeats_usage: Whether a chunk's usage is a total so far, as some servers that speak the
            OpenAI protocol send with every chunk. LangChain's other packages send parts to add.
    """

    def __init__(self, *, repeats_usage: bool) -> None:
        self._repeats_usage = repeats_usage
        self._input_tokens = 0
        self._output_tokens = 0
        self._half = ""
        self._thoughts = ThoughtFilter()
        self.n_chunks = 0
        self.has_text = False
        self.finish: Finish = ""

    def add(self, chunk: BaseMessage) -> str:
        """Count a chunk in, and give what it adds to the answer.

        Neither thoughts nor white space before the first word are text.
        """
        self.n_chunks += 1
        for key in _REASON_KEYS:
            if reason := chunk.response_metadata.get(key):
                self.finish = finish_of(str(reason))
        usage = getattr(chunk, "usage_metadata", None)
        if usage:
            self._count(int(usage["input_tokens"]), int(usage["output_tokens"]))
        text = self._thoughts.answer_in(self._whole(str(chunk.text)))
        text = text if self.has_text else text.lstrip()
        self.has_text = self.has_text or bool(text)
        return text

    def _whole(self, text: str) -> str:
        """Hold back half a character, as servers that cut between tokens send it."""
        text = self._half + text
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return clean(text.removesuffix(self._half))

    @property
    def has_usage(self) -> bool:
        """Whether the provider counted; servers that do not have been seen to send zeros."""
        return self._input_tokens > 0 and (self._output_tokens > 0 or not self.has_text)

    def usage(self, prices: Prices) -> Usage | None:
        """What the provider counted; None where it did not."""
        if not self.has_usage:
            return None
        cost = prices.cost_usd(self._input_tokens, self._output_tokens)
        return Usage(self._input_tokens, self._output_tokens, "provider", cost)

    def _count(self, input_tokens: int, output_tokens: int) -> None:
        if self._repeats_usage:
            self._input_tokens = max(self._input_tokens, input_tokens)
            self._output_tokens = max(self._output_tokens, output_tokens)
        else:
            self._input_tokens += input_tokens
            self._output_tokens += output_tokens


def finish_of(reason: str) -> Finish:
    """Translate a provider's word for why a reply ended."""
    if reason.lower() in _LENGTH:
        return "length"
    return "content_filter" if reason.lower() in _FILTERED else "stop"


def counted_here(messages: Sequence[Message], text: str, *, encoding: str, prices: Prices) -> Usage:
    """Usage by our own count, for a reply whose provider does not give it."""
    n_input = sum(_TOKENS_PER_MESSAGE + count_tokens(item.text, encoding) for item in messages)
    n_output = count_tokens(text, encoding)
    return Usage(n_input, n_output, "us", prices.cost_usd(n_input, n_output))
