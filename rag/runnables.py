"""Symposia as parts of a LangChain program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda

from rag.records import Hit

if TYPE_CHECKING:
    from rag.answer import Answer
    from rag.assistant import Assistant


def as_runnable(assistant: Assistant) -> Runnable[str | dict[str, Any], Answer]:
    """Take a question, or a mapping of the arguments of ``ask``, and give an ``Answer``."""

    def ask(question: str | dict[str, Any]) -> Answer:
        return assistant.ask(**_arguments(question))

    async def aask(question: str | dict[str, Any]) -> Answer:
        return await assistant.aask(**_arguments(question))

    return RunnableLambda(ask, afunc=aask, name="symposia")


def as_retriever(search: Callable[[str], list[Hit]]) -> BaseRetriever:
    """Give one document a paper: its abstract, with the facts of the paper as metadata."""
    return _PaperRetriever(search=search)


class _PaperRetriever(BaseRetriever):
    search: Callable[[str], list[Hit]]

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - the base class asks for it
    ) -> list[Document]:
        return [_document(hit) for hit in self.search(query)]


def _document(hit: Hit) -> Document:
    paper = hit.paper
    metadata = {
        "paper_id": paper.paper_id,
        "title": paper.title,
        "authors": list(paper.authors),
        "venue": paper.venue,
        "year": paper.year,
        "url": paper.url,
        "score": hit.score,
        "rank": hit.rank,
    }
    return Document(id=paper.paper_id, page_content=paper.abstract, metadata=metadata)


def _arguments(question: str | dict[str, Any]) -> dict[str, Any]:
    return {"question": question} if isinstance(question, str) else dict(question)
