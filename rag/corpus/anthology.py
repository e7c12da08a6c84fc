"""Papers of the ACL Anthology, from the XML of its volumes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from rag.corpus.records import RejectedRow, Row
from rag.corpus.values import one_line
from rag.corpus.xml_elements import XmlRecord

_SITE = "https://aclanthology.org"


def anthology_rows(records: Sequence[XmlRecord], file: str) -> Iterator[Row | RejectedRow]:
    """The rows of a collection; retracted and removed papers are rejected, front matter is no row."""
    shared: dict[str, object] = {}
    for record in records:
        element = record.element
        if element.tag == "meta":
            shared = {"venue": _text(element.find("booktitle")), "year": element.findtext("year")}
        elif element.tag == "paper":
            yield _paper_row(record, shared, file)


def _paper_row(record: XmlRecord, shared: dict[str, object], file: str) -> Row | RejectedRow:
    paper = record.element
    for mark in ("retracted", "removed"):
        if (reason := paper.find(mark)) is not None:
            return RejectedRow(file, record.line, f"it was {mark}: {one_line(_text(reason))}")
    # The address is the id of the paper, unless the paper lies elsewhere.
    paper_id = one_line(paper.findtext("url"))
    links: dict[str, object] = {"url": paper_id}
    if paper_id and "://" not in paper_id:
        links = {"url": f"{_SITE}/{paper_id}/", "pdf_url": f"{_SITE}/{paper_id}.pdf"}
    fields = {
        **shared,
        **links,
        "title": _text(paper.find("title")),
        "abstract": _text(paper.find("abstract")),
        "authors": [_name(author) for author in paper.findall("author")],
        "pages": paper.findtext("pages"),
        "doi": paper.findtext("doi"),
        "key": paper.findtext("bibkey"),
        "paper_id": "" if "://" in paper_id else paper_id,
    }
    return Row(record.line, fields)


def _name(author: Element) -> str:
    return one_line(f"{author.findtext('first') or ''} {author.findtext('last') or ''}")


def _text(element: Element | None) -> str:
    """The text of an element and of all in it; ``<tex-math>`` is put between dollar signs."""
    if element is None:
        return ""
    for math in element.iter("tex-math"):
        math.text, math.tail = f"${math.text or ''}", f"${math.tail or ''}"
    return "".join(element.itertext())
