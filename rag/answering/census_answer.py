"""The answer to a census: how many, then each paper with the words that show it."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rag.answer import Event, Finished
from rag.answering import census_checking as checking
from rag.answering.census import Criteria, Judged, screen
from rag.answering.citations import Draft, Quote
from rag.answering.clock import Clock
from rag.answering.composing import Composer
from rag.answering.extractive import introduction
from rag.answering.numbering import Numbering
from rag.answering.outcome import among, not_in_corpus_notice
from rag.answering.writer import Writer
from rag.census import Census, Member
from rag.chat.tally import Prices
from rag.embeddings.base import Reader
from rag.records import Hit, Passage, Query, Retrieved, Status

N_NEAREST = 5
"""Papers that are named where none is counted."""
_MAX_WORDS_OF_A_NAME = 8
_ASKS_HOW_MANY = re.compile(r"\bhow many\b|\bcount\b", re.IGNORECASE)
_N_NAMED = 10
"""Borderline papers that the notice names."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What is asked of all papers, and which of them a search found nearest."""

    query: Query
    topic: str
    """What a paper must be about, or do."""
    hits: tuple[Hit, ...]
    """The nearest first; no others are read."""
    n_screened: int
    """How many papers pass the filters."""
    corpus: str
    """What the papers are called together."""
    numbering: Numbering
    fingerprint: str
    """Of the index."""

    @property
    def describes(self) -> bool:
        """Whether the topic is a description rather than a name, and no number is asked for.

        Of such a topic the reader is seldom sure: "existing evaluations of creative abilities miss
        what matters".
        """
        is_long = len(self.topic.split()) > _MAX_WORDS_OF_A_NAME
        return is_long and not _ASKS_HOW_MANY.search(self.query.standalone)


def take_census(
    survey: Survey, reader: Reader, clock: Clock, writer: Writer | None, prices: Prices
) -> Generator[Event, None, bool]:
    """Answer which papers there are of a kind.

    Args:
        survey: The question, and the papers that are considered.
        reader: Reads topic and abstract together.
        clock: Told how long each stage takes.
        writer: Checks what the reader found; without it the reader alone decides.
        prices: What a token costs.

    Returns:
        Whether it was answered; if not, nothing was yielded, and what comes nearest to the question
        is better quoted than counted.
    """
    with clock.stage("rerank"):
        judged = screen(reader, survey.topic, survey.hits)
    if writer is None and survey.describes and not any(i.verdict == "member" for i in judged):
        return False
    n_considered = len(judged)
    passages = _number(_announced(judged, writer is not None), survey.numbering)
    requests, checked = None, None
    if writer and (
        asked := passages[: sum(item.chance >= checking.WORTH_ASKING for item in judged)]
    ):
        requests = checking.plan_check(
            survey.topic, asked, window=writer.window, model=writer.name, prices=prices
        )
    yield Retrieved(survey.query, passages, requests.plan if requests else None)
    if writer and requests:
        with clock.stage("write"):
            checked = checking.check(writer, judged, requests)
        judged = list(checked.judged)
    model = writer.name if writer and checked and checked.n_by_model else ""
    census = _record(survey, judged, passages, n_considered, model)
    composer = Composer(survey.query, passages, clock, fingerprint=survey.fingerprint)
    yield from composer.show(_drafts(census, survey))
    answer = composer.finish(_status(census), _notice(census, survey, checked))
    usage = writer.usage if writer else answer.usage
    yield Finished(replace(answer, census=census, usage=usage, model=model or answer.model))
    return True


def _announced(judged: Sequence[Judged], is_checked: bool) -> list[Judged]:
    """The papers that may be cited, the likeliest first; where there are none, the nearest."""
    ranked = sorted(judged, key=lambda item: -item.chance)
    if is_checked:
        chosen = [item for item in ranked if item.chance >= checking.WORTH_ASKING]
    else:
        chosen = [item for item in ranked if item.verdict == "member"]
        chosen += [item for item in ranked if item.verdict == "borderline"]
    counted = any(item.verdict == "member" for item in chosen)
    rest = [] if counted else [item for item in ranked if item not in chosen]
    return chosen + rest[: max(0, N_NEAREST - len(chosen))]


def _number(judged: Sequence[Judged], numbering: Numbering) -> tuple[Passage, ...]:
    markers = numbering.number(item.paper.paper_id for item in judged)
    return tuple(
        Passage(marker, item.paper, item.paper.abstract, item.score)
        for marker, item in zip(markers, judged, strict=True)
    )


def _record(
    survey: Survey,
    judged: Sequence[Judged],
    passages: Sequence[Passage],
    n_considered: int,
    model: str,
) -> Census:
    markers = {passage.paper.paper_id: passage.marker for passage in passages}
    ranked = sorted(judged, key=lambda item: -item.chance)
    return Census(
        survey.topic,
        rule(model),
        survey.n_screened,
        n_considered,
        tuple(_member(item, markers) for item in ranked if item.verdict == "member"),
        tuple(_member(item, markers) for item in ranked if item.verdict == "borderline"),
    )


def _member(item: Judged, markers: Mapping[str, int]) -> Member:
    start, end = (item.quote.start, item.quote.end) if item.quote else (0, 0)
    marker = markers[item.paper.paper_id]
    return Member(item.paper, marker, item.chance, item.quoted, start, end)


def rule(model: str) -> str:
    """How it was decided which papers are counted.

    Args:
        model: The language model that checked them; empty without one.
    """
    if model:
        return (
            f"Counted is each paper of which {model} said that its abstract shows it, with words "
            "that were found there; where it was unsure, or its words were not found, the paper is "
            "borderline."
        )
    limits = Criteria()
    return (
        "Counted is each paper whose abstract, as the local reader takes it, shows this with a "
        f"chance of at least {limits.member:.0%}; from {limits.borderline:.0%} on it is borderline."
    )


def _drafts(census: Census, survey: Survey) -> Iterator[Draft]:
    if not census.members:
        return
    quotes = tuple(Quote(one.marker, one.quote, one.start) for one in census.members)
    support = min(one.confidence for one in census.members)
    verb = "matches" if census.count == 1 else "match"
    yield Draft(f"{census.count:,} of {_among(survey)} {verb} “{survey.topic}”.", quotes, support)
    for member, quote in zip(census.members, quotes, strict=True):
        text = f"{introduction(member.paper)} “{member.quote}”"
        yield Draft(text, (quote,), support=1.0, starts_paragraph=True)


def _among(survey: Survey) -> str:
    return among(survey.n_screened, survey.corpus, str(survey.query.filters))


def _status(census: Census) -> Status:
    return "answered" if census.members else "not_in_corpus"


def _notice(census: Census, survey: Survey, checked: checking.Checked | None) -> str:
    """What the list leaves open, how it was made, and what kept a model from checking it."""
    if not survey.n_screened:
        return not_in_corpus_notice(0, survey.corpus, str(survey.query.filters))
    none = "" if census.members else f"None of {_among(survey)} clearly matches “{survey.topic}”."
    parts = (none, _borderline(census), census.rule, checked.fault if checked else "")
    return " ".join(part for part in parts if part)


def _borderline(census: Census) -> str:
    n = len(census.borderline)
    if not n:
        return ""
    titles = [f"“{one.paper.title}”" for one in census.borderline[:_N_NAMED]]
    more = f" and {n - _N_NAMED} more" if n > _N_NAMED else ""
    verb = "paper is" if n == 1 else "papers are"
    return f"{n} {verb} borderline and not counted: {', '.join(titles)}{more}."
