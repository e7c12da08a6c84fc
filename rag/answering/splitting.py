"""Splitting a model's reply into sentences while it arrives.

A sentence is given out as soon as nothing that follows can change it: when the next one has
begun and no marker can belong to it any more. Where the pieces of the reply are cut makes no
difference. Lines that are no sentences are left out: headings, rules, code, lists of references,
definitions of links.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from rag.answering.markers import CLEAR_MARK
from rag.text import split_sentences

MAX_SENTENCE = 1200
"""Characters; what finds no end within them is no sentence, and is cut."""
_WINDOW = MAX_SENTENCE + 400
_MAX_LINE = 400
_MAX_FORMULA = 400
# A word is complete at a space, or when it is so long that no more of it is looked at.
_WORD_AHEAD = re.compile(r"\s*(?:\S{40}|\S+\s)")
_OPEN_BRACKET = re.compile(r"\s*[\[(\u3010][^\])\u3011\n]{0,120}\Z")
_BULLET = re.compile(r"(?:[-*+\u2022\u2013]|\(?\d{1,2}[.)]|\([a-z]\))[ \t]+")
_QUOTE = re.compile(r">[> \t]*")
_BLOCK = rf"{_BULLET.pattern}|#{{1,6}}[ \t]|[>|]|```|~~~|\[\^?[^\]\n]{{1,40}}\]|[-*_=]{{3}}"
_LINE_END = re.compile(rf"(?<=:)\n|(?<=:\*\*)\n|\n(?=[ \t]*(?:\n|{_BLOCK}))")
_MARKS_BEHIND = re.compile(
    rf"(?:[ \t]*{CLEAR_MARK})+[.\u3002]?|\s*\n[ \t]*{CLEAR_MARK}+(?=[ \t]*(?:\n|\Z))"
)
_GOES_ON = re.compile(r"(?:'s)?[ \t]+[a-z]")
_GLUED = re.compile(rf"(?<=[.!?\u2026])(?={CLEAR_MARK})|(?<=[\])\u3011][.!?])(?=[A-Z])")
_FENCE = re.compile(r"(?:```|~~~)[ \t]*([\w+-]*)[^`\n]*(?:\n|\Z)")
_FENCE_END = re.compile(r"(?:\A|\n)[ \t]*(?:```|~~~)[^\n]*(?:\n|\Z)")
_PROSE = frozenset(("", "markdown", "md", "text", "txt", "plaintext"))
_BOLD_LINE = r"(?:\*\*|__)[^*_\n]{1,80}(?<![.!?\]])(?:\*\*|__):?[ \t]*"
_REFERENCES_LINE = (
    r"(?i:(?:#{1,6}[ \t]*)?(?:\*\*|__)?(?:references|sources(?: used| cited)?|bibliography"
    r"|citations|works cited)[ \t]*:?(?:\*\*|__)?:?[ \t]*)"
)
_REFERENCES = re.compile(rf"{_REFERENCES_LINE}(?:\n|\Z)")
_REFERENCE = re.compile(rf"{_BULLET.pattern}|{CLEAR_MARK}|https?:")
_NO_SENTENCE = (
    rf"(?:#{{1,6}}(?:[ \t][^\n]{{0,{_MAX_LINE}}})?|[-*_]{{3,}}[ \t]*|={{3}}[^\n]{{0,{_MAX_LINE}}}"
    rf"|\|[ \t:|-]+|\[\^?[^\]\n]{{1,40}}\]:[^\n]{{0,{_MAX_LINE}}}|{_BOLD_LINE}"
    rf"|(?:Title|Authors?|Year|Venue|Question|Keywords)[ \t]*:[^\n]{{0,{_MAX_LINE}}})"
)
_DROPPED_LINE = re.compile(rf"{_NO_SENTENCE}(?:\n|\Z)")
# What may still become one of these lines when more of it has come.
_UNDECIDED_LINE = re.compile(
    rf"(?:{_NO_SENTENCE}|{_REFERENCES_LINE}|(?:\*\*|__)[^*_\n]{{0,80}}[*_]?"
    rf"|(?:```|~~~)[^`\n]{{0,{_MAX_LINE}}})\Z"
)
_STOPPED = re.compile(
    rf"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019)\]*_`$]*(?:\s*{CLEAR_MARK})*[.\u3002]?\s*\Z"
)
_DOLLARS = re.compile(r"(?<!\\)\$+")
_WORDS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,} [a-z]{2,}")


@dataclass(frozen=True, slots=True)
class Written:
    """One sentence as it was written, with its markers and its markup."""

    text: str
    starts_paragraph: bool
    fault: Literal["", "too long", "broken off"] = ""
    """``too long``: cut here, for it found no end. ``broken off``: the reply ended before it did."""


class SentenceSplitter:
    """Splits a reply that comes in pieces, scrubbed beforehand."""

    def __init__(self) -> None:
        self._buffer = ""
        self._n_newlines = 2
        """How many stand before the buffer; what comes first starts a paragraph."""
        self._is_item = False
        self._was_cut = False
        self._in_code = False
        self._in_references = False

    def feed(self, text: str) -> list[Written]:
        """The sentences that are complete now that this text has come."""
        self._buffer += text
        return self._take_all(is_last=False)

    def finish(self) -> list[Written]:
        """What is left at the end of the reply."""
        return self._take_all(is_last=True)

    def _take_all(self, *, is_last: bool) -> list[Written]:
        found: list[Written] = []
        while self._advance(found, is_last=is_last):
            pass
        return found

    def _advance(self, found: list[Written], *, is_last: bool) -> bool:
        """Take one sentence or line off the buffer; False if more text is needed for that."""
        if self._in_code:
            return self._skip_code(is_last=is_last)
        stripped = self._buffer.lstrip()
        self._n_newlines += self._buffer.count("\n", 0, len(self._buffer) - len(stripped))
        self._buffer = stripped
        if not self._buffer:
            return False
        if self._n_newlines and (step := self._skip_line(is_last=is_last)) is not None:
            return step
        end = self._end(is_last=is_last)
        if end is None:
            return False
        found.append(self._take(end, is_last=is_last))
        return True

    def _skip_line(self, *, is_last: bool) -> bool | None:
        """Leave out what is no sentence at the start of a line; None if there is nothing such."""
        text = self._buffer
        if not is_last and (_OPEN_BRACKET.match(text) or not _WORD_AHEAD.match(text)):
            return False
        if self._in_references:
            if self._n_newlines < 2 or _REFERENCE.match(text):
                return self._drop_line(is_last=is_last)
            self._in_references = False
        if not is_last and _UNDECIDED_LINE.match(text):
            return False
        if _REFERENCES.match(text):
            self._in_references = True
            return self._drop_line(is_last=is_last)
        if dropped := _DROPPED_LINE.match(text):
            return self._drop(dropped.end(), n_newlines=2)
        if fence := _FENCE.match(text):
            self._in_code = fence[1].lower() not in _PROSE
            return self._drop(fence.end(), n_newlines=1)
        if sign := _BULLET.match(text) or _QUOTE.match(text):
            self._is_item |= sign[0][0] != ">"
            return self._drop(sign.end(), n_newlines=self._n_newlines)
        return None

    def _skip_code(self, *, is_last: bool) -> bool:
        fence = _FENCE_END.search(self._buffer)
        if fence is None or not (is_last or fence[0].endswith("\n")):
            self._buffer = self._buffer[max(0, self._buffer.rfind("\n")) :]
            return False
        self._in_code = False
        return self._drop(fence.end(), n_newlines=2)

    def _drop_line(self, *, is_last: bool) -> bool:
        end = self._buffer.find("\n")
        if end < 0 and not is_last:
            return False
        return self._drop(len(self._buffer) if end < 0 else end + 1, n_newlines=1)

    def _drop(self, length: int, *, n_newlines: int) -> bool:
        self._buffer = self._buffer[length:]
        self._n_newlines = n_newlines
        return True

    def _end(self, *, is_last: bool) -> int | None:
        """Where the first sentence of the buffer ends, markers included; None if that is open."""
        window = _GLUED.sub(" ", self._buffer[:_WINDOW])
        self._buffer = window + self._buffer[_WINDOW:]
        window = window[:_WINDOW]
        is_last = is_last and len(self._buffer) <= _WINDOW
        line = _LINE_END.search(window)
        spans = split_sentences(window[: line.start()] if line else window)
        if len(spans) > 1 or line or is_last:
            end = self._with_marks(window, spans[0].end)
            if is_last or _is_settled(window, end):
                return min(end, MAX_SENTENCE)
        return MAX_SENTENCE if len(self._buffer) >= _WINDOW else None

    @staticmethod
    def _with_marks(text: str, end: int) -> int:
        """The end of a sentence with the markers behind it, unless they begin the next one."""
        marks = _MARKS_BEHIND.match(text, end)
        return end if marks is None or _GOES_ON.match(text, marks.end()) else marks.end()

    def _take(self, end: int, *, is_last: bool) -> Written:
        text, rest = self._buffer[:end], self._buffer[end:]
        fault: Literal["", "too long", "broken off"] = ""
        if self._was_cut or end == MAX_SENTENCE:
            fault = "too long"
        elif is_last and not rest and not _STOPPED.search(text):
            fault = "broken off"
        written = Written(" ".join(text.split()), self._n_newlines > 1 or self._is_item, fault)
        # What follows a cut is the rest of the same sentence.
        self._was_cut = end == MAX_SENTENCE
        self._buffer, self._n_newlines, self._is_item = rest, 0, False
        return written


def _is_settled(text: str, end: int) -> bool:
    """Whether nothing that may come can move the end of this sentence."""
    if _OPEN_BRACKET.match(text, end) or not _WORD_AHEAD.match(text, end):
        return False
    opening: re.Match[str] | None = None
    for dollars in _DOLLARS.finditer(text, 0, end):
        is_formula = opening is not None and _may_be_formula(text[opening.end() : dollars.start()])
        opening = None if is_formula else dollars
    return opening is None or not _may_be_formula(text[opening.end() :])


def _may_be_formula(text: str) -> bool:
    """Whether text behind a dollar sign can stand in a formula, as ``split_sentences`` sees it."""
    return len(text) <= _MAX_FORMULA and _WORDS.search(text) is None
