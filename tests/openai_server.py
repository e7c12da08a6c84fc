"""A real HTTP server on 127.0.0.1 that speaks the OpenAI protocol, and plays every fault of it.

    server.play(rate_limited(retry_after="1"), says("Right."))    # one step a request, in order
    server.play(says("Always the same."))                         # the last step stays

A step is a function that answers one exchange; a test may write its own. What was asked is in
``server.requests``, and ``server.wait_for_hangup()`` tells whether the client left in the middle.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import queue
import re
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "played"
USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
DIMENSION = 16


@dataclass(frozen=True)
class Request:
    """What a client asked."""

    path: str
    headers: dict[str, str]
    """Names in small letters."""
    body: dict[str, Any]


class HungUp(Exception):
    """The client closed the connection, or the server is being stopped."""


class Exchange:
    """One request, and the means to answer it well or badly."""

    def __init__(self, handler: _Handler, request: Request) -> None:
        self.request = request
        self._handler = handler

    @property
    def wants_stream(self) -> bool:
        return bool(self.request.body.get("stream"))

    def send(
        self,
        body: object,
        *,
        status: int = 200,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
        claimed_length: int | None = None,
    ) -> None:
        """Answer at once; bytes are sent as they are, anything else as JSON.

        Of a body whose claimed length is longer, the rest never comes.
        """
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        self._handler.send_response(status)
        length = len(payload) if claimed_length is None else claimed_length
        lines = {"Content-Type": content_type, "Content-Length": str(length), **(headers or {})}
        for name, value in lines.items():
            self._handler.send_header(name, value)
        self._handler.end_headers()
        self._write(payload)
        if length > len(payload):
            self.hang_up()

    def start_stream(self) -> None:
        self._handler.send_response(200)
        self._handler.send_header("Content-Type", "text/event-stream")
        self._handler.send_header("Transfer-Encoding", "chunked")
        self._handler.end_headers()

    def event(self, payload: object) -> None:
        self.raw(b"data: " + json.dumps(payload).encode() + b"\n\n")

    def raw(self, data: bytes) -> None:
        """Send bytes inside a stream."""
        self._write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def end_stream(self) -> None:
        self._write(b"0\r\n\r\n")

    def wait(self, seconds: float) -> None:
        """Do nothing for a while, unless the client leaves."""
        readable, _, _ = select.select([self._handler.connection], [], [], seconds)
        if readable:
            raise HungUp

    def hold(self) -> None:
        """Do nothing until the client leaves."""
        self.wait(60)

    def hang_up(self, *, reset: bool = False) -> None:
        """Close the connection here and now, with or without good manners."""
        if reset:
            linger = struct.pack("ii", 1, 0)
            self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        else:
            with contextlib.suppress(OSError):  # The client may have closed it already.
                self._handler.connection.shutdown(socket.SHUT_RDWR)
        self._handler.connection.close()
        self._handler.close_connection = True

    def _write(self, data: bytes) -> None:
        try:
            self._handler.wfile.write(data)
            self._handler.wfile.flush()
        except OSError as error:
            raise HungUp from error


Step = Callable[[Exchange], None]


class OpenAIServer:
    """The server; it runs from its making until ``close``."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.n_connections = 0
        self._asked = threading.Event()
        self._hangups: queue.SimpleQueue[float] = queue.SimpleQueue()
        self._steps: dict[str, list[Step]] = {"chat": [says("Hello.")], "embeddings": [embeds()]}
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._http = _HTTPServer(("127.0.0.1", 0), _Handler)
        self._http.played_by = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def play(self, *steps: Step) -> None:
        """Answer the next chat requests so; the last step stays."""
        with self._lock:
            self._steps["chat"] = list(steps)

    def play_embeddings(self, *steps: Step) -> None:
        with self._lock:
            self._steps["embeddings"] = list(steps)

    def wait_for_request(self, timeout_s: float = 5.0) -> bool:
        """Whether the first request comes, or has come."""
        return self._asked.wait(timeout_s)

    def wait_for_hangup(self, timeout_s: float = 1.0) -> bool:
        """Whether a client leaves, or has left, before it was answered in full."""
        try:
            self._hangups.get(timeout=timeout_s)
        except queue.Empty:
            return False
        return True

    def wait_until_quiet(self, timeout_s: float = 1.0) -> bool:
        """Whether no connection stays open."""
        deadline = time.monotonic() + timeout_s
        while self._open and time.monotonic() < deadline:
            time.sleep(0.005)
        return not self._open

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._http.server_close()

    def answer(self, exchange: Exchange) -> None:
        path = exchange.request.path.removeprefix("/v1")
        if path == "/models":
            exchange.send({"object": "list", "data": [{"id": MODEL, "object": "model"}]})
            return
        route = {"/chat/completions": "chat", "/embeddings": "embeddings"}.get(path)
        if route is None:
            exchange.send({"error": {"message": "no such route"}}, status=404)
            return
        with self._lock:
            self.requests.append(exchange.request)
            steps = self._steps[route]
            step = steps.pop(0) if len(steps) > 1 else steps[0]
        self._asked.set()
        try:
            step(exchange)
        except HungUp:
            self._hangups.put(time.monotonic())
            exchange.hang_up()

    def opened(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.add(connection)
            self.n_connections += 1

    def closed(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.discard(connection)


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    request_queue_size = 64
    played_by: OpenAIServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _HTTPServer

    def setup(self) -> None:
        super().setup()
        self.server.played_by.opened(self.connection)

    def finish(self) -> None:
        self.server.played_by.closed(self.connection)
        with contextlib.suppress(OSError):
            super().finish()

    def handle(self) -> None:
        # A connection may be reset while the next request is waited for.
        with contextlib.suppress(OSError, ValueError):
            super().handle()

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.played_by.answer(Exchange(self, Request(self.path, headers, body)))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the test's output clean."""


def closed_url() -> str:
    """The address of a port on which nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{held.getsockname()[1]}/v1"


# ---- chat: what a healthy server says ----------------------------------------------------------


def says(
    text: str | Sequence[str],
    *,
    finish: str | None = "stop",
    usage: dict[str, int] | None = USAGE,
    usage_in_every_chunk: bool = False,
    role: str | None = "assistant",
    first_s: float = 0.0,
    piece_s: float = 0.0,
    done: bool = True,
) -> Step:
    """A reply, streamed or plain as the client wants it.

    Args:
        text: Split into words where it is one string; else streamed in just these pieces.
        finish: ``stop``, ``length``, ``content_filter``, ..., or None for no reason at all.
        usage: None for a server that does not count.
        usage_in_every_chunk: Repeat it all along, as some servers do.
        role: Of the first, empty chunk; None for no such chunk.
        first_s: Seconds before the first piece.
        piece_s: Seconds before every other piece.
        done: Whether ``[DONE]`` is sent.
    """
    pieces = re.findall(r"\s*\S+\s*$|\s*\S+", text) if isinstance(text, str) else list(text)

    def step(exchange: Exchange) -> None:
        exchange.wait(first_s)
        if not exchange.wants_stream:
            exchange.send(plain("".join(pieces), finish=finish, usage=usage))
            return
        repeated = {"usage": usage} if usage_in_every_chunk and usage else {}
        exchange.start_stream()
        if role:
            exchange.event({**delta("", role=role), **repeated})
        for number, piece in enumerate(pieces):
            exchange.wait(piece_s if number else 0)
            exchange.event({**delta(piece), **repeated})
        if finish:
            exchange.event({**delta("", finish=finish), **repeated})
        options = exchange.request.body.get("stream_options") or {}
        if usage and options.get("include_usage"):
            exchange.event({**delta(""), "choices": [], "usage": usage})
        if done:
            exchange.raw(b"data: [DONE]\n\n")
        exchange.end_stream()

    return step


def delta(text: str, *, role: str | None = None, finish: str | None = None) -> dict[str, Any]:
    """One event of a stream."""
    change = {"content": text} | ({"role": role} if role else {})
    choice = {"index": 0, "delta": change, "finish_reason": finish}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": MODEL,
        "choices": [choice],
    }


def plain(
    text: str | None, *, finish: str | None = "stop", usage: dict[str, int] | None = USAGE
) -> dict[str, Any]:
    """A whole reply as one object."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    } | ({"usage": usage} if usage else {})


# ---- faults of both routes ---------------------------------------------------------------------


def fails(
    status: int,
    message: str = "It failed.",
    *,
    code: str | int | None = None,
    kind: str | None = None,
    param: str | None = None,
    headers: dict[str, str] | None = None,
) -> Step:
    """An error object with a status."""
    error = {"message": message, "type": kind, "param": param, "code": code}
    return lambda exchange: exchange.send({"error": error}, status=status, headers=headers)


def rate_limited(retry_after: str | None = None, **headers: str) -> Step:
    if retry_after is not None:
        headers["Retry-After"] = retry_after
    return fails(429, "Rate limit reached.", code="rate_limit_exceeded", headers=headers)


def out_of_quota() -> Step:
    words = "You exceeded your current quota, please check your plan and billing details."
    return fails(429, words, code="insufficient_quota", kind="insufficient_quota")


def too_long(limit: int = 2048) -> Step:
    words = f"This model's maximum context length is {limit} tokens. Please reduce the length."
    return fails(400, words, code="context_length_exceeded", kind="invalid_request_error")


def filtered() -> Step:
    words = "The response was filtered due to the prompt triggering the content management policy."
    return fails(400, words, code="content_filter")


def refuses(parameter: str, then: Step) -> Step:
    """A server that does not take a parameter; right without it."""
    complaint = fails(
        400,
        f"Unsupported value: '{parameter}' is not supported with this model.",
        code="unsupported_value",
        kind="invalid_request_error",
        param=parameter,
    )

    def step(exchange: Exchange) -> None:
        value = exchange.request.body.get(parameter)
        asked = value is not None and value is not False  # 0.0 == False
        (complaint if asked else then)(exchange)

    return step


def cannot_stream(then: Step) -> Step:
    """A server that ignores the wish for a stream."""

    def step(exchange: Exchange) -> None:
        exchange.request.body.pop("stream", None)
        then(exchange)

    return step


def silent() -> Step:
    """Takes the request and never answers."""
    return Exchange.hold


def resets() -> Step:
    """Hangs up before the headers."""
    return lambda exchange: exchange.hang_up(reset=True)


def sends(body: object, *, content_type: str = "application/json", **more: Any) -> Step:
    """Any body with status 200: an HTML page, half an object, an error."""
    return lambda exchange: exchange.send(body, content_type=content_type, **more)


# ---- faults inside a stream --------------------------------------------------------------------


def breaks(pieces: Sequence[str], ending: Callable[[Exchange], None]) -> Step:
    """Starts well and then does something else."""

    def step(exchange: Exchange) -> None:
        exchange.start_stream()
        exchange.event(delta("", role="assistant"))
        for piece in pieces:
            exchange.event(delta(piece))
        ending(exchange)

    return step


def cuts(pieces: Sequence[str], *, reset: bool = False) -> Step:
    """The connection breaks after these pieces."""
    return breaks(pieces, lambda exchange: exchange.hang_up(reset=reset))


def stalls(pieces: Sequence[str]) -> Step:
    """Nothing more comes after these pieces, and the connection stays."""
    return breaks(pieces, Exchange.hold)


def garbles(pieces: Sequence[str], data: bytes = b'data: {"choices": [{"del\n\n') -> Step:
    """Something that is no event comes after these pieces."""

    def ending(exchange: Exchange) -> None:
        exchange.raw(data)
        exchange.end_stream()

    return breaks(pieces, ending)


def streams(*events: object) -> Step:
    """Just these events, then the end."""

    def step(exchange: Exchange) -> None:
        exchange.start_stream()
        for event in events:
            exchange.event(event)
        exchange.raw(b"data: [DONE]\n\n")
        exchange.end_stream()

    return step


# ---- embeddings --------------------------------------------------------------------------------

Vectors = list[list[float]]


def vector(text: str) -> list[float]:
    """The same text always has the same vector."""
    digest = hashlib.sha256(text.encode()).digest()
    return [byte - 127.5 for byte in digest[:DIMENSION]]


def embeds(change: Callable[[Vectors], Vectors] = list, *, is_reversed: bool = False) -> Step:
    """Vectors for all inputs.

    Args:
        change: Makes them wrong: fewer, others, with NaN.
        is_reversed: In another order, with right indices.
    """

    def step(exchange: Exchange) -> None:
        texts = exchange.request.body["input"]
        vectors = change([vector(text) for text in ([texts] if isinstance(texts, str) else texts)])
        data = [
            {"object": "embedding", "index": number, "embedding": value}
            for number, value in enumerate(vectors)
        ]
        usage = {"prompt_tokens": 3, "total_tokens": 3}
        exchange.send(
            {
                "object": "list",
                "model": MODEL,
                "data": data[::-1] if is_reversed else data,
                "usage": usage,
            }
        )

    return step


@contextlib.contextmanager
def running() -> Iterator[OpenAIServer]:
    server = OpenAIServer()
    try:
        yield server
    finally:
        server.close()
