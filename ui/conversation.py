"""What one browser session has asked so far, and how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rag.records import Turn
from ui import view
from ui.exchange import Exchange

_MAX_PAST = 30
"""Earlier exchanges that are kept, shown and told to the assistant."""


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier exchange, drawn once and for all."""

    exchange: Exchange
    question_html: str
    reply_html: str
    sources_html: str

    @property
    def question(self) -> str:
        """As it was asked."""
        return self.exchange.question

    @property
    def answer_text(self) -> str:
        """Empty if it was stopped or failed; then the assistant is not told of it."""
        return self.exchange.answer.text if self.exchange.answer else ""

    @property
    def sources(self) -> tuple[tuple[int, str], ...]:
        """Marker and paper id of each paper that it numbered."""
        return self.exchange.sources


@dataclass(frozen=True, slots=True)
class Conversation:
    """The state of one session; a new value after every change."""

    past: tuple[Past, ...] = ()
    latest: Exchange | None = None
    numbered: tuple[tuple[int, str], ...] = ()
    """Sources of exchanges that are forgotten: their numbers are not given to other papers."""
    owner: str = ""
    """The token of the browser whose conversation it is; empty where nothing is kept."""
    conversation_id: str = ""
    """Under which it is kept; empty until its first answer is."""
    revision: int = 0
    """How often it was kept: a page whose number is behind has been overtaken by another one."""
    trouble: str = ""
    """What of it could not be kept or read, in words for the page; empty where all is well."""

    def next_exchange(self, question: str) -> Exchange:
        """A new exchange that would follow the latest one."""
        return Exchange(turn=self.latest.turn + 1 if self.latest else 1, question=question)

    def with_exchange(self, exchange: Exchange) -> Conversation:
        """This conversation with ``exchange`` new, or gone on; the oldest ones are forgotten."""
        if self.latest is None or self.latest.turn == exchange.turn:
            return replace(self, latest=exchange)
        past = (*self.past, _archived(self.latest))
        gone = (source for forgotten in past[:-_MAX_PAST] for source in forgotten.sources)
        numbered = tuple(dict.fromkeys((*self.numbered, *gone)))
        return replace(self, past=past[-_MAX_PAST:], latest=exchange, numbered=numbered)

    def fresh(self) -> Conversation:
        """An empty conversation of the same browser."""
        return Conversation(owner=self.owner)

    def without_latest(self) -> Conversation:
        """This conversation before its latest question; its number of a turn is used again."""
        if not self.past:
            return replace(self, latest=None)
        return replace(self, past=self.past[:-1], latest=self.past[-1].exchange)

    def exchanges(self) -> list[Exchange]:
        """All that is remembered, oldest first."""
        latest = [self.latest] if self.latest else []
        return [*(past.exchange for past in self.past), *latest]

    def stopped(self) -> Conversation:
        """This conversation after the user stopped the answer that was coming."""
        return replace(self, latest=self.latest.stopped()) if self.latest else self

    def history(self) -> list[Turn]:
        """The answered exchanges before the latest one, and the sources of all."""
        turns = [Turn("assistant", "", self.numbered)] if self.numbered else []
        for past in self.past:
            if past.answer_text:
                turns.append(Turn("user", past.question))
            if past.answer_text or past.sources:
                turns.append(Turn("assistant", past.answer_text, past.sources))
        return turns

    def messages(self) -> list[dict[str, str]]:
        """The chat as the page shows it."""
        drawn = [(past.question_html, past.reply_html) for past in self.past]
        if self.latest is not None:
            drawn.append((view.question(self.latest.question), view.reply(self.latest)))
        return [
            {"role": role, "content": html}
            for asked, replied in drawn
            for role, html in (("user", asked), ("assistant", replied))
        ]

    def sources(self) -> str:
        """The sources panel as the page shows it."""
        sections = [past.sources_html for past in self.past]
        if self.latest is not None:
            sections.append(view.section(self.latest, is_open=True))
        return view.panel(sections)


def _archived(exchange: Exchange) -> Past:
    return Past(
        exchange=exchange,
        question_html=view.question(exchange.question),
        reply_html=view.reply(exchange),
        sources_html=view.section(exchange, is_open=False),
    )
