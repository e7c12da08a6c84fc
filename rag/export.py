"""Papers as BibTeX, as a table, and as Markdown for notes; usage in words."""

from __future__ import annotations

import csv
import io
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping

from rag.census import Member
from rag.records import Citation, Paper, Usage

CSV_COLUMNS = (
    "paper_id",
    "title",
    "authors",
    "venue",
    "year",
    "url",
    "verdict",
    "confidence",
    "quote",
)
SEVERAL_COLUMNS = ("corpus", "also")
"""Further columns where the papers are of several corpora, or have copies."""

_MATH = re.compile(r"\$[^$]*\$")
_BIBTEX_SPECIAL = re.compile(r"(?<!\\)[&%#_$]")
# Also the full-width forms, which some spreadsheets read alike.
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_SKIPPED_IN_KEYS = {
    "a",
    "an",
    "and",
    "for",
    "from",
    "in",
    "of",
    "on",
    "position",
    "the",
    "to",
    "with",
}


def papers_to_bibtex(papers: Iterable[Paper]) -> str:
    """One ``@inproceedings`` entry a paper; keys are unique within the result."""
    entries: list[str] = []
    used: set[str] = set()
    for paper in papers:
        key = base = _bibtex_key(paper)
        n = 1
        while key in used:
            n += 1
            key = f"{base}-{n}"
        used.add(key)
        entries.append(_bibtex_entry(key, paper))
    return "\n\n".join(entries) + ("\n" if entries else "")


def members_to_csv(members: Mapping[str, Iterable[Member]]) -> str:
    """A table of ``CSV_COLUMNS``, one row a paper, after a row of their names.

    ``SEVERAL_COLUMNS`` follow where they say something.

    Spreadsheets run a cell that begins with ``=``, ``+``, ``-`` or ``@`` as a formula; an
    apostrophe before it makes it text.

    Args:
        members: The rows by their verdict.
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    rows = [(verdict, member) for verdict, several in members.items() for member in several]
    is_several = any(member.paper.corpus or member.paper.copies for _, member in rows)
    writer.writerow((*CSV_COLUMNS, *(SEVERAL_COLUMNS if is_several else ())))
    for verdict, member in rows:
        cells = [*_csv_row(verdict, member), *(_of_several(member.paper) if is_several else ())]
        writer.writerow(map(_cell, cells))
    return table.getvalue()


def _csv_row(verdict: str, member: Member) -> list[str]:
    paper = member.paper
    return [
        paper.paper_id,
        paper.title,
        "; ".join(paper.authors),
        paper.venue or "",
        str(paper.year or ""),
        paper.url or "",
        verdict,
        f"{member.confidence:.2f}",
        member.quote,
    ]


def _of_several(paper: Paper) -> list[str]:
    return [paper.corpus, "; ".join(map(entry_in_words, paper.copies))]


def _cell(value: str) -> str:
    """One line of text that no spreadsheet takes for a formula."""
    line = " ".join(value.replace("\0", " ").split())
    return "'" + line if line.startswith(_FORMULA) else line


def paper_to_markdown(paper: Paper) -> str:
    """``[Title](url). First Author, Second Author. ICML 2025.`` on one line.

    Where several corpora are open the corpus follows, and the other entries of the paper.
    """
    parts = [
        _markdown_link(paper.title, paper.url),
        ", ".join(paper.authors),
        venue_and_corpus(paper),
        *(
            f"Also {_markdown_link(entry_in_words(copy, with_url=False), copy.url)}"
            for copy in paper.copies
        ),
    ]
    return ". ".join(part for part in parts if part) + "."


def _markdown_link(text: str, url: str | None) -> str:
    escaped = text.replace("[", r"\[").replace("]", r"\]")
    return f"[{escaped}]({markdown_target(url)})" if url else escaped


def venue_and_corpus(paper: Paper) -> str:
    """``"ICML 2025"``, and where several corpora are open ``"ICML 2025 (icml2025)"``."""
    corpus = f"({paper.corpus})" if paper.corpus else ""
    return f"{venue_and_year(paper)} {corpus}".strip()


def entry_in_words(paper: Paper, *, with_url: bool = True) -> str:
    """What tells one entry of a paper from others: ``"ICML 2025 (icml2025), id x1, https://..."``."""
    link = paper.url if with_url else None
    parts = (venue_and_corpus(paper), f"id {paper.paper_id}", link)
    return ", ".join(part for part in parts if part)


def markdown_target(url: str) -> str:
    """A URL for the round brackets of a Markdown link."""
    return url.replace(" ", "%20").replace("(", "%28").replace(")", "%29")


def record_lines(citations: Iterable[Citation]) -> tuple[str, ...]:
    """What records say in proof, each line once: ``From the record: Authors: Ann Lee``."""
    lines = (line for citation in citations for line in citation.record.split("\n") if line)
    return tuple(f"From the record: {line}" for line in dict.fromkeys(lines))


def venue_and_year(paper: Paper) -> str:
    """``"ICML 2025"``, the year said once."""
    venue, year = paper.venue or "", str(paper.year or "")
    return venue if year in venue else f"{venue} {year}".strip()


def usage_in_words(usage: Usage) -> str:
    """``"1,234 tokens read, 210 written (said by the provider), about $0.0012"``."""
    who = "said by the provider" if usage.counted_by == "provider" else "counted here"
    written = f", {usage.output_tokens:,} written" if usage.output_tokens else ""
    tokens = f"{usage.input_tokens:,} tokens read{written} ({who})"
    if usage.cost_usd is None:
        return tokens
    # Two digits that count, for cents are too coarse and more would be no estimate.
    digits = 2 if usage.cost_usd >= 0.1 else 1 - math.floor(math.log10(usage.cost_usd or 1))
    return f"{tokens}, about ${usage.cost_usd:,.{max(digits, 2)}f}"


def _bibtex_key(paper: Paper) -> str:
    surname = paper.authors[0].split()[-1] if paper.authors and paper.authors[0].split() else "anon"
    words = re.findall(r"[a-z0-9]+", _ascii(paper.title).lower())
    first = next((word for word in words if word not in _SKIPPED_IN_KEYS), "paper")
    return re.sub(r"[^a-z0-9]", "", _ascii(surname).lower()) + str(paper.year or "") + first


def _ascii(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return decomposed.encode("ascii", "ignore").decode("ascii")


def _bibtex_entry(key: str, paper: Paper) -> str:
    fields = {
        # The second pair of braces keeps the capitals of the title.
        "title": "{" + _bibtex_text(paper.title) + "}",
        "author": " and ".join(_bibtex_text(author) for author in paper.authors),
        "booktitle": _bibtex_text(paper.venue or ""),
        "year": str(paper.year or ""),
        "pages": re.sub("[-–]+", "--", paper.pages or ""),
        "url": paper.url or "",
        "note": _bibtex_text("; ".join(f"Also {entry_in_words(copy)}" for copy in paper.copies)),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@inproceedings{{{key},", *lines, "}"])


def _bibtex_text(text: str) -> str:
    """Escapes what BibTeX would misread, outside ``$math$`` only; unpaired braces go."""
    if text.count("{") != text.count("}"):
        text = text.replace("{", "").replace("}", "")
    pieces: list[str] = []
    position = 0
    for match in _MATH.finditer(text):
        pieces += [_escape(text[position : match.start()]), match.group()]
        position = match.end()
    return "".join([*pieces, _escape(text[position:])])


def _escape(text: str) -> str:
    return _BIBTEX_SPECIAL.sub(lambda match: "\\" + match.group(), text)
