"""What the browser and strangers may do with the page, enforced below Gradio."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


def is_loopback(host: str) -> bool:
    """True if only this machine can reach a server bound to ``host``."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """ASGI middleware: a content security policy, and no requests from foreign sites.

    Args:
        app: What is guarded.
        hosts: Names under which the server may be addressed, ports aside; empty means any. Other
            names are refused, so that a web page elsewhere cannot reach a local server by pointing
            its own name at this machine, nor post to it across origins.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str] = ()) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it with status 403."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif self._is_foreign(scope):
            await _refuse(send)
        else:
            await self._app(scope, receive, _with_headers(send))

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


async def _refuse(send: Send) -> None:
    body = b"This server answers under its own name only.\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
