"""Who is better than whom in a text, what serves as what, and whether a claim turns it round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.text import normalise, search_terms, strip_markup

_BEATS = re.compile(
    r"\b(?:(?P<beats>outperform\w*|surpass\w*|exceed\w*|beats?|outscore\w*"
    r"|improv\w+(?: in [\w -]{1,30})? (?:up)?on|improv\w+ over|(?:better|superior)(?: [\w-]+){0,2} (?:than|to))"
    r"|(?P<yields>underperform\w*|(?:worse|inferior)(?: [\w-]+){0,2} (?:than|to))"
    r"|(?P<more>(?:faster|larger|higher|stronger|longer|greater|richer|more \w+)(?: [\w-]+){0,2} than)"
    r"|(?P<less>(?:slower|smaller|lower|weaker|shorter|fewer|less \w+)(?: [\w-]+){0,2} than))"
    r"(?P<by> by)?\b"
)
# "A is used as B": other pairs of which either order says something.
_PIVOT = re.compile(
    r"\b(?:(?P<as>as)|(?P<replaces>replac(?:es?|ing)|instead of|rather than)"
    r"|(?P<leads>leads? to|leading to|causes?|induces?|enables?|guides?|governs?|drives?)"
    r"|(?P<into>into)|(?P<selects>selects?|chooses?|assess(?:es)?|evaluates?|teach(?:es)?|generates?))\b"
)
# Where they compete is neither of the two: "On D4RL, A outperforms B by 5 % on AntMaze".
_LEADING = re.compile(
    r"^(?:.*[,;:] )?(?:on|in|for|with|at|under|across|within|over|using)\b[^,;:]*, ", re.IGNORECASE
)
_TRAILING = re.compile(
    r"[,;:]|\b(?:on|in|for|with|at|under|across|by|when|while|where|though|although|and thereby)\b"
)
_REACH = 6
_PASSIVE = re.compile(r"\bby\b")
_CLAUSE = re.compile(r"[,;:]|\b(?:that|which|while|whereas|but|and)\b")
_SELF = re.compile(
    r"\b(?:we|our|ours|us|proposed|presented|this|new|novel|the (?:authors|paper)s?)\b"
)
_OTHERS = re.compile(
    r"\b(?:existing|baselines?|previous\w*|prior|earlier|current|conventional|traditional|classical"
    r"|standard|competing|competitors?|others?|state[- ]of[- ]the[- ]art|sota|counterparts?|peers?"
    r"|alternatives?)\b"
)
# Either side may be called so.
_GENERIC = frozenset(
    search_terms(
        "method approach model algorithm framework technique system work performance result"
        " accuracy significantly consistently substantially existing baseline previous prior"
        " earlier current conventional traditional classical standard competing proposed novel"
        " new state art various several strong recent achieve show demonstrate experiment"
        " empirical extensive superior often usually typically generally tend yield produce"
    )
)


@dataclass(frozen=True, slots=True)
class _Contest:
    """What is said to be better, and than what: stems, ``*self*`` and ``*others*``."""

    kind: str
    """Two of different kinds say nothing of each other."""
    better: frozenset[str]
    worse: frozenset[str]
    words: str
    """Those of the better side."""


def turned_round(claim: str, evidence: str, own: Sequence[str]) -> str:
    """What is the better one in a claim and the worse one in its evidence; empty if nothing is.

    Args:
        claim: One sentence.
        evidence: What it is to be proven by.
        own: Names of the work that the evidence comes from.
    """
    theirs = [*_contests(evidence, own), *_pairs(evidence, own)]
    for ours in (*_contests(claim, own), *_pairs(claim, own)):
        alike = [other for other in theirs if other.kind == ours.kind]
        if alike and all(_is_turned(ours, other) for other in alike):
            return _as_said(ours.words, ours.better & alike[0].worse)
    return ""


def _as_said(words: str, found: frozenset[str]) -> str:
    """The first of some words that has one of the stems found."""
    for word in normalise(words).split():
        if found.intersection(search_terms(word)) or ("*others*" in found and _OTHERS.search(word)):
            return word.strip(".,;:()\u201c\u201d\"'")
    return words.strip()


def _is_turned(ours: _Contest, theirs: _Contest) -> bool:
    up, down = ours.better & theirs.worse, ours.worse & theirs.better
    n_straight = len(ours.better & theirs.better) + len(ours.worse & theirs.worse)
    return bool(up and down) and len(up) + len(down) > n_straight


def _contests(text: str, own: Sequence[str]) -> Iterator[_Contest]:
    for sentence in re.split(r"(?<=[.!?])\s+", strip_markup(text)):
        for match in _BEATS.finditer(sentence):
            clauses = _CLAUSE.split(_LEADING.sub("", sentence[: match.start()]))
            before = next((clause for clause in reversed(clauses) if clause.strip()), "")
            after = _TRAILING.split(sentence[match.end() :], maxsplit=1)[0]
            is_less = match["yields"] is not None or match["less"] is not None
            if is_less != (match["by"] is not None):
                before, after = after, before
            is_merit = match["beats"] is not None or match["yields"] is not None
            kind = "merit" if is_merit else "amount"
            yield _Contest(kind, _side(before, own), _side(after, own), before)


def _pairs(text: str, own: Sequence[str]) -> Iterator[_Contest]:
    for sentence in re.split(r"(?<=[.!?])\s+", strip_markup(text)):
        for match in _PIVOT.finditer(sentence):
            first = " ".join(_CLAUSE.split(sentence[: match.start()])[-1].split()[-_REACH:])
            second = " ".join(_CLAUSE.split(sentence[match.end() :])[0].split()[:_REACH])
            if not _PASSIVE.search(sentence):
                kind = match.lastgroup or ""
                yield _Contest(kind, _side(first, own), _side(second, own), first)


def _side(words: str, own: Sequence[str]) -> frozenset[str]:
    plain = normalise(words)
    found = {term for term in search_terms(words) if term not in _GENERIC and len(term) > 1}
    if _SELF.search(plain) or any(normalise(name) in plain for name in own):
        found.add("*self*")
    if _OTHERS.search(plain):
        found.add("*others*")
    return frozenset(found)
