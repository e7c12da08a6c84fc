"""Symposia as parts of a LangChain program."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda

from rag.answer import Answer, Event, Finished
from rag.records import Hit, Retrieved, Turn

if TYPE_CHECKING:
    from rag.assistant import Assistant


def as_runnable(assistant: Assistant) -> Runnable[str | dict[str, Any], Answer]:
    """Take a question, or a mapping of the arguments of ``ask``, and give an ``Answer``.

    A stream gives the answer as it grows: after each proven sentence an ``Answer`` of all proven
    sentences so far, at last the whole one. Parts that follow and wait for the end get the last.
    """

    def answer(question: str | dict[str, Any]) -> Iterator[Answer]:
        growing = _Growing()
        with closing(assistant.stream(**_arguments(question))) as events:
            for event in events:
                yield from growing.grown(event)

    async def aanswer(question: str | dict[str, Any]) -> AsyncIterator[Answer]:
        growing = _Growing()
        async with aclosing(assistant.astream(**_arguments(question))) as events:
            async for event in events:
                for grown in growing.grown(event):
                    yield grown

    return RunnableLambda(answer, afunc=aanswer, name="symposia").with_types(output_type=Answer)


def as_retriever(search: Callable[[str], list[Hit]]) -> BaseRetriever:
    """Give one document a paper: its abstract, with the facts of the paper as metadata."""
    return _PaperRetriever(search=search)


class _AnswerSoFar(Answer):
    """What is known at the end alone (model, usage, times, what was dropped) is empty till then."""

    def __add__(self, later: Answer) -> Answer:
        """LangChain adds up what is streamed; here all is in what came last."""
        return later


class _Growing:
    def __init__(self) -> None:
        self._answer = _AnswerSoFar("", "", "answered", model="")

    def grown(self, event: Event) -> Iterator[Answer]:
        """What there is to show after an event."""
        if isinstance(event, Finished):
            yield event.answer
        elif isinstance(event, Retrieved):
            query = event.query
            self._answer = replace(
                self._answer,
                question=query.question,
                standalone_question=query.standalone,
                passages=event.passages,
                filters=query.filters,
                cues=query.cues,
            )
        else:
            self._answer = replace(
                self._answer,
                sentences=(*self._answer.sentences, event.sentence),
                citations=(*self._answer.citations, *event.citations),
            )
            yield self._answer


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
    if isinstance(question, str):
        return {"question": question}
    history = question.get("history") or ()
    return {**question, "history": [_turn(item) for item in history]}


def _turn(item: str | Turn | Mapping[str, Any] | BaseMessage) -> str | Turn | Mapping[str, Any]:
    """LangChain's messages as Symposia knows them; all else as it is."""
    if not isinstance(item, BaseMessage):
        return item
    role = {"human": "user", "ai": "assistant"}.get(item.type, item.type)
    return {"role": role, "content": str(item.text)}
