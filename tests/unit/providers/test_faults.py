"""Every package has its own errors; ours tell the same for all, and quote nothing."""

import ssl
from types import SimpleNamespace

import pytest

from rag.errors import ProviderError
from rag.providers.faults import provider_error

SERVER = "The server"


class _StatusError(Exception):
    """As the packages of OpenAI, Anthropic, Cohere and Ollama have it."""

    def __init__(self, status_code: int, message: str = "", **more: object) -> None:
        super().__init__(message)
        self.status_code = status_code
        self.message = message
        vars(self).update(more)


class _ResponseError(Exception):
    """As httpx has it, and packages that let httpx's errors through."""

    def __init__(self, status: int, **headers: str) -> None:
        super().__init__("sk-canary")
        self.response = SimpleNamespace(status_code=status, headers=headers)


class _CodeError(Exception):
    """As Google's packages have it."""

    def __init__(self, code: object, message: str = "") -> None:
        super().__init__(message)
        self.code = code


class ReadTimeout(Exception):
    """Named as in httpx, which has no common base with the time-outs of Python."""


class RemoteProtocolError(Exception):
    """Named as in httpx."""


class Mystery(Exception):
    """Nothing is known of it."""


def told(error: Exception) -> ProviderError:
    return provider_error(error, server=SERVER)


@pytest.mark.parametrize(
    ("error", "kind", "retryable"),
    [
        (_StatusError(401), "authentication", False),
        (_StatusError(403), "authentication", False),
        (_StatusError(404), "not_found", False),
        (_StatusError(408), "refused", True),
        (_StatusError(409), "refused", True),
        (_StatusError(418), "refused", False),
        (_StatusError(429), "rate_limit", True),
        (_StatusError(500), "server", True),
        (_StatusError(501), "server", False),
        (_StatusError(529), "server", True),
        (_ResponseError(503), "server", True),
        (_CodeError(503), "server", True),
        (_CodeError("429"), "rate_limit", True),
        (_CodeError(lambda: 5), "bad_reply", False),
        (_CodeError("ThrottlingError"), "bad_reply", False),
        (_StatusError(400, "prompt is too long: 9 tokens > 8 maximum"), "context_length", False),
        (_CodeError(400, "The input token count (9) exceeds the maximum"), "context_length", False),
        (_StatusError(400, "Your credit balance is too low"), "quota", False),
        (_StatusError(402), "quota", False),
        (_StatusError(400, body={"error": {"code": "content_filter"}}), "content_filter", False),
        (ValueError({"code": 429, "message": "slow down"}), "rate_limit", True),
        (ConnectionRefusedError(), "unreachable", True),
        (ConnectionResetError(), "unreachable", True),
        (RemoteProtocolError(), "unreachable", True),
        (TimeoutError(), "timeout", True),
        (ReadTimeout(), "timeout", True),
        (KeyError("sk-canary"), "bad_reply", False),
        (IndexError(), "bad_reply", False),
        (Mystery(), "bad_reply", False),
    ],
    ids=repr,
)
def test_what_happened_and_whether_to_ask_again(
    error: Exception, kind: str, retryable: bool
) -> None:
    fault = told(error)
    assert (fault.kind, fault.retryable) == (kind, retryable)
    assert fault.message.startswith(SERVER)
    assert fault.hint
    assert "canary" not in str(fault)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "nonsense", "retry-after": "1"}, 1),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "later"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_how_long_a_server_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert told(_ResponseError(429, **headers)).retry_after_s == seconds


def test_a_bad_certificate_is_named_and_not_tried_again() -> None:
    error = ConnectionError()
    error.__cause__ = ssl.SSLCertVerificationError("certificate verify failed")
    fault = told(error)
    assert (fault.kind, fault.retryable) == ("unreachable", False)
    assert "certificate" in fault.message


def test_words_at_the_end_of_a_long_message_classify_nothing() -> None:
    echo = "Bad request: " + "x" * 500 + " a paper on maximum context length"
    assert told(_StatusError(400, echo)).kind == "refused"


@pytest.mark.parametrize("request_id", ["a b", "", "x" * 65, 7])
def test_only_a_plain_request_id_is_shown(request_id: object) -> None:
    assert "request" not in told(_StatusError(500, request_id=request_id)).message


def test_a_caller_may_know_better_advice() -> None:
    fault = provider_error(_StatusError(429), server=SERVER, hints={"rate_limit": "Rest."})
    assert fault.hint == "Rest."
