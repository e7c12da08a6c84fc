"""BibTeX, with what a paper has from the proceedings that it is in."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rag.corpus.latex import decode_bibtex
from rag.corpus.records import RejectedRow, Row
from rag.corpus.values import one_line

if TYPE_CHECKING:
    from bibtexparser.model import Block, Entry

_START = re.compile(r"^[ \t]*@[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_HEAD_CHARACTERS = 4000
_CONCATENATION = re.compile(r"\s*#\s*(?=[{\"]|\w+\s*(?:#|\Z))")
_ARXIV_ID = re.compile(r"\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+/\d{7}")

_Fields = Mapping[str, str]


class BibtexLoader:
    """Reads ``.bib``; ``@string``, ``@comment``, ``@preamble`` and ``@proceedings`` are no rows."""

    name = "BibTeX"
    suffixes = (".bib",)

    def recognises(self, text: str) -> bool:
        """See ``Loader``."""
        return bool(_START.search(text[:_HEAD_CHARACTERS]))

    def rows(self, text: str, file: str) -> Iterator[Row | RejectedRow]:
        """See ``Loader``; after a broken entry the next one that begins a line is read."""
        from bibtexparser.entrypoint import parse_string
        from bibtexparser.model import ParsingFailedBlock

        # What it would log comes as rejected rows.
        logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
        blocks = parse_string(text, parse_stack=[]).blocks
        volumes = _Volumes.of(blocks)
        for block in blocks:
            line = (block.start_line or 0) + 1
            entry = _entry(block)
            if entry is not None and entry.entry_type != "proceedings":
                fields = volumes.plain_fields(entry)
                yield Row(line, _row_fields(entry.key, fields, volumes.parent(entry, fields)))
            elif entry is None and isinstance(block, ParsingFailedBlock):
                reason = getattr(block.error, "abort_reason", "it cannot be parsed")
                yield RejectedRow(file, line, f"not valid BibTeX: {one_line(reason)}")


def _entry(block: Block) -> Entry | None:
    """The entry in a block, also of one whose key or field comes twice."""
    from bibtexparser.model import Entry

    inner = getattr(block, "ignore_error_block", None) or block
    return inner if isinstance(inner, Entry) else None


class _Volumes:
    """The abbreviations of a file, and its proceedings, of which its papers are parts."""

    def __init__(self, strings: _Fields, entries: Sequence[Entry]) -> None:
        self._strings = strings
        self._by_key = {entry.key.lower(): entry for entry in reversed(entries)}
        self._proceedings = [entry for entry in entries if entry.entry_type == "proceedings"]

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> _Volumes:
        from bibtexparser.model import String

        strings = {
            block.key.lower(): _enclosed(block.value)
            for block in blocks
            if isinstance(block, String)
        }
        return cls(strings, [entry for block in blocks if (entry := _entry(block))])

    def plain_fields(self, entry: Entry) -> dict[str, str]:
        """The fields of an entry by their names in lower case; of two alike the first counts."""
        return {
            field.key.lower(): self._value(str(field.value)) for field in reversed(entry.fields)
        }

    def parent(self, entry: Entry, fields: _Fields) -> _Fields:
        """The fields of the volume that an entry names, or of the only one there is."""
        volume = self._by_key.get(fields.get("crossref", "").lower())
        if volume is None and entry.entry_type == "inproceedings" and len(self._proceedings) == 1:
            volume = self._proceedings[0]
        return self.plain_fields(volume) if volume else {}

    def _value(self, text: str) -> str:
        pieces = [text] if _enclosed(text) != text else _CONCATENATION.split(text)
        return "".join(self._strings.get(piece.lower(), _enclosed(piece)) for piece in pieces)


def _enclosed(text: str) -> str:
    """What stands between the quotation marks or braces of a value."""
    is_enclosed = len(text) > 1 and text[0] + text[-1] in ('""', "{}")
    # Without a "#" it cannot be several values, even if a quotation mark inside was not escaped.
    if is_enclosed and not ("#" in text and _closes_early(text)):
        return text[1:-1]
    return text


def _closes_early(text: str) -> bool:
    """Whether the first quotation mark or brace ends before the last one, as in ``{a} # {b}``."""
    depth = 0
    for position, character in enumerate(text[:-1]):
        if text[position - 1 : position] == "\\":
            continue
        depth += (character == "{") - (character == "}")
        is_quote = text[0] == '"' and character == '"' and position > 0
        if (text[0] == "{" and depth == 0) or (is_quote and depth == 0):
            return True
    return False


def _row_fields(key: str, fields: _Fields, volume: _Fields) -> dict[str, object]:
    openreview = fields.get("openreview", "")
    return {
        "paper_id": key or openreview,
        "title": decode_bibtex(fields.get("title", "")),
        "abstract": decode_bibtex(fields.get("abstract", "")),
        "authors": _names(fields.get("author", "")),
        "venue": decode_bibtex(_venue(fields, volume)),
        "year": fields.get("year") or fields.get("date") or volume.get("year"),
        "url": _address(fields, openreview),
        "pdf_url": _unescape(fields.get("pdf", "")),
        "doi": _unescape(fields.get("doi", "")),
        "keywords": decode_bibtex(fields.get("keywords", "")),
        "pages": decode_bibtex(fields.get("pages", "")),
    }


def _venue(fields: _Fields, volume: _Fields) -> str:
    """``"ALT 2025"`` if the volume has a short name, else what the paper or the volume says."""
    own = fields.get("booktitle") or fields.get("journal") or fields.get("journaltitle")
    short = f"{volume.get('shortname', '')} {volume.get('year', '')}".strip()
    named = short if "shortname" in volume else volume.get("booktitle") or volume.get("title")
    return own or named or ""


def _address(fields: _Fields, openreview: str) -> str:
    eprint = fields.get("eprint", "")
    if url := fields.get("url", ""):
        return _unescape(url.removeprefix(r"\url{").rstrip("}"))
    if openreview:
        return f"https://openreview.net/forum?id={openreview}"
    return f"https://arxiv.org/abs/{eprint}" if _ARXIV_ID.fullmatch(eprint) else ""


def _names(authors: str) -> list[str]:
    from bibtexparser.middlewares.names import (
        parse_single_name_into_parts,
        split_multiple_persons_names,
    )

    parts = [
        parse_single_name_into_parts(name, strict=False)
        for name in split_multiple_persons_names(authors)
        if name != "others"
    ]
    return [
        decode_bibtex(" ".join([*name.first, *name.von, *name.last, *name.jr])) for name in parts
    ]


def _unescape(address: str) -> str:
    return re.sub(r"\\([&%#_~])", r"\1", address)
