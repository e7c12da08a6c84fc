"""One question and what the page knows of its answer so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rag.answer import Answer, Event, Finished
from rag.records import Passage, Query, Retrieved, SentenceReady

Stage = Literal["searching", "reading", "finished", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Grows with each streaming event; drawn anew after each by ``ui.view``."""

    turn: int
    """Its place in the conversation, from 1; part of every anchor it makes."""
    question: str
    stage: Stage = "searching"
    query: Query | None = None
    """What was looked for; known once the papers are."""
    passages: tuple[Passage, ...] = ()
    sentences: tuple[SentenceReady, ...] = ()
    answer: Answer | None = None
    """Known once finished."""
    problem: str = ""
    """For ``failed``: what happened and what to do, in words."""

    @property
    def sources(self) -> tuple[tuple[int, str], ...]:
        """Marker and paper id of each paper that was read."""
        return tuple((passage.marker, passage.paper.paper_id) for passage in self.passages)

    @property
    def is_open(self) -> bool:
        """True while more events are expected."""
        return self.stage in ("searching", "reading")

    def followed_by(self, event: Event) -> Exchange:
        """This exchange after one more event of its stream."""
        match event:
            case Retrieved():
                return replace(self, stage="reading", query=event.query, passages=event.passages)
            case SentenceReady():
                return replace(self, sentences=(*self.sentences, event))
            case Finished():
                answer = event.answer
                return replace(self, stage="finished", answer=answer, passages=answer.passages)

    def stopped(self) -> Exchange:
        """This exchange as the user left it; one that had ended stays as it is."""
        return replace(self, stage="stopped") if self.is_open else self

    def failed(self, problem: str) -> Exchange:
        """This exchange after an error; the sentences shown so far remain."""
        return replace(self, stage="failed", problem=problem)
