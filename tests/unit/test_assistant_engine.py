"""The main flow with a language model that writes: the same proof, the same outcomes."""

import asyncio
import threading
from contextlib import aclosing, closing

import pytest
from scripted_model import RecallScorer, ScriptedModel, ScriptedReply

from rag.answer import Answer, Finished
from rag.answering.grounding import SupportThresholds
from rag.answering.writer import Engine
from rag.embeddings.base import Reading
from rag.errors import ProviderError
from rag.records import SentenceReady, Usage

ANSWERED = "How many wells are in the Alberta dataset?"
NOWHERE = "Qui a peint Guernica?"
WRITTEN = "The data set holds 213,000 wells in Alberta [1]."


class Scripted:
    """A model with one reply for each request."""

    name = "scripted:model"
    window = 8000

    def __init__(self, *replies) -> None:
        self._replies = list(replies)
        self.given: list[ScriptedReply] = []
        self.asked: list[str] = []

    def stream(self, messages, *, timeout_s):
        self.asked.append(messages[-1].text)
        reply = self._replies.pop(0)
        if not hasattr(reply, "close"):
            reply = ScriptedModel(reply).reply if isinstance(reply, str) else failing(reply)
        self.given.append(reply)
        return reply


class WaitingReply:
    """Says nothing until it is closed, as a slow server does."""

    finish = "cut"
    usage = Usage()

    def __init__(self) -> None:
        self.has_begun = threading.Event()
        self.is_closed = threading.Event()

    def __iter__(self):
        self.has_begun.set()
        assert self.is_closed.wait(60)
        return iter(())

    def close(self) -> None:
        self.is_closed.set()


def failing(error):
    def pieces():
        raise error
        yield ""

    return ScriptedReply(pieces(), "stop")


def check_proof(answer: Answer) -> None:
    for citation in answer.citations:
        assert citation.paper.abstract[citation.start : citation.end] == citation.quote
    known = {citation.marker for citation in answer.citations}
    assert all(set(sentence.markers) <= known for sentence in answer.sentences)
    assert all(sentence.markers for sentence in answer.sentences)


@pytest.fixture
def open_with(open_small, small_index, small_papers):
    """Opens an assistant whose model gives these replies, one for each request."""

    def open_with(*replies, **others):
        scorer = RecallScorer(list(small_papers.values()))
        model = Scripted(*replies)
        engine = Engine(model, scorer, SupportThresholds(passes=0.4, flags=0.2))
        return open_small(small_index, engine=engine, **others), model

    return open_with


def test_the_answer_is_in_the_words_of_the_model(open_with) -> None:
    assistant, model = open_with(WRITTEN)
    with assistant:
        answer = assistant.ask(ANSWERED)
    assert assistant.mode == answer.model == "scripted:model"
    assert (answer.status, answer.text) == (
        "answered",
        "The data set holds 213,000 wells in Alberta. [1]",
    )
    assert "213,000 wells" in answer.citations[0].quote
    assert answer.usage == Usage(100, 20, "provider")
    assert ANSWERED in model.asked[0]
    check_proof(answer)


def test_where_nothing_here_is_about_it_the_model_is_not_asked(open_with) -> None:
    assistant, model = open_with()
    with assistant:
        answer = assistant.ask(NOWHERE)
    assert (answer.status, answer.usage) == ("not_in_corpus", Usage())
    assert model.asked == []


def test_the_model_may_find_that_it_is_not_stated(open_with) -> None:
    assistant, _ = open_with("NOT_STATED")
    with assistant:
        answer = assistant.ask(ANSWERED)
    assert (answer.status, answer.citations, answer.model) == ("not_stated", (), "scripted:model")
    assert "The closest paper is" in answer.notice


def test_the_model_may_answer_what_the_reader_did_not_find(open_with, overlap_reader) -> None:
    class Doubting:
        name = "doubting"

        def read(self, question, title, text, sentences) -> Reading:
            found = overlap_reader.read(question, title, text, sentences)
            return Reading((-20.0,) * len(found.sentences), answerable=-20.0, about=found.about)

    assistant, _ = open_with(WRITTEN, reader=Doubting())
    with assistant:
        assert assistant.ask(ANSWERED).status == "answered"
    assistant, _ = open_with("Nobody knows [7].", reader=Doubting())
    with assistant:
        answer = assistant.ask(ANSWERED)
    assert (answer.status, answer.sentences) == ("not_stated", ())
    assert "quoted instead" not in answer.notice


@pytest.mark.parametrize(
    "reply",
    ["The moon is made of cheese [1].", "", "I do not know.", ProviderError("The server is away.")],
    ids=["unproven", "empty", "shrug", "fault"],
)
def test_where_the_model_is_of_no_use_the_abstracts_are_quoted(open_with, reply) -> None:
    assistant, _ = open_with(reply)
    with assistant:
        answer = assistant.ask(ANSWERED)
    assert (answer.status, answer.model) == ("answered", "extractive")
    assert "213,000 wells" in answer.citations[0].quote
    assert "quoted instead" in answer.notice
    check_proof(answer)


def test_a_fault_is_told_with_what_to_do(open_with) -> None:
    fault = ProviderError("The server refused the key.", hint="Set OPENAI_API_KEY.")
    assistant, _ = open_with(fault)
    with assistant:
        notice = assistant.ask(ANSWERED).notice
    assert notice.startswith("The server refused the key. Set OPENAI_API_KEY.")


def test_a_follow_up_is_condensed_by_the_model(open_with) -> None:
    assistant, model = open_with("How many wells are in Alberta?", WRITTEN)
    with assistant:
        answer = assistant.ask("How many exactly?", history=["What leaks in Alberta?"])
    assert answer.standalone_question == "How many wells are in Alberta?"
    assert "What leaks in Alberta?" in model.asked[0]
    assert "How many wells are in Alberta?" in model.asked[1]
    assert answer.usage == Usage(200, 40, "provider")


def test_a_model_that_cannot_condense_leaves_it_to_the_rules(open_with) -> None:
    assistant, _ = open_with(ProviderError("The server is away."), WRITTEN)
    with assistant:
        answer = assistant.ask("And where are they?", history=[ANSWERED])
    assert "wells" in answer.standalone_question.lower()
    assert answer.model == "scripted:model"


def test_streams_and_functions_give_the_same(open_with) -> None:
    assistant, _ = open_with(WRITTEN, WRITTEN)
    with assistant:
        *_, ready, last = assistant.stream(ANSWERED)
        answer = asyncio.run(assistant.aask(ANSWERED))
    assert isinstance(ready, SentenceReady)
    assert isinstance(last, Finished)
    assert last.answer.sentences == answer.sentences == (ready.sentence,)


def test_closing_the_stream_closes_the_reply(open_with) -> None:
    assistant, model = open_with(f"{WRITTEN} {WRITTEN}")
    with assistant, closing(assistant.stream(ANSWERED)) as events:
        while not isinstance(next(events), SentenceReady):
            pass
    assert model.given[0].is_closed


async def test_closing_the_async_stream_breaks_off_a_reply_that_is_awaited(open_with) -> None:
    reply = WaitingReply()
    assistant, _ = open_with(reply)

    async def listen() -> None:
        async with aclosing(assistant.astream(ANSWERED)) as events:
            async for _ in events:
                pass

    with assistant:
        listening = asyncio.create_task(listen())
        assert await asyncio.to_thread(reply.has_begun.wait, 60)
        listening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await listening
    assert reply.is_closed.is_set()


def test_small_talk_does_not_reach_the_model(open_with) -> None:
    assistant, model = open_with()
    with assistant:
        assistant.ask("hello!")
    assert model.asked == []


def test_what_condensing_used_is_told_where_nothing_is_written_after_it(open_with) -> None:
    assistant, model = open_with("Qui a peint Guernica en 1937?")
    with assistant:
        answer = assistant.ask("Et lui, quand ?", history=[NOWHERE])
    assert (answer.status, len(model.asked)) == ("not_in_corpus", 1)
    assert answer.usage == Usage(100, 20, "provider")
