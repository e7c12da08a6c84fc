"""What the command line writes: records as readable text, and the streams they go to."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from rag.errors import SymposiaError
from rag.export import (
    entry_in_words,
    paper_to_markdown,
    papers_to_bibtex,
    record_lines,
    venue_and_corpus,
)
from rag.records import Hit, Paper, Passage
from ui.cli_exit import ExitCode

if TYPE_CHECKING:
    from rag.answer import Answer

# Control characters of any kind can move the cursor, recolour or re-order what a terminal shows.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

_OF_SEVERAL = ("corpus", "copies")


def escape_controls(text: str) -> str:
    r"""Writes control characters of untrusted text out, as in ``\x1b``; keeps tab and newline."""
    return _CONTROL.sub(lambda match: ascii(match.group())[1:-1], text.replace("\r\n", "\n"))


def prepare_streams() -> None:
    """Makes every character writable: UTF-8 into files and pipes, ``?`` where a terminal cannot."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if stream.isatty():
            reconfigure(errors="replace")
        else:
            reconfigure(encoding="utf-8", errors="replace")


def write_data(text: str) -> None:
    """Writes a result to standard output, with one newline at its end.

    Raises:
        SymposiaError: If it cannot be written, for example to a full disk.
    """
    try:
        sys.stdout.write(text.rstrip("\n") + "\n" if text else "")
        sys.stdout.flush()
    except OSError as error:
        # What is left in the buffer must not be tried again when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno == errno.EPIPE:
            raise typer.Exit(ExitCode.BROKEN_PIPE) from None
        raise SymposiaError(
            f"The output cannot be written: {error.strerror}.", hint="Check the disk it goes to."
        ) from None


def write_note(text: str) -> None:
    """Writes what is not the result, such as advice, to standard error."""
    sys.stderr.write(escape_controls(text) + "\n")
    sys.stderr.flush()


def data_width() -> int | None:
    """Columns of the terminal that shows standard output; None for a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def to_json(value: object) -> str:
    """``value`` as indented JSON, non-ASCII characters kept."""
    return escape_json(json.dumps(value, ensure_ascii=False, indent=2))


def escape_json(text: str) -> str:
    r"""The same JSON with the control characters that JSON lets through written as ``\u``."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def answer_to_text(answer: Answer, *, width: int | None) -> str:
    """The answer, then its numbered sources; for a refusal what was looked in, or lies nearest."""
    blocks = [_wrap(answer.text, width)]
    if answer.status == "answered":
        blocks.append(_wrap(answer.notice, width))
        cited = {citation.marker: citation.paper for citation in answer.citations}
        sources = [
            _source(f"[{marker}] ", cited[marker], _unseen_proof(answer, marker), width)
            for marker in sorted(cited)
        ]
        blocks += ["Sources", *sources] if sources else []
    elif answer.passages:
        stated = answer.status == "not_stated"
        passages = answer.passages[:1] if stated else answer.passages
        blocks.append("Looked in:" if stated else "Nearest papers, not used as evidence:")
        blocks += [_nearest(passage, width) for passage in passages]
    if answer.cues:
        read = f"Looked only at: {answer.filters} (read from the question; undo with --no-cues)"
        blocks.append(_wrap(read, width))
    if answer.dropped:
        n = len(answer.dropped)
        blocks.append(f"({n} {'sentence' if n == 1 else 'sentences'} left out for want of proof)")
    return "\n\n".join(block for block in blocks if block)


def hits_to_text(hits: Iterable[Hit], *, width: int | None) -> str:
    """Search results in order, each with its score and its rank in every retrieval leg."""
    blocks: list[str] = []
    for hit in hits:
        ranks = asdict(hit.ranks)
        legs = ", ".join(f"{leg} {rank or '-'}" for leg, rank in ranks.items())
        paper = _source(f"{hit.rank:>3}. ", hit.paper, (), width)
        blocks.append(f"{paper}\n     score {hit.score:.4f} ({legs})")
    return "\n\n".join(blocks)


def papers_to_text(papers: Sequence[Paper], form: str) -> str:
    """Papers as ``bibtex``, ``markdown``, ``json`` or ``jsonl`` (readable by `symposia index`)."""
    if form == "bibtex":
        return escape_controls(papers_to_bibtex(papers))
    if form == "markdown":
        return escape_controls("\n".join(f"- {paper_to_markdown(paper)}" for paper in papers))
    plain = [_plain(paper) for paper in papers]
    if form == "json":
        return to_json(plain)
    return "\n".join(escape_json(json.dumps(paper, ensure_ascii=False)) for paper in plain)


def _plain(paper: Paper) -> dict[str, object]:
    """All fields, but for those that only papers of several corpora have."""
    values = asdict(paper)
    return {name: value for name, value in values.items() if value or name not in _OF_SEVERAL}


def _unseen_proof(answer: Answer, marker: int) -> Sequence[str]:
    """What records say, and the quotes that the answer's own words do not already show."""
    mine = [citation for citation in answer.citations if citation.marker == marker]
    quotes = [citation.quote for citation in mine if not citation.record]
    unseen = [f'"{quote}"' for quote in dict.fromkeys(quotes) if quote not in answer.text]
    return [*record_lines(mine), *unseen]


def _nearest(passage: Passage, width: int | None) -> str:
    return _source("  - ", passage.paper, (), width)


def _source(head: str, paper: Paper, proof: Iterable[str], width: int | None) -> str:
    byline = ", ".join(paper.authors)
    where = venue_and_corpus(paper)
    about = ". ".join(part for part in (byline, where) if part)
    indent = " " * len(head)
    lines = [_wrap(paper.title, width, first=head, rest=indent)]
    lines += [_wrap(line, width, first=indent, rest=indent) for line in (about, paper.url) if line]
    lines += [
        _wrap(f"also {entry_in_words(copy)}", width, first=indent, rest=indent)
        for copy in paper.copies
    ]
    lines += [_wrap(line, width, first=indent, rest=indent + " ") for line in proof]
    return "\n".join(lines)


def _wrap(text: str, width: int | None, *, first: str = "", rest: str = "") -> str:
    """Paragraphs of ``text``, each on one line or broken at ``width``."""
    paragraphs = [" ".join(line.split()) for line in escape_controls(text).splitlines()]
    if width is None:
        return first + f"\n{rest}".join(paragraphs)
    wrapped = [
        textwrap.fill(
            paragraph,
            max(width, 40),
            initial_indent=rest if number else first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for number, paragraph in enumerate(paragraphs)
    ]
    return "\n".join(wrapped)
