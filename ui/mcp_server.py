"""The papers as tools of the Model Context Protocol, for assistants that can use tools."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from rag.errors import ExtraMissing, SymposiaError
from rag.export import entry_in_words
from rag.records import Hit
from ui.desk import Chatter
from ui.wire import with_sources

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from rag.answer import Answer

_MOST_PAPERS = 50
_INSTRUCTIONS = (
    "Answers come from the abstracts of {n_papers:,} papers ({corpus}). Every sentence is proven by "
    "a verbatim quote; `status` is answered, not_stated (the paper is here, its abstract does not "
    "say it) or not_in_corpus."
)


class Source(Chatter, Protocol):
    """What the tools need of an assistant."""

    async def aask(
        self,
        question: str,
        history: Any = (),
        filters: Mapping[str, Any] | None = None,
        *,
        corpus: str | Sequence[str] | None = None,
    ) -> Answer:
        """Answer a question."""

    def search(
        self,
        query: str,
        k: int = 10,
        filters: Mapping[str, Any] | None = None,
        *,
        corpus: str | Sequence[str] | None = None,
    ) -> list[Hit]:
        """The papers nearest to a query."""


def build_mcp(assistant: Source) -> MCPServer[Any]:
    """A server with the tools ``ask`` and ``search_papers``.

    Raises:
        ExtraMissing: If the package ``mcp`` is not installed.
    """
    try:
        from mcp.server import MCPServer
        from mcp.types import ToolAnnotations
    except ImportError:
        raise ExtraMissing(
            "The tools of the Model Context Protocol need the package mcp.",
            hint="Install it with: pip install 'symposia[mcp]'",
        ) from None
    from rag import __version__

    told = _INSTRUCTIONS.format(n_papers=assistant.n_papers, corpus=assistant.corpus_name)
    server: MCPServer[Any] = MCPServer(
        "symposia", instructions=told, version=__version__, log_level="WARNING"
    )
    tools = _Tools(assistant)
    for tool in (tools.ask, tools.search_papers):
        server.add_tool(
            tool, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False)
        )
    return server


class _Tools:
    """What other programs may call; their signatures and docstrings are what these are told."""

    def __init__(self, assistant: Source) -> None:
        self._assistant = assistant

    async def ask(
        self,
        question: str,
        history: list[str] | None = None,
        filters: dict[str, Any] | None = None,
        corpus: list[str] | None = None,
    ) -> dict[str, Any]:
        """Answer a question from the papers' abstracts, each sentence proven by a verbatim quote.

        Args:
            question: In plain words, in any language.
            history: Earlier questions of the same conversation, oldest first.
            filters: Restricts the papers: authors, venues, years, presentation, track, keywords.
            corpus: Which of several corpora to look in; all by default.

        Returns:
            `text` with its sources; `status`; `sentences`, `citations` with quotes and offsets.
        """
        with _told():
            answer = await self._assistant.aask(question, history or (), filters, corpus=corpus)
        return answer.to_dict() | {"text": with_sources(answer)}

    async def search_papers(
        self,
        query: str,
        k: int = 10,
        filters: dict[str, Any] | None = None,
        corpus: list[str] | None = None,
    ) -> list[dict[str, Any]]:
        """List the papers nearest to a query, best first, with their abstracts.

        Args:
            query: Words, a title, a name.
            k: How many papers, at most 50.
            filters: Restricts the papers: authors, venues, years, presentation, track, keywords.
            corpus: Which of several corpora to look in; all by default.
        """
        count = min(max(k, 1), _MOST_PAPERS)
        with _told():
            hits = await asyncio.to_thread(
                self._assistant.search, query, count, filters, corpus=corpus
            )
        return [_listed(hit) for hit in hits]


@contextmanager
def _told() -> Iterator[None]:
    """Tells a deliberate error to the program that called, in words."""
    from mcp.server.mcpserver.exceptions import ToolError

    try:
        yield
    except SymposiaError as error:
        raise ToolError(str(error)) from None


def _listed(hit: Hit) -> dict[str, Any]:
    paper = hit.paper
    return {
        "rank": hit.rank,
        "score": hit.score,
        "paper_id": paper.paper_id,
        "title": paper.title,
        "authors": list(paper.authors),
        "venue": paper.venue,
        "year": paper.year,
        "url": paper.url,
        "corpus": paper.corpus,
        "copies": [entry_in_words(copy) for copy in paper.copies],
        "abstract": paper.abstract,
    }
