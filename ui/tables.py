"""The list of a census as a table of the page, and text that the page itself hands out."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

from rag.answer import Answer
from rag.census import Census, Member
from rag.records import Paper
from ui.markup import escape, inline, safe_url

_HEADS = ("Paper", "Year", "Verdict", "Confidence", "Quote")
_IN_WORDS = ((0.9, "very likely"), (0.7, "likely"), (0.5, "more likely than not"))


def table(turn: int, answer: Answer) -> str:
    """The census of an answer as one line of HTML; empty where it has none.

    ``page.js`` makes the heads sort.
    """
    if answer.census is None or not (answer.census.members or answer.census.borderline):
        return ""
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    rows = "".join(_row(turn, *row) for row in _rows(answer.census))
    return (
        f'<div class="census"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
        f'<p class="files">Download: {_files(answer)}</p></div>'
    )


def handed(kind: str, name: str, text: str) -> str:
    """``text`` for ``page.js`` to hand out by a button ``name``; ``kind`` is ``file``, ``copy`` or ``about``.

    It stands in the page as base64, so that no paper's words can act in it.
    """
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    return f'<span class="{kind}">{name}<code class="content">{encoded}</code></span>'


def _rows(census: Census) -> Iterator[tuple[str, Member]]:
    yield from (("member", member) for member in census.members)
    yield from (("borderline", member) for member in census.borderline)


def _row(turn: int, verdict: str, member: Member) -> str:
    paper, mark = member.paper, f"[{member.marker}]"
    cite = f'<a class="cite" href="#s{turn}-{member.marker}">{mark}</a>'
    quote = f"“{inline(member.quote)}” " if member.quote else ""
    cells = (
        f'{_title(paper)} <span class="short">{escape(short_byline(paper))}</span>',
        str(paper.year or ""),
        verdict,
        _confidence(member.confidence),
        f"{quote}{cite}",
    )
    return f'<tr class="{verdict}">{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def short_byline(paper: Paper) -> str:
    """``"Sun et al., 2025"``, and where several corpora are open the one that it is of."""
    return " · ".join(part for part in (paper.byline, paper.corpus) if part)


def _title(paper: Paper) -> str:
    title, href = inline(paper.title), safe_url(paper.url)
    if href is None:
        return title
    return f'<a href="{href}" target="_blank" rel="noopener noreferrer">{title}</a>'


def _confidence(value: float) -> str:
    words = next((words for least, words in _IN_WORDS if value >= least), "possible")
    return f"{value:.0%} · {words}".replace("%", "&#37;")


def _files(answer: Answer) -> str:
    files = {
        "CSV": answer.to_csv(),
        "BibTeX": answer.to_bibtex(),
        "Markdown": answer.to_markdown(),
        "JSON": _json(answer),
    }
    return " ".join(handed("file", name, text) for name, text in files.items())


def _json(answer: Answer) -> str:
    rows = [
        {
            "paper_id": member.paper.paper_id,
            "title": member.paper.title,
            "authors": member.paper.authors,
            "year": member.paper.year,
            "url": member.paper.url,
            "verdict": verdict,
            "confidence": round(member.confidence, 2),
            "quote": member.quote,
        }
        for verdict, member in (_rows(answer.census) if answer.census else ())
    ]
    return json.dumps({"question": answer.question, "papers": rows}, ensure_ascii=False, indent=2)
