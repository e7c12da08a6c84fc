"""The main flow: from a question to a proven answer."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from rag.answer import Answer, Event, Finished
from rag.answering import outcome
from rag.answering.clock import Clock
from rag.answering.composing import Composer
from rag.answering.condense import History, as_turns, clear_paper, condense
from rag.answering.evidence import select_passages
from rag.answering.question import is_small_talk, small_talk_reply, wants_several
from rag.answering.reading import ReadPaper, read_papers
from rag.answering.writer import Engine, Writer
from rag.factory import (
    Library,
    View,
    examples,
    make_embedder,
    make_engine,
    make_reader,
    open_library,
)
from rag.records import (
    Filters,
    Hit,
    Paper,
    Passage,
    Query,
    Retrieved,
    Turn,
)
from rag.retrieval.filters import describe
from rag.retrieval.hybrid import SearchResult
from rag.settings import Settings
from rag.text import clean

if TYPE_CHECKING:
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable

    from rag.embeddings.base import Reader
    from rag.indexing import Progress

N_READ = 6
"""How many of the papers found are read for one question."""


class Assistant:
    """Answers questions from the abstracts of one corpus.

    Args:
        library: The papers.
        reader: Reads questions and abstracts together.
        settings: Limits, and what the corpus is called.
        engine: The language model that writes; without one the abstracts are quoted.
    """

    def __init__(
        self,
        library: Library,
        reader: Reader,
        settings: Settings,
        *,
        engine: Engine | None = None,
    ) -> None:
        self._library = library
        self._reader = reader
        self._settings = settings
        self._engine = engine

    @classmethod
    def open(
        cls,
        settings: Settings | None = None,
        *,
        progress: Callable[[Progress], None] | None = None,
    ) -> Self:
        """Open the configured corpus, indexing it first if it is new or has changed.

        Args:
            settings: By default from the environment and ``.env``.
            progress: Told how far the indexing has come.

        Raises:
            SymposiaError: If the corpus cannot be read or indexed; the hint says what to do.
        """
        settings = settings or Settings()
        library = open_library(settings, make_embedder(settings), progress)
        return cls(library, make_reader(settings), settings, engine=make_engine(settings))

    def ask(self, question: str, history: History = (), filters: Filters | None = None) -> Answer:
        """Answer a question; see ``stream``."""
        for event in self.stream(question, history, filters):
            if isinstance(event, Finished):
                return event.answer
        raise AssertionError("a stream ends with Finished")

    async def aask(
        self, question: str, history: History = (), filters: Filters | None = None
    ) -> Answer:
        """Answer a question without blocking the event loop."""
        return await asyncio.to_thread(self.ask, question, history, filters)

    def stream(
        self, question: str, history: History = (), filters: Filters | None = None
    ) -> Generator[Event, None, None]:
        """Answer a question step by step.

        Args:
            question: In plain words; a follow-up may lean on the history.
            history: Earlier questions as strings, or turns as ``Turn`` or role/content mappings,
                oldest first.
            filters: Restricts which papers are looked at.

        Yields:
            ``Retrieved``, one ``SentenceReady`` for each proven sentence, ``Finished``; only the
            last for what is no question.
        """
        yield from self._stream(self._task(question, history, filters))

    def _task(self, question: str, history: History, filters: Filters | None) -> _Task:
        clock, timeout_s = Clock(), self._settings.answer_timeout_s
        writer = Writer(self._engine, clock, timeout_s=timeout_s) if self._engine else None
        return _Task(clean(question), as_turns(history), filters or Filters(), clock, writer)

    def _stream(self, task: _Task) -> Generator[Event, None, None]:
        if reply := self._reply_to_no_question(task.question):
            yield Finished(Answer(task.question, task.question, "not_in_corpus", notice=reply))
            return
        view, clock, writer = self._library.view(), task.clock, task.writer
        with clock.stage("condense"):
            query = self._condense(view, task)
        found = self._search(view, query, clock)
        with clock.stage("rerank"):
            read = read_papers(self._reader, query.standalone, found.hits)
            read.sort(key=outcome.relevance, reverse=True)
        passages = self._select(read)
        selected = {passage.paper.paper_id for passage in passages}
        read = [item for item in read if item.hit.paper.paper_id in selected]
        yield Retrieved(query, passages)
        several = wants_several(query.standalone)
        status = outcome.decide(read, several=several)
        composer = Composer(query, passages, clock, fingerprint=view.index.manifest.fingerprint)
        can_quote = status == "answered"
        if writer and status != "not_in_corpus":
            yield from composer.write_with_model(writer, quotes_otherwise=can_quote)
            status = composer.status
        if can_quote and composer.has_failed:
            yield from composer.write(read, several=several)
            status = composer.status
        where = describe(query.filters)
        refusal = outcome.refusal(status, read, found.n_candidates, self.corpus_name, where)
        yield Finished(composer.finish(status, refusal))

    async def astream(
        self, question: str, history: History = (), filters: Filters | None = None
    ) -> AsyncIterator[Event]:
        """Answer a question step by step without blocking the event loop; see ``stream``."""
        task = self._task(question, history, filters)
        events = self._stream(task)
        step: asyncio.Future[Event | None] | None = None
        try:
            while True:
                step = asyncio.ensure_future(asyncio.to_thread(next, events, None))
                event = await asyncio.shield(step)
                if event is None:
                    return
                yield event
        finally:
            # A step that is under way in its thread can only be awaited; a model that writes in
            # it can be stopped.
            if step is not None and not step.done():
                if task.writer:
                    task.writer.stop()
                await asyncio.wait([step])
            events.close()

    def _reply_to_no_question(self, question: str) -> str:
        limit = self._settings.max_question_chars
        if len(question) > limit:
            return f"This question has {len(question):,} characters; please ask it in {limit:,}."
        if is_small_talk(question):
            return small_talk_reply(self.n_papers, self.corpus_name, self.examples)
        return ""

    def _condense(self, view: View, task: _Task) -> Query:
        def resolve(text: str) -> Paper | None:
            return clear_paper(view.retriever.search(text, k=5, filters=task.filters).hits, text)

        written = ""
        if task.writer and task.turns:
            written = task.writer.condense(task.question, task.turns)
        standalone = written or condense(task.question, task.turns, resolve)
        return Query(task.question, standalone, task.filters)

    def _search(self, view: View, query: Query, clock: Clock) -> SearchResult:
        found = view.retriever.search(query.standalone, k=N_READ, filters=query.filters)
        clock.add(found.timings_ms)
        return found

    def _select(self, read: list[ReadPaper]) -> tuple[Passage, ...]:
        limit, budget = self._settings.max_passages, self._settings.token_budget
        return tuple(select_passages(read, limit=limit, token_budget=budget))

    def search(self, query: str, k: int = 10, filters: Filters | None = None) -> list[Hit]:
        """The papers nearest to a query, best first, one hit a paper."""
        result = self._library.view().retriever.search(
            clean(query), k=k, filters=filters or Filters()
        )
        return list(result.hits)

    def as_runnable(self) -> Runnable[str | dict[str, object], Answer]:
        """This assistant as a LangChain ``Runnable``.

        It takes a question, or a mapping with ``question`` and optionally ``history`` and
        ``filters``, and gives an ``Answer``.
        """
        from rag.runnables import as_runnable

        return as_runnable(self)

    def as_retriever(self, k: int = 10, filters: Filters | None = None) -> BaseRetriever:
        """This assistant's search as a LangChain retriever of documents with abstracts."""
        from rag.runnables import as_retriever

        return as_retriever(functools.partial(self.search, k=k, filters=filters))

    @property
    def mode(self) -> str:
        """What writes the answers: ``extractive``, or the name of a language model."""
        return self._engine.model.name if self._engine else "extractive"

    @property
    def papers(self) -> tuple[Paper, ...]:
        """All papers, in the order of the corpus."""
        return tuple(self._library.view().index.papers.values())

    @property
    def n_papers(self) -> int:
        """How many papers there are."""
        return len(self._library.view().index.papers)

    @property
    def corpus_name(self) -> str:
        """What the papers are called together."""
        return self._library.name

    @property
    def examples(self) -> tuple[str, ...]:
        """Questions to begin with."""
        return examples(self._settings)

    def close(self) -> None:
        """Let the index go."""
        self._library.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class _Task:
    """One question, and what is at hand to answer it."""

    question: str
    turns: Sequence[Turn]
    filters: Filters
    clock: Clock
    writer: Writer | None


@functools.cache
def _default_assistant() -> Assistant:
    return Assistant.open()


_opening_default = threading.Lock()


def ask(question: str, history: History = (), filters: Filters | None = None) -> Answer:
    """Answer a question with the default assistant, which is opened once a process.

    The corpus is the one of the settings: the seed papers, unless ``SYMPOSIA_CORPUS`` names
    another. It is indexed on first use. See ``Assistant.stream`` for the arguments.
    """
    with _opening_default:
        assistant = _default_assistant()
    return assistant.ask(question, history, filters)
