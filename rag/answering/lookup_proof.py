"""What the record of a paper says, and the gate for sentences that rest on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rag.answering.citations import Proven
from rag.export import papers_to_bibtex
from rag.records import Citation, DroppedSentence, Paper, Passage, Sentence
from rag.text import Span, split_sentences

_VALUES: dict[str, Callable[[Paper], str]] = {
    "Title": lambda paper: paper.title,
    "Authors": lambda paper: ", ".join(paper.authors),
    "First author": lambda paper: "".join(paper.authors[:1]),
    "Second author": lambda paper: "".join(paper.authors[1:2]),
    "Third author": lambda paper: "".join(paper.authors[2:3]),
    "Last author": lambda paper: "".join(paper.authors[-1:]),
    "Venue": lambda paper: paper.venue or "",
    "Year": lambda paper: str(paper.year or ""),
    "Presentation": lambda paper: paper.presentation or "",
    "Track": lambda paper: paper.track or "",
    "Keywords": lambda paper: ", ".join(paper.keywords),
    "Pages": lambda paper: paper.pages or "",
    "Page": lambda paper: paper.url or "",
    "PDF": lambda paper: paper.pdf_url or "",
    "BibTeX": lambda paper: papers_to_bibtex([paper]),
}
_INTRODUCES = re.compile(
    r"\b(?:we|this (?:paper|work|article))\s+(?:\w+\s+){0,2}?(?:propos|introduc|present|show|develop|argu|study"
    r"|studies|investigat|prove|release|describ|design)\w*",
    re.IGNORECASE,
)
_AND_MORE = re.compile(r",? and (?P<n>[\d,]+) others?$")


@dataclass(frozen=True, slots=True)
class Fact:
    """One field of one paper's record, and how a sentence says it."""

    paper: Paper
    label: str
    """``Authors``, ``Presentation`` and so on."""
    said: str = ""
    """These words of the sentence; empty where the field only stands behind it."""


@dataclass(frozen=True, slots=True)
class RecordDraft:
    """One sentence made from records, before it is proven."""

    text: str
    facts: tuple[Fact, ...]
    counted: tuple[frozenset[str], ...] = ()
    """For each number that it gives, the ids of the papers that were counted."""
    unchecked: tuple[str, ...] = ()
    """Names in it that state nothing: of the corpus, of what was asked for."""
    starts_paragraph: bool = False


def record_line(paper: Paper, label: str) -> str:
    """``Authors: Ann Lee, Bo Sun``; empty where the record does not have it."""
    value = " ".join(_VALUES[label](paper).split()) if label in _VALUES else ""
    return f"{label}: {value}" if value else ""


def is_in_record(paper: Paper, record: str) -> bool:
    """Whether a paper's record says all of this, one field a line."""
    lines = record.split("\n")
    return all(line and line == record_line(paper, line.partition(":")[0]) for line in lines)


def prove_record(draft: RecordDraft, passages: Mapping[int, Passage]) -> Proven | DroppedSentence:
    """Check a sentence against the records of the papers that it cites.

    Args:
        draft: The sentence, with the fields that prove it.
        passages: By marker; no other marker exists.

    Returns:
        The sentence with one citation for each paper, or the reason why it is not shown.
    """
    markers = {passage.paper.paper_id: marker for marker, passage in passages.items()}
    lines: dict[str, list[str]] = {}
    papers: dict[str, Paper] = {}
    for fact in draft.facts:
        paper_id = fact.paper.paper_id
        if paper_id not in markers:
            return DroppedSentence(draft.text, f"there is no source for {paper_id}")
        paper = passages[markers[paper_id]].paper
        if not _says(paper, fact) or fact.said not in draft.text:
            return DroppedSentence(draft.text, f"the record of {paper_id} does not say this")
        papers[paper_id] = paper
        lines.setdefault(paper_id, []).append(record_line(paper, fact.label))
    if not papers or not _counts_right(draft):
        return DroppedSentence(draft.text, "its numbers are not those of the records")
    citations = tuple(
        _citation(markers[paper_id], paper, "\n".join(dict.fromkeys(lines[paper_id])))
        for paper_id, paper in papers.items()
    )
    shown = tuple(citation.marker for citation in citations)
    return Proven(Sentence(draft.text, shown, 1.0, draft.starts_paragraph), citations)


def _says(paper: Paper, fact: Fact) -> bool:
    """Whether a record has a field, and in the words of the sentence."""
    line = record_line(paper, fact.label)
    if not line or not fact.said:
        return bool(line)
    if fact.label == "Authors":
        return _names_are_right(fact.said, paper.authors)
    return line.removeprefix(f"{fact.label}: ") == fact.said


def _names_are_right(said: str, authors: Sequence[str]) -> bool:
    """Whether ``A, B and 3 others``, or one name or number, says who the authors are."""
    if said.isdecimal():
        return int(said) == len(authors)
    more = _AND_MORE.search(said)
    n_more = int(more["n"].replace(",", "")) if more else 0
    named = said[: more.start()] if more else said
    expected = ", ".join(authors[: len(authors) - n_more])
    return named.replace(" and ", ", ") == expected.replace(" and ", ", ")


def _counts_right(draft: RecordDraft) -> bool:
    """Whether every number of a sentence is a count that holds, or is said by a record.

    And whether every count is in it.
    """
    rest = draft.text
    titles = {" ".join(fact.paper.title.split()) for fact in draft.facts}
    for title in titles:
        rest = rest.replace(f"“{title}”", " ")
    checked = [*(fact.said for fact in draft.facts), *draft.unchecked]
    for words in sorted(filter(None, checked), key=len, reverse=True):
        rest = rest.replace(words, " ")
    numbers = {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", rest)}
    return numbers == {len(ids) for ids in draft.counted}


def _citation(marker: int, paper: Paper, record: str) -> Citation:
    quoted = _introduction(paper.abstract)
    quote = paper.abstract[quoted.start : quoted.end]
    return Citation(marker, paper, quote, quoted.start, quoted.end, record)


def _introduction(abstract: str) -> Span:
    """The sentence that best says what a paper is about; nothing of an empty abstract."""
    spans = split_sentences(abstract)
    introducing = (span for span in spans if _INTRODUCES.search(abstract[span.start : span.end]))
    return next(introducing, spans[0] if spans else Span(0, 0))
