"""Reading the source markers of a sentence, in whatever form a model wrote them.

Only numbers of the closed set of passages become markers. What looks like one and is not (an
index ``x[1]``, an interval ``[0, 1]``, an enumeration ``(1) ... (2)``) stays in the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rag.answering.scrubbing import scrub
from rag.records import Passage
from rag.text import normalise

_LABEL = (
    r"(?i:(?:source|paper|abstract|document|doc|passage|reference|ref|citation|id)s?[ :#.]{0,3})"
)
_NUMBER = rf"{_LABEL}?\^?\d{{1,9}}(?:\s?[-\u2013\u2014]\s?\d{{1,9}})?"
_NUMBERS = rf"{_NUMBER}(?:(?:\s?(?:[,;&|\uff0c\u3001]|and)\s?)+{_NUMBER})*(?:\u2020[^\]\u3011]*)?"
_SPAN = re.compile(r"(\d+)(?:\s?[-\u2013\u2014]\s?(\d+))?")
_MAX_SPAN = 50
_SURNAME = r"[^\W\d_a-z][\w'\u2019-]*"
_AUTHOR_YEAR = rf"{_SURNAME}(?:,? et al\.?|,? (?:and|&) {_SURNAME})?,? \(?(?:19|20)\d\d[a-z]?\)?"
_AUTHOR_YEARS = rf"{_AUTHOR_YEAR}(?:; ?{_AUTHOR_YEAR})*"
_PLACEHOLDER = (
    r"(?i:(?:citation|source|reference|ref|marker|paper|abstract)s?(?: needed| here| numbers?)?"
    r"|n|number|\?|#|\.{3}|\u2026)"
)
_TARGET = r"(?:\([^()\s]{0,300}\))?"
_ROUND = rf"\(\s?(?:see )?(?:{_LABEL}?\[?{_NUMBERS}\]?|{_AUTHOR_YEARS})\s?\)"
CLEAR_MARK = (
    rf"(?:\[{{1,2}}\s?(?:\^?{_NUMBERS}|{_AUTHOR_YEARS}|{_PLACEHOLDER})\s?\]{{1,2}}{_TARGET}"
    rf"|\u3010\s?{_NUMBERS}\s?\u3011|{_ROUND})"
)
"""A pattern of what is a marker, or looks just like one."""
# "According to source 2, ..."; always a noun of its sentence.
_BARE = (
    r"\b(?:[Ss]ource|[Pp]assage|[Pp]aper|[Aa]bstract)s? \d{1,3}(?:(?:, | and |, and )\d{1,3})*\b"
)
_MARK = (
    rf"(?:\[{{1,2}}[^\[\]\n]{{1,120}}\]{{1,2}}{_TARGET}|\u3010[^\u3010\u3011\n]{{1,80}}\u3011"
    rf"|{_ROUND}|{_BARE})"
)
_JOINED_MARKS = re.compile(rf"{_MARK}(?:\s?(?:,|;|and|&)?\s?{_MARK})*")
_ONE_MARK = re.compile(_MARK)
_FORMULA = re.compile(
    r"(?<!\\)(\${1,2})(?![\s$])(?:(?!\]\(|https?:)[^$\n]){1,400}?(?<![\s\\])\1(?!\d)"
    r"|\\\((?:(?!\]\(|https?:).){1,400}?\\\)|\\\[(?:(?!\]\(|https?:).){1,400}?\\\]|`[^`\n]{1,200}`"
)
_TAKES_NOUN = re.compile(
    r"(?:\A|[\s(])(?:according to|in|by|from|of|and|but|while|whereas|both|than|with|unlike|like|to"
    r"|per|for|that|papers?|sources?|abstracts?|study|work|article)\s\Z",
    re.IGNORECASE,
)
_INTERVAL_OF = re.compile(
    r"(?:range|interval|domain|scale|within|between|\u2208|\\in)\s*(?:of\s*)?\Z"
)
_ENDS = re.compile(rf"(?:\s*{CLEAR_MARK})*[\s.!?\u2026\u3002\"'\u201d)*_]*\Z")
_GLUED_TO = re.compile(r"\w+\Z")
_EMPTY_BRACKETS = re.compile(r"\s*[(\[]\s*(?:see(?: also)?|cf\.?|sources?:?|[,;])?\s*[)\]]")
_SPACED_STOP = re.compile(r"\s+(?=[,;:.!?\u3002](?:\s|\Z))")
_DOUBLED_STOP = re.compile(r"(?<=[.!?\u3002])\s*\.(?=\s*\Z)|[,;:]\s*(?=[.!?]\s*\Z)")


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence with its markers taken out and resolved."""

    text: str
    markers: tuple[int, ...]
    """Of passages that exist, in the order in which they were named first."""
    unknown: tuple[str, ...]
    """What names a source that does not exist, as it was written."""
    rests_on_unknown: bool
    """Whether the sentence says something about an unknown source: "[99] shows that ..."."""


@dataclass(frozen=True, slots=True)
class _Named:
    """The sources that one or more marks name."""

    numbers: tuple[int, ...]
    unknown: tuple[str, ...]


def formulas(text: str) -> list[tuple[int, int]]:
    """Where formulas and code are, in which nothing is to be changed: start and end."""
    return [match.span() for match in _FORMULA.finditer(text)]


def read_markers(text: str, passages: Mapping[int, Passage]) -> Marked:
    """Take the markers out of one sentence.

    Args:
        text: A sentence, without links.
        passages: By marker; no other marker exists.

    Returns:
        The text without markers; where one stands for a noun ("According to [2], ...") the title
        of the paper takes its place.
    """
    pieces: list[str] = []
    named: list[_Named] = []
    protected = formulas(text)
    position = 0
    rests_on_unknown = False
    for start, end in _mark_groups(text, passages):
        if any(first <= start < last for first, last in protected):
            continue
        group = _name_all(text, start, end, passages)
        pieces.append(text[position:start])
        position = end
        named.append(group)
        if _is_noun(text, start, end):
            rests_on_unknown |= bool(group.unknown) or not group.numbers
            pieces.append(" and ".join(_title(passages[number]) for number in group.numbers))
    pieces.append(text[position:])
    return Marked(
        _mend("".join(pieces)) if named else text.strip(),
        tuple(dict.fromkeys(number for group in named for number in group.numbers)),
        tuple(dict.fromkeys(label for group in named for label in group.unknown)),
        rests_on_unknown,
    )


def _mark_groups(text: str, passages: Mapping[int, Passage]) -> list[tuple[int, int]]:
    """Where marks stand, neighbours taken together unless one of them is none."""
    groups: list[tuple[int, int]] = []
    for joined in _JOINED_MARKS.finditer(text):
        marks = list(_ONE_MARK.finditer(text, joined.start(), joined.end()))
        real = [mark.span() for mark in marks if _name(text, mark, passages) is not None]
        groups += [joined.span()] if len(real) == len(marks) else real
    return groups


def _name_all(text: str, start: int, end: int, passages: Mapping[int, Passage]) -> _Named:
    found = [_name(text, mark, passages) for mark in _ONE_MARK.finditer(text, start, end)]
    groups = [group for group in found if group is not None]
    return _Named(
        tuple(dict.fromkeys(number for group in groups for number in group.numbers)),
        tuple(label for group in groups for label in group.unknown),
    )


def _name(text: str, mark: re.Match[str], passages: Mapping[int, Passage]) -> _Named | None:
    """The sources that one mark names; None if it is no marker."""
    written = mark[0]
    is_round = written[0] == "("
    inner = re.sub(r"\]\(.*\Z|\(see ", "", written).strip("[]()\u3010\u3011^ ")
    if re.fullmatch(_NUMBERS, inner):
        numbers = _numbers(inner)
        is_known = all(number in passages for number in numbers)
        if is_round and inner[0].isdigit() and "[" not in written:
            return _Named(numbers, ()) if is_known and _ENDS.match(text, mark.end()) else None
        if _is_index(text, mark) or (len(numbers) == 2 and _is_interval(text, mark, numbers)):
            return None
        known = tuple(number for number in numbers if number in passages)
        return _Named(known, () if is_known and numbers else (written,))
    if re.fullmatch(_AUTHOR_YEARS, inner):
        return _by_author(inner, written, passages)
    if is_round:
        return None
    if re.fullmatch(_PLACEHOLDER, inner):
        return _Named((), (written,))
    plain = normalise(inner)
    titled = [number for number, item in passages.items() if normalise(item.paper.title) == plain]
    return _Named(tuple(titled[:1]), ()) if titled else None


def _numbers(inner: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for first, last in _SPAN.findall(inner.partition("\u2020")[0]):
        start, end = int(first), int(last or first)
        numbers += range(start, end + 1) if start <= end < start + _MAX_SPAN else (start, end)
    return tuple(dict.fromkeys(numbers))


def _by_author(inner: str, written: str, passages: Mapping[int, Passage]) -> _Named:
    numbers: list[int] = []
    for reference in inner.split(";"):
        surname = normalise(re.split(r"[\s,]", reference.strip(), maxsplit=1)[0])
        years = re.findall(r"(?:19|20)\d\d", reference)
        fitting = [
            number
            for number, item in passages.items()
            if any(normalise(name.split()[-1]) == surname for name in item.paper.authors if name)
            and (item.paper.year is None or str(item.paper.year) in years)
        ]
        numbers += fitting if len(fitting) == 1 else []
    return _Named(tuple(numbers), () if numbers else (written,))


def _is_index(text: str, mark: re.Match[str]) -> bool:
    """Whether it is glued to a letter, as in ``x[1]``, or goes on, as in ``list[1] = 2``."""
    glued = _GLUED_TO.search(text, max(0, mark.start() - 40), mark.start())
    if glued is None:
        return False
    goes_on = re.match(r"[\w=(]|\s=", text[mark.end() : mark.end() + 2]) is not None
    return len(glued[0]) == 1 or "_" in glued[0] or goes_on


def _is_interval(text: str, mark: re.Match[str], numbers: tuple[int, ...]) -> bool:
    return 0 in numbers or bool(_INTERVAL_OF.search(text, max(0, mark.start() - 30), mark.start()))


def _is_noun(text: str, start: int, end: int) -> bool:
    """Whether the sentence would lack a word without what stands here."""
    if text[start].isalpha() or _TAKES_NOUN.search(text, max(0, start - 20), start):
        return True
    opens = not text[:start].strip(" \"'\u201c*_")
    return opens and re.match(r"(?:'s)?\s+[a-z]", text[end : end + 5]) is not None


def _title(passage: Passage) -> str:
    return f"\u201c{' '.join(scrub(passage.paper.title).split())}\u201d"


def _mend(text: str) -> str:
    """Take away what is left of a sentence's brackets, spaces and stops without its markers."""
    text = _SPACED_STOP.sub("", _EMPTY_BRACKETS.sub("", text))
    return re.sub(r"[ \t]{2,}", " ", _DOUBLED_STOP.sub("", text)).strip()
