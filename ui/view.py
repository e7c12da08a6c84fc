"""What the page shows, as pure functions from records to HTML.

All text of papers, models and users passes through ``ui.markup``. Blocks stand on one line each and
are parted by blank lines, so that the page's Markdown engine takes them as finished HTML and redraws
only the blocks that changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rag.answer import WEAKLY_SUPPORTED, Answer
from rag.export import (
    entry_in_words,
    markdown_target,
    papers_to_bibtex,
    record_lines,
    venue_and_corpus,
    venue_and_year,
)
from rag.records import Citation, Paper, Passage, SentenceReady
from ui.exchange import Exchange
from ui.markup import attribute, escape, inline, safe_url
from ui.steps import steps
from ui.tables import handed, short_byline, table

_SHOWN_QUESTION_CHARS = 1200
_SHOWN_AUTHORS = 10


def header(*, mode: str, n_papers: int, corpus_name: str) -> str:
    """The page's title line with the badge: who answers, from how many papers."""
    who = "Quotes only · no key needed" if mode == "extractive" else f"Written by {mode}"
    papers = f"{n_papers:,} paper{'' if n_papers == 1 else 's'} · {corpus_name}"
    return (
        '<div class="masthead"><h1>Symposia</h1>'
        '<p class="motto">Every sentence proven by a quote</p>'
        f'<p class="badges"><span class="badge mode">{escape(who)}</span>'
        f'<span class="badge corpus">{escape(papers)}</span></p></div>'
    )


def welcome() -> str:
    """What an empty chat says."""
    return (
        '<div class="welcome"><p class="lead">Ask the papers a question.</p>'
        "<p>Each sentence of an answer carries the words of the abstract that prove it. "
        "What the papers do not say is not answered.</p></div>"
    )


def question(text: str) -> str:
    """The user's words as typed, shortened when they would fill the page."""
    lines = text[:_SHOWN_QUESTION_CHARS].strip().split("\n")
    shortened = " …" if len(text) > _SHOWN_QUESTION_CHARS else ""
    return f'<p class="question">{"<br>".join(map(escape, lines))}{shortened}</p>'


def reply(exchange: Exchange) -> str:
    """The answer as far as it has come: outcome label, cited sentences, notes, steps."""
    listed = table(exchange.turn, exchange.answer) if exchange.answer else ""
    # The first sentence counts the papers; the rows of the table stand for the others.
    said = _paragraphs(exchange)[: 1 if listed else None]
    blocks = [_label(exchange), *said, listed, *_notes(exchange), steps(exchange)]
    return "\n\n".join(block for block in blocks if block)


def section(exchange: Exchange, *, is_open: bool) -> str:
    """The papers behind one answer, under its question; empty when none were read."""
    if not exchange.passages:
        return ""
    asked = escape(" ".join(exchange.question[:160].split()))
    state = " open" if is_open else ""
    groups = "".join(_group(exchange, *group) for group in _groups(exchange) if group[2])
    return (
        f'<details class="turn"{state}><summary><span class="asked">{asked}</span></summary>'
        f"{groups}</details>"
    )


def panel(sections: Sequence[str]) -> str:
    """The sources panel from its sections in the order of the questions: the newest first."""
    shown = [section for section in reversed(sections) if section]
    return "\n\n".join(shown) or (
        '<p class="hint">The papers behind an answer appear here, the quoted words marked in '
        "their abstracts.</p>"
    )


def _label(exchange: Exchange) -> str:
    kind, words = _outcome(exchange)
    if not kind:
        return ""
    anchor = f'<span id="a{exchange.turn}" tabindex="-1"></span>'
    return f'<p class="outcome {kind}">{anchor}<span class="label">{words}</span></p>'


def _outcome(exchange: Exchange) -> tuple[str, str]:
    """CSS class and words of the label; empty for a reply that is no answer to a question."""
    answer = exchange.answer
    if exchange.stage == "failed":
        return "failed", "Something went wrong"
    if exchange.stage == "stopped":
        return "stopped", "Stopped"
    if exchange.stage == "searching":
        return "working", "Searching the papers"
    if answer is None:
        return "working", f"Reading {_papers(len(exchange.passages))}"
    if not exchange.passages and not answer.sentences:
        return "", ""
    if answer.status == "answered":
        is_record = all(citation.record for citation in answer.citations)
        how = "by record" if is_record and answer.citations else "quoted"
        return "answered", f"Answered · {_papers(len(answer.papers))} {how}"
    if answer.status == "not_stated":
        return "not-stated", "Not stated in the abstract"
    return "not-in-corpus", "Not in these papers"


def _papers(count: int) -> str:
    return "1 paper" if count == 1 else f"{count} papers"


def _paragraphs(exchange: Exchange) -> list[str]:
    paragraphs: list[list[str]] = []
    for ready in exchange.sentences:
        if not paragraphs or ready.sentence.starts_paragraph:
            paragraphs.append([])
        paragraphs[-1].append(_sentence(exchange.turn, ready))
    return [f"<p>{' '.join(paragraph)}</p>" for paragraph in paragraphs]


def _sentence(turn: int, ready: SentenceReady) -> str:
    links = [_cite(turn, marker, ready.citations) for marker in ready.sentence.markers]
    shown = inline(ready.sentence.text)
    if not any(links):
        return f'<span class="unproven">{shown} <em>(no quote found)</em></span>'
    if ready.sentence.is_flagged:
        shown = f'<span class="weak">{shown} <em>({WEAKLY_SUPPORTED})</em></span>'
    return f"{shown}&nbsp;{''.join(links)}"


def _cite(turn: int, marker: int, citations: Iterable[Citation]) -> str:
    mine = [citation for citation in citations if citation.marker == marker]
    quotes = [citation.quote for citation in mine if not citation.record]
    if not mine:
        return ""
    paper = mine[0].paper
    where = f"{venue_and_corpus(paper)}: " if paper.corpus else ""
    title = attribute(where + " … ".join(dict.fromkeys([*record_lines(mine), *quotes])))
    return f'<a class="cite" href="#s{turn}-{marker}" title="{title}">[{marker}]</a>'


def _notes(exchange: Exchange) -> list[str]:
    if exchange.stage == "failed":
        return [f'<p class="problem">{escape(exchange.problem)}</p>']
    answer = exchange.answer
    if answer is None:
        return []
    notes = _notice(exchange.turn, answer)
    if answer.dropped:
        count = len(answer.dropped)
        what, them = ("1 sentence was", "it") if count == 1 else (f"{count} sentences were", "them")
        why = f"nothing in the abstracts proves {them}"
        notes.append(f'<p class="aside">{what} left out: {why}.</p>')
    return notes


def _notice(turn: int, answer: Answer) -> list[str]:
    """The notice's paragraphs, its lines that begin with a dash as one list."""
    lines = [line for line in answer.notice.split("\n") if line.strip()]
    said = [_with_paper_links(turn, line, answer) for line in lines if not line.startswith("- ")]
    items = [f"<li>{inline(line[2:])}</li>" for line in lines if line.startswith("- ")]
    blocks = [f'<p class="notice">{line}</p>' for line in said]
    return [*blocks, f'<ul class="notice">{"".join(items)}</ul>'] if items else blocks


def _with_paper_links(turn: int, text: str, answer: Answer) -> str:
    """``text`` with the paper that was looked in linked, where it is named as a Markdown link."""
    for passage in answer.passages[:1]:
        paper = passage.paper
        before, named, after = text.partition(
            f"[{paper.title}]({markdown_target(paper.url or '')})"
        )
        if named:
            cite = f'<a class="cite" href="#s{turn}-{passage.marker}">[{passage.marker}]</a>'
            return f"{inline(before)}{_title(paper)}&nbsp;{cite}{inline(after)}"
    return inline(text)


def _groups(exchange: Exchange) -> list[tuple[str, str, list[Passage]]]:
    """CSS class, heading and papers of each part of one section."""
    passages = list(exchange.passages)
    status = exchange.answer.status if exchange.answer else "answered"
    if status == "not_in_corpus":
        return [("nearest", "Nearest papers · not used as evidence", passages)]
    if status == "not_stated":
        return [
            ("looked-in", "Looked in · does not say", passages[:1]),
            ("unused", "Read · not used", passages[1:]),
        ]
    cited = {citation.marker for ready in exchange.sentences for citation in ready.citations}
    unused = "Reading" if exchange.is_open else "Read · not used"
    return [
        ("cited", "Cited", [passage for passage in passages if passage.marker in cited]),
        ("unused", unused, [passage for passage in passages if passage.marker not in cited]),
    ]


def _group(exchange: Exchange, kind: str, heading: str, passages: list[Passage]) -> str:
    draw = _card if kind in ("cited", "looked-in") else _line
    items = "".join(draw(exchange, passage) for passage in passages)
    return f'<section class="group {kind}"><h3>{heading}</h3>{items}</section>'


def _card(exchange: Exchange, passage: Passage) -> str:
    """A paper that carries the answer: its whole abstract with the quotes marked."""
    paper, marker = passage.paper, passage.marker
    spans = {
        (citation.start, citation.end)
        for ready in exchange.sentences
        for citation in ready.citations
        if citation.marker == marker
    }
    records = record_lines(
        citation
        for ready in exchange.sentences
        for citation in ready.citations
        if citation.marker == marker
    )
    proof = "".join(f'<p class="byline">{escape(line)}</p>' for line in records)
    back = f'<a class="back" href="#a{exchange.turn}">Back to the answer</a>'
    return (
        f'<article class="source" id="s{exchange.turn}-{marker}" tabindex="-1">'
        f'<h4><span class="number">{marker}</span> {_title(paper)}</h4>'
        f'<p class="byline">{_byline(paper)}</p>{proof}{_abstract(paper, spans)}'
        f'<p class="links">{_links(paper)}{back}</p></article>'
    )


def _line(exchange: Exchange, passage: Passage) -> str:
    """A paper that does not: one line that opens."""
    paper, marker = passage.paper, passage.marker
    return (
        f'<details class="source" id="s{exchange.turn}-{marker}" tabindex="-1"><summary>'
        f'<span class="number">{marker}</span><span>{inline(paper.title)}'
        f'<span class="short">{escape(short_byline(paper))}</span></span></summary>'
        f'<p class="byline">{_byline(paper)}</p>{_abstract(paper, ())}'
        f'<p class="links">{_links(paper)}</p></details>'
    )


def _abstract(paper: Paper, spans: Iterable[tuple[int, int]]) -> str:
    if not paper.abstract.strip():
        return '<p class="abstract">This source has no abstract.</p>'
    return f'<p class="abstract">{inline(paper.abstract, spans)}</p>'


def _title(paper: Paper) -> str:
    return _link(paper.url, inline(paper.title)) or inline(paper.title)


def _links(paper: Paper) -> str:
    bibtex = handed("copy", "Copy BibTeX", papers_to_bibtex([paper]))
    # The engine looks first into a paper that is named; so the question may be short.
    about = handed("about", "Ask about this paper", f"In “{paper.title}”, ")
    return _link(paper.url, "Paper page") + _link(paper.pdf_url, "PDF") + bibtex + about


def _link(url: str | None, content: str) -> str:
    href = safe_url(url)
    if href is None:
        return ""
    return f'<a href="{href}" target="_blank" rel="noopener noreferrer">{content}</a>'


def _byline(paper: Paper) -> str:
    where = " · ".join(part for part in (venue_and_year(paper), paper.presentation or "") if part)
    also = ", ".join(
        _link(copy.url, escape(entry_in_words(copy, with_url=False)))
        or escape(entry_in_words(copy))
        for copy in paper.copies
    )
    parts = {
        "authors": _authors(paper.authors),
        "venue": escape(where),
        "corpus": escape(paper.corpus),
        "also": f"Also {also}" if also else "",
    }
    return " ".join(f'<span class="{kind}">{text}</span>' for kind, text in parts.items() if text)


def _authors(authors: Sequence[str]) -> str:
    shown = escape(", ".join(authors[:_SHOWN_AUTHORS]))
    hidden = authors[_SHOWN_AUTHORS:]
    if not hidden:
        return shown
    everyone = attribute(", ".join(hidden))
    return f'{shown} <span class="more" title="{everyone}">and {len(hidden)} more</span>'
