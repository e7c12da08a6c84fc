"""What the browser and strangers may do with the page, enforced below Gradio."""

from __future__ import annotations

import base64
import ipaddress
import secrets
from collections.abc import Collection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEALTH = "/healthz"
"""Says that the server is up, without a login."""
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

# Escaping keeps foreign images and scripts out of the page; should it ever fail, the browser still
# refuses to load them. Gradio's own page needs inline scripts and styles.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
_HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)

_CHALLENGE = (b"www-authenticate", b'Basic realm="Symposia", charset="UTF-8"')
_POLICY_VIOLATION = 1008


def is_loopback(host: str) -> bool:
    """True if only this machine can reach a server bound to ``host``."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """ASGI middleware: a content security policy, no requests from foreign sites, a login.

    Args:
        app: What is guarded.
        hosts: Names under which the server may be addressed, ports aside; empty means any. Other
            names are refused, so that a web page elsewhere cannot reach a local server by pointing
            its own name at this machine, nor post to it across origins.
        auth: ``user:password`` that a browser has to give, and whose password is the key that a
            program has to give; empty where everybody may come in. Only ``/healthz`` is open.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str] = (), auth: str = "") -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._keys = _keys(auth) if auth else ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it with status 403 or 401."""
        if scope["type"] == "websocket" and self._keys and not self._is_known(scope):
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        elif self._is_foreign(scope):
            await _refuse(send, 403, b"This server answers under its own name only.\n")
        elif not self._is_known(scope):
            await _refuse(send, 401, b"Please log in.\n", _CHALLENGE)
        else:
            await self._app(scope, receive, _with_headers(send))

    def _is_known(self, scope: Scope) -> bool:
        if not self._keys or scope.get("path") == HEALTH:
            return True
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        scheme, _, key = given.partition(b" ")
        said = scheme.lower() + b" " + key.strip()
        # In constant time, so that how long it takes tells nothing of the key.
        return any(secrets.compare_digest(said, known) for known in self._keys)

    def _is_foreign(self, scope: Scope) -> bool:
        if not self._hosts:
            return False
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        addressed = _hostname("//" + headers.get(b"host", ""))
        origin = headers.get(b"origin")
        return addressed not in self._hosts or (
            origin is not None and _hostname(origin) not in self._hosts
        )


def _hostname(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await send(message)

    return send_with_headers


def _keys(auth: str) -> tuple[bytes, bytes]:
    """What a browser and what a program send."""
    _, _, password = auth.partition(":")
    return b"basic " + base64.b64encode(auth.encode()), b"bearer " + password.encode()


async def _refuse(send: Send, status: int, body: bytes, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
