"""The server as programs meet it: a real port, OpenAI's own client, a login."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import openai
import pytest
import uvicorn

from rag.answer import Answer, Event, Finished
from rag.assistant import Assistant
from rag.errors import ProviderError, SymposiaError
from rag.records import Retrieved
from ui import server as served
from ui.server import build_app

ANSWERED = "How many wells are in the Alberta dataset?"
NOWHERE = "Qui a peint Guernica?"
NAMES = ("127.0.0.1",)


@contextmanager
def serving(assistant: Any, **options: Any) -> Iterator[str]:
    """The address of a server that runs while the block does."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running: list[uvicorn.Server] = []

    async def run() -> None:
        # Built inside the loop: elsewhere Gradio leaves one of its own unclosed.
        app = build_app(assistant, **{"names": NAMES, **options})
        running.append(
            uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", lifespan="on"))
        )
        await running[0].serve()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    deadline = time.monotonic() + 120
    while not (running and running[0].started):
        assert thread.is_alive()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        running[0].should_exit = True
        thread.join(60)


@pytest.fixture(scope="module")
def url(small_assistant: Assistant) -> Iterator[str]:
    with serving(small_assistant) as url:
        yield url


@contextmanager
def client_of(url: str, key: str = "none") -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0) as client:
        yield client


def ask(url: str, question: str = ANSWERED, **options: Any) -> Any:
    with client_of(url, options.pop("key", "none")) as client:
        messages = options.pop("messages", [{"role": "user", "content": question}])
        return client.chat.completions.create(model="symposia", messages=messages, **options)


def stream(url: str, question: str = ANSWERED, **options: Any) -> list[Any]:
    with client_of(url) as client:
        messages = [{"role": "user", "content": question}]
        reply = client.chat.completions.create(
            model="symposia", messages=messages, stream=True, **options
        )
        return list(reply)


def text_of(chunks: Sequence[Any]) -> str:
    return "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)


def test_health_and_models(url: str) -> None:
    assert httpx.get(f"{url}/healthz").json() == {"status": "ok", "papers": 6, "corpora": ["small"]}
    with client_of(url) as client:
        assert [model.id for model in client.models.list()] == ["symposia"]


def test_the_page_is_served_beside_them(url: str) -> None:
    page = httpx.get(f"{url}/")
    assert page.status_code == 200
    assert "Symposia" in page.text
    assert page.headers.get_list("content-security-policy") != []


def test_a_completion_is_the_assistants_answer(url: str, small_assistant: Assistant) -> None:
    reply = ask(url)
    answer = small_assistant.ask(ANSWERED)
    content = reply.choices[0].message.content
    assert content.startswith(answer.text)
    assert "Sources:" in content
    assert "[1] [Counting Wells from Orbit](https://papers.example/wells)" in content
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage.total_tokens == 0
    told = reply.model_extra["symposia"]
    assert told["status"] == "answered"
    for citation in told["citations"]:
        start, end = citation["start"], citation["end"]
        assert citation["paper"]["abstract"][start:end] == citation["quote"]


def test_a_refusal_cites_nothing(url: str) -> None:
    reply = ask(url, NOWHERE)
    assert reply.model_extra["symposia"]["status"] == "not_in_corpus"
    assert "Sources:" not in reply.choices[0].message.content


@pytest.mark.parametrize("question", [ANSWERED, NOWHERE, "hello!"])
def test_a_stream_adds_up_to_the_completion(url: str, question: str) -> None:
    chunks = stream(url, question, stream_options={"include_usage": True})
    assert text_of(chunks) == ask(url, question).choices[0].message.content
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert chunks[-1].usage.total_tokens == 0
    assert chunks[-2].model_extra["symposia"]["question"] == question
    assert len({c.id for c in chunks}) == 1


def test_usage_is_told_only_where_asked_for(url: str) -> None:
    assert all(chunk.usage is None for chunk in stream(url))


def test_earlier_messages_are_the_history(url: str) -> None:
    messages = [
        {"role": "system", "content": "You are a pirate."},
        {"role": "user", "content": "How many pruning methods does SparseBench compare?"},
        {"role": "assistant", "content": "14 pruning methods [1]."},
        {"role": "user", "content": [{"type": "text", "text": "Is its code public?"}]},
    ]
    told = ask(url, messages=messages).model_extra["symposia"]
    assert "SparseBench" in told["standalone_question"]
    assert "pirate" not in json.dumps(told)


def test_filters_may_be_given(url: str) -> None:
    told = ask(url, extra_body={"filters": {"authors": "Nobody"}}).model_extra["symposia"]
    assert told["status"] == "not_in_corpus"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"messages": []}',
        b'{"messages": [{"role": "king", "content": "x"}]}',
        b'{"messages": [{"role": "assistant", "content": "x"}]}',
        b'{"messages": [{"role": "user", "content": "x"}], "filters": {"colour": "red"}}',
        b"x" * 2_000_000,
    ],
)
def test_what_is_no_request_is_refused_in_openais_form(url: str, body: bytes) -> None:
    reply = httpx.post(f"{url}/v1/chat/completions", content=body)
    assert reply.status_code == 400
    assert reply.json()["error"]["type"] == "invalid_request_error"
    assert reply.json()["error"]["message"]


@pytest.mark.parametrize("content", [None, "", "  ", "\x00", "😀", "<script>alert(1)</script>"])
def test_odd_questions_get_an_answer(url: str, content: Any) -> None:
    assert ask(url, messages=[{"role": "user", "content": content}]).choices[0].message.content


def test_foreign_names_are_refused_on_every_route(url: str) -> None:
    for path in ("/", "/healthz", "/v1/models", "/config"):
        reply = httpx.get(url + path, headers={"host": "evil.example"})
        assert (path, reply.status_code) == (path, 403)


class Troubled:
    """Fails as the question says, at once or after its first event; can be left."""

    mode, n_papers, corpus_name, examples = "extractive", 1, "none", ()
    corpora = ("none",)

    def __init__(self) -> None:
        self.has_begun, self.was_left = threading.Event(), threading.Event()

    async def astream(self, question: str, *_: object, **__: object) -> AsyncIterator[Event]:
        if question == "provider":
            raise ProviderError("The model is away.", kind="unreachable")
        if question == "bug":
            raise RuntimeError("secret detail")
        yield Retrieved(None, ())  # type: ignore[arg-type]
        if question == "late":
            raise SymposiaError("The index went away.")
        if question == "late bug":
            raise RuntimeError("secret detail")
        if question == "wait":
            self.has_begun.set()
            try:
                await asyncio.sleep(60)
            finally:
                self.was_left.set()
        yield Finished(Answer(question, question, "not_in_corpus", notice="Nothing on this."))


@pytest.fixture(scope="module")
def troubled() -> Iterator[tuple[Troubled, str]]:
    assistant = Troubled()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(served, "CONCURRENT_ANSWERS", 1)
        patch.setattr(served, "WAITING_QUESTIONS", 0)
        with serving(assistant) as url:
            yield assistant, url


@pytest.mark.parametrize(
    ("question", "status", "said"),
    [("provider", 502, "The model is away."), ("bug", 500, "could not be made")],
)
@pytest.mark.parametrize("streams", [False, True])
def test_faults_have_their_status(
    troubled: tuple[Troubled, str], question: str, status: int, said: str, streams: bool
) -> None:
    with pytest.raises(openai.APIStatusError, match=said) as caught:
        stream(troubled[1], question) if streams else ask(troubled[1], question)
    assert caught.value.status_code == status
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("question", "said"), [("late", "The index went away."), ("late bug", "could not be made")]
)
def test_a_fault_in_mid_stream_is_told_in_the_stream(
    troubled: tuple[Troubled, str], question: str, said: str
) -> None:
    with pytest.raises(openai.APIError, match=said):
        stream(troubled[1], question)


def test_who_leaves_frees_the_place_and_who_comes_too_late_is_told_so(
    troubled: tuple[Troubled, str],
) -> None:
    assistant, url = troubled
    with client_of(url) as client:
        messages = [{"role": "user", "content": "wait"}]
        reply = client.chat.completions.create(model="symposia", messages=messages, stream=True)
        next(iter(reply))
        assert assistant.has_begun.wait(30)
        with pytest.raises(openai.RateLimitError, match="try again") as caught:
            ask(url, "hello")
        assert caught.value.response.headers["retry-after"]
        reply.close()
    assert assistant.was_left.wait(30)
    assert ask(url, "hello").choices[0].message.content == "Nothing on this."


def test_with_a_login_every_route_but_the_health_check_asks_for_it(
    small_assistant: Assistant,
) -> None:
    with serving(small_assistant, auth="ann:open sesame") as url:
        for path in ("/", "/config", "/v1/models", "/gradio_api/info", "/theme.css"):
            reply = httpx.get(url + path)
            assert (path, reply.status_code) == (path, 401)
            assert reply.headers["www-authenticate"].startswith("Basic")
            for wrong in (("ann", "wrong"), ("bo", "open sesame"), ("ann", "")):
                assert httpx.get(url + path, auth=wrong).status_code == 401
        assert httpx.get(f"{url}/healthz").status_code == 200
        assert httpx.get(f"{url}/", auth=("ann", "open sesame")).status_code == 200
        with pytest.raises(openai.AuthenticationError):
            ask(url, key="wrong")
        assert ask(url, key="open sesame").choices[0].finish_reason == "stop"
