"""The papers as tools of the Model Context Protocol, for assistants that can use tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from rag.errors import ExtraMissing, SymposiaError
from rag.records import Hit
from ui.desk import Chatter
from ui.wire import with_sources

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        self, question: str, history: Any = (), filters: Mapping[str, Any] | None = None
    ) -> Answer:
        """Answer a question."""

    def search(
        self, query: str, k: int = 10, filters: Mapping[str, Any] | None = None
    ) -> list[Hit]:
        """The papers nearest to a query."""


def build_mcp(assistant: Source) -> MCPServer[Any]:
    """A server with the tools ``ask`` and ``search_papers``.

    Raises:
        ExtraMissing: If the package ``mcp`` is not installed.
    """
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
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
    reads_only = ToolAnnotations(read_only_hint=True, open_world_hint=False)

    @server.tool(annotations=reads_only)
    async def ask(
        question: str, history: list[str] | None = None, filters: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Answer a question from the papers' abstracts, each sentence proven by a verbatim quote.

        Args:
            question: In plain words, in any language.
            history: Earlier questions of the same conversation, oldest first.
            filters: Restricts the papers: authors, venues, years, presentation, track, keywords.

        Returns:
            `text` with its sources; `status`; `sentences`, `citations` with quotes and offsets.
        """
        try:
            answer = await assistant.aask(question, history or (), filters)
        except SymposiaError as error:
            raise ToolError(str(error)) from None
        return answer.to_dict() | {"text": with_sources(answer)}

    @server.tool(annotations=reads_only)
    async def search_papers(
        query: str, k: int = 10, filters: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """List the papers nearest to a query, best first, with their abstracts.

        Args:
            query: Words, a title, a name.
            k: How many papers, at most 50.
            filters: Restricts the papers: authors, venues, years, presentation, track, keywords.
        """
        import asyncio

        try:
            hits = await asyncio.to_thread(
                assistant.search, query, min(max(k, 1), _MOST_PAPERS), filters
            )
        except SymposiaError as error:
            raise ToolError(str(error)) from None
        return [_listed(hit) for hit in hits]

    return server


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
        "abstract": paper.abstract,
    }
