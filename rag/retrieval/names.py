"""Where a question names an author of the corpus."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rag.records import Cue
from rag.retrieval.vocabulary import Vocabulary
from rag.text import normalise

_WORD = re.compile(r"\w+")
_WITHIN_NAME = re.compile(r"[ \u00a0]|\.?[ \u00a0-]|-|['’]")
_JOINT = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+|&\s*)?|&\s*|\b(?:and|or)\s+)")
_AND_OTHERS = re.compile(
    r"\s*,?\s+(?:et\.?\s+al\b\.?|(?:and|&)\s+(?:(?:his|her|their)\s+)?(?:colleagues|co-?authors"
    r"|co-?workers|collaborators|others|team)\b)",
    re.IGNORECASE,
)
# A name that nobody here has; "Google DeepMind" looks the same and is no author either.
_LIKE_A_NAME = re.compile(
    r"[A-Z][\w'’-]+(?:\s+(?:[A-Z]\.?|van|von|de|der|den|di|la|le))*(?:\s+[A-Z][\w'’-]+)+"
)
_MAX_WORDS = 6
_MAX_INITIALS = 2
# People are called You, He and She; written small they are not meant.
_PRONOUNS = frozenset(
    {"he", "her", "him", "i", "it", "me", "she", "them", "they", "us", "we", "you"}
)


@dataclass(frozen=True, slots=True)
class Named:
    """One or more authors named in a row."""

    start: int
    end: int
    cues: tuple[Cue, ...]
    is_full: bool
    """Whether each is named by more than a surname."""
    has_others: bool = False
    """Whether "et al." follows."""


@dataclass(frozen=True, slots=True)
class _Word:
    plain: str
    start: int
    end: int


class NameReader:
    """Reads names in one text.

    Args:
        text: The question.
        vocabulary: Who the authors are.
    """

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._words = [
            _Word(normalise(match[0]), match.start(), match.end()) for match in _WORD.finditer(text)
        ]
        self._at = {word.start: n for n, word in enumerate(self._words)}

    def at(self, position: int, *, any_case: bool = False, unknown: bool = False) -> Named | None:
        """The authors whose names begin at a place.

        Args:
            position: Of the first letter.
            any_case: Whether names need no capital.
            unknown: Whether what looks like a name counts though nobody has it.
        """
        first = self._one(position, any_case=any_case, unknown=unknown)
        if first is None:
            return None
        named = [first]
        while joint := _JOINT.match(self._text, named[-1].end):
            following = self._one(joint.end(), any_case=any_case, unknown=False)
            if following is None:
                break
            named.append(following)
        end = named[-1].end
        others = _AND_OTHERS.match(self._text, end)
        return Named(
            position,
            others.end() if others else end,
            tuple(cue for each in named for cue in each.cues),
            all(each.is_full for each in named),
            has_others=others is not None,
        )

    def before(self, position: int) -> Named | None:
        """The author whose name ends at a place, with capitals."""
        ending = next((n for n, word in enumerate(self._words) if word.end == position), None)
        if ending is None:
            return None
        for first in range(max(0, ending + 1 - _MAX_WORDS), ending + 1):
            named = self._one(self._words[first].start, any_case=False, unknown=False)
            if named is not None and named.end == position:
                return named
        return None

    def _one(self, position: int, *, any_case: bool, unknown: bool) -> Named | None:
        words = self._row(position)
        if not words or not (any_case or self._text[position].isupper()):
            return None
        # DRAGO is a method, whoever is called Drago.
        if len(words[0].plain) > _MAX_INITIALS and self._text[position : words[0].end].isupper():
            return None
        n = self._vocabulary.longest_name([word.plain for word in words])
        if n:
            text = self._text[position : words[n - 1].end]
            names = self._vocabulary.authors_called([word.plain for word in words[:n]])
            cues = tuple(Cue("authors", name, text) for name in names)
            return Named(position, words[n - 1].end, cues, is_full=True)
        like = _LIKE_A_NAME.match(self._text, position)
        if like:
            if not unknown:
                return None
            return Named(position, like.end(), (Cue("authors", like[0], like[0]),), is_full=True)
        return self._surname(words[0], unknown=unknown)

    def _surname(self, word: _Word, *, unknown: bool) -> Named | None:
        text = self._text[word.start : word.end]
        if text in _PRONOUNS:
            return None
        surname = self._vocabulary.surnames.get(word.plain)
        if surname is None and unknown and text[:1].isupper() and len(text) > 2:
            near = self._vocabulary.nearest("authors", text)
            surname = text if near else None
        if surname is None:
            return None
        return Named(word.start, word.end, (Cue("authors", surname, text),), is_full=False)

    def _row(self, position: int) -> list[_Word]:
        """The words from a place on that may belong to one name."""
        n = self._at.get(position)
        if n is None:
            return []
        row = [self._words[n]]
        for word in self._words[n + 1 : n + _MAX_WORDS]:
            if not _WITHIN_NAME.fullmatch(self._text, row[-1].end, word.start):
                break
            row.append(word)
        return row
