"""Which papers a question names outright: by id, title, part of a title, own name, or author."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rag.records import Paper
from rag.retrieval.base import LexicalLeg
from rag.store.lexical import ids_of
from rag.text import normalise, search_terms, strip_markup

# More papers than this share what is a common word rather than a name.
_MOST_OWNERS = 2
_MOST_HOLDING = 3
_LONGEST_NAME = 3
# Words in a title that a question may hold among others; in a part of a title; and in one
# that needs no rare word.
_SHORTEST_TITLE, _SHORTEST_PART, _LONG_PART = 4, 2, 4
_SHORTEST_SURNAME = 4
_FEW_WORDS = 3
_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r'"([^"]{4,300})"')
# SWE-Gym, GPT4All, DEAL, HiRA: what looks coined as it stands in a title.
_COINED = re.compile(r"\w*[a-z]\w*[A-Z]\w*|[A-Z][A-Z\d]{2,}|[A-Z]+\d\w*")
# With what one asks for a paper rather than about something.
_FRAME = frozenset(
    """
    a about all an and any anything are article articles author authors by called can describe did
    do does explain find for from get give how i id in is it list look me named of on openreview
    paper papers pdf please position publication publications publish published say says search
    show study tell that the their there these this title titled to up us was were what which who
    with work works write written wrote you
    """.split()  # noqa: SIM905
)


def named_papers(question: str, papers: Iterable[Paper], lexical: LexicalLeg) -> frozenset[str]:
    """Ids of the papers that a question names, by the surest way in which it names any.

    Args:
        question: As typed.
        papers: Those that may be meant: the best of the lexical leg.
        lexical: Tells which words are rare.
    """
    asked = _Asked(question, lexical)
    candidates = list(papers)
    ways = (asked.by_id, asked.by_title, asked.by_part, asked.by_name, asked.by_author)
    found = (frozenset(p.paper_id for p in candidates if way(p)) for way in ways)
    limits = (len(candidates), len(candidates), 1, _MOST_OWNERS, len(candidates))
    return next(
        (names for names, most in zip(found, limits, strict=True) if 0 < len(names) <= most),
        frozenset(),
    )


class _Asked:
    """A question in the forms in which it is compared."""

    def __init__(self, question: str, lexical: LexicalLeg) -> None:
        self._lexical = lexical
        self._typed = frozenset(re.findall(r"[\w-]+", question))
        self._words = _words(question)
        quoted = _QUOTED.findall(normalise(question))
        parts = (_without_frame(_words(part)) for part in (question, *quoted))
        self._parts = [part for part in parts if len(part) >= _SHORTEST_PART]
        self._names = {
            "".join(self._words[start : start + n])
            for start in range(len(self._words))
            for n in range(1, _LONGEST_NAME + 1)
        }
        self._n_said = len(_without_frame(self._words))

    def by_id(self, paper: Paper) -> bool:
        return not self._typed.isdisjoint(ids_of(paper))

    def by_title(self, paper: Paper) -> bool:
        return any(
            (len(title) >= _SHORTEST_TITLE and _holds(self._words, title)) or title in self._parts
            for title in _titles(paper)
        )

    def by_part(self, paper: Paper) -> bool:
        return any(
            _holds(title, part) and (len(part) >= _LONG_PART or any(map(self._is_rare, part)))
            for title in _titles(paper)
            for part in self._parts
        )

    def by_name(self, paper: Paper) -> bool:
        heads, coined = _own_names(paper)
        called = {name for name in (*heads, *coined) if "".join(_words(name)) in self._names}
        # PEAKS is a name where it is typed like one, whatever peaks are; Branches may begin a question.
        typed = {head for head in called.intersection(heads) if head != head.capitalize()}
        return any(map(self._is_rare, called)) or not self._typed.isdisjoint(typed)

    def by_author(self, paper: Paper) -> bool:
        return any(map(self._names_author, paper.authors))

    def _is_rare(self, name: str) -> bool:
        # Of a compound the joined form comes last.
        terms = search_terms(name)[-1:]
        return any(self._lexical.n_holding(term) <= _MOST_HOLDING for term in terms)

    def _names_author(self, author: str) -> bool:
        name = _words(author)
        if len(name) > 1 and (
            _holds(self._words, name) or _holds(self._words, (name[0], name[-1]))
        ):
            return True
        return bool(name) and self._is_surname(name[-1])

    def _is_surname(self, word: str) -> bool:
        if word not in self._words or len(word) < _SHORTEST_SURNAME or word in self._lexical.words:
            return False
        is_typed_as_name = any(
            word in _words(typed) and typed != typed.lower() for typed in self._typed
        )
        return is_typed_as_name or self._n_said <= _FEW_WORDS


@lru_cache(maxsize=200_000)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(normalise(text).replace("'", "")))


def _titles(paper: Paper) -> list[tuple[str, ...]]:
    """In words: its titles, and what stands before and after the first colon or stop in each."""
    titles = (paper.title, *paper.other_titles)
    halves = (half for title in titles for half in re.split(r"[:?!.] | - ", title, maxsplit=1))
    return list(dict.fromkeys(map(_words, (*titles, *halves))))


@lru_cache(maxsize=20_000)
def _own_names(paper: Paper) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Heads of its titles, before a colon; and words of its titles that look coined."""
    titles = [strip_markup(title) for title in (paper.title, *paper.other_titles)]
    heads = [head for head, colon, _ in (title.partition(":") for title in titles) if colon]
    coined = [word for word in re.findall(r"[\w-]+", " ".join(titles)) if _COINED.fullmatch(word)]
    short = (head for head in heads if 0 < len(_words(head)) <= _LONGEST_NAME)
    return tuple(head for head in short if head.lower() not in _FRAME), tuple(coined)


def _without_frame(words: Sequence[str]) -> tuple[str, ...]:
    """Words without those at either end that only ask."""
    said = [place for place, word in enumerate(words) if word not in _FRAME]
    return tuple(words[said[0] : said[-1] + 1]) if said else ()


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether words hold a part, one word after the other."""
    n = len(part)
    return n > 0 and any(
        words[start] == part[0] and tuple(words[start : start + n]) == tuple(part)
        for start in range(len(words) - n + 1)
    )
