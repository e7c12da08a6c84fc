"""Every provider's exceptions as one of ours.

The provider's own words are read to tell what happened, and never shown: some servers echo the
key, and some the whole request.
"""

from __future__ import annotations

import email.utils
import math
import re
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rag.errors import FaultKind, ProviderError

_CONTEXT = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|prompt is too long|too many tokens"
    r"|input token count|request too large|too large for model"
)
_QUOTA = re.compile(
    r"insufficient[ _](?:quota|balance|credit|funds)|billing_(?:hard_limit|not_active)"
    r"|credit balance is too low|out of credits"
)
_FILTER = re.compile(r"content[ _-]?(?:filter|policy|management policy)|responsibleai")
_SERVER = re.compile(r"overloaded|server_error|internal error|unavailable")
_LOST = re.compile(r"Connect|Protocol|ReadError|WriteError|ServerDisconnected")
_NEVER_RIGHT_AGAIN = frozenset({501, 505})
_RIGHT_LATER = frozenset({408, 409, 425, 429})
_REQUEST_ID = re.compile(r"[\w.:-]{1,64}")

_HAPPENED: dict[FaultKind, str] = {
    "authentication": "did not accept the API key",
    "quota": "says that the account's quota is used up",
    "rate_limit": "takes no more requests for now",
    "context_length": "says that the request is longer than its model can read",
    "content_filter": "declined to answer: its content filter stepped in",
    "not_found": "does not know the model, or is not at this address",
    "refused": "refused the request",
    "server": "failed",
    "unreachable": "cannot be reached",
    "timeout": "did not answer in time",
    "bad_reply": "sent something that cannot be used",
}
_HINTS: dict[FaultKind, str] = {
    "authentication": "Check the API key and what it may use.",
    "quota": "Look at plan and billing at the provider; waiting does not help.",
    "rate_limit": "Wait a little, then try again.",
    "context_length": "Set SYMPOSIA_MODEL_WINDOW to what the model can read, or lower "
    "SYMPOSIA_TOKEN_BUDGET.",
    "content_filter": "Ask in other words.",
    "not_found": "Check the model's name and OPENAI_BASE_URL, which usually ends in /v1.",
    "refused": "Check the model's name and the server's log.",
    "server": "Try again; if it stays so, check the server's log.",
    "unreachable": "Check that it is running and that its address is right.",
    "timeout": "Try again; if it stays so, check how busy the server is.",
    "bad_reply": "Try again; if it stays so, check that it speaks the OpenAI protocol.",
}


def provider_error(
    error: Exception, *, server: str, hints: Mapping[FaultKind, str] | None = None
) -> ProviderError:
    """Tell what happened, without the provider's own words.

    Args:
        error: Whatever a provider's package raised.
        server: How to call it in a message, such as ``The embedding server``.
        hints: Better advice than the usual, for some kinds.
    """
    facts = _Facts.of(error)
    kind = _kind(error, facts)
    if _has_bad_certificate(error):
        return fault(
            kind,
            server=server,
            details="its certificate cannot be verified",
            hints={kind: "Trust its certificate, or check the address."},
        )
    return fault(
        kind,
        server=server,
        details=", ".join(facts.details),
        retryable=_is_retryable(kind, facts.status),
        retry_after_s=facts.retry_after_s,
        hints=hints,
    )


def fault(
    kind: FaultKind,
    *,
    server: str,
    details: str = "",
    retryable: bool = False,
    retry_after_s: float | None = None,
    hints: Mapping[FaultKind, str] | None = None,
) -> ProviderError:
    """Put one kind of fault into words."""
    hint = (hints or {}).get(kind) or _HINTS[kind]
    if retry_after_s is not None and retry_after_s >= 1:
        hint = f"It asks to wait {math.ceil(retry_after_s)} s. {hint}"
    return ProviderError(
        f"{server} {_HAPPENED[kind]}{f' ({details})' if details else ''}.",
        hint=hint,
        retryable=retryable,
        kind=kind,
        retry_after_s=retry_after_s,
    )


def status_of(error: Exception) -> int | None:
    """The HTTP status that an exception speaks of, wherever its package keeps it."""
    response = getattr(error, "response", None)
    places = (
        getattr(error, "status_code", None),
        getattr(response, "status_code", None),
        getattr(error, "code", None),
        body_of(error).get("code"),
    )
    for value in places:
        if isinstance(value, int | str) and re.fullmatch(r"[1-5]\d\d", str(value)):
            return int(value)
    return None


def body_of(error: Exception) -> Mapping[str, object]:
    """The error object that the server sent, empty where there is none."""
    # LangChain raises ValueError(object) for an error in a reply of status 200.
    for body in (getattr(error, "body", None), *error.args[:1]):
        if isinstance(body, Mapping):
            inner = body.get("error", body)
            return inner if isinstance(inner, Mapping) else body
    return {}


def words_of(error: Exception) -> str:
    """What the server said, in small letters, for classification alone."""
    body = body_of(error)
    said = body.get("message") or getattr(error, "message", None) or error
    # Servers that echo the request do so at the end; a paper's words must not classify an error.
    return f"{body.get('code')} {body.get('type')} {str(said)[:500]}".lower()


@dataclass(frozen=True, slots=True)
class _Facts:
    status: int | None
    words: str
    details: tuple[str, ...]
    retry_after_s: float | None

    @classmethod
    def of(cls, error: Exception) -> _Facts:
        status = status_of(error)
        request_id = getattr(error, "request_id", None)
        details = [f"status {status}"] if status else []
        details.append(type(error).__name__)
        if isinstance(request_id, str) and _REQUEST_ID.fullmatch(request_id):
            details.append(f"request {request_id}")
        return cls(status, words_of(error), tuple(details), _retry_after_s(error))


def _kind(error: Exception, facts: _Facts) -> FaultKind:
    if facts.status in {401, 403}:
        # Azure and OpenRouter answer 403 where a filter stepped in.
        return "content_filter" if _FILTER.search(facts.words) else "authentication"
    if _CONTEXT.search(facts.words) or facts.status == 413:
        return "context_length"
    if facts.status == 402 or _QUOTA.search(facts.words):
        return "quota"
    if _FILTER.search(facts.words):
        return "content_filter"
    return _kind_by_status(facts.status) or _kind_by_name(error, facts)


def _kind_by_status(status: int | None) -> FaultKind | None:
    if status == 404:
        return "not_found"
    if status == 429:
        return "rate_limit"
    if status is not None and status >= 500:
        return "server"
    if status is not None and status >= 400:
        return "refused"
    return None


def _kind_by_name(error: Exception, facts: _Facts) -> FaultKind:
    name = type(error).__name__
    if isinstance(error, TimeoutError) or "Timeout" in name:
        return "timeout"
    if isinstance(error, OSError) or _LOST.search(name):
        return "unreachable"
    # An error that comes inside a stream has no status, only words.
    if "rate_limit" in facts.words:
        return "rate_limit"
    return "server" if _SERVER.search(facts.words) else "bad_reply"


def _is_retryable(kind: FaultKind, status: int | None) -> bool:
    if kind in {"rate_limit", "unreachable", "timeout"} or status in _RIGHT_LATER:
        return kind not in {"quota", "context_length", "content_filter"}
    return kind == "server" and status not in _NEVER_RIGHT_AGAIN


def _has_bad_certificate(error: BaseException) -> bool:
    return any(isinstance(cause, ssl.SSLCertVerificationError) for cause in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _retry_after_s(error: Exception) -> float | None:
    """Seconds of ``Retry-After``, which is a number, a date or nonsense; None for the last."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "nan")) * unit_s
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    moment = email.utils.parsedate_tz(str(headers.get("retry-after", "")))
    return max(0.0, email.utils.mktime_tz(moment) - time.time()) if moment else None
