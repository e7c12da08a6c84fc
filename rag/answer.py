"""The one result object: what the browser shows, Python returns and the evaluation measures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rag.census import Census, Member
from rag.export import members_to_csv, paper_to_markdown, papers_to_bibtex, record_lines
from rag.records import (
    Citation,
    Cue,
    DroppedSentence,
    Filters,
    Paper,
    Passage,
    Retrieved,
    Sentence,
    SentenceReady,
    Status,
    Usage,
    values_of,
)

WEAKLY_SUPPORTED = "weakly supported: check the quote"
"""Said of a sentence that passed with a warning."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A proven answer, or an honest refusal; ``str(answer)`` is ``answer.text``."""

    question: str
    standalone_question: str
    """The question with what it takes from earlier turns written in."""
    status: Status
    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    """What was read. For ``not_stated`` the paper that was looked in comes first; for
    ``not_in_corpus`` these are the nearest papers, not used as evidence."""
    dropped: tuple[DroppedSentence, ...] = ()
    notice: str = ""
    """A refusal, or a reply to what is no question, in words. When answered, what the reader should
    know of how a language model fared: what it says is not stated, that it broke off, that it could
    not be used; of a census, its rule and what is borderline; else empty."""
    left_out: tuple[int, ...] = ()
    """Markers of the passages that the language model had no room for."""
    usage: Usage = field(default_factory=Usage)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    """Wall time of each stage in milliseconds."""
    model: str = "extractive"
    index_fingerprint: str = ""
    census: Census | None = None
    """For "which papers" and "how many papers": the list that was made, and how."""
    filters: Filters = field(default_factory=Filters)
    """Which papers were looked at: as given, and as read from the question."""
    cues: tuple[Cue, ...] = ()
    """What was read from the question as filters; ``ask(..., read_cues=False)`` reads nothing."""
    suggestions: tuple[Cue, ...] = ()
    """Where no paper matches: values that exist, near the one in ``text``."""

    @property
    def text(self) -> str:
        """The answer as Markdown with ``[1]`` markers; for a refusal the notice."""
        if self.status != "answered":
            return self.notice
        pieces: list[str] = []
        for sentence in self.sentences:
            joint = "\n\n" if sentence.starts_paragraph else " "
            pieces += [joint if pieces else "", sentence.text, " ", _marks(sentence.markers)]
            pieces += [f" *({WEAKLY_SUPPORTED})*"] if sentence.is_flagged else []
        return "".join(pieces).strip()

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The papers it speaks of, as they are cited; for ``not_stated`` the one looked in."""
        if self.status == "not_stated":
            return tuple(passage.paper for passage in self.passages[:1])
        return tuple({citation.marker: citation.paper for citation in self.citations}.values())

    @property
    def sources(self) -> tuple[tuple[int, str], ...]:
        """Marker and paper id of each passage: by them a history keeps the numbers of papers."""
        return tuple((passage.marker, passage.paper.paper_id) for passage in self.passages)

    @property
    def unused_passages(self) -> tuple[Passage, ...]:
        """What was retrieved and is not cited."""
        cited = {citation.marker for citation in self.citations}
        return tuple(passage for passage in self.passages if passage.marker not in cited)

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values for JSON, with ``text``, ``sources`` and the ids of ``papers``."""
        plain = {
            name: getattr(self, name) for name in ("question", "standalone_question", "status")
        }
        plain |= {"text": self.text, "papers": [paper.paper_id for paper in self.papers]}
        plain["sources"] = [list(source) for source in self.sources]
        plain["filters"] = {
            name: list(values_of(value)) for name, value in asdict(self.filters).items()
        }
        for name in ("sentences", "citations", "passages", "dropped", "cues", "suggestions"):
            plain[name] = [asdict(item) for item in getattr(self, name)]
        return plain | {
            "notice": self.notice,
            "left_out": list(self.left_out),
            "usage": asdict(self.usage),
            "timings_ms": dict(self.timings_ms),
            "model": self.model,
            "index_fingerprint": self.index_fingerprint,
            "census": asdict(self.census) if self.census else None,
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """``to_dict()`` as JSON text, non-ASCII characters kept."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def to_markdown(self) -> str:
        """Question, answer and numbered sources with their quotes, ready for notes."""
        blocks = [f"## {' '.join(self.question.split())}", self.text]
        blocks += [f"Looked only at: {self.filters}"] if self.filters else []
        blocks += [self.notice] if self.status == "answered" and self.notice else []
        sources = [self._source(number, paper) for number, paper in self._numbered_papers()]
        if sources:
            blocks += ["### Sources", "\n\n".join(sources)]
        if self.census and self.census.borderline:
            unsure = [_borderline(member) for member in self.census.borderline]
            blocks += ["### Borderline papers (not counted)", "\n\n".join(unsure)]
        elif self.status == "not_in_corpus" and self.passages:
            nearest = [f"- {paper_to_markdown(passage.paper)}" for passage in self.passages]
            blocks += ["### Nearest papers (not used as evidence)", "\n".join(nearest)]
        return "\n\n".join(blocks) + "\n"

    def to_bibtex(self) -> str:
        """BibTeX entries of ``papers``."""
        return papers_to_bibtex(self.papers)

    def to_csv(self) -> str:
        """A table of the papers of the list, borderline ones last, else of ``papers``.

        The columns are ``rag.export.CSV_COLUMNS``; the verdict is ``member`` or ``borderline``,
        ``cited`` where the answer is no census.
        """
        if self.census:
            verdicts = {"member": self.census.members, "borderline": self.census.borderline}
            return members_to_csv(verdicts)
        return members_to_csv({"cited": self._cited()})

    def __str__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _cited(self) -> list[Member]:
        """Each cited paper with its first quote and the best support of a sentence citing it."""
        cited: dict[int, Member] = {}
        for one in self.citations:
            support = max(s.support for s in self.sentences if one.marker in s.markers)
            member = Member(one.paper, one.marker, support, one.quote, one.start, one.end)
            cited.setdefault(one.marker, member)
        return list(cited.values())

    def _numbered_papers(self) -> list[tuple[int, Paper]]:
        if self.status == "not_stated":
            return [(passage.marker, passage.paper) for passage in self.passages[:1]]
        cited = {citation.marker: citation.paper for citation in self.citations}
        return sorted(cited.items())

    def _source(self, marker: int, paper: Paper) -> str:
        mine = [citation for citation in self.citations if citation.marker == marker]
        quotes = [citation.quote for citation in mine if not citation.record]
        lines = [f"[{marker}] {paper_to_markdown(paper)}"]
        lines += [f"> {line}" for line in record_lines(mine)]
        lines += ["> " + " ".join(quote.split()) for quote in dict.fromkeys(quotes)]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Finished:
    """Streaming event: the last one, with the same answer that ``ask`` returns."""

    answer: Answer


Event = Retrieved | SentenceReady | Finished


def _marks(markers: tuple[int, ...]) -> str:
    return "".join(f"[{marker}]" for marker in markers)


def _borderline(member: Member) -> str:
    quote = f"\n> {' '.join(member.quote.split())}" if member.quote else ""
    return f"- {paper_to_markdown(member.paper)}{quote}"
