"""A language model as one question uses it: one deadline, one stop, one count of tokens."""

from dataclasses import replace

import pytest
from scripted_model import RecallScorer, ScriptedModel, ScriptedReply

from rag.answering.clock import Clock
from rag.answering.grounding import SupportThresholds
from rag.answering.writer import Engine, Writer
from rag.chat.base import Message
from rag.errors import ProviderError
from rag.records import Passage, Query, Turn, Usage

EARLIER = [Turn("user", "How many wells are in the Alberta dataset?")]
FOLLOW_UP = "And where are they?"


class WatchedModel(ScriptedModel):
    """Notes how long each request may take; gives a new reply for each."""

    def __init__(self, *replies: str, finish="stop", usage: Usage | None = None) -> None:
        super().__init__("")
        self._texts = list(replies)
        self._finish = finish
        self._usage = usage
        self.timeouts: list[float] = []
        self.replies: list[ScriptedReply] = []

    def stream(self, messages, *, timeout_s):
        super().stream(messages, timeout_s=timeout_s)
        self.timeouts.append(timeout_s)
        reply = ScriptedReply([self._texts.pop(0)], self._finish)
        reply.usage = self._usage or reply.usage
        self.replies.append(reply)
        return reply


class BrokenModel(ScriptedModel):
    """Fails as its first piece is asked for."""

    def __init__(self) -> None:
        def pieces():
            raise ProviderError("The server is away.")
            yield ""

        super().__init__([])
        self.reply = ScriptedReply(pieces(), "stop")


@pytest.fixture
def writer_of(small_papers):
    def writer_of(model, *, timeout_s=60.0, clock=None) -> Writer:
        scorer = RecallScorer(list(small_papers.values()))
        engine = Engine(model, scorer, SupportThresholds(passes=0.6, flags=0.4))
        return Writer(engine, clock or Clock(), timeout_s=timeout_s)

    return writer_of


def test_a_follow_up_is_rewritten_and_its_tokens_are_counted(writer_of) -> None:
    model = WatchedModel("Where are the wells of the Alberta dataset?", usage=Usage(30, 9, "us"))
    writer = writer_of(model)
    assert writer.condense(FOLLOW_UP, EARLIER) == "Where are the wells of the Alberta dataset?"
    assert writer.usage == Usage(30, 9, "us")
    assert EARLIER[0].text in model.asked[0][-1].text
    assert model.replies[0].is_closed


@pytest.mark.parametrize("finish", ["length", "cut", "content_filter"])
def test_half_a_question_is_none(writer_of, finish) -> None:
    assert (
        writer_of(WatchedModel("Where are the", finish=finish)).condense(FOLLOW_UP, EARLIER) == ""
    )


def test_a_model_that_fails_rewrites_nothing(writer_of) -> None:
    writer = writer_of(BrokenModel())
    assert writer.condense(FOLLOW_UP, EARLIER) == ""
    assert writer.usage == Usage()


def test_nonsense_is_no_question(writer_of) -> None:
    assert writer_of(WatchedModel("They are in Alberta [1].")).condense(FOLLOW_UP, EARLIER) == ""


def test_all_requests_share_one_deadline(writer_of, small_papers) -> None:
    clock = Clock()
    model = WatchedModel("Where are the wells?", "NOT_STATED")
    writer = writer_of(model, timeout_s=30.0, clock=clock)
    writer.condense(FOLLOW_UP, EARLIER)
    paper = small_papers["wells"]
    list(writer.write(Query("x", "Where?"), [Passage(1, paper, paper.abstract, 1.0)]))
    first, second = model.timeouts
    assert 29 < second < first <= 30


def test_a_deadline_that_has_passed_leaves_no_time(writer_of) -> None:
    model = WatchedModel("Where are the wells?")
    writer_of(model, timeout_s=0.0).condense(FOLLOW_UP, EARLIER)
    assert model.timeouts == [0.0]


def test_to_stop_closes_what_is_being_written_and_what_would_be(writer_of) -> None:
    model = WatchedModel("one", "two")
    writer = writer_of(model)
    writer.stop()
    first = writer.stream([Message("user", "x")], timeout_s=1)
    assert first.is_closed
    second = writer.stream([Message("user", "x")], timeout_s=1)
    assert second.is_closed


def test_usage_adds_up() -> None:
    counted, told = Usage(1, 2, "us", 0.5), Usage(10, 20, "provider", 0.25)
    assert counted.plus(told) == Usage(11, 22, "us", 0.75)
    assert told.plus(told) == Usage(20, 40, "provider", 0.5)
    assert told.plus(Usage()) == Usage().plus(told) == told
    assert told.plus(replace(counted, cost_usd=None)).cost_usd is None
