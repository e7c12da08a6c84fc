"""Finding the papers that earlier questions and answers deal with."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from rag.answering.history import Exchange
from rag.answering.naming import calls_by_name, names_in, sides
from rag.answering.question import wants_several
from rag.answering.sources import cited_texts, named_title
from rag.answering.wording import Thing
from rag.records import Paper
from rag.text import normalise

Resolve = Callable[[str], Paper | None]
"""Finds the paper that a text is about, if there is a clear one."""


class Finder:
    """Looks papers up, each text once.

    Args:
        resolve: What looks a text up.
        papers: All papers by id, for answers whose sources are known.
    """

    def __init__(self, resolve: Resolve, papers: Mapping[str, Paper]) -> None:
        self.resolve = functools.cache(resolve)
        self._papers = papers

    def cited(self, exchange: Exchange) -> dict[int, Paper]:
        """Marker -> paper in the order of the answer.

        Each is the source of that number; where sources are not known, what is clear from what the
        answer says of it.
        """
        known = {
            marker: self._papers[paper_id]
            for marker, paper_id in exchange.sources
            if paper_id in self._papers
        }
        texts = cited_texts(exchange.answer)
        if not texts and (title := named_title(exchange.answer)):
            return self._refused(title, known)
        found = {
            # A sentence such as "The code is public." says more after the question.
            marker: known.get(marker)
            or self.resolve(text)
            or self.resolve(f"{exchange.question} {text}")
            for marker, text in texts.items()
        }
        return {marker: paper for marker, paper in found.items() if paper}

    def _refused(self, title: str, known: Mapping[int, Paper]) -> dict[int, Paper]:
        """The one paper that a refusal names, with the marker 1 where it is not known."""
        named = {m: p for m, p in known.items() if normalise(p.title) == normalise(title)}
        if not named and (paper := self.resolve(title)):
            named = {1: paper}
        return named

    def asked(self, question: str) -> tuple[Thing, ...]:
        """What a question that stands alone is about: one paper, or the sides of a comparison."""
        if compared := sides(question):
            return tuple(dict.fromkeys(self.resolve(side) or side for side in compared))
        if wants_several(question):
            return ()
        paper = self.resolve(question)
        return (paper,) if paper else tuple(self.named(question).values())

    def named(self, question: str) -> dict[str, Paper]:
        """Name -> paper, for each paper that a question calls by the name of its own work."""
        found = {name: self.resolve(name) for name in names_in(question)}
        return {
            name: paper for name, paper in found.items() if paper and calls_by_name(name, paper)
        }
