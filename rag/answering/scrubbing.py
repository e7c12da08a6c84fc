"""Taking out of a model's reply what is never part of an answer, while it arrives.

What goes: hidden blocks (``<think>``, ``<script>``, comments) with all they hold, other HTML tags,
and characters that cannot be seen. What stays cannot open a tag in any browser.
"""

from __future__ import annotations

import re

from rag.text import clean

_MAX_TAG = 300
"""A ``<`` that is not closed within so many characters opens no tag."""
_TAG = re.compile(
    r"<!--|<(?P<address>[A-Za-z][A-Za-z0-9+.-]{1,20}:[^<>\s]{1,200})>"
    rf"|</?(?P<name>[A-Za-z][\w-]{{0,40}})(?P<rest>(?:\s|/)[^<>]{{0,{_MAX_TAG - 60}}})?>"
)
_HIDDEN = re.compile(
    r"think(?:ing)?|thought|reasoning|scratchpad|script|style|template", re.IGNORECASE
)
# Names that are taken for tags without an attribute or a slash; "<mask>" and "a<b and c>d" are not.
_PLAIN = re.compile(
    r"a|b|i|u|s|q|p|em|strong|small|mark|code|pre|kbd|tt|var|div|span|br|hr|ul|ol|li|dl|dt|dd|table"
    r"|thead|tbody|tr|td|th|h[1-6]|blockquote|section|article|font|center|cite|img|svg|iframe|object"
    r"|body|html|head|title|summary|details|answer|response|final|sources?|citation|ref|sub|sup",
    re.IGNORECASE,
)
_BREAKS = {
    "br": "\n",
    "li": "\n- ",
    **dict.fromkeys(("p", "div", "section", "article", "ul", "ol", "table", "blockquote"), "\n\n"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "\n\n# "),
}
_MAYBE_TAG = re.compile(r"<(?:[A-Za-z/!?][^<>]*)?\Z")
_OPENS_TAG = re.compile(r"<(?=[A-Za-z/!?]|\Z)")
# Zero-width characters, direction marks and the tag characters that can hide whole orders; the
# two joiners that Persian, Hindi and emoji need stay.
_UNSEEN = re.compile(
    "[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_WIDE_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f]")


def visible(text: str) -> str:
    """Text without the characters that a reader cannot see; unusual spaces become plain ones."""
    return _WIDE_SPACES.sub(" ", _UNSEEN.sub("", clean(text)))


def scrub(text: str) -> str:
    """A whole text without hidden blocks, tags and invisible characters."""
    scrubber = Scrubber()
    return scrubber.feed(text) + scrubber.finish()


class Scrubber:
    """Scrubs a text that comes in pieces, wherever they are cut."""

    def __init__(self) -> None:
        self._held = ""
        self._closing: re.Pattern[str] | None = None
        """What ends the hidden block that we are in."""
        self._last = ""
        """The two characters that were let through last."""
        self._is_raised = False

    def feed(self, piece: str) -> str:
        """What is settled now that this piece has come."""
        text = self._held + piece
        cut = _settled_length(text)
        self._held = text[cut:]
        return self._scrub(visible(text[:cut]))

    def finish(self) -> str:
        """What is left at the end."""
        text, self._held = self._held, ""
        return self._scrub(visible(text))

    def _scrub(self, text: str) -> str:
        shown: list[str] = []
        position = 0
        while position < len(text):
            if self._closing is not None:
                end = self._closing.search(text, position)
                if end is None:
                    break
                position, self._closing = end.end(), None
            match = _TAG.search(text, position)
            if match is None:
                shown.append(text[position:])
                break
            shown.append(text[position : match.start()])
            self._last = (self._last + shown[-1])[-2:]
            shown.append(self._replacement(match))
            position = match.end()
        result = _OPENS_TAG.sub("< ", "".join(shown))
        self._last = (self._last + result)[-2:]
        return result

    def _replacement(self, match: re.Match[str]) -> str:
        """What a tag leaves behind; the opening of a hidden block is noted."""
        if match["address"]:
            return match["address"]
        if match["name"] is None:
            self._closing = re.compile("--!?>")
            return ""
        name, rest = match["name"].lower(), match["rest"] or ""
        is_closing = match[0].startswith("</")
        if _HIDDEN.fullmatch(name):
            if not is_closing:
                self._closing = re.compile(rf"</{re.escape(name)}\s*>", re.IGNORECASE)
            return "" if name in ("script", "style", "template") else "\n\n"
        is_plain = _PLAIN.fullmatch(name) and not rest.strip(" \t\n/")
        if not (is_plain or is_closing or "=" in rest):
            return match[0]
        if name == "sup":
            return self._superscript(is_closing=is_closing)
        mark = _BREAKS.get(name, "")
        return mark.rstrip("- #") if is_closing else mark

    def _superscript(self, *, is_closing: bool) -> str:
        """Brackets, so that a raised number is read as a marker; a power keeps its ``^``."""
        if is_closing:
            mark, self._is_raised = "]" if self._is_raised else "", False
            return mark
        if self._last[-1:].isdigit() or (self._last[-1:].isalpha() and not self._last.isalpha()):
            return "^"
        self._is_raised = True
        return " ["


def _settled_length(text: str) -> int:
    """How much of it means the same whatever comes after."""
    length = len(text)
    if text[-1:] == "\r" or "\ud800" <= text[-1:] <= "\udbff":
        length -= 1
    tag = _MAYBE_TAG.search(text, max(0, length - _MAX_TAG), length)
    if tag:
        return tag.start()
    dashes = length - len(text[:length].rstrip("-"))
    return length - min(dashes, 2)
