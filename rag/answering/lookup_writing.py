"""The sentences in which records are told."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace

from rag.answering.lookup_proof import Fact, RecordDraft, record_line
from rag.answering.lookup_questions import PaperQuestion
from rag.export import markdown_target
from rag.records import Cue, Filters, Paper, values_of
from rag.text import normalise

_NAMED_AUTHORS = 6
_FIELDS = {
    "authors": "author",
    "venues": "venue",
    "years": "year",
    "presentation": "presentation",
    "track": "track",
    "keywords": "keyword",
}
_MISSING = {
    "authors": "its authors",
    "author_at": "this author",
    "n_authors": "its authors",
    "is_author": "its authors",
    "presentation": "how it was presented",
    "venue": "where it was published",
    "track": "its track",
    "pages": "its pages",
    "link": "this link",
    "bibtex": "what a BibTeX entry needs",
}


@dataclass(frozen=True, slots=True)
class Counted:
    """The papers that a list speaks of."""

    every: Collection[Paper]
    matching: Collection[Paper]
    shown: Collection[Paper]
    """The first ones of those that match."""
    joint: Collection[Paper]
    """Those by all of several authors that were asked for."""


def field_of(paper: Paper, asked: PaperQuestion) -> Iterator[RecordDraft]:
    """What a paper's record says to a question; nothing where it does not have it."""
    title = _title(paper)
    match asked.kind:
        case "authors" if paper.authors:
            said = _named(paper.authors)
            yield _draft(f"{title} is by {said}.", Fact(paper, "Authors", said))
        case "author_at":
            yield from _author_at(paper, asked.detail)
        case "n_authors" if paper.authors:
            n, said = str(len(paper.authors)), _named(paper.authors)
            text = f"{title} has {n} {_plural('author', len(paper.authors))}: {said}."
            yield _draft(text, Fact(paper, "Authors", n), Fact(paper, "Authors", said))
        case "is_author" if paper.authors:
            said = _named(paper.authors)
            answer = _whether_by(paper, asked.detail)
            yield _draft(f"{answer}{title} is by {said}.", Fact(paper, "Authors", said))
        case "presentation":
            yield from _presentation(paper, asked.detail)
        case "venue" if paper.venue or paper.year:
            yield _published(paper)
        case "track" if paper.track:
            text = f"{title} is in the track “{paper.track}”."
            yield _draft(text, Fact(paper, "Track", paper.track))
        case "pages" if paper.pages:
            text = f"{title} is on pages {paper.pages}."
            yield _draft(text, Fact(paper, "Pages", paper.pages))
        case "bibtex":
            said = record_line(paper, "BibTeX").removeprefix("BibTeX: ")
            yield _draft(f"The BibTeX entry of {title}: {said}", Fact(paper, "BibTeX", said))
        case "link":
            yield from _links(paper, asked.detail)


def _author_at(paper: Paper, place: str) -> Iterator[RecordDraft]:
    place = {"lead": "first", "main": "first", "senior": "last", "final": "last"}.get(place, place)
    label = f"{place.capitalize()} author"
    said = record_line(paper, label).removeprefix(f"{label}: ")
    if said:
        text = f"The {place} author of {_title(paper)} is {said}."
        yield _draft(text, Fact(paper, label, said), Fact(paper, "Authors"))


def _presentation(paper: Paper, asked: str) -> Iterator[RecordDraft]:
    """``Yes, “A Title” is an oral.``, or what it is where the question does not guess."""
    title, is_choice = _title(paper), " or " in asked
    if "position" in asked and not is_choice:
        if paper.track:
            yes = "Yes" if "position" in paper.track.lower() else "No"
            text = f"{yes}, {title} is in the track “{paper.track}”."
            yield _draft(text, Fact(paper, "Track", paper.track))
    elif said := paper.presentation:
        kind = asked.split(maxsplit=1)[0] if asked and not is_choice else ""
        answer = ("Yes, " if kind in said.lower() else "No, ") if kind else ""
        article = "an" if said[0].lower() in "aeiou" else "a"
        what = f"{article} {said}" if said.isalpha() else f"presented as “{said}”"
        yield _draft(f"{answer}{title} is {what}.", Fact(paper, "Presentation", said))


def _published(paper: Paper) -> RecordDraft:
    year = str(paper.year or "")
    facts = [Fact(paper, "Venue", paper.venue)] if paper.venue else []
    where = f" at {paper.venue}" if paper.venue else ""
    if year:
        facts.append(Fact(paper, "Year", year))
        where += "" if year in (paper.venue or "") else f" in {year}"
    return _draft(f"{_title(paper)} was published{where}.", *facts)


def _links(paper: Paper, asked: str) -> Iterator[RecordDraft]:
    wants_pdf = "pdf" in asked or asked in ("read", "download", "access", "get")
    links = [("Page", paper.url, "is at"), ("PDF", paper.pdf_url, "has its PDF at")]
    for label, url, verb in reversed(links) if wants_pdf else links:
        if url:
            # Without a full stop, which would seem to belong to the address.
            yield _draft(f"{_title(paper)} {verb} {url}", Fact(paper, label, url))
            if asked and asked not in ("read", "find"):
                return


def is_by(paper: Paper, names: Sequence[str]) -> bool:
    """Whether an author's full name is, or ends with, one of some names."""
    authors = [f" {normalise(author)}" for author in paper.authors]
    return any(author.endswith(f" {normalise(name)}") for author in authors for name in names)


def _whether_by(paper: Paper, name: str) -> str:
    """``Yes, `` or ``No, ``; empty where a part of the name is there, as with ``A. Lee``."""
    if is_by(paper, [name]):
        return "Yes, "
    asked = set(re.findall(r"\w+", normalise(name)))
    there = [set(re.findall(r"\w+", normalise(author))) for author in paper.authors]
    if asked in there:
        return "Yes, "
    return "" if any(asked & words for words in there) else "No, "


def not_recorded(paper: Paper, asked: PaperQuestion) -> str:
    """What is said where the paper is here and its record lacks what is asked."""
    name = f"[{paper.title}]({markdown_target(paper.url)})" if paper.url else _title(paper)
    return f"The record of {name} does not say {_MISSING[asked.kind]}."


def number_of(
    counted: Counted, filters: Filters, corpus: str, facts: tuple[Fact, ...]
) -> RecordDraft:
    """``4 of the 57 papers of seeds are by Lee, at ICML 2025.``, or how many there are in all.

    Args:
        counted: The papers.
        filters: What those that match have in common.
        corpus: What all are called together.
        facts: What proves it of those that are shown.
    """
    every, matching, shown, joint = map(
        _ids, (counted.every, counted.matching, counted.shown, counted.joint)
    )
    counts, n = [matching], len(matching)
    if filters:
        text = f"{n:,} of the {len(every):,} papers of {corpus} {'is' if n == 1 else 'are'} {_which(filters)}"
        counts.append(every)
    else:
        # The names of several corpora are parted by commas.
        have = "have" if "," in corpus else "has"
        text = f"{corpus} {have} {n:,} {_plural('paper', n)}"
    if joint and joint != matching:
        text += (
            f", {len(joint)} of them by {'both' if len(filters.authors) == 2 else 'all of these'}"
        )
        counts.append(joint)
    if len(shown) < n:
        text += f"; the first {len(shown)} of them follow"
        counts.append(shown)
    named = (corpus, *(value for values in _fields_of(filters) for value in values))
    return RecordDraft(f"{text}.", facts, tuple(counts), named)


def entry(paper: Paper, labels: Sequence[str]) -> RecordDraft:
    """One paper of a list.

    Args:
        paper: With authors or without.
        labels: The fields of its record for which it is listed.
    """
    behind = [Fact(paper, label) for label in labels if label != "Authors"]
    if not paper.authors:
        return RecordDraft(
            f"{_title(paper)}.", (Fact(paper, "Title"), *behind), starts_paragraph=True
        )
    said = _named(paper.authors, at_most=_NAMED_AUTHORS)
    facts = (Fact(paper, "Authors", said), *behind)
    return RecordDraft(f"{_title(paper)} is by {said}.", facts, starts_paragraph=True)


def how_to_get_all(n_shown: int, n: int, filters: Filters, corpus: str) -> str:
    """What is said of a list that is not shown whole."""
    options = (
        ("--author", filters.authors),
        ("--venue", filters.venues),
        ("--year", filters.years),
        ("--presentation", filters.presentation),
        ("--track", filters.track),
        ("--keyword", filters.keywords),
    )
    given = [
        f"{option} {shlex.quote(value)}"
        for option, values in options
        for value in values_of(values)
    ]
    command = " ".join(["symposia export --corpus", shlex.quote(corpus), *given])
    return f"These are the first {n_shown} of {n:,} papers. To get all of them: `{command}`"


def did_you_mean(nearest: Sequence[Cue]) -> list[str]:
    """``No author here is “Jon Smyth”; the nearest: Jo Smyth, John Smith.``, one for each value."""
    groups: dict[Cue, list[str]] = {}
    for cue in nearest:
        groups.setdefault(replace(cue, value=""), []).append(cue.value)
    return [
        f"No {_FIELDS[cue.field]} here is “{cue.text}”; the nearest: {', '.join(values)}."
        for cue, values in groups.items()
    ]


def _which(filters: Filters) -> str:
    """``by Lee or Sun, in the track “position”``."""
    parts = (
        ("by {}", filters.authors),
        ("at {}", filters.venues),
        ("from {}", filters.years),
        ("presented as {}", filters.presentation),
        ("in the track {}", filters.track),
        ("with the keyword {}", filters.keywords),
    )
    return ", ".join(
        form.format(" or ".join(values_of(values))) for form, values in parts if values_of(values)
    )


def _fields_of(filters: Filters) -> Iterator[list[str]]:
    for field in fields(filters):
        yield values_of(getattr(filters, field.name))


def _ids(papers: Collection[Paper]) -> frozenset[str]:
    return frozenset(paper.paper_id for paper in papers)


def _draft(text: str, *facts: Fact) -> RecordDraft:
    return RecordDraft(text, facts)


def _title(paper: Paper) -> str:
    return f"“{' '.join(paper.title.split())}”"


def _named(authors: Sequence[str], *, at_most: int | None = None) -> str:
    """``A, B and C``; of many the first ones, ``and 12 others``."""
    names = list(authors)
    if at_most is not None and len(names) > at_most + 1:
        return f"{', '.join(names[:at_most])} and {len(names) - at_most} others"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _plural(noun: str, n: int) -> str:
    return noun if n == 1 else f"{noun}s"
