"""Composing one answer: what a writer drafts passes the gate, sentence by sentence."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from rag.answer import Answer
from rag.answering import extractive
from rag.answering.citations import Draft, Proven, prove
from rag.answering.clock import Clock
from rag.answering.generative import Drafts, Ending
from rag.answering.reading import ReadPaper
from rag.records import (
    Citation,
    DroppedSentence,
    Passage,
    Query,
    Sentence,
    SentenceReady,
    Status,
    Usage,
)

_QUOTED_INSTEAD = "so the abstracts are quoted instead."
_FELL_BACK = {
    "content_filter": f"The model declined to answer, {_QUOTED_INSTEAD}",
    "cut": f"The model\u2019s reply broke off before any of it could be proven, {_QUOTED_INSTEAD}",
}
_FELL_BACK_OTHERWISE = f"Nothing of the model\u2019s reply could be proven, {_QUOTED_INSTEAD}"
_CUT = {
    "length": "The model\u2019s reply was cut at its greatest length.",
    "cut": "The model\u2019s reply broke off; what is shown was proven before.",
    "content_filter": "The model\u2019s provider stopped its reply; what is shown was proven before.",
}


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
        self._model = "extractive"
        self._ending: Ending | None = None

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
            yield from self._show(draft)

    def write_with_model(
        self, drafts: Drafts, model: str, read: Sequence[ReadPaper], *, several: bool
    ) -> Iterator[SentenceReady]:
        """Let a language model write; where nothing of it is proven, quote the abstracts instead.

        Args:
            drafts: What ``generative.write`` gives; closed with this iterator.
            model: Its name, for the answer.
            read: The papers of the passages.
            several: Whether the question asks for more than one paper.
        """
        with contextlib.closing(drafts):
            for item in drafts:
                if isinstance(item, Ending):
                    self._ending = item
                elif isinstance(item, DroppedSentence):
                    self._dropped.append(item)
                else:
                    yield from self._show(item)
        if self._ending is None or self._ending.outcome == "nothing_proven":
            yield from self.write(read, several=several)
        else:
            self._model = model

    def _show(self, draft: Draft) -> Iterator[SentenceReady]:
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

    @property
    def status(self) -> Status:
        """``answered`` if anything passed, else ``not_stated``."""
        return "answered" if self._sentences else "not_stated"

    @property
    def notice(self) -> str:
        """What the reader should know of how a language model fared; empty if all went well."""
        if self._ending is None:
            return ""
        finish, gaps = self._ending.finish, self._ending.gaps
        if self._ending.outcome == "nothing_proven":
            return _FELL_BACK.get(finish, _FELL_BACK_OTHERWISE)
        return " ".join(part for part in (*gaps, _CUT.get(finish, "")) if part)

    @property
    def left_out(self) -> tuple[int, ...]:
        """Markers of the passages that a language model had no room for."""
        return self._ending.left_out if self._ending else ()

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
            usage=self._ending.usage if self._ending else Usage(),
            timings_ms=self._clock.timings_ms,
            model=self._model,
            index_fingerprint=self._fingerprint,
        )
