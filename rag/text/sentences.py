"""Sentences of scientific prose, with exact offsets.

Every full stop, question and exclamation mark is a candidate; a few rules about the word before
and the word after decide. They were read off the abstracts of ICML 2025.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character offsets."""

    start: int
    end: int


# Never the end of a sentence.
_OPEN_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie cf c.f vs w.r.t a.k.a viz resp approx et dr prof mr mrs ms st esp incl".split()  # noqa: SIM905
)
# Not the end when a number follows ("Fig. 3").
_NUMBERED = frozenset(
    """
    fig figs eq eqs eqn sec secs sect tab alg thm lem prop cor ref refs ch chap no nos vol p pp
    app appx def ex ver v jan feb mar apr jun jul aug sep sept oct nov dec
    """.split()  # noqa: SIM905
)
# Words that begin a new sentence after "et al.", an initial ("class A. We") or no space at all.
_STARTERS = frozenset(
    """
    A After All Also Although An And Another As At Based Besides Both But By Compared Consequently
    Crucially Despite Due Each Empirical Empirically Even Existing Experimental Experiments
    Extensive Finally First Following For From Further Furthermore Given Hence Here How However
    If Importantly In Instead It Its Lastly Many More Moreover Most Motivated Nevertheless Next
    Notably On One Our Overall Prior Recent Recently Results Second Secondly Several Similarly
    Since So Some Specifically Such That The Their Then There Therefore These They Third This
    Those Through Thus To Together Two Under Unfortunately Unlike Using We What When Where
    Whereas Whether Which While With Yet
    """.split()  # noqa: SIM905
)
_TERMINATORS = ".!?\u2026\u3002\uff01\uff1f\uff61"
_CJK_STOPS = frozenset("\u3002\uff01\uff1f\uff61")
_CLOSERS = re.escape("\"'\u201d\u2019\u00bb)]}*_`$\u300d\u300f\uff09\u3011")
_CANDIDATE = re.compile(
    rf"(?<![{_TERMINATORS}])(?P<stop>[{_TERMINATORS}]++)(?P<closers>[{_CLOSERS}]*+)(?:\\(?=\s))?"
)
_NEXT = re.compile(
    r"\s*(?P<open>(?:[\"'\u201c\u2018\u00ab*_`$\[({]|\\[A-Za-z]{2,12}\{){0,8})(?P<word>\S{0,40})"
)
_LIST_MARK = re.compile(r"(?:[ivx]{1,4}|[a-z]|\d{1,2})[).](?!\w)")
_CLAUSE_START = re.compile(r"(?:\A|[.:;?!\n])[\s(*_]*\Z")
_LIST_COMMA = re.compile(r"[,;]\s+(?:and\s+|or\s+)?\Z")
_STYLED = re.compile(r"[*_`$\\]")
_WORD_BEFORE = re.compile(r"[^\W_](?:[\w.'-]*[^\W_])?\Z")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]")
_DOLLARS = re.compile(r"(?<!\\)\$+")
_PROSE = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,} [a-z]{2,}")
_MAX_FORMULA = 400
_FORCED = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*\u2022]|\d{1,2}[.)])[ \t])")


def split_sentences(text: str) -> list[Span]:
    """Where the sentences of a text are.

    Spans are in order, do not overlap, begin and end with a character that is not white space,
    and leave out nothing but white space. Linear in the length of the text.
    """
    ends = {match.end() for match in _FORCED.finditer(text)} | set(_sentence_ends(text))
    spans: list[Span] = []
    start = 0
    for end in [*sorted(ends), len(text)]:
        piece = text[start:end]
        first = end - len(piece.lstrip())
        last = start + len(piece.rstrip())
        if spans and first < last and not any(map(str.isalnum, piece)):
            spans[-1] = Span(spans[-1].start, last)
        elif first < last:
            spans.append(Span(first, last))
        start = end
    return spans


def _sentence_ends(text: str) -> Iterator[int]:
    formulas = [*_formulas(text), Span(len(text), len(text))]
    nearest = 0
    for match in _CANDIDATE.finditer(text):
        while formulas[nearest].end <= match.start():
            nearest += 1
        formula = formulas[nearest]
        inside_formula = formula.start < match.start() and match.end("closers") < formula.end
        if not inside_formula and _ends_sentence(text, match):
            yield match.end()


def _formulas(text: str) -> Iterator[Span]:
    """Where ``$...$`` is a formula; two dollar signs with prose between them are no pair."""
    opening: re.Match[str] | None = None
    for dollars in _DOLLARS.finditer(text):
        if opening is not None and _is_formula(text[opening.end() : dollars.start()]):
            yield Span(opening.start(), dollars.end())
            opening = None
        else:
            opening = dollars


def _is_formula(between: str) -> bool:
    return len(between) <= _MAX_FORMULA and _PROSE.search(between) is None


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = _NEXT.match(text, match.end())
    opening, word = (following["open"], following["word"]) if following else ("", "")
    if match["stop"][-1] in _CJK_STOPS or not (word or opening):
        return True
    before = _WORD_BEFORE.search(text, max(0, match.start() - 30), match.start())
    last_word = before[0] if before else ""
    if not text[match.end()].isspace():
        return len(last_word) > 2 and text[match.end()].isupper() and _is_starter(word)
    if (
        match["stop"] == "."
        and (ends := _after_abbreviation(text, before, opening, word)) is not None
    ):
        return ends
    if "(" in opening and match["stop"] == "?" and '"' in match["closers"]:
        return False
    if not word.islower() or word.startswith("\\") or any(map(str.isdigit, word)):
        return True
    if "(" in opening:
        return _LIST_MARK.match(word) is not None
    if match["stop"] != ".":
        return False
    return _STYLED.search(opening) is not None or (not match["closers"] and len(last_word) > 3)


def _after_abbreviation(
    text: str, before: re.Match[str] | None, opening: str, word: str
) -> bool | None:
    """Whether a full stop after an abbreviation ends the sentence; None after an ordinary word."""
    if before is None:
        return None
    last_word = before[0].rpartition("-")[2]  # as in "non-i.i.d." or a dash without spaces
    if not last_word.isupper():  # "DR" and "MS" are acronyms, not titles
        if last_word.lower() in _OPEN_ABBREVIATIONS:
            return False
        if last_word.lower() in _NUMBERED and any(map(str.isdigit, word)):
            return False
    if _is_list_mark(text, before):
        return False
    if (
        last_word == "al"
        or _DOTTED.fullmatch(last_word)
        or (len(before[0]) == 1 and last_word.isupper())
    ):
        return "(" not in opening and "[" not in opening and _is_starter(word)
    return None


def _is_starter(word: str) -> bool:
    return re.split(r"[^A-Za-z]", word, maxsplit=1)[0] in _STARTERS


def _is_list_mark(text: str, before: re.Match[str]) -> bool:
    """Whether the word is the number of a list item: ``1.`` or ``ii.`` at the start of a clause."""
    if not _LIST_MARK.fullmatch(before[0] + "."):
        return False
    lead = text[max(0, before.start() - _MAX_FORMULA) : before.start()]
    if _CLAUSE_START.search(lead[-10:]):
        return True
    if not before[0].isdigit() or not _LIST_COMMA.search(lead[-10:]):
        return False
    return re.search(rf"(?<!\S)\(?{int(before[0]) - 1}\.\s", lead) is not None
