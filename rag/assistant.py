"""The assistant: what a program talks to. What happens to a question is in ``rag.flow``."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from rag.answer import Answer, Event, Finished
from rag.answering.clock import Clock
from rag.answering.condense import History, as_turns
from rag.answering.suggesting import suggest
from rag.answering.writer import Engine, Writer
from rag.errors import QuestionError
from rag.factory import examples, make_embedder, make_engine, make_reader, open_library
from rag.flow import Flow, Task
from rag.indexing import corpora_in
from rag.library import Library
from rag.records import Filters, Hit, Paper
from rag.retrieval.filters import as_filters
from rag.settings import Settings
from rag.text import clean

if TYPE_CHECKING:
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable

    from rag.embeddings.base import Reader
    from rag.indexing import Progress

FilterValues = Filters | Mapping[str, Any] | None
"""``Filters``, or a mapping of its fields."""
Corpora = str | Sequence[str] | None
"""One corpus or several, each by its own text or parted by commas."""
_NEAR = 0.7
"""A share of the best paper's score: what is further away is no subject of a follow-up."""


class Assistant:
    """Answers questions from the abstracts of one corpus, or of several together.

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
        self._settings = settings
        self._engine = engine
        self._reader = reader

    @classmethod
    def open(
        cls,
        settings: Settings | None = None,
        *,
        corpus: Corpora = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Self:
        """Open the configured corpora, indexing them first if they are new or have changed.

        Args:
            settings: By default from the environment and ``.env``.
            corpus: Names or paths, in the place of those of the settings: ``["seeds", "mine"]`` or
                ``"seeds,mine"``. A paper that several have is shown once.
            progress: Told how far the indexing has come.

        Raises:
            SymposiaError: If the corpus cannot be read or indexed; the hint says what to do.
        """
        settings = settings or Settings()
        if corpus is not None:
            settings = settings.model_copy(update={"corpus": ", ".join(corpora_in(corpus))})
        library = open_library(settings, make_embedder(settings), progress)
        return cls(library, make_reader(settings), settings, engine=make_engine(settings))

    def ask(
        self,
        question: str,
        history: History = (),
        filters: FilterValues = None,
        *,
        corpus: Corpora = None,
        read_cues: bool = True,
    ) -> Answer:
        """Answer a question; see ``stream``."""
        for event in self.stream(question, history, filters, corpus=corpus, read_cues=read_cues):
            if isinstance(event, Finished):
                return event.answer
        raise AssertionError("a stream ends with Finished")

    async def aask(
        self,
        question: str,
        history: History = (),
        filters: FilterValues = None,
        *,
        corpus: Corpora = None,
        read_cues: bool = True,
    ) -> Answer:
        """Answer a question without blocking the event loop."""
        return await asyncio.to_thread(
            self.ask, question, history, filters, corpus=corpus, read_cues=read_cues
        )

    def stream(
        self,
        question: str,
        history: History = (),
        filters: FilterValues = None,
        *,
        corpus: Corpora = None,
        read_cues: bool = True,
    ) -> Generator[Event, None, None]:
        """Answer a question step by step.

        Args:
            question: In plain words; a follow-up may lean on the history.
            history: Earlier answers, oldest first, by which papers keep their numbers; or questions
                as strings, turns as ``Turn`` or role/content mappings with ``sources``.
            filters: Restricts which papers are looked at.
            corpus: Which of the open corpora are looked at; all by default.
            read_cues: Whether words of the question, such as "oral papers by Ann Lee", become
                filters beside those given; the answer says which did.

        Yields:
            ``Retrieved``, one ``SentenceReady`` for each proven sentence, ``Finished``; only the
            last for what is no question.
        """
        flow = self._flow(corpus)
        yield from flow.run(self._task(question, history, filters, read_cues))

    def _flow(self, corpus: Corpora) -> Flow:
        return Flow(self._chosen(corpus), self._reader, self._settings)

    def _chosen(self, corpus: Corpora) -> Library:
        return self._library.choose(corpora_in(corpus) if corpus is not None else ())

    def _task(
        self, question: str, history: History, filters: FilterValues, read_cues: bool
    ) -> Task:
        if not isinstance(question, str):
            raise QuestionError(
                f"A question is text, and this is {type(question).__name__}.",
                hint="Give it as a string.",
            )
        clock, timeout_s = Clock(), self._settings.answer_timeout_s
        writer = Writer(self._engine, clock, timeout_s=timeout_s) if self._engine else None
        return Task(
            clean(question), as_turns(history), as_filters(filters), clock, writer, read_cues
        )

    async def astream(
        self,
        question: str,
        history: History = (),
        filters: FilterValues = None,
        *,
        corpus: Corpora = None,
        read_cues: bool = True,
    ) -> AsyncGenerator[Event, None]:
        """Answer a question step by step without blocking the event loop; see ``stream``."""
        task = self._task(question, history, filters, read_cues)
        events = self._flow(corpus).run(task)
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

    def search(
        self, query: str, k: int = 10, filters: FilterValues = None, *, corpus: Corpora = None
    ) -> list[Hit]:
        """The papers nearest to a query, best first, one hit a paper; see ``stream``."""
        retriever = self._chosen(corpus).view().retriever
        result = retriever.search(clean(query), k=k, filters=as_filters(filters))
        return list(result.hits)

    def follow_ups(self, answer: Answer) -> tuple[str, ...]:
        """Up to three questions that may come next, made without a language model.

        The abstract of a paper that the answer cites, or nearly came to cite, answers each.
        """
        if answer.status == "not_in_corpus":
            return ()
        near = _NEAR * max((passage.score for passage in answer.passages), default=0.0)
        others = [item.paper for item in answer.unused_passages if item.score >= near]
        papers = list(dict.fromkeys([*answer.papers, *others]))
        asked = (answer.question, answer.standalone_question)
        return tuple(suggest(self._reader, papers, asked))

    def as_runnable(self) -> Runnable[str | dict[str, object], Answer]:
        """This assistant as a LangChain ``Runnable``.

        It takes a question, or a mapping with ``question`` and optionally ``history`` (also
        LangChain's messages), ``filters`` and ``read_cues``, and gives an ``Answer``. Streamed, it
        gives the answer as it grows. What a language model writes reaches callbacks only when proven.
        """
        from rag.runnables import as_runnable

        return as_runnable(self)

    def as_retriever(self, k: int = 10, filters: FilterValues = None) -> BaseRetriever:
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
        """What the papers are called together; of several corpora their names with commas."""
        return self._library.name

    @property
    def corpora(self) -> tuple[str, ...]:
        """The names of the corpora that are open."""
        return self._library.corpora

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


@functools.cache
def _default_assistant(corpora: tuple[str, ...]) -> Assistant:
    return Assistant.open(corpus=corpora or None)


_opening_default = threading.Lock()


def ask(
    question: str,
    history: History = (),
    filters: FilterValues = None,
    *,
    corpus: Corpora = None,
    read_cues: bool = True,
) -> Answer:
    """Answer a question with the default assistant, which is opened once a process.

    The corpus is the one of the settings, unless one or several are named here: the seed papers,
    unless ``SYMPOSIA_CORPUS`` names others. It is indexed on first use. See ``Assistant.stream``
    for the arguments.
    """
    with _opening_default:
        assistant = _default_assistant(corpora_in(corpus) if corpus is not None else ())
    return assistant.ask(question, history, filters, read_cues=read_cues)
