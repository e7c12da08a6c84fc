"""Composing one answer: what a writer drafts passes the gate, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag.answer import Answer
from rag.answering import extractive
from rag.answering.citations import Proven, prove
from rag.answering.clock import Clock
from rag.answering.reading import ReadPaper
from rag.records import (
    Citation,
    DroppedSentence,
    Passage,
    Query,
    Sentence,
    SentenceReady,
    Status,
)


class Composer:
    """Gathers one answer while it is written: each sentence passes the gate or is dropped."""

    def __init__(
        self, query: Query, passages: Sequence[Passage], clock: Clock, *, fingerprint: str
    ) -> None:
        self._query = query
        self._passages = {passage.marker: passage for passage in passages}
        self._clock = clock
        self._fingerprint = fingerprint
        self._sentences: list[Sentence] = []
        self._citations: list[Citation] = []
        self._dropped: list[DroppedSentence] = []

    def write(self, read: Sequence[ReadPaper], *, several: bool) -> Iterator[SentenceReady]:
        """Write sentence after sentence, each with its proof.

        Args:
            read: The papers of the passages.
            several: Whether the question asks for more than one paper.
        """
        by_paper = {item.hit.paper.paper_id: item for item in read}
        by_marker = {
            marker: by_paper[passage.paper.paper_id] for marker, passage in self._passages.items()
        }
        with self._clock.stage("write"):
            drafts = list(extractive.write(by_marker, several=several))
        for draft in drafts:
            with self._clock.stage("gate"):
                proven = prove(draft, self._passages)
            if isinstance(proven, Proven):
                self._sentences.append(proven.sentence)
                self._citations += proven.citations
                yield SentenceReady(proven.sentence, proven.citations)
            else:
                self._dropped.append(proven)

    @property
    def has_sentences(self) -> bool:
        """Whether anything passed; an answer of which nothing could be proven is none."""
        return bool(self._sentences)

    def finish(self, status: Status, notice: str) -> Answer:
        """The answer, with all that was shown and all that was dropped."""
        return Answer(
            question=self._query.question,
            standalone_question=self._query.standalone,
            status=status,
            sentences=tuple(self._sentences),
            citations=tuple(self._citations),
            passages=tuple(self._passages.values()),
            dropped=tuple(self._dropped),
            notice=notice,
            timings_ms=self._clock.timings_ms,
            index_fingerprint=self._fingerprint,
        )
