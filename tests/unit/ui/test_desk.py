"""From messages to a conversation: history, limits, errors, closing."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from rag.answer import Answer, Event, Finished
from rag.errors import ProviderError
from rag.records import Filters, Paper, Passage, Query, Retrieved, Sentence, SentenceReady, Turn
from ui.conversation import Conversation
from ui.desk import MAX_MESSAGE_CHARS, Desk

PAPER = Paper("p", "Wells", "Wells leak.")
PASSAGES = (Passage(1, PAPER, PAPER.abstract, 1.0),)
SOURCES = ((1, "p"),)


class Echo:
    """Answers each question with itself; fails, hangs or breaks when asked to."""

    mode, n_papers, corpus_name, examples = "extractive", 1, "test", ()
    corpora = ("test",)

    def __init__(self) -> None:
        self.heard: list[tuple[str, list[Any]]] = []
        self.closed = 0

    async def astream(
        self,
        question: str,
        history: Sequence[Any] = (),
        filters: Filters | None = None,
        **_: object,
    ) -> AsyncIterator[Event]:
        self.heard.append((question, list(history)))
        try:
            yield Retrieved(Query(question, question), PASSAGES)
            if question == "fail":
                raise ProviderError("The server is busy.", hint="Ask again.", retryable=True)
            if question == "break":
                raise RuntimeError("secret detail")
            if question == "hang":
                await asyncio.sleep(3600)
            yield Finished(
                Answer(
                    question, question, "not_in_corpus", passages=PASSAGES, notice=f"re {question}"
                )
            )
        finally:
            self.closed += 1


async def converse(desk: Desk, *messages: object) -> Conversation:
    conversation = Conversation()
    for message in messages:
        async for step in desk.converse(message, conversation):
            conversation = step
    return conversation


async def test_the_assistant_is_told_what_was_asked_and_answered() -> None:
    echo = Echo()
    await converse(Desk(echo), "one", "two")
    assert echo.heard == [
        ("one", []),
        ("two", [Turn("user", "one"), Turn("assistant", "re one", SOURCES)]),
    ]


async def test_of_failed_exchanges_the_numbers_alone_are_told() -> None:
    echo = Echo()
    await converse(Desk(echo), "fail", "break", "two")
    assert echo.heard[-1] == ("two", [Turn("assistant", "", SOURCES)] * 2)


async def test_an_error_of_ours_is_shown_with_its_hint() -> None:
    conversation = await converse(Desk(Echo()), "fail")
    assert "The server is busy. Ask again." in conversation.messages()[-1]["content"]


async def test_an_unforeseen_error_is_logged_and_not_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        conversation = await converse(Desk(Echo()), "break")
    assert "could not be made" in conversation.messages()[-1]["content"]
    assert "secret" not in str(conversation.messages())
    assert "secret detail" in caplog.text


@pytest.mark.parametrize("message", [None, "", "  \n", {"text": "x"}, 7])
async def test_no_question_is_no_exchange(message: object) -> None:
    echo = Echo()
    assert await converse(Desk(echo), message) == Conversation()
    assert echo.heard == []


async def test_surrogates_are_mended() -> None:
    echo = Echo()
    conversation = await converse(Desk(echo), "a\ud83d\ude00b\ud800c")
    assert echo.heard[0][0] == "a😀b\ufffdc"
    str(conversation.messages()).encode()


async def test_huge_messages_are_refused_before_the_assistant_hears_of_them() -> None:
    echo = Echo()
    conversation = await converse(Desk(echo), "x" * (MAX_MESSAGE_CHARS + 1))
    assert echo.heard == []
    asked, replied = (message["content"] for message in conversation.messages())
    assert len(asked) < 2000
    assert "100,001 characters" in replied


async def test_leaving_closes_the_stream_of_the_assistant() -> None:
    echo = Echo()
    steps = Desk(echo).converse("hang", Conversation())
    await anext(steps)
    await anext(steps)
    await steps.aclose()
    assert echo.closed == 1


async def test_a_stopped_answer_is_marked_and_only_its_numbers_are_told() -> None:
    echo = Echo()
    desk = Desk(echo)
    steps = desk.converse("hang", Conversation())
    await anext(steps)
    stopped = (await anext(steps)).stopped()
    await steps.aclose()
    assert "Stopped" in stopped.messages()[-1]["content"]
    _ = [step async for step in desk.converse("next", stopped)]
    assert echo.heard[-1] == ("next", [Turn("assistant", "", SOURCES)])


async def test_turns_have_their_own_anchors_and_old_ones_stay() -> None:
    conversation = await converse(Desk(Echo()), "one", "two", "three")
    sources = conversation.sources()
    assert [f'id="s{turn}-1"' in sources for turn in (1, 2, 3)] == [True] * 3
    assert sources.index("three") < sources.index("one")
    assert sources.count('class="turn" open') == 1


async def test_a_number_means_one_paper_in_all_exchanges(
    open_small, small_index, small_papers
) -> None:
    questions = [
        "How many wells are in the Alberta dataset?",
        "How do auctions make the truth the best bid?",
        "Which pruning methods does SparseBench compare?",
        "And who checked the wells?",
    ]
    with open_small(small_index, max_passages=2) as assistant:
        conversation = await converse(Desk(assistant), *questions)
    sources = conversation.sources()
    numbers = {
        paper.paper_id: set(
            re.findall(
                rf'id="s\d-(\d+)"[^>]*>(?:<[^>]+>)*\1</span>\s*(?:<[^>]+>)*{re.escape(paper.title)}',
                sources,
            )
        )
        for paper in small_papers.values()
    }
    links = re.findall(r'href="#(s\d-\d+)"', str(conversation.messages()))
    assert len(links) >= 4
    assert all(f'id="{link}"' in sources for link in links)
    assert numbers["wells"] == {"1"}
    assert all(len(found) == 1 for found in numbers.values() if found)
    known = [number for found in numbers.values() for number in found]
    assert len(known) == len(set(known)) >= 4


async def test_a_long_conversation_is_bounded_and_keeps_counting() -> None:
    echo = Echo()
    conversation = await converse(Desk(echo), *(f"q{n}" for n in range(1, 41)))
    assert len(conversation.messages()) == 62
    forgotten, *told = echo.heard[-1][1]
    assert len(told) == 60
    assert forgotten == Turn("assistant", "", SOURCES), "their numbers are not given again"
    assert conversation.latest is not None
    assert conversation.latest.turn == 40


async def test_ask_returns_the_answer_as_plain_values() -> None:
    echo = Echo()
    answer = await Desk(echo).ask("two", history=["one"])
    assert answer["text"] == "re two"
    assert echo.heard == [("two", ["one"])]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("fail", "The server is busy. Ask again."),
        ("break", "could not be made"),
        ("x" * (MAX_MESSAGE_CHARS + 1), "100,001 characters"),
    ],
)
async def test_ask_says_what_went_wrong(question: str, message: str) -> None:
    import gradio as gr

    with pytest.raises(gr.Error, match=message):
        await Desk(Echo()).ask(question)


def test_a_stream_that_is_over_cannot_be_stopped() -> None:
    sentence = SentenceReady(Sentence("x", (), 1.0), ())
    exchange = Conversation().next_exchange("q").followed_by(sentence).failed("no")
    assert exchange.stopped() is exchange
