"""How questions name papers of a kind: ``oral papers``, ``ICML 2025 spotlights``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rag.records import Cue
from rag.retrieval.vocabulary import Vocabulary
from rag.text import normalise

NOUN = (
    r"(?:papers?|works?|articles?|publications?|studies|study|preprints?|manuscripts?|submissions?"
    r"|anything|something|everything)"
)
YEAR = r"(?:19|20)\d\d(?!\w)"
_PRESENTATION_WORDS = ("oral", "spotlight", "poster", "highlight", "demo")
# As adjectives they say too little: "the main papers on this".
_NO_ADJECTIVES = frozenset({"main", "research", "general", "regular", "conference", "technical"})
# "Which posters deal with graphs?", not "posters are made from papers" or "spotlights a problem".
_BEFORE_ONE = re.compile(r"\b(?:an|any|which|one|the|no)\s+$", re.IGNORECASE)
_IS_IT = re.compile(r"\b(?:is|was|were|are|be|become|as)\b(?! there)[^,.;?]{0,80}$", re.IGNORECASE)
_BEFORE_BARE = re.compile(
    r"(?:^|[,.;:?!]\s*|\b(?:which|what|many|all|list|show|me|any|and|or|the|find|give|of|are|were|some|few|\d+|two|three|five|ten)\s+)$",
    re.IGNORECASE,
)
_AFTER_BARE = re.compile(
    r"(?:\s*(?:[?.!,]|$)|\s+(?:on|about|by|at|that|which|there|are there|deals?|dealing|concern|address"
    r"|cover|discuss|propose|introduce|study|studies|with|and|or)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun for papers, with the cues before it."""

    start: int
    end: int
    word: str
    """What the phrase is without its cues."""
    cues: tuple[Cue, ...]


class Phrases:
    """Patterns made of the values that the papers have.

    Args:
        vocabulary: Those values.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.presentations = _by_word(vocabulary.presentations, _PRESENTATION_WORDS)
        self.tracks = {_track_word(track): track for track in vocabulary.tracks}
        self.venues = _by_name(vocabulary.venues)
        self.years = vocabulary.years
        self.venue = _any(self.venues)
        self.track = _any(self.tracks)
        adjectives = [track for track in self.tracks if track not in _NO_ADJECTIVES]
        self.kind = _any([*self.presentations, *adjectives])
        self._presentation = _any(self.presentations)
        modifier = rf"(?:{self.kind}|(?:{self.track})[\s-]+track|{self.venue}|{YEAR})"
        joint = r"(?:[\s-]+|\s*[,/&]\s*|\s+(?:and|or)\s+)"
        talks = rf"(?:oral(?!s|\s+(?:presentation|talk|paper))|(?:{self._presentation})(?:\s+(?:presentations?|talks?|papers?)|s))"
        self._nouns = re.compile(
            rf"(?<![\w-])(?P<modifiers>(?:{modifier}{joint})*?)"
            rf"(?:(?P<talks>{talks}(?:{joint}{talks})*)|(?P<noun>{NOUN}))(?![\w-])",
            re.IGNORECASE,
        )
        self._modifiers = re.compile(modifier, re.IGNORECASE)

    def nouns(self, text: str) -> Iterator[NounPhrase]:
        """The places where a text speaks of papers."""
        for match in self._nouns.finditer(text):
            talks = match["talks"]
            if talks and not self._means_papers(text, match):
                continue
            word = match["noun"] or (
                "paper"
                if re.search(r"(?:presentation|talk|paper|oral)$", talks, re.I)
                else "papers"
            )
            # "2000 papers" is no year that a paper here has.
            kept = [
                m for m in self._modifiers.findall(match["modifiers"]) if self._is_other_year(m)
            ]
            word = " ".join([*kept, word])
            before = self._cues(match["modifiers"], match[0])
            cues = (*before, *(self._kinds(talks, match[0]) if talks else ()))
            yield NounPhrase(match.start(), match.end(), word, cues)

    def _means_papers(self, text: str, match: re.Match[str]) -> bool:
        if re.search(r"papers?$|\borals$", match["talks"], re.IGNORECASE):
            return True
        before, after = text[: match.start()], match.end()
        if match["talks"].lower() == "oral":
            # "An oral on this", not "the oral tradition" or "is it an oral".
            is_one = match["modifiers"] or (
                _BEFORE_ONE.search(before) and not _IS_IT.search(before)
            )
            return bool(is_one and _AFTER_BARE.match(text, after)) and "oral" in self.presentations
        return bool(_BEFORE_BARE.search(before) and _AFTER_BARE.match(text, after))

    def _is_other_year(self, modifier: str) -> bool:
        return re.fullmatch(YEAR, modifier) is not None and int(modifier) not in self.years

    def _cues(self, modifiers: str, text: str) -> Iterator[Cue]:
        for modifier in self._modifiers.findall(modifiers):
            plain = normalise(modifier)
            yield from self._kinds(plain, text)
            for venue in self.venues_called(modifier):
                yield Cue("venues", venue, text)
            if re.fullmatch(YEAR, plain) and int(plain) in self.years:
                yield Cue("years", plain, text)

    def _kinds(self, words: str, text: str) -> Iterator[Cue]:
        """The presentations and tracks among some words."""
        plain = normalise(words)
        for word, values in self.presentations.items():
            if re.search(rf"\b{re.escape(word)}s?\b", plain):
                yield from (Cue("presentation", value, text) for value in values)
        for word, track in self.tracks.items():
            if re.search(rf"\b{re.escape(word)}s?\b", plain):
                yield Cue("track", track, text)

    def kinds(self, words: str) -> tuple[Cue, ...]:
        """The presentations and tracks that some words name."""
        return tuple(self._kinds(words, words.strip()))

    def venues_called(self, name: str) -> list[str]:
        """The venues of a name, with its year or without."""
        plain = normalise(name)
        is_acronym = sum(map(str.isupper, self.venues.get(plain, ("",))[0])) > 1
        return self.venues.get(plain, []) if is_acronym or name[:1].isupper() else []


def _any(words: Iterable[str]) -> str:
    """A pattern for any of some words, the longest first; matches nothing where there are none."""
    escaped = [re.escape(word).replace(r"\ ", r"\s+") for word in words if word]
    return "(?:" + "|".join(sorted(escaped, key=len, reverse=True)) + ")" if escaped else r"(?!)"


def _by_word(values: Iterable[str], words: Iterable[str]) -> dict[str, list[str]]:
    """``oral`` -> the values that speak of orals; a value of one word is such a word itself."""
    known = tuple(words)
    groups: dict[str, list[str]] = {}
    for value in values:
        plain = normalise(value)
        own = [plain] if re.fullmatch(r"\w+", plain) else []
        for word in own or [word for word in known if re.search(rf"\b{word}\b", plain)]:
            groups.setdefault(word, []).append(value)
    return groups


def _by_name(venues: Iterable[str]) -> dict[str, list[str]]:
    """Normalised name, with its year and without -> venues."""
    groups: dict[str, list[str]] = {}
    for venue in venues:
        plain = normalise(venue)
        without_year = re.sub(rf"\s*\b{YEAR}", "", plain).strip()
        for name in dict.fromkeys((plain, without_year)):
            if name:
                groups.setdefault(name, []).append(venue)
    return groups


def _track_word(track: str) -> str:
    return re.sub(r"[\s-]+(?:papers?\s+)?(?:track|papers?)$", "", normalise(track))
