"""Talking to a Chroma server over HTTP; whatever goes wrong becomes one error with a hint.

Chroma's own client waits for ever, raises bare exceptions for what a proxy answers, and reads
settings of its own; an index needs a handful of requests, and makes them here.
"""

from __future__ import annotations

import json
import ssl
import weakref
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import httpx

from rag.errors import SettingsError, StoreUnavailable

_CONNECT_TIMEOUT_S = 5.0
_TIMEOUT_S = 30.0
# A proxy that the environment names for the outside cannot reach a server on this machine.
_DIRECT = {f"all://{host}": None for host in ("127.0.0.1", "localhost", "[::1]")}
_SPOKEN = "1."
"""How the version of the server's interface begins; the server of chromadb 1.5 says 1.0.0."""
_ADVICE = {
    401: "Set SYMPOSIA_CHROMA_TOKEN to what the server, or the proxy before it, asks for.",
    403: "Set SYMPOSIA_CHROMA_TOKEN to what the server, or the proxy before it, asks for.",
    413: "Let the proxy before the server take requests of 16 MB (nginx: client_max_body_size).",
    429: "It has too much to do; try again in a while.",
    502: "It may be starting, or be down behind its proxy; try again in a while.",
    503: "It may be starting, or have too much to do; try again in a while.",
    504: "It may be starting, or have too much to do; try again in a while.",
}


class NotOnServer(StoreUnavailable):
    """What was asked for is not there (any more)."""


class NameTaken(StoreUnavailable):
    """There is a collection of that name already."""


class Connection:
    """One Chroma server. Several threads may use it at once; one that is forgotten closes itself.

    Args:
        url: ``http://host:port``, with a path before ``/api/v2`` if a proxy wants one.
        token: Sent as ``Authorization: Bearer``; or a whole header as ``Name: value``.

    Raises:
        SettingsError: If either cannot be used.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        base = _base_url(url)
        self.address = str(base).rstrip("/")
        self._base = f"{base}api/v2"
        self._version: str | None = None
        timeout = httpx.Timeout(_TIMEOUT_S, connect=_CONNECT_TIMEOUT_S)
        self._client = httpx.Client(headers=_headers(token), timeout=timeout, mounts=_DIRECT)
        self.close = weakref.finalize(self, self._client.close)

    @property
    def version(self) -> str:
        """The version of the server's interface.

        Raises:
            StoreUnavailable: If it is not one that we speak, or there is no Chroma server.
        """
        return self._meet()

    @cached_property
    def max_batch_size(self) -> int:
        """How many records it takes in one request."""
        return int(self.ask("GET", "/pre-flight-checks")["max_batch_size"])

    def now_s(self) -> float:
        """The server's clock: seconds since 1970. Other machines' clocks may differ."""
        return float(self.ask("GET", "/heartbeat")["nanosecond heartbeat"]) / 1e9

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        params: Mapping[str, int] | None = None,
        timeout_s: float = _TIMEOUT_S,
    ) -> Any:
        """Send one request, the first time after a look at who is there.

        Args:
            method: ``GET``, ``POST``, ``PUT`` or ``DELETE``.
            path: After ``/api/v2``, quoted.
            body: Sent as JSON.
            params: Of the query.
            timeout_s: How long the server may be silent.

        Returns:
            What the JSON of the answer holds.

        Raises:
            NotOnServer: If there is no such thing.
            NameTaken: If a name is in use already.
            StoreUnavailable: If the server cannot be reached or does not do it.
        """
        self._meet()
        return self._send(method, path, body, params, timeout_s)

    def _meet(self) -> str:
        """Look at who is there, the first time."""
        if self._version is None:
            self._version = self._read_version()
        return self._version

    def _read_version(self) -> str:
        try:
            found = self._send("GET", "/version")
        except NotOnServer:
            found = None
        if not isinstance(found, str):
            raise self._fault(
                "is no Chroma server, or one before version 1.0",
                "Look at SYMPOSIA_CHROMA_URL, and use the server of chromadb 1.5.",
            )
        if not found.startswith(_SPOKEN):
            raise self._fault(
                f"speaks version {found}, and this Symposia needs {_SPOKEN}x",
                "Use the server of chromadb 1.5.",
            )
        return found

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        params: Mapping[str, int] | None = None,
        timeout_s: float = _TIMEOUT_S,
    ) -> Any:
        content = None if body is None else json.dumps(body).encode()
        timeout = httpx.Timeout(timeout_s, connect=_CONNECT_TIMEOUT_S)
        try:
            response = self._client.request(
                method,
                f"{self._base}{path}",
                content=content,
                params=params,
                headers={"Content-Type": "application/json"},
                timeout=timeout,
            )
        except httpx.HTTPError as error:
            raise self._unreachable(error, timeout_s) from error
        return self._content(response)

    def _content(self, response: httpx.Response) -> Any:
        try:
            content = response.json()
        except ValueError:
            content = None
        if response.is_success and content is not None:
            return content
        said = content.get("message") if isinstance(content, dict) else None
        if response.status_code == httpx.codes.NOT_FOUND and said:
            raise NotOnServer(f"The Chroma server {self.address} says: {said}", hint=_GONE)
        if response.status_code == httpx.codes.CONFLICT:
            raise NameTaken(f"The Chroma server {self.address} says: {said}", hint=_GONE)
        raise self._refused(response, str(said or ""))

    def _refused(self, response: httpx.Response, said: str) -> StoreUnavailable:
        status = response.status_code
        if response.is_success or status == httpx.codes.NOT_FOUND or response.is_redirect:
            where = response.headers.get("Location", "")
            answer = f"sends us to {where}" if where else "does not answer like a Chroma server"
            return self._fault(answer, "Look at SYMPOSIA_CHROMA_URL.")
        advice = _ADVICE.get(status, "Its log may say more.")
        if "disk is full" in said or "No space left" in said:
            advice = "Make room on the server, then run the command again."
        return self._fault(f"refused with status {status}{said and f' ({said[:300]})'}", advice)

    def _unreachable(self, error: httpx.HTTPError, timeout_s: float) -> StoreUnavailable:
        if isinstance(error, httpx.ConnectTimeout):
            return self._fault("cannot be reached", "Look at SYMPOSIA_CHROMA_URL and firewalls.")
        if isinstance(error, httpx.TimeoutException):
            advice = "It may have too much to do; try again in a while."
            return self._fault(f"was silent for {timeout_s:.0f} seconds", advice)
        if tls := _tls_fault(error):
            return self._fault(f"cannot be spoken to by TLS: {tls}", _TLS)
        advice = "See that it runs (`chroma run`), and look at SYMPOSIA_CHROMA_URL."
        return self._fault(f"cannot be reached: {error}", advice)

    def _fault(self, what: str, hint: str) -> StoreUnavailable:
        return StoreUnavailable(f"The Chroma server {self.address} {what}.", hint=hint)


_GONE = "The index may just have been written anew; try again."
_TLS = (
    "Use http:// if it has no certificate; if its certificate is one of your own authority, "
    "name that in the variable SSL_CERT_FILE."
)


def _base_url(url: str) -> httpx.URL:
    """The address up to ``/api/v2``, ending with a slash."""
    try:
        base = httpx.URL(url)
    except httpx.InvalidURL:
        base = httpx.URL("")
    if base.scheme not in {"http", "https"} or not base.host or base.query or base.fragment:
        raise SettingsError(
            "SYMPOSIA_CHROMA_URL is no address of a Chroma server.",
            hint="Write it as http://127.0.0.1:8000.",
        )
    if base.userinfo:
        raise SettingsError(
            "SYMPOSIA_CHROMA_URL holds a password, which would be seen in logs.",
            hint="Give it as a header: SYMPOSIA_CHROMA_TOKEN='Authorization: Basic ...'.",
        )
    return base.copy_with(path=base.path.rstrip("/").removesuffix("/api/v2") + "/")


def _headers(token: str | None) -> dict[str, str]:
    if not token:
        return {}
    if not (token.isascii() and token.isprintable()):
        raise SettingsError(
            "SYMPOSIA_CHROMA_TOKEN holds what cannot be sent.",
            hint="Give the token alone, or a header as `Name: value`, in plain characters.",
        )
    name, colon, value = token.partition(": ")
    return {name: value} if colon else {"Authorization": f"Bearer {token}"}


def _tls_fault(error: BaseException) -> str:
    """What the TLS library said, if it was that which failed."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLError):
            return str(getattr(seen, "verify_message", "") or seen.reason or seen)
        seen = seen.__cause__ or seen.__context__
    return ""
