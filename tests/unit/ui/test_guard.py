"""Who may address a local server, and what its pages may load."""

from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from ui.guard import LOOPBACK_NAMES, Guard, is_loopback


async def plain_app(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-own", b"1")]})
    await send({"type": "http.response.body", "body": b"served"})


async def status_and_headers(guard: Guard, **headers: str) -> tuple[int, dict[bytes, bytes]]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        raise AssertionError("not read")

    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    await guard({"type": "http", "headers": raw}, receive, send)
    return sent[0]["status"], dict(sent[0]["headers"])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "127.0.0.1:7860"}, 200),
        ({"host": "LOCALHOST"}, 200),
        ({"host": "[::1]:7860"}, 200),
        ({"host": "localhost:1", "origin": "http://127.0.0.1:9"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "localhost.evil.example"}, 403),
        ({"host": "[bad"}, 403),
        ({}, 403),
        ({"host": "localhost", "origin": "https://evil.example"}, 403),
        ({"host": "localhost", "origin": "null"}, 403),
        ({"host": "localhost", "origin": "http://localhost.evil.example"}, 403),
    ],
)
async def test_a_local_server_answers_local_names_only(
    headers: dict[str, str], status: int
) -> None:
    guard = Guard(plain_app, hosts=LOOPBACK_NAMES)
    assert (await status_and_headers(guard, **headers))[0] == status


async def test_without_names_any_host_is_served() -> None:
    guard = Guard(plain_app)
    status, _ = await status_and_headers(
        guard, host="papers.example", origin="https://else.example"
    )
    assert status == 200


async def test_pages_may_load_from_their_own_server_only() -> None:
    _, headers = await status_and_headers(Guard(plain_app), host="x")
    policy = headers[b"content-security-policy"].decode()
    assert "img-src 'self' data: blob:" in policy
    assert "default-src 'self'" in policy
    assert "http" not in policy
    assert headers[b"x-own"] == b"1"


async def test_other_protocols_pass_untouched() -> None:
    seen: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope)

    async def unused(*_: Any) -> Any:
        raise AssertionError

    await Guard(app, hosts=LOOPBACK_NAMES)({"type": "lifespan"}, unused, unused)
    assert seen == [{"type": "lifespan"}]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),  # noqa: S104
        ("::", False),
        ("192.168.1.2", False),
        ("example.org", False),
    ],
)
def test_loopback_addresses_are_known(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
