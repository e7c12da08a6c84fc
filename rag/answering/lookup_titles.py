"""Which paper a question names: by its title, a part of it, its method's name or its id."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from rag.answering.naming import own_names
from rag.records import Paper
from rag.text import normalise, search_terms

_MAX_FITTING = 3
"""Papers that a name may fit; more, and it names none."""
_QUOTED = re.compile(r"“(?P<a>[^”]+)”|\"(?P<b>[^\"]+)\"|‘(?P<c>[^’]+)’|(?<!\w)'(?P<d>[^']+)'(?!\w)")
_THING = (
    r"(?:papers?|articles?|works?|study|publication|preprint|manuscript|benchmark|method|data ?set|model"
    r"|framework|algorithm|approach|system)"
)
_BEFORE = re.compile(
    rf"^(?:the|this|that|a|an|their|your)?\s*(?:(?:icml|neurips|iclr)(?:\s+20\d\d)?\s+)?(?:(?:position|oral|spotlight|poster)\s+)?(?P<thing>{_THING})\s*"
    r"(?:,|:|called|titled|entitled|named|on|about|of|for|with the title|behind|introducing|proposing"
    r"|that (?:introduces|proposes|presents))?\s+",
    re.IGNORECASE,
)
_AFTER = re.compile(rf"\s+(?:position\s+)?(?P<thing>{_THING})$", re.IGNORECASE)
_PAPER = re.compile(
    r"(?:papers?|articles?|works?|study|publication|preprint|manuscript)$", re.IGNORECASE
)
_ARTICLE = re.compile(r"^(?:the|this|that|a|an)\s+", re.IGNORECASE)
_MANY_WORDS, _SOME_WORDS = 3, 2
# Between the words of a title; with others, a text is more than two of its words.
_CONNECTING = frozenset(
    {"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "the", "to", "with"}
)
_NAME = re.compile(r"[\w-]+")
_ID = re.compile(r"[\w/.-]{4,}")


class Titles:
    """Finds papers by what they are called; what it needs is gathered when it is first asked.

    Args:
        papers: All papers of a corpus.
    """

    def __init__(self, papers: Iterable[Paper]) -> None:
        self._papers = tuple(papers)

    @cached_property
    def _titles(self) -> dict[str, list[Paper]]:
        """Normalised title, also an earlier one -> its papers."""
        return _grouped(
            (_plain(title), paper)
            for paper in self._papers
            for title in (paper.title, *paper.other_titles)
        )

    @cached_property
    def _heads(self) -> dict[str, list[Paper]]:
        """What stands before the colon of a title -> its papers."""
        return _grouped(
            (_plain(title.partition(":")[0]), paper)
            for paper in self._papers
            for title in (paper.title, *paper.other_titles)
            if ":" in title
        )

    @cached_property
    def _terms(self) -> list[tuple[Paper, frozenset[str]]]:
        return [
            (paper, frozenset(search_terms(" ".join((paper.title, *paper.other_titles)))))
            for paper in self._papers
        ]

    def named(
        self, text: str, *, among: Callable[[Paper], bool], is_strict: bool = False
    ) -> tuple[Paper, ...]:
        """The papers that a text names surely; several where it fits each of them.

        Args:
            text: What a question calls a paper: ``the BaxBench paper``, ``“A Title”``, an id.
            among: Which papers may be meant.
            is_strict: Whether a part of a title is not enough.
        """
        whole = text.strip(" ,;:")
        core, is_paper = _core(whole)
        if quoted := _QUOTED.search(text):
            whole = core = next(part for part in quoted.groups() if part)
            is_paper = True
        for find in (self._by_id, self._by_title, self._by_name):
            # A title may itself begin with "Model" or "Method".
            for name in dict.fromkeys((whole, core)):
                if found := [paper for paper in find(name) if among(paper)]:
                    return _few(found)
        if is_strict:
            return ()
        if found := [paper for paper in self._by_part(core, is_paper=is_paper) if among(paper)]:
            return _few(found)
        found = [paper for paper in self._by_words(core) if among(paper)] if is_paper else []
        return tuple(found) if len(found) == 1 else ()

    def titled(self, title: str) -> Paper | None:
        """The one paper with exactly this title."""
        found = self._titles.get(_plain(title), [])
        return found[0] if len(found) == 1 else None

    def _by_id(self, core: str) -> list[Paper]:
        """By an id or a link, also of another entry of the paper."""
        if not _ID.fullmatch(core):
            return [
                paper
                for paper in self._papers
                if any(entry.url and core == entry.url for entry in paper.entries)
            ]
        at_end = re.compile(rf"[=/]{re.escape(core)}(?:\.html|\.pdf)?$")
        return [
            paper
            for paper in self._papers
            if any(
                core == entry.paper_id or (entry.url and at_end.search(entry.url))
                for entry in paper.entries
            )
        ]

    def _by_title(self, core: str) -> list[Paper]:
        plain = _plain(core)
        bare = _plain(_ARTICLE.sub("", core))
        return self._titles.get(plain) or self._heads.get(plain) or self._heads.get(bare) or []

    def _by_name(self, core: str) -> list[Paper]:
        """By the name that papers give their own work."""
        name = _ARTICLE.sub("", core)
        plain = normalise(name)
        if not _NAME.fullmatch(name) or len(plain) < _SOME_WORDS:
            return []
        near = (
            paper
            for paper in self._papers
            if plain in paper.title.lower() or name in paper.abstract
        )
        return [paper for paper in near if plain in own_names(paper)]

    def _by_part(self, core: str, *, is_paper: bool) -> list[Paper]:
        """By some words of a title in a row; few are enough for what is called a paper."""
        for plain in dict.fromkeys((_plain(core), _plain(_ARTICLE.sub("", core)))):
            n = len(plain.split())
            if n >= _MANY_WORDS or (n == _SOME_WORDS and is_paper):
                part = f" {plain} "
                found = [papers for title, papers in self._titles.items() if part in f" {title} "]
                if found:
                    return list(dict.fromkeys(paper for papers in found for paper in papers))
        return []

    def _by_words(self, core: str) -> list[Paper]:
        """By all its words in any order."""
        terms = frozenset(search_terms(core))
        n_words = len([word for word in _plain(core).split() if word not in _CONNECTING])
        if len(terms) < _SOME_WORDS or n_words > len(terms) + core.count("-"):
            return []
        return [paper for paper, title in self._terms if terms <= title]


def _core(text: str) -> tuple[str, bool]:
    """What a text calls a paper, and whether it says that it is one."""
    core, is_paper = text, False
    if before := _BEFORE.match(core):
        core, is_paper = core[before.end() :], _PAPER.match(before["thing"]) is not None
    if after := _AFTER.search(core):
        core = core[: after.start()]
        is_paper = is_paper or _PAPER.match(after["thing"]) is not None
    return core.strip(" ,;:"), is_paper


def _few(papers: list[Paper]) -> tuple[Paper, ...]:
    return tuple(papers) if len(papers) <= _MAX_FITTING else ()


def _plain(title: str) -> str:
    return " ".join(re.findall(r"\w+", normalise(title)))


def _grouped(pairs: Iterable[tuple[str, Paper]]) -> dict[str, list[Paper]]:
    groups: dict[str, list[Paper]] = {}
    for key, paper in pairs:
        if key and paper not in (group := groups.setdefault(key, [])):
            group.append(paper)
    return groups
