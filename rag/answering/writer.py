"""A language model as one question uses it: it rewrites the follow-up, then it writes the answer."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from rag.answering import generative
from rag.answering.clock import Clock
from rag.answering.generative import Drafts
from rag.answering.grounding import SupportThresholds
from rag.answering.history import MAX_TOKENS
from rag.answering.prompts import condensing_messages, parse_standalone
from rag.answering.support import SupportScorer
from rag.chat.base import ChatModel, Finish, Message, Reply
from rag.errors import ProviderError
from rag.records import Passage, Query, Turn, Usage


@dataclass(frozen=True, slots=True)
class Engine:
    """A language model, and the judge that each of its sentences has to convince."""

    model: ChatModel
    scorer: SupportScorer
    thresholds: SupportThresholds


@dataclass(frozen=True, slots=True)
class WholeReply:
    """All that a model wrote, and why it ended."""

    text: str
    finish: Finish


class Writer:
    """Uses an engine for one question, under one deadline.

    Args:
        engine: The model and its judge.
        clock: Runs since the question came.
        timeout_s: Seconds that the question may take from then on.
    """

    def __init__(self, engine: Engine, clock: Clock, *, timeout_s: float) -> None:
        self._engine = engine
        self._clock = clock
        self._timeout_s = timeout_s
        self._reply: Reply | None = None
        self._is_stopped = False
        self.usage = Usage()
        """Tokens of all finished requests but the answer's own."""

    @property
    def name(self) -> str:
        """``provider:model``."""
        return self._engine.model.name

    @property
    def window(self) -> int:
        """See ``ChatModel``."""
        return self._engine.model.window

    def stop(self) -> None:
        """Break off what the model is writing, from any thread, and let it write nothing more."""
        self._is_stopped = True
        if self._reply is not None:
            self._reply.close()

    def stream(self, messages: Sequence[Message], *, timeout_s: float) -> Reply:
        """Ask the model, so that ``stop`` can break the reply off; see ``ChatModel``."""
        self._reply = self._engine.model.stream(messages, timeout_s=timeout_s)
        if self._is_stopped:
            self._reply.close()
        return self._reply

    def condense(self, question: str, turns: Sequence[Turn]) -> str:
        """Write into a follow-up what it takes from earlier turns; empty where the model fails."""
        budget = min(MAX_TOKENS, self.window // 2)
        messages = condensing_messages(question, turns, token_budget=budget)
        try:
            whole = self.ask(messages)
        except ProviderError:
            return ""
        return parse_standalone(whole.text, "") if whole.finish == "stop" else ""

    def ask(self, messages: Sequence[Message]) -> WholeReply:
        """Ask the model and wait for all that it writes, as long as there is time.

        Raises:
            ProviderError: If the model cannot be had.
        """
        with contextlib.closing(self.stream(messages, timeout_s=self.left_s)) as reply:
            text = "".join(reply)
        self.usage = self.usage.plus(reply.usage)
        return WholeReply(text, reply.finish)

    def write(self, query: Query, passages: Sequence[Passage]) -> Drafts:
        """Write an answer; see ``generative.write``."""
        return generative.write(
            self,
            query,
            passages,
            self._engine.scorer,
            self._engine.thresholds,
            self._clock,
            timeout_s=self.left_s,
        )

    @property
    def left_s(self) -> float:
        """Seconds that are left for this question."""
        return max(0.0, self._timeout_s - self._clock.elapsed_s)
