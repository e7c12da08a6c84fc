"""The chat as a server: its endpoints, its limits, and who may reach them."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from rag.answer import Answer, Event, Finished
from rag.errors import SettingsError, SymposiaError
from rag.records import Citation, Filters, Paper, Passage, Query, Retrieved, Sentence, SentenceReady
from ui import web
from ui.guard import LOOPBACK_NAMES

PAPER = Paper("wells", "Geospatial Wells", "Wells leak. Many wells are in Alberta.")
QUOTE = Citation(1, PAPER, "Many wells are in Alberta.", 12, 38)
PASSAGES = (Passage(1, PAPER, PAPER.abstract, 1.0),)


class Wells:
    """Quotes its one paper whatever is asked, unless it is told to fail."""

    mode, n_papers, corpus_name, corpora = "extractive", 1, "wells", ("wells",)
    examples = ("Where are the wells?",)

    def __init__(self) -> None:
        self.heard: list[tuple[str, list[Any]]] = []
        self.gathered = 0

    def follow_ups(self, answer: Answer) -> tuple[str, ...]:
        return ()

    async def astream(
        self,
        question: str,
        history: Sequence[Any] = (),
        filters: Filters | None = None,
        **_: object,
    ) -> AsyncIterator[Event]:
        self.heard.append((question, list(history)))
        if question == "fail":
            raise SymposiaError("The wells are dry.", hint="Dig deeper.")
        if question == "together":
            self.gathered += 1
            while self.gathered < 4:
                await asyncio.sleep(0.01)
        if question == "break":
            raise RuntimeError("secret detail")
        yield Retrieved(Query(question, question), PASSAGES)
        sentence = Sentence(f"“{QUOTE.quote}”", (1,), 1.0)
        yield SentenceReady(sentence, (QUOTE,))
        await asyncio.sleep(0)
        yield Finished(Answer(question, question, "answered", (sentence,), (QUOTE,), PASSAGES))


def inside_a_loop(make: Callable[[], Any]) -> Any:
    """What ``make`` returns; where no event loop runs, Gradio leaves some of its own unclosed."""

    async def run() -> Any:
        return make()

    return asyncio.run(run())


@pytest.fixture(scope="module")
def wells() -> Wells:
    return Wells()


@pytest.fixture(scope="module")
def client(wells: Wells) -> Iterator[TestClient]:
    kept: list[object] = []
    app = inside_a_loop(
        lambda: web.mount(FastAPI(), wells, names=LOOPBACK_NAMES, keep_feedback=kept.append)
    )
    with TestClient(app, base_url="http://127.0.0.1:7860") as client:
        yield client


def call_ask(client: TestClient, **arguments: object) -> tuple[str, Any]:
    """The name and the content of the last event of one call of ``ask``."""
    return last_event(client, begin_ask(client, **arguments))


def begin_ask(client: TestClient, **arguments: object) -> str:
    response = client.post(
        "/gradio_api/call/v2/ask",
        content=json.dumps(arguments),
        headers={"content-type": "application/json"},
    )
    assert response.status_code == 200, response.text
    return str(response.json()["event_id"])


def last_event(client: TestClient, event_id: str) -> tuple[str, Any]:
    stream = client.get(f"/gradio_api/call/v2/ask/{event_id}").text
    name, content = stream.strip().split("\n\n")[-1].split("\n")
    return name.removeprefix("event: "), json.loads(content.removeprefix("data: "))


def test_ask_is_the_only_public_endpoint(client: TestClient) -> None:
    info = client.get("/gradio_api/info").json()
    assert list(info["named_endpoints"]) == ["/ask"]
    assert info["unnamed_endpoints"] == {}
    config = client.get("/config").json()
    visible = [fn["api_name"] for fn in config["dependencies"] if fn["api_visibility"] != "private"]
    assert visible == ["ask"]


def test_ask_returns_the_answer_of_the_engine(client: TestClient, wells: Wells) -> None:
    name, (answer,) = call_ask(client, question="Where?", history=["What are wells?"])
    assert name == "complete"
    assert answer["status"] == "answered"
    assert answer["text"] == "“Many wells are in Alberta.” [1]"
    assert answer["citations"][0]["quote"] == QUOTE.quote
    assert answer["papers"] == ["wells"]
    assert wells.heard[-1] == ("Where?", ["What are wells?"])


def test_ask_needs_no_history(client: TestClient, wells: Wells) -> None:
    assert call_ask(client, question="Where?")[0] == "complete"
    assert wells.heard[-1] == ("Where?", [])


def test_nobody_queues_behind_one_slow_answer(client: TestClient) -> None:
    # None of the four is answered before all of them are being answered.
    events = [begin_ask(client, question="together") for _ in range(4)]
    assert [last_event(client, event)[0] for event in events] == ["complete"] * 4


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("fail", "The wells are dry. Dig deeper."),
        ("break", "could not be made"),
        ("x" * 100_001, "100,001 characters"),
    ],
)
def test_errors_are_told_without_their_insides(
    client: TestClient, question: str, message: str
) -> None:
    name, content = call_ask(client, question=question)
    assert name == "error"
    assert message in content["error"]
    assert "secret" not in json.dumps(content)
    assert "Traceback" not in json.dumps(content)


@pytest.mark.parametrize("question", ["\ud800 where", "", "\x00", "<script>alert(1)</script>"])
def test_odd_questions_are_answered(client: TestClient, question: str) -> None:
    assert call_ask(client, question=question)[0] == "complete"


@pytest.mark.parametrize(
    "arguments",
    [
        {"question": None},
        {"question": {"text": "x"}},
        {"question": 7},
        {"question": "x", "history": "no list"},
        {"question": "x", "history": [None, {}, "y"]},
    ],
)
def test_values_of_other_types_are_no_reason_to_fail(
    client: TestClient, arguments: dict[str, object]
) -> None:
    assert call_ask(client, **arguments)[0] == "complete"


def test_the_queue_cannot_be_passed_by(client: TestClient) -> None:
    assert client.post("/gradio_api/run/ask", json={"data": ["x"]}).status_code in (401, 403, 404)


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/file=/etc/passwd",
        "/gradio_api/file=pyproject.toml",
        "/gradio_api/file=../pyproject.toml",
        "/gradio_api/file=%2e%2e/pyproject.toml",
        "/gradio_api/file=http://169.254.169.254/",
        "/static/../../../../etc/passwd",
        "/assets/%2e%2e/%2e%2e/index.html",
    ],
)
def test_no_file_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (400, 403, 404)


def test_uploads_are_refused(client: TestClient) -> None:
    files = {"files": ("big.txt", b"x" * 4096)}
    assert client.post("/gradio_api/upload", files=files).status_code == 413


@pytest.mark.parametrize(
    "headers", [{"host": "evil.example"}, {"origin": "https://evil.example"}, {"origin": "null"}]
)
@pytest.mark.parametrize("path", ["/", "/config", "/gradio_api/info"])
def test_foreign_sites_are_refused(client: TestClient, path: str, headers: dict[str, str]) -> None:
    assert client.get(path, headers=headers).status_code == 403


def test_a_foreign_form_cannot_ask(client: TestClient, wells: Wells) -> None:
    before = len(wells.heard)
    response = client.post(
        "/gradio_api/call/ask",
        content='{"data": ["x"]}',
        headers={"content-type": "text/plain", "origin": "https://evil.example"},
    )
    assert response.status_code == 403
    assert len(wells.heard) == before


def test_pages_may_load_from_their_own_server_only(client: TestClient) -> None:
    assert "img-src 'self'" in client.get("/").headers["content-security-policy"]


def test_the_page_shares_nothing_and_records_nothing(client: TestClient) -> None:
    config = client.get("/config").json()
    assert config["title"] == "Symposia"
    assert config["analytics_enabled"] is False
    assert config["is_colab"] is False
    assert config["enable_queue"] is True


def test_the_page_has_its_own_icon(client: TestClient) -> None:
    assert client.get("/favicon.ico").text.startswith("<svg")


@pytest.fixture
def port_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine whose port is in use; the real thing leaves sockets of Gradio unclosed."""

    def launch(*_: object, **__: object) -> None:
        raise OSError("Cannot find empty port")

    monkeypatch.setattr("gradio.Blocks.launch", launch)


@pytest.mark.usefixtures("port_taken")
def test_a_taken_port_is_said_in_words(wells: Wells) -> None:
    with pytest.raises(SettingsError, match=r"127\.0\.0\.1:7999.*--port"):
        inside_a_loop(lambda: web.start(wells, port=7999))


@pytest.mark.usefixtures("port_taken")
@pytest.mark.parametrize("options", [{"host": "0.0.0.0"}, {"share": True}])  # noqa: S104
def test_an_open_address_is_warned_of(
    wells: Wells, options: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(SettingsError):
        inside_a_loop(lambda: web.start(wells, **options))
    assert "no login" in caplog.text
