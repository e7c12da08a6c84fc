"""One process for people and programs: the page, a health check, and OpenAI's chat completions."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import AsyncGenerator, Collection
from contextlib import AsyncExitStack, aclosing
from typing import TYPE_CHECKING

from rag.answer import Answer, Event, Finished
from rag.errors import ProviderError, QuestionError, SymposiaError
from rag.records import SentenceReady
from rag.retrieval.filters import as_filters
from ui import web, wire
from ui.desk import MAX_MESSAGE_CHARS, Chatter
from ui.feedback import Keep
from ui.guard import HEALTH
from ui.shelf import Shelf
from ui.turnstile import CONCURRENT_ANSWERS, WAITING_QUESTIONS, TooBusy, Turnstile

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

_MOST_BYTES = 8 * MAX_MESSAGE_CHARS
_RETRY_AFTER_S = 30
_BROKEN = "The answer could not be made; the server's log has the details."
_logger = logging.getLogger(__name__)


def build_app(
    assistant: Chatter,
    *,
    names: Collection[str] = (),
    auth: str = "",
    keep_feedback: Keep | None = None,
    shelf: Shelf | None = None,
) -> FastAPI:
    """The page at ``/``, ``/healthz``, ``/v1/models`` and ``/v1/chat/completions``.

    Args:
        assistant: Answers the questions.
        names: Host names under which it may be addressed; empty for any.
        auth: ``user:password``, asked of everybody but for the health check; empty for nobody.
        keep_feedback: Stores what readers say of answers; without it they are not asked.
        shelf: Keeps conversations; without it they end with the page.
    """
    from fastapi import FastAPI
    from starlette.responses import JSONResponse

    app = FastAPI(title="Symposia", docs_url=None, redoc_url=None, openapi_url=None)
    door = _Door(assistant)

    async def healthz(_: Request) -> Response:
        papers, corpora = assistant.n_papers, list(assistant.corpora)
        return JSONResponse({"status": "ok", "papers": papers, "corpora": corpora})

    async def list_models(_: Request) -> Response:
        return JSONResponse(wire.models())

    app.add_route(HEALTH, healthz, methods=["GET", "HEAD"])
    app.add_route("/v1/models", list_models, methods=["GET"])
    app.add_route("/v1/chat/completions", door.complete, methods=["POST"])
    return web.mount(
        app, assistant, names=names, auth=auth, keep_feedback=keep_feedback, shelf=shelf
    )


class _Door:
    """Answers requests for completions."""

    def __init__(self, assistant: Chatter) -> None:
        self._assistant = assistant
        self._turnstile = Turnstile(CONCURRENT_ANSWERS, WAITING_QUESTIONS)

    async def complete(self, request: Request) -> Response:
        """``POST /v1/chat/completions``."""
        from starlette.responses import JSONResponse, StreamingResponse

        envelope = wire.Envelope(f"chatcmpl-{uuid.uuid4().hex}", int(time.time()))
        try:
            asked = wire.parse_request(await _body(request))
            events = self._events(asked)
            if asked.stream:
                # The first event is awaited here, so that what fails at once has its status.
                first = await anext(events)
                pieces = _stream(first, events, envelope, wants_usage=asked.wants_usage)
                return StreamingResponse(pieces, media_type="text/event-stream")
            async with aclosing(events):
                return JSONResponse(envelope.completion(await _last(events)))
        except SymposiaError as error:
            return _refusal(error)
        except Exception:
            _logger.exception("A request for a completion failed")
            return JSONResponse(wire.error_body(_BROKEN, "server_error"), status_code=500)

    async def _events(self, asked: wire.ChatRequest) -> AsyncGenerator[Event]:
        filters = as_filters(asked.filters)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._turnstile.turn())
            stream = self._assistant.astream(
                asked.question, asked.history, filters, corpus=asked.corpus
            )
            if isinstance(stream, AsyncGenerator):
                stack.push_async_callback(stream.aclose)
            async for event in stream:
                yield event


async def _last(events: AsyncGenerator[Event]) -> Answer:
    async for event in events:
        if isinstance(event, Finished):
            return event.answer
    raise AssertionError("a stream ends with Finished")


async def _stream(
    first: Event, events: AsyncGenerator[Event], envelope: wire.Envelope, *, wants_usage: bool
) -> AsyncGenerator[bytes]:
    async with aclosing(events):
        yield envelope.opening()
        transcript = wire.Transcript()
        try:
            for piece in _pieces(first, transcript, envelope, wants_usage=wants_usage):
                yield piece
            async for event in events:
                for piece in _pieces(event, transcript, envelope, wants_usage=wants_usage):
                    yield piece
        except SymposiaError as error:
            yield wire.sse(wire.error_body(str(error), "server_error"))
        except Exception:
            _logger.exception("A stream of a completion failed")
            yield wire.sse(wire.error_body(_BROKEN, "server_error"))
        yield wire.DONE


def _pieces(
    event: Event, transcript: wire.Transcript, envelope: wire.Envelope, *, wants_usage: bool
) -> list[bytes]:
    if isinstance(event, SentenceReady):
        return [envelope.text(transcript.add(event))]
    if not isinstance(event, Finished):
        return []
    answer = event.answer
    pieces = [envelope.text(transcript.end(answer)), envelope.ending(answer)]
    return [*pieces, envelope.usage(answer)] if wants_usage else pieces


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _MOST_BYTES:
            raise QuestionError(
                f"This request has more than {_MOST_BYTES:,} bytes.", hint="Send fewer messages."
            )
    return bytes(body)


def _refusal(error: SymposiaError) -> Response:
    from starlette.responses import JSONResponse

    status, kind, headers = 500, "server_error", {}
    if isinstance(error, QuestionError):
        status, kind = 400, "invalid_request_error"
    elif isinstance(error, TooBusy):
        status, kind, headers = 429, "rate_limit_error", {"Retry-After": str(_RETRY_AFTER_S)}
    elif isinstance(error, ProviderError):
        status = 502
    return JSONResponse(wire.error_body(str(error), kind), status_code=status, headers=headers)
