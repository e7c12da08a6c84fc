"""How an answer came about, as the page shows it: what was looked for, where, by whom, how long."""

from __future__ import annotations

from rag.answer import Answer
from rag.export import usage_in_words
from rag.records import Query
from ui.exchange import Exchange
from ui.markup import escape


def steps(exchange: Exchange) -> str:
    """The steps under an answer, folded; empty where nothing was looked for."""
    query = exchange.query
    if query is None or not (exchange.passages or query.filters):
        return ""
    lines = [
        *_search(query, len(exchange.passages)),
        *(_making(exchange.answer) if exchange.answer else []),
    ]
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f'<details class="steps"><summary>How this was found</summary><ul>{items}</ul></details>'


def _search(query: Query, n_read: int) -> list[str]:
    lines = []
    if query.standalone != query.question:
        lines.append(f"Asked as: {escape(query.standalone)}")
    if query.filters:
        lines.append(f"Looked only at: {escape(str(query.filters))}")
    lines += [
        f"“{escape(cue.text)}” was read as {escape(cue.field)} {escape(str(cue.value))}"
        for cue in query.cues
    ]
    lines.append(f"Read the abstract{'' if n_read == 1 else 's'} of {_papers(n_read)}")
    return lines


def _papers(count: int) -> str:
    return "1 paper" if count == 1 else f"{count or 'no'} papers"


def _making(answer: Answer) -> list[str]:
    lines = []
    if answer.usage.counted_by:
        lines.append(f"{escape(answer.model)}: {escape(usage_in_words(answer.usage))}")
    seconds = sum(answer.timings_ms.values()) / 1000
    if seconds:
        lines.append(f"Took {seconds:.1f} s")
    return lines
