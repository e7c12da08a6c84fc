"""Answers from the records of papers: exactly, without a search, each sentence with its proof."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rag.answer import Answer
from rag.answering import lookup_writing as writing
from rag.answering.lookup_proof import Fact, RecordDraft
from rag.answering.lookup_questions import (
    PaperQuestion,
    asks_for_list,
    asks_how_many,
    paper_questions,
)
from rag.answering.lookup_titles import Titles
from rag.answering.lookup_writing import Counted
from rag.answering.outcome import not_in_corpus_notice
from rag.records import Cue, Paper, Query

N_LISTED = 20
"""Papers that a list shows."""
N_EXAMPLES = 5
"""Papers that are shown beside a number."""
_SEVERAL = 2
_FILTERED_BY = {
    "authors": "Authors",
    "venues": "Venue",
    "years": "Year",
    "presentation": "Presentation",
    "track": "Track",
    "keywords": "Keywords",
}


@dataclass(frozen=True, slots=True)
class Looked:
    """What the records say to a question."""

    papers: tuple[Paper, ...]
    """Those that are spoken of, in their order."""
    drafts: tuple[RecordDraft, ...]
    """Empty where the record of the paper does not have what is asked."""
    notice: str = ""


def look_up_paper(
    question: str, titles: Titles, *, among: Callable[[Paper], bool]
) -> Looked | None:
    """Answer what is asked of one paper's record.

    Args:
        question: One that stands alone.
        titles: Finds papers by what they are called.
        among: Which papers may be meant.

    Returns:
        None where nothing of the kind is asked, or it is not sure of which paper.
    """
    for asked in paper_questions(question):
        papers = titles.named(asked.about, among=among, is_strict=asked.is_strict)
        if papers:
            return _said(asked, papers)
    return None


def _said(asked: PaperQuestion, papers: tuple[Paper, ...]) -> Looked:
    drafts = [draft for paper in papers for draft in writing.field_of(paper, asked)]
    notices = []
    if not drafts:
        notices.append(writing.not_recorded(papers[0], asked))
    if len(papers) > 1:
        notices.append(
            f"{len(papers)} papers fit “{asked.about.strip('“”')}”: this is for each of them."
        )
    return Looked(papers, tuple(drafts), " ".join(notices))


def look_up_papers(
    query: Query, matching: Sequence[Paper], papers: Collection[Paper], *, corpus: str
) -> Looked | None:
    """Answer which papers, or how many, pass the filters.

    Args:
        query: With its filters and topic.
        matching: The papers that pass them, at least one.
        papers: All papers.
        corpus: What they are called together.

    Returns:
        None where the question asks for something else, as papers on a topic.
    """
    is_cued = bool(query.cues)
    counts = asks_how_many(query.searched, corpus, is_cued=is_cued)
    if not counts and not asks_for_list(query.searched, is_cued=is_cued):
        return None
    joint = _by_all(query.cues, matching)
    # What several people wrote together comes before what one of them wrote.
    ordered = [*joint, *(paper for paper in matching if paper not in joint)]
    shown = tuple(ordered[: N_EXAMPLES if counts else N_LISTED])
    labels = tuple(label for field, label in _FILTERED_BY.items() if getattr(query.filters, field))
    facts = tuple(Fact(paper, label) for paper in shown for label in labels or ("Title",))
    drafts = [
        writing.number_of(Counted(papers, matching, shown, joint), query.filters, corpus, facts)
    ]
    drafts += [writing.entry(paper, labels) for paper in shown]
    more = len(matching) > len(shown)
    notice = (
        writing.how_to_get_all(len(shown), len(matching), query.filters, corpus) if more else ""
    )
    return Looked(shown, tuple(drafts), notice)


def _by_all(cues: Sequence[Cue], papers: Sequence[Paper]) -> list[Paper]:
    """The papers by all authors that a question names; none where it names one or nobody."""
    named: dict[str, list[str]] = {}
    for cue in cues:
        if cue.field == "authors":
            named.setdefault(cue.text, []).append(cue.value)
    if len(named) < _SEVERAL:
        return []
    return [
        paper for paper in papers if all(writing.is_by(paper, names) for names in named.values())
    ]


def no_paper_matches(query: Query, nearest: Sequence[Cue], corpus: str) -> Answer:
    """Say that no paper passes the filters, and which values there are.

    Args:
        query: With its filters.
        nearest: Values that exist, each with the one it may stand for as its text.
        corpus: What the papers are called together.
    """
    said = not_in_corpus_notice(0, corpus, str(query.filters))
    return Answer(
        query.question,
        query.standalone,
        "not_in_corpus",
        notice=" ".join([said, *writing.did_you_mean(nearest)]),
        filters=query.filters,
        cues=query.cues,
        suggestions=tuple(nearest),
    )
