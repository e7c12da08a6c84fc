"""The fields of a row, under any of their usual names, into a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rag.corpus.columns import Columns
from rag.corpus.identity import doi_link, id_from_links
from rag.corpus.labels import make_label
from rag.corpus.people import people
from rag.corpus.values import abstract_of, decode_entities, line_of_text, many, one_line, year_of
from rag.records import Paper
from rag.text import content_hash

_FORMS = ("oral", "spotlight", "poster")
_PAGE_RANGE = re.compile(r"\s*[-–—]+\s*")
_ONLY_PAGES = re.compile(r"\d+\s*[-–—]+\s*\d+")
_LINK = re.compile("url|link|site|openreview|pdf|doi", re.IGNORECASE)
# Longer values are the trace of a column that slipped or of a broken file.
_MAX_ID_CHARACTERS = 200
_MAX_PAGES_CHARACTERS = 40
_MAX_URL_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class MadePaper:
    """A paper, and what its row did not say by itself."""

    paper: Paper
    content_id: str
    """The id that it has if it says none: made from its content."""
    has_own_title: bool
    """False if the title is a label made from the abstract."""
    oddities: tuple[str, ...] = ()
    """What was changed or left out of the row, beyond its form."""

    @property
    def has_own_id(self) -> bool:
        """False if the id is made from the content."""
        return self.paper.paper_id != self.content_id


def make_paper(row: Mapping[str, object], columns: Columns | None = None) -> MadePaper | None:
    """A paper from the fields of a row; None if there is neither a title nor an abstract.

    Without a title it gets a label made from its abstract; without an id, that of the site it is
    linked to, else one made from its content, so that it stays the same when the file is read
    again.
    """
    fields = (columns or Columns()).pick(row)
    oddities = _mend_abstract(fields)
    abstract = abstract_of(fields.get("abstract"))
    own_title = line_of_text(fields.get("title"))
    title = own_title or make_label(abstract)
    if not title:
        return None
    pdf_url = _short(fields.get("pdf_url"), "address", _MAX_URL_CHARACTERS, oddities)
    pages = _short(fields.get("pages"), "page range", _MAX_PAGES_CHARACTERS, oddities)
    url = _short(fields.get("url"), "address", _MAX_URL_CHARACTERS, oddities)
    own_id = _short(fields.get("paper_id"), "id", _MAX_ID_CHARACTERS, oddities)
    if not own_id or "openreview.net/" in own_id:
        own_id = id_from_links([own_id, *_links(row)]) or own_id
    content_id = f"paper-{content_hash(own_title, abstract)[:12]}"
    paper = Paper(
        paper_id=own_id or content_id,
        title=title,
        abstract=abstract,
        authors=people(fields.get("authors")),
        venue=line_of_text(fields.get("venue")) or None,
        year=year_of(fields.get("year")),
        url=url or doi_link(one_line(fields.get("doi"))) or None,
        pdf_url=pdf_url or None,
        presentation=_presentation(one_line(fields.get("presentation"))),
        track=one_line(fields.get("track")) or None,
        keywords=many(fields.get("keywords"), separators=";,"),
        pages=_PAGE_RANGE.sub("-", pages) or None,
        other_titles=tuple(
            other for other in many(fields.get("other_titles"), separators="\n") if other != title
        ),
    )
    return MadePaper(paper, content_id, bool(own_title), tuple(oddities))


def _mend_abstract(fields: dict[str, object]) -> list[str]:
    """Put an abstract where it belongs, and say what was and what will be done to it."""
    oddities: list[str] = []
    value, pages = fields.get("abstract"), one_line(fields.get("pages"))
    if len(pages) > _MAX_PAGES_CHARACTERS and _ONLY_PAGES.fullmatch(one_line(value)):
        fields["abstract"], fields["pages"] = fields["pages"], fields["abstract"]
        oddities.append("its abstract and its pages stood in each other's place")
    value = fields.get("abstract")
    if isinstance(value, str) and decode_entities(value) != value:
        oddities.append("HTML entities in its abstract were decoded")
    return oddities


def _links(row: Mapping[str, object]) -> Iterator[str]:
    for name, value in row.items():
        if _LINK.search(name) and isinstance(value, str):
            yield one_line(value)


def _short(value: object, what: str, limit: int, oddities: list[str]) -> str:
    """A value on one line; left out, and said so, if no such thing is as long."""
    text = one_line(value)
    if len(text) <= limit:
        return text
    oddities.append(f"its {what} has {len(text)} characters and was left out")
    return ""


def _presentation(value: str) -> str | None:
    """The form of presentation in one word if the value names exactly one, else as it stands."""
    forms = [form for form in _FORMS if form in value.lower()]
    return forms[0] if len(forms) == 1 else value or None
