"""Takes out what a model thinks aloud before it answers."""

from __future__ import annotations

_OPEN = "<think>"
_CLOSE = "</think>"


class ThoughtFilter:
    """Drops ``<think>...</think>`` at the beginning of a reply, as the pieces come.

    Small servers send the thoughts of a reasoning model as if they were its answer. They are taken
    out here, before a reply counts as begun; what an answer hides later is the writer's to scrub.
    """

    def __init__(self) -> None:
        self._held = ""
        self._is_thinking = False
        self._is_answering = False

    def answer_in(self, piece: str) -> str:
        """What of a piece is answer; may hold some back until the next."""
        if self._is_answering:
            return piece
        self._held += piece
        if not self._is_thinking:
            start = self._held.lstrip()
            if len(start) < len(_OPEN) and _OPEN.startswith(start):
                return ""
            if not start.startswith(_OPEN):
                return self._release(self._held)
            self._is_thinking = True
        _, closed, answer = self._held.partition(_CLOSE)
        if closed:
            return self._release(answer)
        # Thoughts may be long; only what may be the beginning of their end is kept.
        self._held = self._held[-len(_CLOSE) :]
        return ""

    def _release(self, answer: str) -> str:
        self._held = ""
        self._is_answering = True
        return answer
