"""Composing one answer: what a writer drafts passes the gate, sentence by sentence."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence

from rag.answer import Answer
from rag.answering import extractive
from rag.answering.citations import Draft, Proven, prove
from rag.answering.clock import Clock
from rag.answering.generative import Ending
from rag.answering.lookup_proof import RecordDraft, prove_record
from rag.answering.reading import ReadPaper
from rag.answering.writer import Writer
from rag.errors import ProviderError
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
_QUOTED_AFTER_FAULT = " The abstracts are quoted instead."
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
        self._fault: ProviderError | None = None
        self._quotes_otherwise = True
        self._usage = Usage()

    @property
    def passages(self) -> tuple[Passage, ...]:
        """What may be cited."""
        return tuple(self._passages.values())

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
        self, writer: Writer, *, quotes_otherwise: bool
    ) -> Iterator[SentenceReady]:
        """Let a language model write.

        Args:
            writer: Asks the model.
            quotes_otherwise: Whether the abstracts are quoted where nothing of what it writes is
                proven; decides what the notice says.
        """
        self._quotes_otherwise = quotes_otherwise
        try:
            with contextlib.closing(writer.write(self._query, self.passages)) as drafts:
                for item in drafts:
                    if isinstance(item, Ending):
                        self._ending = item
                    elif isinstance(item, DroppedSentence):
                        self._dropped.append(item)
                    else:
                        yield from self._show(item)
        except ProviderError as error:
            self._fault = error
        self._usage = writer.usage.plus(self._ending.usage if self._ending else Usage())
        if not self.has_failed:
            self._model = writer.name

    @property
    def has_failed(self) -> bool:
        """Whether a model was to write and nothing of it could be used, not even a refusal."""
        return self._ending is None or self._ending.outcome == "nothing_proven"

    def tell(self, drafts: Iterable[RecordDraft]) -> Iterator[SentenceReady]:
        """Say what records say, each sentence with its proof."""
        for draft in drafts:
            with self._clock.stage("gate"):
                proven = prove_record(draft, self._passages)
            yield from self._keep(proven)

    def show(self, drafts: Iterable[Draft]) -> Iterator[SentenceReady]:
        """Show what was drafted elsewhere, each sentence with its proof."""
        for draft in drafts:
            yield from self._show(draft)

    def _show(self, draft: Draft) -> Iterator[SentenceReady]:
        with self._clock.stage("gate"):
            proven = prove(draft, self._passages)
        yield from self._keep(proven)

    def _keep(self, proven: Proven | DroppedSentence) -> Iterator[SentenceReady]:
        if isinstance(proven, Proven):
            self._sentences.append(proven.sentence)
            self._citations += proven.citations
            yield SentenceReady(proven.sentence, proven.citations)
        else:
            self._dropped.append(proven)

    @property
    def status(self) -> Status:
        """``answered`` if anything passed, else ``not_stated``."""
        return "answered" if self._sentences else "not_stated"

    def _notice(self) -> str:
        """What the reader should know of how a language model fared; empty if all went well."""
        if self._fault is not None:
            return f"{self._fault}{_QUOTED_AFTER_FAULT if self._quotes_otherwise else ''}"
        if self._ending is None:
            return ""
        finish, gaps = self._ending.finish, self._ending.gaps
        if self._ending.outcome == "nothing_proven":
            return _FELL_BACK.get(finish, _FELL_BACK_OTHERWISE) if self._quotes_otherwise else ""
        return " ".join(part for part in (*gaps, _CUT.get(finish, "")) if part)

    def finish(self, status: Status, refusal: str) -> Answer:
        """The answer, with all that was shown and all that was dropped.

        Args:
            status: The outcome.
            refusal: What is said where nothing is answered.
        """
        return Answer(
            question=self._query.question,
            standalone_question=self._query.standalone,
            status=status,
            sentences=tuple(self._sentences),
            citations=tuple(self._citations),
            passages=self.passages,
            dropped=tuple(self._dropped),
            notice=" ".join(part for part in (refusal, self._notice()) if part),
            usage=self._usage,
            left_out=self._ending.left_out if self._ending else (),
            timings_ms=self._clock.timings_ms,
            model=self._model,
            index_fingerprint=self._fingerprint,
            filters=self._query.filters,
            cues=self._query.cues,
        )
