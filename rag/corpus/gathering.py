"""Papers of all files of a corpus, each once, with what was odd or turned down and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rag.corpus.fields import MadePaper
from rag.corpus.records import RejectedRow, Remark
from rag.corpus.status import why_left_out
from rag.records import Paper

_SHORT_ABSTRACT_CHARACTERS = 20
_LONG_ABSTRACT_CHARACTERS = 10_000
_LONG_TITLE_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Found:
    """A paper and where it was found."""

    made: MadePaper
    file: str
    line: int

    @property
    def paper(self) -> Paper:
        """The paper itself."""
        return self.made.paper

    @property
    def place(self) -> str:
        """``"papers.jsonl:12"``."""
        return f"{self.file}:{self.line}"

    def with_id(self, paper_id: str) -> Found:
        """The same paper under another id."""
        paper = replace(self.paper, paper_id=paper_id)
        return replace(self, made=replace(self.made, paper=paper))


@dataclass(frozen=True, slots=True)
class Gathered:
    """What is left of all that was found."""

    papers: tuple[Paper, ...]
    rejected: tuple[RejectedRow, ...]
    remarks: tuple[Remark, ...]


def free_of_shared_id(found: list[Found]) -> list[Found]:
    """The papers of a table; an id that all of them share is none, and is made from the content."""
    contents = {item.made.content_id for item in found}
    if len({item.paper.paper_id for item in found}) != 1 or len(contents) == 1:
        return found
    return [item.with_id(item.made.content_id) for item in found]


@dataclass(slots=True)
class Gathering:
    """What has been read so far, from all files of a source."""

    found: list[Found] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    n_read: int = 0

    def settle(self) -> Gathered:
        """Every paper once: repeated ids, and untitled texts that a titled record has, go."""
        titled = {
            item.paper.abstract: item for item in reversed(self.found) if item.made.has_own_title
        }
        kept: dict[str, Found] = {}
        rejected = list(self.rejected)
        for item in self.found:
            reason = _why_rejected(item, kept.get(item.paper.paper_id), titled)
            if reason:
                rejected.append(RejectedRow(item.file, item.line, reason))
            else:
                kept[item.paper.paper_id] = item
        return Gathered(
            tuple(item.paper for item in kept.values()),
            tuple(sorted(rejected, key=_place)),
            tuple(sorted(_remarks(list(kept.values())), key=_place)),
        )


def _why_rejected(item: Found, same_id: Found | None, titled: dict[str, Found]) -> str:
    if reason := why_left_out(item.paper):
        return reason
    twin = titled.get(item.paper.abstract)
    if twin is not None and not item.made.has_own_title:
        return f"the same abstract as {twin.place}, which has its title"
    if same_id is None:
        return ""
    if same_id.paper == item.paper:
        return f"the same record as {same_id.place}"
    if not item.made.has_own_id:
        return f"the same title and abstract as {same_id.place}"
    return (
        f"another paper has the id {item.paper.paper_id!r}: {same_id.place} and {item.place} differ"
    )


def _remarks(kept: list[Found]) -> Iterator[Remark]:
    by_title: dict[str, Found] = {}
    by_abstract: dict[str, Found] = {}
    for item in kept:
        reasons = [*item.made.oddities, *_lengths(item.paper)]
        same_title = by_title.setdefault(_key(item.paper.title), item)
        same_abstract = by_abstract.setdefault(item.paper.abstract, item)
        if same_title is not item:
            authors = "the same" if same_title.paper.authors == item.paper.authors else "other"
            reasons.append(f"it has the title of {same_title.place}, by {authors} authors")
        elif same_abstract is not item and len(item.paper.abstract) > _SHORT_ABSTRACT_CHARACTERS:
            reasons.append(f"it has the abstract of {same_abstract.place} under another title")
        yield from (Remark(item.file, item.line, reason) for reason in reasons)


def _lengths(paper: Paper) -> Iterator[str]:
    n_characters = len(paper.abstract.strip())
    if not n_characters:
        yield "it has no abstract; it is found by its title and authors"
    elif n_characters < _SHORT_ABSTRACT_CHARACTERS:
        yield f"its abstract has only {n_characters} characters"
    elif n_characters > _LONG_ABSTRACT_CHARACTERS:
        yield f"its abstract has {n_characters} characters, more than abstracts have"
    if len(paper.title) > _LONG_TITLE_CHARACTERS:
        yield f"its title has {len(paper.title)} characters, more than titles have"


def _key(title: str) -> str:
    return re.sub(r"[\W_]+", "", title).casefold()


def _place(row: RejectedRow | Remark) -> tuple[str, int]:
    return row.file, row.line
