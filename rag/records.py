"""The records that flow through Symposia, from a paper to a proven answer.

All are frozen. ``start`` and ``end`` are half-open character offsets into ``paper.abstract``.
A higher score is always better; ranks count from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Status = Literal["answered", "not_stated", "not_in_corpus"]
Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper, as its conference lists it."""

    paper_id: str
    """Unique in its corpus, and stable: the conference's own id where there is one."""
    title: str
    """The title, or for untitled sources a readable label made from the abstract."""
    abstract: str
    """As published, byte for byte; may be empty where the source has none."""
    authors: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    url: str | None = None
    pdf_url: str | None = None
    presentation: str | None = None
    """``oral``, ``spotlight``, ``poster`` or what the source says; None where it does not say."""
    track: str | None = None
    keywords: tuple[str, ...] = ()
    pages: str | None = None
    other_titles: tuple[str, ...] = ()
    """Earlier or alternative titles, searchable but not shown as the title."""
    corpus: str = ""
    """What its corpus is called where several are open together, else empty; not stored."""
    copies: tuple[Paper, ...] = ()
    """The same paper as other entries have it, in this corpus or another; found when the papers are
    opened, not stored."""

    @property
    def entries(self) -> tuple[Paper, ...]:
        """This entry and its copies."""
        return (self, *self.copies)

    @property
    def byline(self) -> str:
        """``"Sun et al., 2025"``: first author's surname and year, as far as they are known."""
        who = ""
        if self.authors:
            who = self.authors[0].split()[-1] + (" et al." if len(self.authors) > 1 else "")
        return ", ".join(part for part in (who, str(self.year) if self.year else "") if part)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one abstract: ``text == paper.abstract[start:end]``."""

    chunk_id: str
    """``"<paper_id>#<n>"`` with n from 0."""
    paper_id: str
    text: str
    start: int
    end: int
    n_tokens: int
    content_hash: str
    """sha256 (hex) of what is embedded, so that a change re-embeds this chunk alone."""


@dataclass(frozen=True, slots=True)
class LegRanks:
    """Where each retrieval leg placed a hit; None where the leg did not return it."""

    dense: int | None = None
    lexical: int | None = None
    rerank: int | None = None


@dataclass(frozen=True, slots=True)
class LegHit:
    """What one retrieval leg found: a chunk and how well it fits; higher is better."""

    chunk_id: str
    score: float
    """Comparable within one search of one leg only."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result: the best chunk of one paper."""

    chunk: Chunk
    score: float
    """Fused relevance; higher is better; comparable within one search only."""
    rank: int
    ranks: LegRanks
    paper: Paper
    prominence: float = 0.0
    """By how many standard deviations its vector lies nearer to the question's than the mean paper
    that was searched; comparable across searches."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A paper that was read to answer: the whole abstract, never half of one."""

    marker: int
    """The number by which sentences cite it: ``[1]``."""
    paper: Paper
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Citation:
    """Proof of one sentence: ``paper.abstract[start:end] == quote``."""

    marker: int
    paper: Paper
    quote: str
    start: int
    end: int
    record: str = ""
    """What the paper's record says, where that proves the sentence: ``Authors: Ann Lee, Bo Sun``,
    one field a line. The quote then is the sentence of the abstract that introduces the paper,
    empty where there is no abstract."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the answer with the markers of the papers that prove it."""

    text: str
    markers: tuple[int, ...]
    support: float
    """How well the quotes support the sentence, from 0 to 1; 1 is a verbatim quotation."""
    starts_paragraph: bool = False
    is_flagged: bool = False
    """Whether its support is too weak to be shown without a warning."""


@dataclass(frozen=True, slots=True)
class DroppedSentence:
    """A sentence that a writer produced and the gate refused."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a language model read and wrote for one answer; zero without one."""

    input_tokens: int = 0
    output_tokens: int = 0
    counted_by: Literal["", "provider", "us"] = ""
    """Whether the provider said so or it was counted here; ``us`` if either part was."""
    cost_usd: float | None = None
    """An estimate by the settings' prices; None where they are not known."""

    def plus(self, other: Usage) -> Usage:
        """Both together; no usage at all changes nothing."""
        if not self.counted_by or not other.counted_by:
            return other if other.counted_by else self
        costs = (self.cost_usd, other.cost_usd)
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            "us" if "us" in (self.counted_by, other.counted_by) else "provider",
            None if None in costs else sum(cost or 0.0 for cost in costs),
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the conversation so far."""

    role: Role
    text: str
    sources: tuple[tuple[int, str], ...] = ()
    """Of an answer: marker and paper id of each paper that it numbered. Later answers of the
    conversation give the paper the same number."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Restricts a search to some papers.

    Values inside one field are alternatives; different fields must all hold. Text is compared
    without regard to case; an author matches by full name or surname.
    """

    authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    presentation: tuple[str, ...] | str = ()
    track: tuple[str, ...] | str = ()
    keywords: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(
            (self.authors, self.venues, self.years, self.presentation, self.track, self.keywords)
        )

    def __str__(self) -> str:
        """What is filtered, in words: ``author Sun or Liu; presentation oral``."""
        fields = (
            ("author", self.authors),
            ("venue", self.venues),
            ("year", self.years),
            ("presentation", self.presentation),
            ("track", self.track),
            ("keyword", self.keywords),
        )
        named = ((name, values_of(values)) for name, values in fields)
        return "; ".join(f"{name} {' or '.join(values)}" for name, values in named if values)


def values_of(values: str | int | Sequence[str] | Sequence[int] | None) -> list[str]:
    """One value of a filter or several, as text, without blank ones."""
    several = [values] if isinstance(values, str | int) else values or ()
    return [text for value in several if (text := str(value).strip())]


@dataclass(frozen=True, slots=True)
class Cue:
    """Words of a question that restrict which papers are looked at."""

    field: str
    """The field of ``Filters``."""
    value: str
    """As the papers have it, or as typed where no paper has it."""
    text: str
    """The words, as typed."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question that stands alone, and where to look for its answer."""

    question: str
    """As the user typed it."""
    standalone: str
    """With what it takes from earlier turns written in."""
    filters: Filters = field(default_factory=Filters)
    """Those that were given, and those of the cues."""
    cues: tuple[Cue, ...] = ()
    """What of the question became filters."""
    topic: str = ""
    """What is searched: the stand-alone question without its cues; empty if it has none."""

    @property
    def searched(self) -> str:
        """The words that are searched and read for."""
        return self.topic or self.standalone


@dataclass(frozen=True, slots=True)
class CensusPlan:
    """What a census is about to ask of a language model, said before it is asked."""

    n_papers: int
    n_requests: int
    input_tokens: int
    """Counted here; other tokenisers differ by a tenth or so."""
    output_tokens: int
    """An estimate."""
    cost_usd: float | None
    """An estimate by the settings' prices; None where they are not known."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Streaming event: what will be read."""

    query: Query
    passages: tuple[Passage, ...]
    plan: CensusPlan | None = None
    """For a census that a language model checks: what that will take."""


@dataclass(frozen=True, slots=True)
class SentenceReady:
    """Streaming event: one sentence that passed the gate, with its proof."""

    sentence: Sentence
    citations: tuple[Citation, ...]
