"""Papers of arXiv: records of the metadata snapshot (JSON lines) and entries of the API (Atom)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rag.corpus.records import RejectedRow, Row
from rag.corpus.values import one_line
from rag.corpus.xml_elements import XmlRecord

_ADDRESS = re.compile(r"https?://arxiv\.org/abs/(?P<id>.+?)(?:v\d+)?")
_WITHDRAWN = re.compile(
    r"\W*(?:this|the) (?:paper|article|submission|manuscript|work|preprint) (?:has been|is|was) "
    r"(?:now )?withdrawn",
    re.IGNORECASE,
)


def is_record(record: Mapping[str, object]) -> bool:
    """Whether a JSON object is a record of the metadata snapshot."""
    return "authors_parsed" in record or {"categories", "update_date"} <= record.keys()


def make_row(record: Mapping[str, object], line: int, file: str) -> Row | RejectedRow:
    """The row of a record of the snapshot; withdrawn papers are rejected."""
    abstract = _unwrap(record.get("abstract"))
    if _is_withdrawn(record.get("comments"), abstract):
        return RejectedRow(file, line, "it was withdrawn from arXiv")
    versions = record.get("versions")
    first = versions[0] if isinstance(versions, list) and versions else None
    created = first.get("created") if isinstance(first, dict) else None
    fields = {
        **_common(one_line(record.get("id")), record.get("journal-ref"), record.get("doi")),
        "title": record.get("title"),
        "abstract": abstract,
        "authors": _parsed(record.get("authors_parsed")) or record.get("authors"),
        "year": created or record.get("update_date"),
        "keywords": one_line(record.get("categories")).split(),
    }
    return Row(line, fields)


def atom_rows(records: Sequence[XmlRecord], file: str) -> Iterator[Row | RejectedRow]:
    """The rows of a feed; an entry that reports an error is rejected, and so are withdrawn papers."""
    for record in records:
        if record.element.tag == "entry":
            yield _atom_row(record, file)


def _atom_row(record: XmlRecord, file: str) -> Row | RejectedRow:
    entry = record.element
    address = _ADDRESS.fullmatch(one_line(entry.findtext("id")))
    if not address and "/api/errors" in one_line(entry.findtext("id")):
        reason = f"arXiv reports an error: {one_line(entry.findtext('summary'))}"
        return RejectedRow(file, record.line, reason)
    abstract = _unwrap(entry.findtext("summary"))
    if _is_withdrawn(entry.findtext("comment"), abstract):
        return RejectedRow(file, record.line, "it was withdrawn from arXiv")
    paper_id = address["id"] if address else one_line(entry.findtext("id"))
    fields = {
        **_common(paper_id, entry.findtext("journal_ref"), entry.findtext("doi")),
        "title": entry.findtext("title"),
        "abstract": abstract,
        "authors": [author.findtext("name") for author in entry.iter("author")],
        "year": entry.findtext("published"),
        "keywords": [category.get("term") for category in entry.iter("category")],
    }
    return Row(record.line, fields)


def _common(paper_id: str, journal: object, doi: object) -> dict[str, object]:
    return {
        "paper_id": paper_id,
        "venue": one_line(journal) or "arXiv",
        "doi": doi,
        "url": f"https://arxiv.org/abs/{paper_id}",
        "pdf_url": f"https://arxiv.org/pdf/{paper_id}",
    }


def _unwrap(value: object) -> str:
    """An abstract without the line breaks of arXiv; an indented line begins a paragraph."""
    text = value.strip() if isinstance(value, str) else ""
    return re.sub(r"\n\s+", "\n", re.sub(r"\n(?=\S)", " ", text))


def _parsed(authors: object) -> list[str]:
    """``[["Example", "Ann", "Jr."]]`` gives ``["Ann Example Jr."]``."""
    if not isinstance(authors, list):
        return []
    names = [[one_line(part) for part in name[:3]] for name in authors if isinstance(name, list)]
    return [" ".join(filter(None, [*name[1:2], *name[:1], *name[2:3]])) for name in names]


def _is_withdrawn(comments: object, abstract: str) -> bool:
    return bool(_WITHDRAWN.match(one_line(comments)) or _WITHDRAWN.match(abstract))
