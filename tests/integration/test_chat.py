"""A language model behind a real HTTP server, through the real OpenAI client: when all goes well,
when the server is peculiar, and when the reader leaves."""

import gc
import threading
import time

import pytest
from openai_server import (
    OpenAIServer,
    cannot_stream,
    delta,
    rate_limited,
    refuses,
    says,
    silent,
    stalls,
    streams,
)

from rag.chat.base import Message
from rag.chat.langchain import LangChainChat, LangChainReply
from rag.chat.providers import open_chat_model
from rag.providers.backoff import Backoff
from rag.records import Usage

KEY = "sk-canary-0123456789"
ASKED = (
    Message("system", "Answer from the papers."),
    Message("user", "How many wells?"),
    Message("assistant", "213,000 [1]."),
    Message("user", "Where?"),
)


def chat_of(server: OpenAIServer, **options: object) -> LangChainChat:
    options = {"api_key": KEY, "backoff": Backoff(first_s=0.01, n_retries=2), **options}
    return open_chat_model("openai:played", base_url=server.url, **options)  # type: ignore[arg-type]


def ask(chat: LangChainChat, timeout_s: float = 10.0) -> LangChainReply:
    return chat.stream(ASKED, timeout_s=timeout_s)


def test_pieces_come_as_they_are_written(openai_server: OpenAIServer) -> None:
    openai_server.play(says("The wells are in Alberta [1]. "))
    reply = ask(chat_of(openai_server))
    assert reply.finish == ""
    pieces = list(reply)
    assert len(pieces) > 3
    assert "".join(pieces) == "The wells are in Alberta [1]. "
    assert reply.finish == "stop"
    assert reply.usage == Usage(11, 7, "provider")


def test_the_first_piece_does_not_wait_for_the_last(openai_server: OpenAIServer) -> None:
    openai_server.play(stalls(["First "]))
    reply = ask(chat_of(openai_server))
    pieces = iter(reply)
    assert next(pieces) == "First "
    assert (reply.finish, reply.usage.counted_by) == ("", "us")
    reply.close()


def test_messages_arrive_as_plain_strings_with_their_roles(openai_server: OpenAIServer) -> None:
    list(ask(chat_of(openai_server)))
    (request,) = openai_server.requests
    assert request.body["messages"] == [{"role": item.role, "content": item.text} for item in ASKED]
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_a_request_has_what_every_server_knows_and_no_more(openai_server: OpenAIServer) -> None:
    list(ask(chat_of(openai_server)))
    body = dict(openai_server.requests[0].body)
    del body["messages"]
    assert body == {
        "model": "played",
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.0,
    }


def test_nothing_is_sent_before_the_first_piece_is_asked_for(openai_server: OpenAIServer) -> None:
    reply = ask(chat_of(openai_server))
    reply.close()
    assert list(reply) == []
    assert openai_server.requests == []
    assert (reply.finish, reply.usage) == ("", Usage())


def test_a_reply_is_read_once(openai_server: OpenAIServer) -> None:
    reply = ask(chat_of(openai_server))
    assert "".join(reply) == "Hello."
    assert list(reply) == []
    assert len(openai_server.requests) == 1


def test_half_a_surrogate_pair_in_a_question_can_be_asked(openai_server: OpenAIServer) -> None:
    reply = chat_of(openai_server).stream([Message("user", "wells \ud83d?")], timeout_s=5)
    assert list(reply)
    assert openai_server.requests[0].body["messages"][0]["content"] == "wells ?"


def test_a_server_of_ones_own_needs_no_key(openai_server: OpenAIServer) -> None:
    assert list(ask(chat_of(openai_server, api_key=None)))


def test_connections_are_kept_from_one_question_to_the_next(openai_server: OpenAIServer) -> None:
    chat = chat_of(openai_server)
    for _ in range(3):
        list(ask(chat))
    assert openai_server.n_connections == 1


def test_a_model_that_is_let_go_closes_its_connections(openai_server: OpenAIServer) -> None:
    chat = chat_of(openai_server)
    list(ask(chat))
    del chat
    gc.collect()
    assert openai_server.wait_until_quiet()


# ---- peculiar servers --------------------------------------------------------------------------


def test_without_usage_tokens_are_counted_here(openai_server: OpenAIServer) -> None:
    openai_server.play(says("Two words", usage=None))
    reply = ask(chat_of(openai_server, price_input=1.0, price_output=2.0))
    list(reply)
    assert (reply.finish, reply.usage.counted_by) == ("stop", "us")
    assert reply.usage.output_tokens == 2
    assert 15 < reply.usage.input_tokens < 40
    cost = (reply.usage.input_tokens * 1.0 + 2 * 2.0) / 1e6
    assert reply.usage.cost_usd == pytest.approx(cost)


def test_a_usage_of_zeros_is_no_usage(openai_server: OpenAIServer) -> None:
    nothing = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    openai_server.play(says("Two words", usage=nothing))
    reply = ask(chat_of(openai_server))
    list(reply)
    assert reply.usage.counted_by == "us"


def test_a_usage_that_is_repeated_is_counted_once(openai_server: OpenAIServer) -> None:
    openai_server.play(says("Some more words", usage_in_every_chunk=True))
    reply = ask(chat_of(openai_server))
    list(reply)
    assert reply.usage == Usage(11, 7, "provider")


def test_prices_make_a_cost(openai_server: OpenAIServer) -> None:
    reply = ask(chat_of(openai_server, price_input=2.0, price_output=8.0))
    list(reply)
    assert reply.usage.cost_usd == pytest.approx((11 * 2.0 + 7 * 8.0) / 1e6)


@pytest.mark.parametrize("parameter", ["temperature", "stream_options", "stream"])
def test_what_a_server_refuses_is_left_out_and_remembered(
    openai_server: OpenAIServer, parameter: str
) -> None:
    openai_server.play(refuses(parameter, says("Right.")))
    chat = chat_of(openai_server)
    assert "".join(ask(chat)) == "Right."
    assert "".join(ask(chat)) == "Right."
    asked = [item.body.get(parameter) for item in openai_server.requests]
    assert [value is not None and value is not False for value in asked] == [True, False, False]


def test_a_server_that_refuses_everything_is_asked_plainly(openai_server: OpenAIServer) -> None:
    step = refuses("temperature", refuses("stream_options", refuses("stream", says("Right."))))
    openai_server.play(step)
    reply = ask(chat_of(openai_server))
    assert "".join(reply) == "Right."
    assert (reply.finish, reply.usage) == ("stop", Usage(11, 7, "provider"))
    assert len(openai_server.requests) == 4


def test_a_server_that_ignores_the_wish_for_a_stream_is_asked_plainly(
    openai_server: OpenAIServer,
) -> None:
    openai_server.play(cannot_stream(says("All at once.")))
    chat = chat_of(openai_server)
    assert list(ask(chat)) == ["All at once."]
    assert list(ask(chat)) == ["All at once."]
    assert len(openai_server.requests) == 3


def test_a_plain_reply_may_take_longer_than_a_first_piece(openai_server: OpenAIServer) -> None:
    openai_server.play(refuses("stream", says("Slow.", first_s=0.2)))
    chat = chat_of(openai_server, first_token_timeout_s=0.1)
    assert "".join(ask(chat)) == "Slow."


def test_chunks_without_choices_or_text_are_passed_over(openai_server: OpenAIServer) -> None:
    nothing = {**delta(""), "choices": []}
    null = {**delta(""), "choices": [{"index": 0, "delta": {"content": None}}]}
    openai_server.play(
        streams(nothing, null, delta("\n\n"), delta("Word."), delta("", finish="stop"))
    )
    reply = ask(chat_of(openai_server))
    assert "".join(reply) == "Word."
    assert reply.finish == "stop"


def test_a_whole_reply_without_a_reason_is_told_by_its_usage(openai_server: OpenAIServer) -> None:
    openai_server.play(says("Whole.", finish=None))
    reply = ask(chat_of(openai_server))
    list(reply)
    assert reply.finish == "stop"


def test_characters_that_come_in_halves_are_joined(openai_server: OpenAIServer) -> None:
    openai_server.play(says(["A \ud83d", "\ude00 b", "\x00c"]))
    assert "".join(ask(chat_of(openai_server))) == "A \U0001f600 bc"


def test_thoughts_are_no_part_of_the_answer(openai_server: OpenAIServer) -> None:
    openai_server.play(says("<think>Wells... let me see.</think>\n\nIn Alberta."))
    reply = ask(chat_of(openai_server))
    assert "".join(reply) == "In Alberta."
    assert reply.finish == "stop"


# ---- the reader leaves -------------------------------------------------------------------------


def read_in_thread(reply: LangChainReply) -> tuple[threading.Thread, list[str]]:
    pieces: list[str] = []
    thread = threading.Thread(target=lambda: pieces.extend(reply))
    thread.start()
    return thread, pieces


@pytest.mark.parametrize(
    "step", [silent(), stalls(["One "]), cannot_stream(silent())], ids=["headers", "piece", "plain"]
)
def test_closing_breaks_off_whatever_is_waited_for(openai_server: OpenAIServer, step) -> None:
    openai_server.play(step)
    reply = ask(chat_of(openai_server))
    thread, _ = read_in_thread(reply)
    assert openai_server.wait_for_request()
    started = time.monotonic()
    reply.close()
    reply.close()
    assert openai_server.wait_for_hangup(1.0)
    thread.join(1.0)
    assert not thread.is_alive()
    assert time.monotonic() - started < 1.0
    assert reply.finish == "cut"


def test_closing_ends_the_wait_between_two_attempts(openai_server: OpenAIServer) -> None:
    openai_server.play(rate_limited(retry_after="5"))
    reply = ask(chat_of(openai_server))
    thread, pieces = read_in_thread(reply)
    assert openai_server.wait_for_request()
    time.sleep(0.05)
    reply.close()
    thread.join(1.0)
    assert not thread.is_alive()
    assert pieces == []


def test_leaving_the_loop_hangs_up(openai_server: OpenAIServer) -> None:
    openai_server.play(stalls(["One ", "two "]))
    for _piece in ask(chat_of(openai_server)):
        break
    gc.collect()
    assert openai_server.wait_for_hangup(1.0)


def test_closing_after_the_end_changes_nothing(openai_server: OpenAIServer) -> None:
    reply = ask(chat_of(openai_server))
    list(reply)
    reply.close()
    assert (reply.finish, reply.usage) == ("stop", Usage(11, 7, "provider"))
    assert not openai_server.wait_for_hangup(0.05)


def test_many_may_ask_at_once(openai_server: OpenAIServer) -> None:
    openai_server.play(says("The same for all.", piece_s=0.01))
    chat = chat_of(openai_server)
    readers = [read_in_thread(ask(chat)) for _ in range(20)]
    for thread, pieces in readers:
        thread.join(10)
        assert "".join(pieces) == "The same for all."
