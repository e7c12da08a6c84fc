"""Whatever a server does, or what stands before it: one error of ours that says what to do."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from chroma_server import ChromaServer, free_port

from rag.errors import SettingsError, StoreUnavailable
from rag.store.served import connection as connection_module
from rag.store.served.connection import Connection, NameTaken, NotOnServer

Reply = Callable[[BaseHTTPRequestHandler], None]


def says(status: int, content: object = None, *, raw: bytes | None = None, **headers: str) -> Reply:
    body = json.dumps(content).encode() if raw is None else raw

    def reply(exchange: BaseHTTPRequestHandler) -> None:
        exchange.send_response(status)
        for name, value in headers.items():
            exchange.send_header(name, value)
        exchange.send_header("Content-Length", str(len(body)))
        exchange.end_headers()
        exchange.wfile.write(body)

    return reply


CHROMA = says(200, "1.0.0")


@contextmanager
def playing(version: Reply, rest: Reply = CHROMA) -> Iterator[str]:
    """A server that answers one way when asked for its version, another way to all else."""

    class Exchange(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            (version if self.path.endswith("/api/v2/version") else rest)(self)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Exchange) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def refused(url: str, token: str | None = None) -> StoreUnavailable:
    connection = Connection(url, token)
    with pytest.raises(StoreUnavailable) as caught:
        connection.ask("GET", "/heartbeat")
    assert caught.value.hint
    assert connection.address in caught.value.message
    return caught.value


def test_a_real_server_is_spoken_to(chroma_server: ChromaServer) -> None:
    connection = Connection(chroma_server.url)
    assert connection.version.startswith("1.")
    assert connection.max_batch_size > 1000
    assert abs(connection.now_s() - time.time()) < 60


def test_a_server_on_this_machine_is_reached_past_the_proxy_for_the_outside(
    chroma_server: ChromaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    assert Connection(chroma_server.url).now_s() > 0


@pytest.mark.parametrize("ending", ["", "/", "/api/v2", "/api/v2/"])
def test_the_address_may_end_in_any_usual_way(ending: str, chroma_server: ChromaServer) -> None:
    connection = Connection(chroma_server.url + ending)
    assert connection.now_s() > 0
    assert connection.address == chroma_server.url


@pytest.mark.parametrize(
    "url",
    ["", "localhost", "127.0.0.1:8000", "ftp://here", "http://", "http://[::", "http://h?q=1"],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="SYMPOSIA_CHROMA_URL") as caught:
        Connection(url)
    assert "http://127.0.0.1:8000" in caught.value.hint


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(SettingsError) as caught:
        Connection("http://me:canary@127.0.0.1:8000")
    assert "canary" not in str(caught.value)
    assert "SYMPOSIA_CHROMA_TOKEN" in caught.value.hint


def test_a_server_that_is_down() -> None:
    error = refused(f"http://127.0.0.1:{free_port()}")
    assert "cannot be reached" in error.message
    assert "chroma run" in error.hint


def test_a_name_that_nobody_has() -> None:
    assert "cannot be reached" in refused("http://no-such-host.invalid:8000").message


@pytest.mark.parametrize("version", ["0.6.3", "2.0.0"])
def test_a_server_of_another_version(version: str) -> None:
    with playing(says(200, version)) as url:
        error = refused(url)
    assert f"speaks version {version}" in error.message
    assert "chromadb 1.5" in error.hint


@pytest.mark.parametrize(
    "version",
    [
        says(404, {"detail": "Not Found", "message": "nothing here"}),
        says(404, raw=b"<h1>Not Found</h1>"),
        says(200, raw=b"<html>Welcome!</html>"),
        says(200, {"version": "1.0.0"}),
        says(200, raw=b'"1.0'),
    ],
)
def test_what_is_no_chroma_server(version: Reply) -> None:
    with playing(version) as url:
        error = refused(url)
    assert "Chroma server" in error.message
    assert "SYMPOSIA_CHROMA_URL" in error.hint


def test_a_redirect_is_named_and_not_followed() -> None:
    with playing(says(307, {}, Location="https://elsewhere/")) as url:
        assert "https://elsewhere/" in refused(url).message


def asks_for(header: str, value: str) -> Reply:
    def reply(exchange: BaseHTTPRequestHandler) -> None:
        (CHROMA if exchange.headers[header] == value else says(401, {"message": "no"}))(exchange)

    return reply


@pytest.mark.parametrize(
    ("header", "value", "token"),
    [
        ("Authorization", "Bearer canary", "canary"),
        ("X-Chroma-Token", "canary", "X-Chroma-Token: canary"),
        ("Authorization", "Basic bWU6Y2FuYXJ5", "Authorization: Basic bWU6Y2FuYXJ5"),
    ],
)
def test_the_token_is_sent_as_it_is_asked_for(header: str, value: str, token: str) -> None:
    with playing(asks_for(header, value)) as url:
        assert Connection(url, token).version == "1.0.0"


@pytest.mark.parametrize("token", [None, "canary"])
def test_a_wrong_token_is_said_to_be_and_not_repeated(token: str | None) -> None:
    with playing(asks_for("Authorization", "Bearer right")) as url:
        error = refused(url, token)
    assert "status 401" in error.message
    assert "SYMPOSIA_CHROMA_TOKEN" in error.hint
    assert "canary" not in str(error)


@pytest.mark.parametrize("token", ["two\nlines", "é"])
def test_a_token_that_cannot_be_sent_is_refused(token: str) -> None:
    with pytest.raises(SettingsError, match="SYMPOSIA_CHROMA_TOKEN"):
        Connection("http://127.0.0.1:8000", token)


def test_a_server_without_tls_that_is_spoken_to_by_tls(chroma_server: ChromaServer) -> None:
    error = refused(chroma_server.url.replace("http://", "https://"))
    assert "by TLS" in error.message
    assert "SSL_CERT_FILE" in error.hint


def test_a_server_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    monkeypatch.setattr(connection_module, "_TIMEOUT_S", 0.2)
    with playing(CHROMA, lambda _exchange: over.wait(30) and None) as url:
        connection = Connection(url)
        with pytest.raises(StoreUnavailable, match="was silent for 1 seconds") as caught:
            connection.ask("GET", "/heartbeat", timeout_s=1.0)
        over.set()
    assert "try again" in caught.value.hint


def test_a_server_that_hangs_up() -> None:
    def hang_up(exchange: BaseHTTPRequestHandler) -> None:
        exchange.close_connection = True

    with playing(CHROMA, hang_up) as url:
        assert "cannot be reached" in refused(url).message


@pytest.mark.parametrize(
    ("reply", "said", "hint"),
    [
        (says(413, raw=b"too large"), "status 413", "client_max_body_size"),
        (says(503, raw=b""), "status 503", "try again"),
        (says(500, {"message": "it broke"}), "it broke", "log"),
        (says(500, {"message": "database or disk is full"}), "disk is full", "Make room"),
        (says(400, {"message": "x" * 9000}), "xxx", "log"),
        (says(404, raw=b"gone"), "does not answer like", "SYMPOSIA_CHROMA_URL"),
    ],
)
def test_a_refusal_is_repeated_with_what_to_do(reply: Reply, said: str, hint: str) -> None:
    with playing(CHROMA, reply) as url:
        error = refused(url)
    assert said in error.message
    assert hint in error.hint
    assert len(error.message) < 600


def test_what_is_not_there_and_what_is_there_already_can_be_told_apart() -> None:
    with playing(CHROMA, says(404, {"message": "no"})) as url, pytest.raises(NotOnServer):
        Connection(url).ask("GET", "/x")
    with playing(CHROMA, says(409, {"message": "yes"})) as url, pytest.raises(NameTaken):
        Connection(url).ask("GET", "/x")


def test_a_certificate_that_cannot_be_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    import ssl

    def fail(*_: object, **__: object) -> None:
        cause = ssl.SSLCertVerificationError(1, "certificate verify failed")
        cause.verify_message = "self-signed certificate"
        raise httpx.ConnectError("failed") from cause

    monkeypatch.setattr(httpx.Client, "request", fail)
    assert "self-signed certificate" in refused("https://127.0.0.1:8000").message
