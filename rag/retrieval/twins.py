"""The same paper under two ids: found by title and authors, or by the id that its links give it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rag.corpus.identity import id_from_links
from rag.records import Filters, Paper
from rag.retrieval.filters import matches_itself, name_words
from rag.text import normalise

# Of the surnames, or of the words of the abstract, in the shorter one of two.
_SHARED_NAMES, _SHARED_WORDS = 0.5, 0.5
_SHARED_WORDS_ALONE = 0.9
_SHORTEST_TITLE = 8


def find_twins(papers: Iterable[Paper]) -> list[list[Paper]]:
    """Groups of entries that are one paper each; an entry without a twin is in no group.

    Two entries are one paper if they share a title, also an earlier one, or the id of a site that
    they are linked to, and neither authors nor abstracts speak against it. Yearly reports of one
    title stay apart by what they say.

    Returns:
        The groups, and what is in each, in the order of the papers.
    """
    groups: list[list[Paper]] = []
    by_key: dict[str, list[list[Paper]]] = {}
    for paper in papers:
        keys = list(_keys(paper))
        near = (group for key in keys for group in by_key.get(key, ()))
        group = next((group for group in near if any(is_same(paper, it) for it in group)), None)
        if group is None:
            groups.append(group := [])
        group.append(paper)
        for key in keys:
            known = by_key.setdefault(key, [])
            if not any(each is group for each in known):
                known.append(group)
    return [group for group in groups if len(group) > 1]


def is_same(one: Paper, other: Paper) -> bool:
    """Whether two entries of one title are one paper, by their authors and abstracts.

    Authors count by surname, for given names may be initials. Where one entry has none the abstracts
    must be the same but for some words; where there is no abstract either, the ids.
    """
    words = _overlap(_words(one.abstract), _words(other.abstract))
    names = _overlap(_surnames(one), _surnames(other))
    if names is None:
        if words is None:
            return one.paper_id == other.paper_id
        return words >= _SHARED_WORDS_ALONE
    return names >= _SHARED_NAMES and (words is None or words >= _SHARED_WORDS)


def merge(group: Sequence[Paper]) -> Paper:
    """One paper of several entries: the first with an abstract, the others as its copies."""
    shown = next((paper for paper in group if paper.abstract.strip()), group[0])
    others = tuple(paper for paper in group if paper is not shown)
    titles = (title for paper in others for title in (paper.title, *paper.other_titles))
    new = dict.fromkeys(title for title in titles if title != shown.title)
    return replace(
        shown, copies=others, other_titles=tuple(dict.fromkeys((*shown.other_titles, *new)))
    )


def as_passing(paper: Paper, filters: Filters) -> Paper:
    """A paper with the record of the entry that passes the filters; its id and abstract stay."""
    if not paper.copies:
        return paper
    entry = next((each for each in paper.entries if matches_itself(each, filters)), paper)
    if entry is paper:
        return paper
    others = (replace(paper, copies=()), *(each for each in paper.copies if each is not entry))
    return replace(
        entry,
        paper_id=paper.paper_id,
        title=paper.title,
        abstract=paper.abstract,
        other_titles=paper.other_titles,
        copies=others,
    )


def _keys(paper: Paper) -> Iterator[str]:
    for title in (paper.title, *paper.other_titles):
        key = re.sub(r"[\W_]+", "", normalise(title))
        if len(key) >= _SHORTEST_TITLE:
            yield key
    if linked := id_from_links(link for link in (paper.url, paper.pdf_url) if link):
        yield f"id {linked}"


def _surnames(paper: Paper) -> frozenset[str]:
    return frozenset(words[-1] for author in paper.authors if (words := name_words(author)))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", normalise(text)))


def _overlap(some: frozenset[str], others: frozenset[str]) -> float | None:
    """The share of the smaller set that the other one has; None where one is empty."""
    fewer = min(len(some), len(others))
    return len(some & others) / fewer if fewer else None
