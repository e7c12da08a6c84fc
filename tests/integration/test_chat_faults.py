"""Every fault of a provider, played by a real HTTP server, met through the real OpenAI client."""

import email.utils
import logging
import time
import traceback
from collections.abc import Iterator

import pytest
from openai_server import (
    OpenAIServer,
    Step,
    breaks,
    closed_url,
    cuts,
    delta,
    fails,
    filtered,
    garbles,
    out_of_quota,
    plain,
    rate_limited,
    resets,
    says,
    sends,
    silent,
    stalls,
    streams,
    too_long,
)

from rag.chat.base import Message
from rag.chat.langchain import LangChainReply
from rag.chat.providers import open_chat_model
from rag.errors import ProviderError
from rag.providers.backoff import Backoff
from rag.records import Usage

KEY = "sk-canary-0123456789"
N_RETRIES = 2


def ask(url: str, *, timeout_s: float = 10.0, **options: object) -> LangChainReply:
    backoff = Backoff(first_s=0.01, n_retries=N_RETRIES)
    options = {"api_key": KEY, "backoff": backoff, **options}
    chat = open_chat_model("openai:played", base_url=url, **options)  # type: ignore[arg-type]
    return chat.stream([Message("user", "How many wells?")], timeout_s=timeout_s)


def fault_of(reply: LangChainReply) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        list(reply)
    assert reply.usage == Usage()
    return caught.value


# ---- not worth asking again --------------------------------------------------------------------

FINAL: dict[str, tuple[Step, str]] = {
    "401": (
        fails(401, f"Incorrect API key provided: {KEY}", code="invalid_api_key"),
        "authentication",
    ),
    "403": (fails(403, f"{KEY} may not."), "authentication"),
    "403 by a filter": (
        fails(403, "Your input was flagged by the content filter."),
        "content_filter",
    ),
    "404": (fails(404, "The model `played` does not exist.", code="model_not_found"), "not_found"),
    "400": (fails(400, "Invalid role."), "refused"),
    "422": (fails(422, "Unprocessable."), "refused"),
    "501": (fails(501, "Not implemented."), "server"),
    "quota": (out_of_quota(), "quota"),
    "402": (fails(402, "Insufficient Balance"), "quota"),
    "context": (too_long(), "context_length"),
    "context of llama.cpp": (
        fails(
            400,
            "the request exceeds the available context size",
            code=400,
            kind="exceed_context_size_error",
        ),
        "context_length",
    ),
    "tokens a minute": (
        fails(
            429,
            "Request too large for played on tokens per min (TPM): Limit 30000.",
            code="rate_limit_exceeded",
        ),
        "context_length",
    ),
    "413": (fails(413, "Payload too large"), "context_length"),
    "filter": (filtered(), "content_filter"),
    "filter without a word": (says([], finish="content_filter"), "content_filter"),
    "limit before a word": (says([], finish="length"), "bad_reply"),
    "empty reply": (says([]), "bad_reply"),
    "white space": (says(["\n", "  "]), "bad_reply"),
    "no JSON in a stream": (garbles([]), "bad_reply"),
    "an event that is no object": (garbles([], b"data: 7\n\n"), "bad_reply"),
    "quota inside a stream": (
        streams({"error": {"message": "Stop.", "code": "insufficient_quota"}}),
        "quota",
    ),
    "context inside a stream": (
        streams({"error": {"message": "maximum context length is 2048", "code": 400}}),
        "context_length",
    ),
}


@pytest.mark.parametrize(("step", "kind"), FINAL.values(), ids=FINAL.keys())
def test_what_will_not_change_is_asked_once(
    openai_server: OpenAIServer, step: Step, kind: str
) -> None:
    openai_server.play(step)
    fault = fault_of(ask(openai_server.url))
    assert (fault.kind, fault.retryable) == (kind, False)
    assert fault.hint
    assert len(openai_server.requests) == 1


PLAIN: dict[str, Step] = {
    "a page": sends(b"<html>Welcome to the portal</html>", content_type="text/html"),
    "half an object": sends(b'{"choices": [{"message": {"con'),
    "no choices": sends({**plain("x"), "choices": []}),
    "null choices": sends({**plain("x"), "choices": None}),
    "no object": sends([1, 2]),
    "null text": sends(plain(None)),
    "nothing": sends(b""),
}


@pytest.mark.parametrize("step", PLAIN.values(), ids=PLAIN.keys())
def test_an_unusable_plain_reply_is_no_answer(openai_server: OpenAIServer, step: Step) -> None:
    openai_server.play(step)
    fault = fault_of(ask(openai_server.url))
    assert fault.kind == "bad_reply"
    assert len(openai_server.requests) == 2, "once for a stream, once without"


def test_an_error_object_in_a_plain_reply_is_understood(openai_server: OpenAIServer) -> None:
    openai_server.play(sends({"error": {"message": "no", "code": "insufficient_quota"}}))
    assert fault_of(ask(openai_server.url)).kind == "quota"


# ---- worth asking again ------------------------------------------------------------------------

PASSING: dict[str, tuple[Step, str]] = {
    "429": (rate_limited(), "rate_limit"),
    "429, wait a moment": (rate_limited(retry_after="0.05"), "rate_limit"),
    "429, wait milliseconds": (rate_limited(**{"retry-after-ms": "20"}), "rate_limit"),
    "429, wait nonsense": (rate_limited(retry_after="soon"), "rate_limit"),
    "429, wait until just now": (
        rate_limited(retry_after=email.utils.formatdate(0, usegmt=True)),
        "rate_limit",
    ),
    "500": (fails(500), "server"),
    "500, a page": (sends(b"<html>oops</html>", content_type="text/html", status=500), "server"),
    "502": (fails(502), "server"),
    "503": (fails(503), "server"),
    "503, wait a moment": (fails(503, headers={"Retry-After": "0.05"}), "server"),
    "504": (fails(504), "server"),
    "529": (fails(529, "Overloaded", kind="overloaded_error"), "server"),
    "reset before headers": (resets(), "unreachable"),
    "a body that breaks off": (sends(b"{", claimed_length=99, status=500), "unreachable"),
    "cut before a word": (cuts([]), "unreachable"),
    "reset before a word": (cuts([], reset=True), "unreachable"),
    "ended before a word": (says([], finish=None, usage=None, done=False), "bad_reply"),
    "error inside a stream": (
        streams({"error": {"message": "Overloaded", "type": "server_error"}}),
        "server",
    ),
    "status inside a stream": (streams({"error": {"message": "x", "code": 502}}), "server"),
}


@pytest.mark.parametrize(("step", "kind"), PASSING.values(), ids=PASSING.keys())
def test_what_passes_is_overcome(openai_server: OpenAIServer, step: Step, kind: str) -> None:
    openai_server.play(step, says("Right."))
    reply = ask(openai_server.url)
    assert "".join(reply) == "Right."
    assert reply.usage == Usage(11, 7, "provider"), "the failed request counts as nothing"
    assert len(openai_server.requests) == 2


@pytest.mark.parametrize(("step", "kind"), PASSING.values(), ids=PASSING.keys())
def test_what_stays_is_given_up(openai_server: OpenAIServer, step: Step, kind: str) -> None:
    openai_server.play(step)
    fault = fault_of(ask(openai_server.url))
    assert (fault.kind, fault.retryable) == (kind, True)
    assert len(openai_server.requests) == 1 + N_RETRIES


def test_a_server_that_is_not_there(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "rag.chat"):
        fault = fault_of(ask(closed_url()))
    assert (fault.kind, fault.retryable) == ("unreachable", True)
    assert len(caplog.records) == N_RETRIES


def test_an_address_that_is_no_machine() -> None:
    fault = fault_of(ask("http://nowhere.invalid/v1", timeout_s=5))
    assert fault.kind in {"unreachable", "timeout"}


# ---- time --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "retry_after", ["120", email.utils.formatdate(time.time() + 3600, usegmt=True)]
)
def test_a_wait_that_is_too_long_is_not_begun(
    openai_server: OpenAIServer, retry_after: str
) -> None:
    openai_server.play(rate_limited(retry_after=retry_after))
    started = time.monotonic()
    fault = fault_of(ask(openai_server.url, timeout_s=60))
    assert time.monotonic() - started < 5
    assert (fault.kind, fault.retryable) == ("rate_limit", True)
    assert fault.retry_after_s is not None
    assert fault.retry_after_s > 100
    assert "asks to wait" in fault.hint
    assert len(openai_server.requests) == 1


def test_a_silent_server_is_asked_again_within_the_time(openai_server: OpenAIServer) -> None:
    openai_server.play(silent(), says("Right."))
    assert "".join(ask(openai_server.url, first_token_timeout_s=0.1)) == "Right."
    assert openai_server.wait_for_hangup()


def test_a_server_that_says_only_its_role_is_silent(openai_server: OpenAIServer) -> None:
    openai_server.play(stalls([]), says("Right."))
    assert "".join(ask(openai_server.url, first_token_timeout_s=0.1)) == "Right."


def test_a_model_that_thinks_aloud_is_not_silent(openai_server: OpenAIServer) -> None:
    def step(exchange) -> None:
        exchange.start_stream()
        for _ in range(5):
            exchange.wait(0.08)
            exchange.event(delta(""))
        exchange.event(delta("Right.", finish="stop"))
        exchange.end_stream()

    openai_server.play(step)
    assert "".join(ask(openai_server.url, first_token_timeout_s=0.3)) == "Right."
    assert len(openai_server.requests) == 1


def test_a_model_known_to_think_in_silence_has_the_whole_time(openai_server: OpenAIServer) -> None:
    openai_server.play(says("Right.", first_s=0.2))
    chat = open_chat_model(
        "openai:o3", api_key=KEY, base_url=openai_server.url, first_token_timeout_s=0.05
    )
    assert "".join(chat.stream([Message("user", "?")], timeout_s=5)) == "Right."
    assert len(openai_server.requests) == 1


@pytest.mark.parametrize("step", [silent(), stalls([]), fails(503)], ids=["headers", "role", "503"])
def test_nobody_waits_longer_than_the_deadline(openai_server: OpenAIServer, step: Step) -> None:
    openai_server.play(step)
    started = time.monotonic()
    reply = ask(openai_server.url, timeout_s=0.2, first_token_timeout_s=9, backoff=Backoff())
    fault = fault_of(reply)
    assert time.monotonic() - started < 0.2 + 1.0
    assert fault.kind in {"timeout", "server"}
    assert reply.finish == "cut"


def test_between_pieces_only_the_deadline_counts(openai_server: OpenAIServer) -> None:
    openai_server.play(says("Two words", piece_s=0.2))
    reply = ask(openai_server.url, first_token_timeout_s=0.1)
    assert "".join(reply) == "Two words"
    assert reply.finish == "stop"


def test_the_end_of_a_stream_that_has_finished_is_not_waited_for_long(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.chat.request._TAIL_S", 0.05)

    def never_done(exchange) -> None:
        exchange.event(delta("", finish="stop"))
        exchange.hold()

    openai_server.play(breaks(["Word."], never_done))
    reply = ask(openai_server.url)
    assert "".join(reply) == "Word."
    assert (reply.finish, reply.usage.counted_by) == ("stop", "us")


# ---- after the first piece ---------------------------------------------------------------------

CUT: dict[str, Step] = {
    "closed": cuts(["One ", "two "]),
    "reset": cuts(["One ", "two "], reset=True),
    "stalled": stalls(["One ", "two "]),
    "garbled": garbles(["One ", "two "]),
    "no end": says(["One ", "two "], finish=None, usage=None, done=False),
    "an error": breaks(["One ", "two "], lambda exchange: exchange.event({"error": {"code": 500}})),
    "half a character": garbles(
        ["One ", "two "], b'data: {"choices":[{"delta":{"content":"\xe2\x82'
    ),
}


@pytest.mark.parametrize("step", CUT.values(), ids=CUT.keys())
def test_a_broken_stream_keeps_what_came_and_says_so(
    openai_server: OpenAIServer, step: Step
) -> None:
    openai_server.play(step, says("Not asked for."))
    reply = ask(openai_server.url, timeout_s=0.3 if step is CUT["stalled"] else 10)
    assert "".join(reply) == "One two "
    assert reply.finish == "cut"
    assert (reply.usage.counted_by, reply.usage.output_tokens) == ("us", 3)
    assert len(openai_server.requests) == 1


@pytest.mark.parametrize(
    ("finish", "expected"),
    [("length", "length"), ("content_filter", "content_filter"), ("tool_calls", "stop")],
)
def test_the_reason_of_the_end_is_told(
    openai_server: OpenAIServer, finish: str, expected: str
) -> None:
    openai_server.play(says("Some words", finish=finish))
    reply = ask(openai_server.url)
    assert "".join(reply) == "Some words"
    assert reply.finish == expected


# ---- what is told ------------------------------------------------------------------------------


def told(error: BaseException) -> Iterator[str]:
    yield str(error)
    yield "".join(traceback.format_exception(error))


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_the_key_is_in_no_message_log_or_traceback(
    openai_server: OpenAIServer, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    openai_server.play(fails(status, f"The key {KEY} is wrong.", code=KEY))
    with caplog.at_level(logging.INFO):
        fault = fault_of(ask(openai_server.url))
    assert not [text for text in told(fault) if "canary" in text]
    assert "canary" not in caplog.text


def test_a_message_has_the_status_and_the_request_for_support(openai_server: OpenAIServer) -> None:
    openai_server.play(fails(404, headers={"x-request-id": "req_123"}))
    fault = fault_of(ask(openai_server.url))
    assert "status 404" in fault.message
    assert "req_123" in fault.message
    assert "/v1" in fault.hint
