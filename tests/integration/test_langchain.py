"""The assistant as a part of LangChain programs, with a language model behind a real server:
nothing that the gate has not passed leaves it, not even through callbacks and traces."""

import asyncio
import itertools
import threading
import time
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler, get_usage_metadata_callback
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable, RunnableLambda, RunnableParallel
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith import utils as langsmith_utils
from openai_server import says, stalls
from scripted_model import RecallScorer

from rag.answer import Answer
from rag.answering.grounding import SupportThresholds
from rag.answering.writer import Engine
from rag.assistant import Assistant
from rag.chat.providers import open_chat_model

QUESTION = "How many wells are in the Alberta dataset?"
PROVEN = ("The data set holds 213,000 wells in Alberta [1].", "Experts checked every label [1].")
FALSE = "The moon is made of cheese."
REPLY = f"{PROVEN[0]} {FALSE[:-1]} [1]. {PROVEN[1]}"


class Listener(BaseCallbackHandler):
    """Notes all that a chain tells about itself."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.started: list[tuple[str, list[str] | None]] = []
        self.models: list[object] = []
        self.outputs: list[object] = []

    def on_llm_new_token(self, token: str, **more: Any) -> None:
        self.tokens.append(token)

    def on_chat_model_start(self, serialized: Any, messages: Any, **more: Any) -> None:
        self.models.append(messages)

    def on_llm_end(self, response: Any, **more: Any) -> None:
        self.models.append(response)

    def on_chain_start(self, serialized: Any, inputs: Any, **more: Any) -> None:
        self.started.append((more["name"], more.get("tags")))

    def on_chain_end(self, outputs: Any, **more: Any) -> None:
        self.outputs.append(outputs)


@pytest.fixture
def assistant(openai_server, open_small, small_index, small_papers) -> Iterator[Assistant]:
    openai_server.play(says(REPLY))
    engine = Engine(
        open_chat_model("openai:played", api_key="sk-canary", base_url=openai_server.url),
        RecallScorer(list(small_papers.values())),
        SupportThresholds(passes=0.4, flags=0.2),
    )
    with open_small(small_index, engine=engine) as assistant:
        yield assistant


@pytest.fixture
def runnable(assistant: Assistant) -> Runnable[Any, Answer]:
    return assistant.as_runnable()


def texts(answer: Answer) -> list[str]:
    return [sentence.text for sentence in answer.sentences]


def check_whole(answer: Answer) -> None:
    assert (answer.status, answer.model) == ("answered", "openai:played")
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (11, 7)
    assert [item.text for item in answer.dropped] == [FALSE]
    assert len(answer.sentences) == 2
    for citation in answer.citations:
        assert citation.paper.abstract[citation.start : citation.end] == citation.quote


async def gathered(stream: AsyncIterator[Answer]) -> list[Answer]:
    return [answer async for answer in stream]


def test_every_way_to_call_it_gives_the_whole_answer(runnable, openai_server) -> None:
    check_whole(runnable.invoke(QUESTION))
    check_whole(asyncio.run(runnable.ainvoke(QUESTION)))
    for answer in runnable.batch([QUESTION] * 3, {"max_concurrency": 2}):
        check_whole(answer)
    for answer in asyncio.run(runnable.abatch([QUESTION] * 3)):
        check_whole(answer)
    assert len(openai_server.requests) == 8


def check_grows(answers: list[Answer]) -> None:
    assert [len(answer.sentences) for answer in answers] == [1, 2, 2]
    for shorter, longer in itertools.pairwise(answers):
        assert longer.text.startswith(shorter.text)
        assert longer.passages == shorter.passages
    assert all(answer.status == "answered" for answer in answers)
    assert all("cheese" not in answer.text for answer in answers)
    assert not any(answer.usage.counted_by or answer.model for answer in answers[:-1])
    check_whole(answers[-1])


def test_a_stream_is_the_answer_as_it_grows(runnable) -> None:
    check_grows(list(runnable.stream(QUESTION)))


async def test_an_asynchronous_stream_is_the_same(runnable) -> None:
    check_grows(await gathered(runnable.astream(QUESTION)))


def test_a_sentence_is_there_before_the_reply_ends(runnable, openai_server) -> None:
    openai_server.play(stalls([f"{PROVEN[0]} ", "Experts "]))
    answers = runnable.stream(QUESTION)
    assert len(next(answers).sentences) == 1
    answers.close()
    assert openai_server.wait_for_hangup()


async def test_leaving_an_asynchronous_stream_closes_the_connection(
    runnable, openai_server
) -> None:
    openai_server.play(stalls([f"{PROVEN[0]} ", "Experts "]))
    answers = runnable.astream(QUESTION)
    await anext(answers)
    await answers.aclose()
    assert await asyncio.to_thread(openai_server.wait_for_hangup, 5.0)


def test_in_a_chain_the_next_part_takes_the_last_answer(runnable) -> None:
    chain = RunnableLambda(str.strip) | runnable | RunnableLambda(texts)
    assert len(chain.invoke(f" {QUESTION} ")) == 2
    assert [len(found) for found in chain.stream(QUESTION)] == [2]
    assert [len(found) for found in chain.batch([QUESTION] * 3)] == [2, 2, 2]


def test_beside_other_parts_the_last_answer_counts(runnable) -> None:
    chain = RunnableParallel(answer=runnable, length=RunnableLambda(len)) | RunnableLambda(dict)
    for found in (chain.invoke(QUESTION), *chain.stream(QUESTION)):
        check_whole(found["answer"])
        assert found["length"] == len(QUESTION)


def test_history_may_be_messages(runnable, openai_server) -> None:
    openai_server.play(says("Who checked the labels of the wells in Alberta?"), says(REPLY))
    history: list[BaseMessage] = [HumanMessage(QUESTION), AIMessage("There are 213,000 [1].")]
    answer = runnable.invoke({"question": "And who checked them?", "history": history})
    assert answer.standalone_question == "Who checked the labels of the wells in Alberta?"
    condensing = openai_server.requests[0].body["messages"][-1]["content"]
    assert QUESTION in condensing
    assert "213,000 [1]" in condensing


def test_a_config_holds_for_the_run_of_the_assistant(runnable) -> None:
    listener = Listener()
    config = {"callbacks": [listener], "tags": ["mine"], "run_name": "ask papers"}
    answer = runnable.invoke(QUESTION, config)
    assert listener.started == [("ask papers", ["mine"])]
    assert listener.outputs == [answer]


def by_invoke(chain: Runnable[Any, Any], listener: Listener) -> None:
    chain.invoke(QUESTION, {"callbacks": [listener]})


def by_stream(chain: Runnable[Any, Any], listener: Listener) -> None:
    list(chain.stream(QUESTION, {"callbacks": [listener]}))


def by_batch(chain: Runnable[Any, Any], listener: Listener) -> None:
    chain.batch([QUESTION], {"callbacks": [listener]})


def by_ainvoke(chain: Runnable[Any, Any], listener: Listener) -> None:
    asyncio.run(chain.ainvoke(QUESTION, {"callbacks": [listener]}))


def by_astream(chain: Runnable[Any, Any], listener: Listener) -> None:
    asyncio.run(gathered(chain.astream(QUESTION, {"callbacks": [listener]})))


@pytest.mark.parametrize("run", [by_invoke, by_stream, by_batch, by_ainvoke, by_astream])
def test_callbacks_of_a_chain_do_not_hear_what_the_model_says(runnable, run) -> None:
    listener = Listener()
    run(RunnableLambda(str.strip) | runnable, listener)
    assert "symposia" in [name for name, _ in listener.started]
    assert (listener.tokens, listener.models) == ([], [])
    check_whole(listener.outputs[-1])


def test_nor_do_they_where_the_assistant_is_called_inside_a_function(assistant) -> None:
    listener = Listener()
    by_invoke(RunnableLambda(lambda question: assistant.ask(question)), listener)
    by_ainvoke(RunnableLambda(assistant.ask, afunc=assistant.aask), listener)
    assert (listener.tokens, listener.models) == ([], [])
    check_whole(listener.outputs[-1])


async def test_streamed_events_tell_of_answers_alone(runnable) -> None:
    events = [event async for event in runnable.astream_events(QUESTION, version="v2")]
    assert {event["event"] for event in events} == {
        "on_chain_start",
        "on_chain_stream",
        "on_chain_end",
    }
    check_grows([item["data"]["chunk"] for item in events if item["event"] == "on_chain_stream"])


def test_langchains_own_count_of_tokens_still_works(runnable) -> None:
    with get_usage_metadata_callback() as counted:
        runnable.invoke(QUESTION)
    assert [usage["input_tokens"] for usage in counted.usage_metadata.values()] == [11]


class Trap(BaseHTTPRequestHandler):
    """Takes whatever LangSmith's client sends."""

    paths: list[str]

    def do_GET(self) -> None:
        self.paths.append(self.path)
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    do_POST = do_PATCH = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the test's output clean."""


@pytest.fixture
def traced(monkeypatch) -> Iterator[list[str]]:
    """The paths that are called at LangSmith's address, which the test's server has."""

    def forget() -> None:
        langsmith_utils.get_env_var.cache_clear()
        langsmith_utils.get_tracer_project.cache_clear()

    for name in ("TRACING", "TRACING_V2", "API_KEY", "ENDPOINT", "PROJECT"):
        monkeypatch.delenv(f"LANGSMITH_{name}", raising=False)
        monkeypatch.delenv(f"LANGCHAIN_{name}", raising=False)
    trap = type("TrapOfATest", (Trap,), {"paths": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), trap) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        monkeypatch.setenv("LANGSMITH_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("LANGSMITH_API_KEY", "ls-canary")
        forget()
        yield trap.paths
        server.shutdown()
    monkeypatch.undo()
    forget()


def test_nothing_goes_to_langsmith_unasked(runnable, traced) -> None:
    check_whole(runnable.invoke(QUESTION))
    wait_for_all_tracers()
    time.sleep(0.3)
    assert traced == []


def test_who_turns_langsmith_on_has_it(runnable, traced, monkeypatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    langsmith_utils.get_env_var.cache_clear()
    check_whole(runnable.invoke(QUESTION))
    wait_for_all_tracers()
    assert any(path.startswith("/runs") for path in traced)
