"""Finding the papers that earlier questions and answers deal with."""

from __future__ import annotations

import functools
from collections.abc import Callable

from rag.answering.history import Exchange
from rag.answering.naming import calls_by_name, names_in, sides
from rag.answering.question import wants_several
from rag.answering.sources import cited_texts
from rag.answering.wording import Thing
from rag.records import Paper

Resolve = Callable[[str], Paper | None]
"""Finds the paper that a text is about, if there is a clear one."""


class Finder:
    """Looks papers up, each text once.

    Args:
        resolve: What looks a text up.
    """

    def __init__(self, resolve: Resolve) -> None:
        self.resolve = functools.cache(resolve)

    def cited(self, exchange: Exchange) -> dict[int, Paper]:
        """Marker -> paper, for each that is clear from what the answer says of it."""
        found = {
            # A sentence such as "The code is public." says more after the question.
            marker: self.resolve(text) or self.resolve(f"{exchange.question} {text}")
            for marker, text in cited_texts(exchange.answer).items()
        }
        return {marker: paper for marker, paper in found.items() if paper}

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
