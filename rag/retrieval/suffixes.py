"""What a question says of papers beside the noun: by whom, where, when, in which track."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rag.records import Cue
from rag.retrieval.names import Named, NameReader
from rag.retrieval.phrases import YEAR, Phrases
from rag.retrieval.vocabulary import Vocabulary
from rag.text import normalise

_SAYS_WHERE = (
    r"(?:(?:that|which)\s+)?(?:(?:are|were|was|is|got|have\s+been|has\s+been|appeared)\s+)?"
)
_MADE = (
    r"(?:(?:co-?)?(?:written|authored|published|presented|accepted|selected|chosen|submitted)\s+)?"
)
_BY = re.compile(
    rf"\s+{_SAYS_WHERE}{_MADE}by\s+(?:both\s+|either\s+)?(?:the\s+authors?\s+|authors?\s+)?",
    re.IGNORECASE,
)
_OF = re.compile(r"\s+(?:of|from)\s+", re.IGNORECASE)
_WITH = re.compile(r"\s+with\s+(?P<role>(?:the\s+)?(?:co-?)?authors?\s+)?", re.IGNORECASE)
_AS_AUTHOR = re.compile(r"\s+as\s+(?:an?\s+)?(?:co-?)?authors?\b", re.IGNORECASE)
_DID = re.compile(r"\s+(?:did|has|have|does|do)\s+", re.IGNORECASE)
WRITES = re.compile(
    r"(?:\s+(?:ever|already|together|both|also))*\s+(?:(?:co-?)?(?:write|written|author|authored)"
    r"|publish(?:ed)?|present(?:ed)?|have|submit(?:ted)?)\b(?:\s+(?:together|here))?",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r"\s+(?:has\s+|have\s+)?(?:(?:co-?)?(?:wrote|written|authored)|published)\b", re.IGNORECASE
)
# After a surname alone: so that "a study of Hill functions" names nobody.
_AFTER_SURNAME = re.compile(
    r"\s*(?:$|[?.!,;:)]|(?:on|about|at|in|from|that|which|and|or|is|are|does|do|did|for|regarding"
    r"|published|presented|with|there|here|use|uses|study|studies|deal|propose|introduce)\b)",
    re.IGNORECASE,
)
_TO_YEAR = rf"(?P<relation>from|in|of|since|after|before|until|between)\s+(?:the\s+year\s+)?(?P<year>{YEAR})(?:\s*(?:-|–|to|and|through)\s*(?P<last>{YEAR}))?"
_SURE_RELATIONS = frozenset({"since", "after", "before"})
_CONFERENCES = (
    "neurips|nips|icml|iclr|aistats|uai|colt|cvpr|iccv|eccv|acl|emnlp|naacl|eacl|aaai|ijcai|kdd"
    "|icra|corl|rss|miccai|interspeech|icassp|siggraph|www|sigir|jmlr|tmlr"
)
OTHERS_YEAR = re.compile(rf"\s*[,(]*\s*(?P<year>{YEAR})\s*\)?")
# What is set beside the work of others names them, and is not by them.
_BESIDE = re.compile(
    r"(?:extend|improv|buil[dt]|based|compar|outperform|than|follow|generali[sz]|beyond|unlike|against"
    r"|reproduc|variant|cit(?:e|ing)|inspired|relative|prior|previous|earlier|original|baseline"
    r"|vs|versus|over|contrast|similar)\w*(?:\W+\w+){0,4}\W*$",
    re.IGNORECASE,
)
_KEYWORD = re.compile(
    r"\s*(?:\b(?:with|having|under|tagged(?:\s+(?:with|as))?)\s+(?:the\s+)?)?\bkeywords?\s*[:=]?\s*[\"“'‘]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Found:
    """Cues at one place of a question: ``question[start:end]``."""

    start: int
    end: int
    instead: str
    """What stands there in the topic."""
    cues: tuple[Cue, ...]
    is_sure: bool = True
    """Whether it speaks of papers wherever in the question it stands."""


class Suffixes:
    """Reads the cues of one text that are no adjectives.

    Args:
        text: The question.
        vocabulary: Which values the papers have.
        phrases: The patterns made of them.
        names: Reads names in the text.
    """

    def __init__(
        self, text: str, vocabulary: Vocabulary, phrases: Phrases, names: NameReader
    ) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._phrases = phrases
        self._names = names
        where = rf"\s+{_SAYS_WHERE}{_MADE}"
        flags = re.IGNORECASE
        self._venue = re.compile(
            rf"{where}(?:at|in|from|of)\s+(?:the\s+)?(?P<venue>{phrases.venue})(?!\w)"
            r"(?:\s+(?:conference|proceedings))?",
            flags,
        )
        self._other_venue = re.compile(
            rf"{where}(?:at|in|from)\s+(?P<venue>(?:{_CONFERENCES})(?:\s+{YEAR})?)(?!\w)", flags
        )
        self._year = re.compile(rf"{where}{_TO_YEAR}(?!\w)", flags)
        self._track = re.compile(
            rf"{where}(?:in|of|from)\s+(?:the\s+)?(?:(?P<track>{phrases.track})[\s-]+track"
            rf"|track\s+[\"“'‘]?(?P<named>{phrases.track})[\"”'’]?)(?!\w)",
            flags,
        )
        kinds = rf"(?:an?\s+)?{phrases.kind}s?(?:\s+(?:presentations?|talks?|papers?))?"
        self._kind = re.compile(
            rf"\s+(?:(?:that|which)\s+)?(?:(?:are|were|was|is|got|have\s+been)\s+{_MADE}(?:as\s+|for\s+)?"
            rf"|(?:presented|accepted|selected|chosen)\s+(?:as|for)\s+|as\s+)"
            rf"(?P<kinds>{kinds}(?:\s+(?:or|and)\s+{kinds})*)"
            r"(?=\s*(?:$|[?.!,;]|(?:on|about|by|at|in|from|and|or|that|which|here|there)\b))",
            flags,
        )

    def at(self, position: int, *, is_adjacent: bool) -> Found | None:
        """The cue that begins at a place, with the white space before it.

        Args:
            position: After a noun for papers, or after another cue.
            is_adjacent: Whether only such stand between the noun and this place.
        """
        return (
            self._by(position, is_adjacent=is_adjacent)
            or (self._author(position) if is_adjacent else None)
            or self._where(position, is_adjacent=is_adjacent)
            or self._when(position, is_adjacent=is_adjacent)
            or self._as_what(position)
            or self.tagged(position)
        )

    def _by(self, position: int, *, is_adjacent: bool) -> Found | None:
        by = _BY.match(self._text, position)
        if by is None:
            return None
        named = self._names.at(by.end(), any_case=is_adjacent, unknown=is_adjacent)
        if named is None or not self._is_credible(named):
            return None
        return Found(position, named.end, "", named.cues)

    def _author(self, position: int) -> Found | None:
        """``of``, ``with`` or ``did`` somebody ``write``."""
        text = self._text
        if did := _DID.match(text, position):
            named = self._names.at(did.end(), any_case=True)
            verb = WRITES.match(text, named.end) if named else None
            is_have = re.match(r"\s+ha", did[0], re.IGNORECASE) is not None
            if named and (verb or (is_have and named.is_full)):
                return Found(position, verb.end() if verb else named.end, "", named.cues)
            return None
        if of := _OF.match(text, position):
            named = self._names.at(of.end())
            if named and self._is_credible(named):
                return Found(position, named.end, "", named.cues)
        if beside := _WITH.match(text, position):
            named = self._names.at(beside.end())
            role = _AS_AUTHOR.match(text, named.end) if named else None
            if named and (named.is_full or beside["role"] or role):
                return Found(position, role.end() if role else named.end, "", named.cues)
        space = re.compile(r"\s+(?:(?:that|which)\s+)?").match(text, position)
        named = self._names.at(space.end()) if space else None
        wrote = _WROTE.match(text, named.end) if named else None
        return Found(position, wrote.end(), "", named.cues) if named and wrote else None

    def _where(self, position: int, *, is_adjacent: bool) -> Found | None:
        if at := self.at_venue(position):
            return at
        if is_adjacent and self._vocabulary.venues:
            found = self._other_venue.match(self._text, position)
            if found and any(map(str.isupper, found["venue"])):
                cue = Cue("venues", found["venue"], found[0].strip())
                return Found(position, found.end(), "", (cue,))
        if found := self._track.match(self._text, position):
            track = self._phrases.tracks[normalise(found["track"] or found["named"])]
            return Found(position, found.end(), "", (Cue("track", track, found[0].strip()),))
        return None

    def at_venue(self, position: int) -> Found | None:
        """``at ICML 2025``."""
        found = self._venue.match(self._text, position)
        venues = self._phrases.venues_called(found["venue"]) if found else []
        cues = tuple(Cue("venues", venue, found[0].strip()) for venue in venues if found)
        return Found(position, found.end(), "", cues) if found and cues else None

    def _when(self, position: int, *, is_adjacent: bool) -> Found | None:
        found = self._year.match(self._text, position)
        if found is None or not self._phrases.years:
            return None
        years = _years(found, self._phrases.years, is_adjacent=is_adjacent)
        cues = tuple(Cue("years", str(year), found[0].strip()) for year in years)
        is_sure = "published" in found[0].lower() or found["relation"].lower() in _SURE_RELATIONS
        return Found(position, found.end(), "", cues, is_sure and is_adjacent) if cues else None

    def _as_what(self, position: int) -> Found | None:
        found = self._kind.match(self._text, position)
        cues = self._phrases.kinds(found["kinds"]) if found else ()
        return Found(position, found.end(), "", cues) if found and cues else None

    def tagged(self, position: int) -> Found | None:
        """``with the keyword robustness``."""
        keyword = _KEYWORD.match(self._text, position)
        if keyword is None or not self._vocabulary.keywords:
            return None
        words = [match.end() for match in re.compile(r"[\w-]+").finditer(self._text, keyword.end())]
        for end in reversed(words[:8]):
            found = self._vocabulary.keywords.get(normalise(self._text[keyword.end() : end]))
            if found:
                close = re.compile(r"[\"”'’]?").match(self._text, end)
                cue = Cue("keywords", found, self._text[keyword.end() : end])
                return Found(position, close.end() if close else end, "", (cue,))
        return None

    def _is_credible(self, named: Named) -> bool:
        if named.has_others:
            return self.is_by_others(named)
        return named.is_full or self.ends_name(named)

    def is_by_others(self, named: Named) -> bool:
        """Whether ``Lee et al.`` speaks of a paper that is here, and not of what it stands beside."""
        if _BESIDE.search(self._text[: named.start]):
            return False
        surname = normalise(named.cues[0].text).split()[-1]
        years = self._vocabulary.first_surnames.get(surname)
        year = OTHERS_YEAR.match(self._text, named.end)
        return years is not None and (year is None or int(year["year"]) in years)

    def ends_name(self, named: Named) -> bool:
        """Whether what follows a surname lets it be one."""
        return _AFTER_SURNAME.match(self._text, named.end) is not None


def _years(found: re.Match[str], known: tuple[int, ...], *, is_adjacent: bool) -> list[int]:
    """The years meant, of those that papers have; one that none has if it was surely meant."""
    relation, year = found["relation"].lower(), int(found["year"])
    last = int(found["last"]) if found["last"] else None
    match relation:
        case "since":
            meant = [each for each in known if each >= year]
        case "after":
            meant = [each for each in known if each > year]
        case "before" | "until":
            meant = [
                each for each in known if each < year or (relation == "until" and each == year)
            ]
        case _:
            meant = [each for each in known if year <= each <= (last or year)]
    return meant or ([year] if is_adjacent else [])
