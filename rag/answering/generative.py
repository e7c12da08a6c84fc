"""Answering with a language model: each sentence is proven as it completes, or it goes."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rag.answering.citations import Draft
from rag.answering.clock import Clock
from rag.answering.grounding import SupportThresholds
from rag.answering.prompts import answering_prompt, fit_passages
from rag.answering.proving import Prover
from rag.answering.scrubbing import Scrubber
from rag.answering.splitting import SentenceSplitter, Written
from rag.answering.support import SupportScorer
from rag.chat.base import ChatModel, Finish, Reply
from rag.records import DroppedSentence, Passage, Query, Usage
from rag.tokens import encoding_name_for

MAX_SENTENCES = 30
"""After so many, shown or dropped, the reply is closed."""
_MAX_CHARS = 500_000
"""Of a reply with all it hides; the visible part ends with ``MAX_SENTENCES`` long ones."""
_SLICE = 2000

Outcome = Literal["written", "not_stated", "nothing_proven"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How the writing of a model ended; comes last, once."""

    outcome: Outcome
    """``nothing_proven``: nothing survived, and the caller should answer by quotation."""
    finish: Finish
    """Why the reply ended; ``length`` also where it was closed for its length."""
    usage: Usage
    gaps: tuple[str, ...] = ()
    """Sentences that say, in the words of the question, what the abstracts do not state."""
    left_out: tuple[int, ...] = ()
    """Markers of the passages that the window of the model had no room for."""


Drafts = Generator[Draft | DroppedSentence | Ending, None, None]


def write(
    model: ChatModel,
    query: Query,
    passages: Sequence[Passage],
    scorer: SupportScorer,
    thresholds: SupportThresholds,
    clock: Clock,
    *,
    timeout_s: float,
) -> Drafts:
    """Let a model answer, and prove what it says sentence by sentence.

    Args:
        model: Writes; closed when this generator is.
        query: Its standalone question is asked.
        passages: What may be cited, most relevant first.
        scorer: Judges how well quotes support a sentence.
        thresholds: From which support on a sentence is shown.
        clock: Told how long the model (``write``) and the proofs (``gate``) take.
        timeout_s: Seconds for the whole reply.

    Yields:
        For each sentence a draft with exact quotes, or why it is not shown; at last an ``Ending``.

    Raises:
        ProviderError: If the model cannot be had; nothing has been yielded then.
    """
    encoding = encoding_name_for(model.name.rpartition(":")[2])
    fit = fit_passages(query, passages, window=model.window, encoding=encoding)
    left_out = tuple(passage.marker for passage in fit.left_out)
    if not fit.passages:
        yield Ending("nothing_proven", "", Usage(), left_out=left_out)
        return
    prompt = answering_prompt(query, fit.passages)
    by_marker = {passage.marker: passage for passage in fit.passages}
    prover = Prover(by_marker, scorer, thresholds, prompt=prompt, question=query.standalone)
    reply = model.stream(prompt.messages, timeout_s=timeout_s)
    sentences = _Sentences(reply, clock)
    try:
        for written in sentences:
            with clock.stage("gate"):
                judged = prover.judge(written)
            if judged is not None:
                yield judged
    finally:
        reply.close()
    finish: Finish = "length" if sentences.is_too_long else reply.finish
    outcome = _outcome(prover, finish)
    yield Ending(outcome, finish, reply.usage, tuple(prover.gaps), left_out)


def _outcome(prover: Prover, finish: Finish) -> Outcome:
    if prover.n_shown:
        return "written"
    is_refusal = prover.says_not_stated and not prover.n_judged and finish in ("stop", "")
    return "not_stated" if is_refusal else "nothing_proven"


class _Sentences:
    """The sentences of a reply, as many as are looked at."""

    def __init__(self, reply: Reply, clock: Clock) -> None:
        self._reply = reply
        self._clock = clock
        self.is_too_long = False

    def __iter__(self) -> Iterator[Written]:
        scrubber, splitter = Scrubber(), SentenceSplitter()
        n_sentences = 0
        for text in self._slices():
            for written in splitter.feed(scrubber.feed(text)):
                if n_sentences == MAX_SENTENCES:
                    self.is_too_long = True
                    return
                n_sentences += 1
                yield written
        if not self.is_too_long:
            yield from splitter.feed(scrubber.finish())
            yield from map(self._last, splitter.finish())

    def _slices(self) -> Iterator[str]:
        pieces = iter(self._reply)
        n_chars = 0
        while True:
            with self._clock.stage("write"):
                piece = next(pieces, None)
            if piece is None:
                return
            for start in range(0, len(piece), _SLICE):
                yield piece[start : start + _SLICE]
            n_chars += len(piece)
            if n_chars > _MAX_CHARS:
                self.is_too_long = True
                return

    def _last(self, written: Written) -> Written:
        """A model that ends by itself may leave out the last full stop."""
        is_fine = written.fault == "broken off" and self._reply.finish in ("stop", "")
        return replace(written, fault="") if is_fine else written
