"""Cues of a question that need no noun for papers beside them: ``what did Ann Lee write``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag.records import Cue
from rag.retrieval.names import NameReader
from rag.retrieval.phrases import NOUN, Phrases
from rag.retrieval.suffixes import OTHERS_YEAR, WRITES, Found, Suffixes

_ENDS = " \t\n?.!,"
_AUTHORS_VERB = re.compile(r"\s+(?!(?:and|or|et|in|on|of|at|to)\b)[a-z]+", re.IGNORECASE)
_OWNED = re.compile(
    rf"(?:['’]s|(?<=s)['’])\s+(?:(?:latest|recent|new|other|own)\s+)*(?P<what>(?:[\w-]+[\s-]+)?{NOUN}|orals?|spotlights?"
    r"|posters?|talks?)(?!\w)",
    re.IGNORECASE,
)
_LOOSELY_OWNED = re.compile(r"(?:stud|works?$)", re.IGNORECASE)
_AUXILIARY = re.compile(r"\b(?:do|does|did|has|have|had|could|would)\s+", re.IGNORECASE)
# Not "of" and "by": "the algorithm of Lee et al." is as often what a paper improves on.
_IN = re.compile(r"\b(?:in|according\s+to)\s+", re.IGNORECASE)
_FIRST = re.compile(r"^\s*(?=[A-Z])")
_WHO_IS = re.compile(r"(?:who|what)(?:['’]s|\s+is|\s+does|\s+did|\s+has)\s+", re.IGNORECASE)
_WORKS_ON = re.compile(
    r"\s+(?:work(?:ing|ed)?\s+on|known\s+for|do(?:ing)?|stud(?:y|ying|ied)|research(?:ing)?|done)(?:\s+here)?",
    re.IGNORECASE,
)
_OTHERS_OWN = re.compile(r"['’]s\b|['’](?=\s)")
_BY_SOMEBODY = re.compile(
    r"(?:\s*\b(?:is|are|was|were)\s+)?\b(?:(?P<made>(?:co-?)?(?:written|authored))\s+)?\bby\s+",
    re.IGNORECASE,
)
_AUTHOR_IS = re.compile(
    r"(?<!first )(?<!last )(?<!lead )(?<!senior )\b(?:(?:with|by|from|of)\s+)?(?:the\s+)?(?:co-?)?authors?\s*"
    r"(?:named\s+|called\s+|:\s*|=\s*)?(?<=[\s:=])",
    re.IGNORECASE,
)


class Mentions:
    """Reads such cues in one text.

    Args:
        text: The question.
        names: Reads names in it.
        phrases: The patterns made of the values that the papers have.
        suffixes: Reads its other cues.
    """

    def __init__(self, text: str, names: NameReader, phrases: Phrases, suffixes: Suffixes) -> None:
        self._text = text
        self._names = names
        self._phrases = phrases
        self._suffixes = suffixes

    def whole(self) -> Found | None:
        """A question that is an author's full name, or asks who that is."""
        start, end = len(self._text) - len(self._text.lstrip()), len(self._text.rstrip(_ENDS))
        lead = _WHO_IS.match(self._text, start)
        named = self._names.at(lead.end() if lead else start, any_case=True)
        if named is None or not named.is_full:
            return None
        tail = _WORKS_ON.match(self._text, named.end) if lead else None
        is_all = (tail.end() if tail else named.end) == end
        return Found(start, end, "papers", named.cues) if is_all else None

    def found(self) -> Iterator[Found]:
        """All of them; the surer one first where two overlap."""
        yield from self._owned()
        yield from self._subjects()
        yield from self._others()
        for by in _BY_SOMEBODY.finditer(self._text):
            named = self._names.at(by.end())
            if named is None or named.has_others:
                continue
            if named.is_full or (by["made"] and self._suffixes.ends_name(named)):
                yield Found(by.start(), named.end, "", named.cues)
        for author in _AUTHOR_IS.finditer(self._text):
            named = self._names.at(author.end())
            if named and (named.is_full or self._suffixes.ends_name(named)):
                yield Found(author.start(), named.end, "", named.cues)
        for keyword in re.finditer(r"\bkeywords?\b", self._text, re.IGNORECASE):
            if found := self._suffixes.tagged(keyword.start()):
                yield found
        end = len(self._text.rstrip(_ENDS))
        for place in re.finditer(r"(?:^|\s+)(?=(?:at|in)\s)", self._text, re.IGNORECASE):
            found = self._suffixes.at_venue(place.start()) if place[0] else self._first_words()
            if found and (found.start == 0 or found.end == end):
                yield found

    def _first_words(self) -> Found | None:
        """``At ICML 2025, ...``."""
        opening = re.match(
            rf"(?:at|in)\s+(?P<venue>{self._phrases.venue})(?!\w)", self._text, re.IGNORECASE
        )
        venues = self._phrases.venues_called(opening["venue"]) if opening else []
        cues = tuple(Cue("venues", venue, opening[0]) for venue in venues if opening)
        return Found(0, opening.end(), "", cues) if opening and cues else None

    def _owned(self) -> Iterator[Found]:
        """``Ann Lee's paper``."""
        for owned in _OWNED.finditer(self._text):
            named = self._names.before(owned.start())
            if named and (named.is_full or not _LOOSELY_OWNED.search(owned["what"])):
                start = owned.start("what")
                yield Found(named.start, start, "the ", named.cues)

    def _subjects(self) -> Iterator[Found]:
        """``did Ann Lee propose``; after a surname alone only ``did Lee write``."""
        for auxiliary in _AUXILIARY.finditer(self._text):
            named = self._names.at(auxiliary.end())
            if named is None or named.has_others:
                continue
            if writes := WRITES.match(self._text, named.end):
                yield Found(auxiliary.start(), writes.end(), "", named.cues)
            elif named.is_full and _AUTHORS_VERB.match(self._text, named.end):
                yield self._said(named.start, named.end, named.cues)

    def _others(self) -> Iterator[Found]:
        """``do Lee et al. find``, ``in Lee et al. (2025)``, ``in Lee et al.'s analysis``."""
        for pattern in (_AUXILIARY, _FIRST, _IN):
            for lead in pattern.finditer(self._text):
                named = self._names.at(lead.end())
                if named is None or not named.has_others or not self._suffixes.is_by_others(named):
                    continue
                year = OTHERS_YEAR.match(self._text, named.end)
                end = year.end() if year else named.end
                own = _OTHERS_OWN.match(self._text, end)
                yield self._said(named.start, own.end() if own else end, named.cues)

    def _said(self, start: int, end: int, cues: tuple[Cue, ...]) -> Found:
        """An author who stands for a paper, and stays in the topic to say which."""
        return Found(start, end, self._text[start:end], cues)
