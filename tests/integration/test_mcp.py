"""The tools as a real client of the Model Context Protocol meets them."""

import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.server import MCPServer

from rag.assistant import Assistant
from rag.errors import SymposiaError
from rag.records import Paper
from ui.mcp_server import build_mcp

ANSWERED = "How many wells are in the Alberta dataset?"


@pytest.fixture
def server(small_assistant: Assistant) -> MCPServer[Any]:
    return build_mcp(small_assistant)


async def call(server: Any, tool: str, **arguments: Any) -> Any:
    async with Client(server, read_timeout_seconds=240) as client:
        result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    # A list has no place of its own in a structured result.
    return result.structured_content.get("result", result.structured_content)


async def test_there_are_two_tools_that_only_read(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        assert "6 papers" in client.instructions
    assert [tool.name for tool in tools] == ["ask", "search_papers"]
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert all(tool.description for tool in tools)


async def test_ask_gives_the_assistants_answer(
    server: MCPServer[Any], small_assistant: Assistant
) -> None:
    told = await call(server, "ask", question=ANSWERED)
    assert told["status"] == "answered"
    assert told["text"].startswith(small_assistant.ask(ANSWERED).text)
    for citation in told["citations"]:
        start, end = citation["start"], citation["end"]
        assert citation["paper"]["abstract"][start:end] == citation["quote"]


async def test_ask_knows_history_and_filters(server: MCPServer[Any]) -> None:
    history = ["How many pruning methods does SparseBench compare?"]
    told = await call(server, "ask", question="Is its code public?", history=history)
    assert "SparseBench" in told["standalone_question"]
    told = await call(server, "ask", question=ANSWERED, filters={"authors": ["Nobody"]})
    assert told["status"] == "not_in_corpus"


async def test_search_lists_papers_best_first(
    server: MCPServer[Any], small_assistant: Assistant
) -> None:
    papers = await call(server, "search_papers", query="wells", k=3)
    assert [paper["paper_id"] for paper in papers] == [
        hit.paper.paper_id for hit in small_assistant.search("wells", k=3)
    ]
    assert papers[0]["abstract"].startswith("Abandoned oil wells")
    assert len(await call(server, "search_papers", query="wells", k=-5)) == 1


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ask", {"question": "x", "filters": {"colour": "red"}}),
        ("search_papers", {"query": "x", "filters": {"years": "soon"}}),
        ("ask", {}),
        ("ask", {"question": 7}),
    ],
)
async def test_what_cannot_be_asked_is_an_error_in_words(
    server: MCPServer[Any], tool: str, arguments: dict[str, Any]
) -> None:
    async with Client(server) as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.content[0].text
    assert "Traceback" not in result.content[0].text


async def test_an_error_of_the_engine_says_what_to_do(small_assistant: Assistant) -> None:
    class Broken:
        mode, n_papers, corpus_name, examples = "extractive", 1, "none", ()

        async def aask(self, *_: object, **__: object) -> None:
            raise SymposiaError("The index went away.", hint="Build it again.")

    async with Client(build_mcp(Broken())) as client:  # type: ignore[arg-type]
        result = await client.call_tool("ask", {"question": "x"})
    assert result.is_error
    assert "Build it again." in result.content[0].text


async def test_the_command_speaks_over_standard_input_and_output(
    tmp_path: Path, small_papers: dict[str, Paper]
) -> None:
    papers = tmp_path / "papers.jsonl"
    lines = (json.dumps(dataclasses.asdict(paper)) for paper in small_papers.values())
    papers.write_text("\n".join(lines), encoding="utf-8")
    environment = {
        **os.environ,
        "SYMPOSIA_DATA_DIR": str(tmp_path / "data"),
        "SYMPOSIA_CORPUS": str(papers),
    }
    command = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from ui.cli import main; main(['mcp'])"],
        env=environment,
        cwd=tmp_path,
    )
    told = await call(command, "ask", question=ANSWERED)
    assert told["status"] == "answered"
    assert "213" in told["text"]
