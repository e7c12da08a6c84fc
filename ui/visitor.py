"""Which browser it is: a random token in a cookie, by which it finds its own conversations again."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "symposia"
_TOKEN = re.compile(r"[0-9a-f]{32}")
_YEAR_S = 365 * 86_400


def token_of(cookies: Mapping[str, str]) -> str:
    """The token among the cookies of a request; empty where there is none that was given here."""
    token = cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else ""


class Visitor:
    """ASGI middleware: gives every browser that opens a page a token, if it has none.

    No script can read it and no other site can send it; over https it goes over https alone.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] != "GET" or token_of(_cookies(scope)):
            await self._app(scope, receive, send)
            return

        async def send_with_token(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                if any(
                    name == b"content-type" and b"text/html" in value for name, value in headers
                ):
                    message = {**message, "headers": [*headers, _new_token(scope)]}
            await send(message)

        await self._app(scope, receive, send_with_token)


def _cookies(scope: Scope) -> Mapping[str, str]:
    found: SimpleCookie = SimpleCookie()
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                found.load(value.decode("latin-1"))
            except CookieError:
                continue
    return {name: morsel.value for name, morsel in found.items()}


def _new_token(scope: Scope) -> tuple[bytes, bytes]:
    # Lax, not Strict: a page that is opened by a link from elsewhere is to find its conversations.
    words = [f"{COOKIE}={secrets.token_hex(16)}", f"Max-Age={_YEAR_S}", "Path=/", "HttpOnly"]
    words += ["SameSite=Lax", *(["Secure"] if scope.get("scheme") == "https" else [])]
    return b"set-cookie", "; ".join(words).encode("ascii")
