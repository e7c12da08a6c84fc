"""Letting a language model check what a screening found: yes, maybe or no, each with a quote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rag.answering.census import Criteria, Judged, Verdict
from rag.answering.prompts import REPLY_TOKENS, census_messages
from rag.answering.scrubbing import scrub
from rag.answering.writer import Writer
from rag.chat.base import Message
from rag.chat.tally import Prices
from rag.errors import ProviderError
from rag.records import CensusPlan, Passage
from rag.text import Span, split_sentences
from rag.tokens import count_tokens, encoding_name_for

WORTH_ASKING = 0.02
"""A model is asked about no paper whose chance is below this."""
_PER_REQUEST = 10
"""Small models lose count of more."""
_TOKENS_PER_LINE = 45
_LINE = re.compile(
    r"^\W*\[?(?P<marker>\d{1,6})\]?\W*\b(?P<word>yes|no|maybe)\b\W*?(?:[:\-–—,]\s*(?P<quote>.*))?$",
    re.IGNORECASE,
)
_QUOTATION_MARKS = "\"'`*“”‘’«» "
_VERDICTS: Mapping[str, Verdict] = {"yes": "member", "maybe": "borderline", "no": "out"}
# What fewer words show, other abstracts have as well.
_MIN_QUOTED_CHARS = 12


@dataclass(frozen=True, slots=True)
class Batch:
    """One request: the papers it is about, and how it asks."""

    passages: tuple[Passage, ...]
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """All requests of one census, and what they will take."""

    batches: tuple[Batch, ...]
    plan: CensusPlan


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of the requests."""

    judged: tuple[Judged, ...]
    n_by_model: int
    """How many verdicts are the model's; the others are those of the screening."""
    fault: str = ""
    """What kept the model from checking all, in words."""


def plan_check(
    topic: str, passages: Sequence[Passage], *, window: int, model: str, prices: Prices
) -> Check:
    """Divide papers into requests that fit the window of a model.

    Args:
        topic: What a paper must be about, or do.
        passages: What the model is asked about, the likeliest first.
        window: Tokens of one request and its reply.
        model: ``provider:model``, to count as it counts.
        prices: For the estimate of the cost.
    """
    encoding = encoding_name_for(model.rpartition(":")[2])
    room = int(window * 0.9) - min(REPLY_TOKENS, window // 4)
    room -= _size(census_messages(topic, ()), encoding)
    batches: list[Batch] = []
    group: list[Passage] = []
    n_left = room
    for passage in passages:
        n_tokens = count_tokens(f"{passage.paper.title} {passage.text}", encoding) + 120
        if group and (n_tokens > n_left or len(group) == _PER_REQUEST):
            batches.append(Batch(tuple(group), census_messages(topic, group)))
            group, n_left = [], room
        if n_tokens <= room:
            group.append(passage)
            n_left -= n_tokens
    if group:
        batches.append(Batch(tuple(group), census_messages(topic, group)))
    return Check(tuple(batches), _plan(batches, encoding, prices))


def _plan(batches: Sequence[Batch], encoding: str, prices: Prices) -> CensusPlan:
    n_papers = sum(len(batch.passages) for batch in batches)
    n_input = sum(_size(batch.messages, encoding) for batch in batches)
    n_output = n_papers * _TOKENS_PER_LINE
    cost = prices.cost_usd(n_input, n_output)
    return CensusPlan(n_papers, len(batches), n_input, n_output, cost)


def _size(messages: Sequence[Message], encoding: str) -> int:
    return sum(count_tokens(message.text, encoding) for message in messages)


def check(writer: Writer, judged: Sequence[Judged], requests: Check) -> Checked:
    """Ask a model; where it says nothing that can be read, the screening's verdict stays.

    Args:
        writer: Asks the model, within the time of the question.
        judged: By the screening.
        requests: Of the same papers.
    """
    verdicts: dict[str, Judged] = {}
    known = {item.paper.paper_id: item for item in judged}
    fault = ""
    for batch in requests.batches:
        if writer.left_s <= 0:
            fault = "There was no time to let the model check all papers."
            break
        try:
            reply = writer.ask(batch.messages).text
        except ProviderError as error:
            fault = str(error)
            break
        lines = parse_reply(reply)
        for passage in batch.passages:
            if line := lines.get(passage.marker):
                paper_id = passage.paper.paper_id
                verdicts[paper_id] = _decide(known[paper_id], line)
    merged = tuple(verdicts.get(item.paper.paper_id, item) for item in judged)
    return Checked(merged, len(verdicts), fault)


@dataclass(frozen=True, slots=True)
class Line:
    """What a model says of one paper."""

    word: str
    quote: str


def parse_reply(reply: str) -> dict[int, Line]:
    """By marker what a model says; lines of another form are passed over, the first one counts."""
    lines: dict[int, Line] = {}
    for line in scrub(reply).splitlines():
        found = _LINE.match(line.strip())
        if found:
            quote = (found["quote"] or "").strip(_QUOTATION_MARKS)
            lines.setdefault(int(found["marker"]), Line(found["word"].lower(), quote))
    return lines


def _decide(item: Judged, line: Line) -> Judged:
    """The model's verdict; its word alone counts no paper, the quote has to be in the abstract."""
    verdict = _VERDICTS[line.word]
    if verdict == "out":
        return replace(item, verdict="out", chance=item.chance / 2)
    span = find_quote(line.quote, item.paper.abstract)
    if verdict == "member" and span is not None:
        return replace(item, verdict="member", chance=(1 + item.chance) / 2, quote=span)
    chance = min(item.chance, Criteria().member)
    return replace(item, verdict="borderline", chance=chance, quote=span or item.quote)


def find_quote(quote: str, abstract: str) -> Span | None:
    """The sentences of an abstract that a quote is part of; None where it says nothing like it.

    Case and white space may differ, and an ellipsis may stand at either end.
    """
    words = quote.strip(_QUOTATION_MARKS + ".…").split()
    if len(" ".join(words)) < _MIN_QUOTED_CHARS:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), abstract, re.IGNORECASE)
    if found is None:
        return None
    spans = [
        span
        for span in split_sentences(abstract)
        if span.start < found.end() and found.start() < span.end
    ]
    return Span(spans[0].start, spans[-1].end) if spans else None
