"""Papers of Semantic Scholar's API and data sets, and of searches that keep its field names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rag.corpus.records import RejectedRow, Row
from rag.corpus.values import one_line

_ADDRESSES = (
    (re.compile(r"https?://\S+"), "{}"),
    (re.compile(r"[0-9a-f]{40}"), "https://www.semanticscholar.org/paper/{}"),
    (re.compile(r"\d{4}\.\d{4,5}"), "https://arxiv.org/abs/{}"),
)
_PUBMED = re.compile(r"PMID:(\d+)")


def is_record(record: Mapping[str, object]) -> bool:
    """Whether a JSON object is such a paper."""
    return bool(record.keys() & {"paperId", "paperID", "corpusId", "corpusid"})


def make_row(record: Mapping[str, object], line: int, file: str) -> Row | RejectedRow:
    """The row of such a paper."""
    del file
    ids = [record.get(name) for name in ("paperId", "paperID", "corpusId", "corpusid")]
    paper_id = next((text for value in ids if (text := one_line(value))), "")
    journal = _inside(record, "journal", "name")
    fields = {
        "paper_id": paper_id,
        "title": record.get("title"),
        "abstract": record.get("abstract"),
        "authors": record.get("authors") or record.get("author"),
        "venue": record.get("venue") or _inside(record, "publicationVenue", "name") or journal,
        "year": record.get("year") or record.get("publicationDate"),
        "url": record.get("url") or _address(paper_id),
        "pdf_url": _inside(record, "openAccessPdf", "url"),
        "pages": _inside(record, "journal", "pages"),
        "doi": _inside(record, "externalIds", "DOI"),
    }
    return Row(line, fields)


def _inside(record: Mapping[str, object], outer: str, inner: str) -> str:
    value = record.get(outer)
    return one_line(value.get(inner)) if isinstance(value, dict) else ""


def _address(paper_id: str) -> str:
    if pubmed := _PUBMED.fullmatch(paper_id):
        return f"https://pubmed.ncbi.nlm.nih.gov/{pubmed[1]}/"
    for pattern, address in _ADDRESSES:
        if pattern.fullmatch(paper_id):
            return address.format(paper_id)
    return ""
