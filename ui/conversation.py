"""What one browser session has asked so far, and how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui import view
from ui.exchange import Exchange

_MAX_PAST = 30
"""Earlier exchanges that are kept, shown and told to the assistant."""


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier exchange, drawn once and for all."""

    question: str
    answer_text: str
    """Empty if it was stopped or failed; then the assistant is not told of it."""
    question_html: str
    reply_html: str
    sources_html: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """The state of one session; a new value after every change."""

    past: tuple[Past, ...] = ()
    latest: Exchange | None = None

    def next_exchange(self, question: str) -> Exchange:
        """A new exchange that would follow the latest one."""
        return Exchange(turn=self.latest.turn + 1 if self.latest else 1, question=question)

    def with_exchange(self, exchange: Exchange) -> Conversation:
        """This conversation with ``exchange`` new, or gone on; the oldest ones are forgotten."""
        if self.latest is None or self.latest.turn == exchange.turn:
            return replace(self, latest=exchange)
        return Conversation((*self.past, _archived(self.latest))[-_MAX_PAST:], exchange)

    def stopped(self) -> Conversation:
        """This conversation after the user stopped the answer that was coming."""
        return replace(self, latest=self.latest.stopped()) if self.latest else self

    def history(self) -> list[dict[str, str]]:
        """The answered exchanges before the latest one, as role/content messages."""
        told = [past for past in self.past if past.answer_text]
        return [
            {"role": role, "content": content}
            for past in told
            for role, content in (("user", past.question), ("assistant", past.answer_text))
        ]

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
        question=exchange.question,
        answer_text=exchange.answer.text if exchange.answer else "",
        question_html=view.question(exchange.question),
        reply_html=view.reply(exchange),
        sources_html=view.section(exchange, is_open=False),
    )
