"""The main flow: from a question to a proven answer, one stage after the other."""

from __future__ import annotations

import functools
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from rag.answer import Answer, Event, Finished
from rag.answering import outcome
from rag.answering.census_answer import Survey, take_census
from rag.answering.census_topic import census_topic
from rag.answering.clock import Clock
from rag.answering.composing import Composer
from rag.answering.condense import clear_paper, condense
from rag.answering.evidence import select_passages
from rag.answering.lookup import Looked, look_up_paper, look_up_papers, no_paper_matches
from rag.answering.numbering import Numbering, with_listed_sources
from rag.answering.offers import accepted_offer
from rag.answering.question import is_small_talk, small_talk_reply, wants_several
from rag.answering.reading import ReadPaper, read_papers
from rag.answering.writer import Writer
from rag.chat.tally import Prices
from rag.embeddings.base import Reader
from rag.factory import examples
from rag.library import Library, View
from rag.records import Filters, Paper, Passage, Query, Retrieved, Turn
from rag.retrieval.cues import with_cues
from rag.retrieval.filters import matches
from rag.retrieval.hybrid import SearchResult
from rag.retrieval.twins import as_passing
from rag.settings import Settings


@dataclass(frozen=True, slots=True)
class Task:
    """One question, and what is at hand to answer it."""

    question: str
    turns: Sequence[Turn]
    filters: Filters
    clock: Clock
    writer: Writer | None
    read_cues: bool = True
    """Whether words of the question become filters."""


class Flow:
    """Answers one question after the other from the papers of one library, of one corpus or more.

    Args:
        library: The papers.
        reader: Reads questions and abstracts together.
        settings: Limits, and what the corpus is called.
    """

    def __init__(self, library: Library, reader: Reader, settings: Settings) -> None:
        self._library = library
        self._reader = reader
        self._settings = settings

    def run(self, task: Task) -> Generator[Event, None, None]:
        """Answer a question step by step; see ``Assistant.stream``."""
        with closing(self._steps(task)) as events:
            for event in events:
                yield _with_usage(event, task.writer)

    def _steps(self, task: Task) -> Generator[Event, None, None]:
        view = self._library.view()
        find = functools.cache(view.titles.titled)
        task = replace(task, turns=with_listed_sources(task.turns, find))
        if reply := self._reply_to_no_question(task, view):
            yield Finished(Answer(task.question, task.question, "not_in_corpus", notice=reply))
            return
        with task.clock.stage("condense"):
            query = self._condense(view, task)
        with task.clock.stage("records"):
            query, looked = self._look_up(view, query, read_cues=task.read_cues)
        if looked is None and (topic := census_topic(query.searched)):
            yield from self._count(view, query, topic, task)
        elif looked is None:
            yield from self._answer(view, query, task)
        elif isinstance(looked, Answer):
            yield Finished(looked)
        else:
            yield from self._tell(view, query, looked, task)

    def _look_up(
        self, view: View, query: Query, *, read_cues: bool
    ) -> tuple[Query, Looked | Answer | None]:
        """What the records say to a question, with its cues as filters; None if they say nothing."""
        papers, corpus = view.index.papers.values(), self._library.name
        among = functools.partial(matches, filters=query.filters)
        if about_one := look_up_paper(query.standalone, view.titles, among=among):
            return query, about_one
        if read_cues:
            query = with_cues(query, view.vocabulary)
        passing = view.retriever.passing(query.filters)
        matching = [
            as_passing(paper, query.filters)
            for paper in papers
            if passing is None or paper.paper_id in passing
        ]
        if not matching:
            return query, no_paper_matches(
                query, view.vocabulary.corrections(query.filters), corpus
            )
        return query, look_up_papers(query, matching, papers, corpus=corpus)

    def _tell(
        self, view: View, query: Query, looked: Looked, task: Task
    ) -> Generator[Event, None, None]:
        """Answer from what the records of papers say."""
        markers = Numbering.of(task.turns).number(paper.paper_id for paper in looked.papers)
        passages = tuple(
            Passage(marker, paper, paper.abstract, score=1.0)
            for marker, paper in zip(markers, looked.papers, strict=True)
        )
        yield Retrieved(query, passages)
        fingerprint = view.index.manifest.fingerprint
        composer = Composer(query, passages, task.clock, fingerprint=fingerprint)
        yield from composer.tell(looked.drafts)
        yield Finished(composer.finish(composer.status, looked.notice))

    def _count(
        self, view: View, query: Query, topic: str, task: Task
    ) -> Generator[Event, None, None]:
        """Answer which papers there are of a kind, from all that pass the filters."""
        n_read = self._settings.census_papers
        found = view.retriever.search(topic, k=n_read, filters=query.filters)
        task.clock.add(found.timings_ms)
        survey = Survey(
            query,
            topic,
            found.hits,
            found.n_candidates,
            self._library.name,
            Numbering.of(task.turns),
            view.index.manifest.fingerprint,
        )
        prices = Prices(self._settings.price_input, self._settings.price_output)
        taken = yield from take_census(survey, self._reader, task.clock, task.writer, prices)
        if not taken:
            yield from self._answer(view, query, task)

    def _answer(self, view: View, query: Query, task: Task) -> Generator[Event, None, None]:
        """Answer from what the abstracts say."""
        clock, writer = task.clock, task.writer
        found = self._search(view, query, clock)
        with clock.stage("rerank"):
            # As it was searched for: English, and spelt right.
            read = read_papers(self._reader, found.wording, found.hits)
            read.sort(key=outcome.relevance, reverse=True)
        passages = self._select(read, task.turns)
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
        where = str(query.filters)
        refusal = outcome.refusal(status, read, found.n_candidates, self._library.name, where)
        yield Finished(composer.finish(status, refusal))

    def _reply_to_no_question(self, task: Task, view: View) -> str:
        question, limit = task.question, self._settings.max_question_chars
        if len(question) > limit:
            return f"This question has {len(question):,} characters; please ask it in {limit:,}."
        if is_small_talk(question) and not accepted_offer(question, task.turns):
            n_papers = len(view.index.papers)
            return small_talk_reply(n_papers, self._library.in_words, examples(self._settings))
        return ""

    def _condense(self, view: View, task: Task) -> Query:
        def resolve(text: str) -> Paper | None:
            return clear_paper(view.retriever.search(text, k=5, filters=task.filters).hits, text)

        written = ""
        if task.writer and task.turns:
            written = task.writer.condense(task.question, task.turns)
        papers = view.index.papers
        standalone = written or condense(task.question, task.turns, resolve, papers)
        return Query(task.question, standalone, task.filters)

    def _search(self, view: View, query: Query, clock: Clock) -> SearchResult:
        n_read = self._settings.max_passages
        found = view.retriever.search(query.searched, k=n_read, filters=query.filters)
        clock.add(found.timings_ms)
        return found

    def _select(self, read: list[ReadPaper], turns: Sequence[Turn]) -> tuple[Passage, ...]:
        budget, numbering = self._settings.token_budget, Numbering.of(turns)
        return tuple(select_passages(read, token_budget=budget, numbering=numbering))


def _with_usage(event: Event, writer: Writer | None) -> Event:
    """Of a model that rewrote the follow-up and then was not asked for an answer, too."""
    if writer is None or not isinstance(event, Finished) or event.answer.usage.counted_by:
        return event
    return Finished(replace(event.answer, usage=writer.usage))
