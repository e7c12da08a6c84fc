"""The fields of a row, under any of their usual names, into a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rag.corpus.labels import make_label
from rag.records import Paper
from rag.text import clean, content_hash

# In order of precedence; compared without case, spaces and punctuation.
_NAMES = {
    "paper_id": ("paper_id", "id", "openreview", "openreview_id", "forum", "doc_id", "key"),
    "title": ("title", "paper_title"),
    "abstract": ("abstract", "summary", "paper_abstract", "text"),
    "authors": ("authors", "author", "author_names"),
    "venue": ("venue", "conference", "booktitle", "journal"),
    "year": ("year", "publication_year", "published", "date"),
    "url": ("url", "paper_url", "openreview_url", "link", "site"),
    "pdf_url": ("pdf_url", "pdf", "pdf_link"),
    "presentation": ("presentation", "status", "decision"),
    "track": ("track",),
    "keywords": ("keywords", "keyword", "tags"),
    "pages": ("pages",),
    "other_titles": ("other_titles", "title_at_icml_cc"),
}
_NO_VALUE = frozenset({"", "n/a", "na", "none", "null", "nan", "-", "--", "tba", "not available"})
_NO_ABSTRACT = _NO_VALUE | {"no abstract", "no abstract available", "abstract not available"}
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_FORMS = ("oral", "spotlight", "poster")


@lru_cache(maxsize=1024)
def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


_FIELD_OF = {_plain(name): field for field, names in _NAMES.items() for name in names}


def known_field(name: str) -> str | None:
    """The field of ``Paper`` that a column or key of this name holds, if any."""
    return _FIELD_OF.get(_plain(name))


@dataclass(frozen=True, slots=True)
class MadePaper:
    """A paper, and whether its title is its own or a label made from its abstract."""

    paper: Paper
    has_own_title: bool


def make_paper(row: Mapping[str, object]) -> MadePaper | None:
    """A paper from the fields of a row; None if there is neither a title nor an abstract.

    Without a title it gets a label made from its abstract; without an id, one made from its
    content, so that it stays the same when the file is read again.
    """
    fields = _pick_fields(row)
    abstract = _abstract(fields.get("abstract"))
    own_title = _one_line(fields.get("title"))
    title = own_title or make_label(abstract)
    if not title:
        return None
    content_id = f"paper-{content_hash(own_title, abstract)[:12]}"
    paper = Paper(
        paper_id=_one_line(fields.get("paper_id")) or content_id,
        title=title,
        abstract=abstract,
        authors=_names(fields.get("authors")),
        venue=_one_line(fields.get("venue")) or None,
        year=_year(fields.get("year")),
        url=_one_line(fields.get("url")) or None,
        pdf_url=_one_line(fields.get("pdf_url")) or None,
        presentation=_presentation(_one_line(fields.get("presentation"))),
        track=_one_line(fields.get("track")) or None,
        keywords=_list(fields.get("keywords"), separators=";,"),
        pages=_one_line(fields.get("pages")) or None,
        other_titles=tuple(
            other for other in _list(fields.get("other_titles"), separators="\n") if other != title
        ),
    )
    return MadePaper(paper, has_own_title=bool(own_title))


def _pick_fields(row: Mapping[str, object]) -> dict[str, object]:
    """The row by our names; of two synonyms the first with a value wins."""
    by_plain_name = {_plain(name): value for name, value in row.items()}
    picked: dict[str, object] = {}
    for field, names in _NAMES.items():
        values = (by_plain_name.get(_plain(name)) for name in names)
        picked[field] = next((value for value in values if _has_value(value)), None)
    return picked


def _has_value(value: object) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() not in _NO_VALUE
    return value is not None and value != []


def _abstract(value: object) -> str:
    text = clean(value) if isinstance(value, str) else ""
    return "" if text.strip().rstrip(".").casefold() in _NO_ABSTRACT else text


def _one_line(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(clean(str(value)).split()) if isinstance(value, str | int | float) else ""


def _list(value: object, *, separators: str) -> tuple[str, ...]:
    """A list of texts, or a text that lists them; empty items are left out."""
    items: Iterable[object] = ()
    if isinstance(value, str):
        mark = next((mark for mark in separators if mark in value), "\n")
        items = value.split(mark)
    elif isinstance(value, list):
        items = value
    return tuple(text for item in items if (text := _one_line(item)))


def _names(value: object) -> tuple[str, ...]:
    """Authors: a list of names, of objects with a name, or a text that lists them."""
    if isinstance(value, list):
        value = [item.get("name") if isinstance(item, dict) else item for item in value]
        return _list(value, separators=";")
    names = _list(value, separators=";|")
    by_comma = _list(value, separators=",")
    # "Ann Example, Bo Sample" lists two people; "Example, Ann" is one.
    if len(names) == 1 and all(" " in name for name in by_comma):
        return by_comma
    return names


def _year(value: object) -> int | None:
    match = _YEAR.search(_one_line(value))
    return int(match[0]) if match else None


def _presentation(value: str) -> str | None:
    """The form of presentation in one word if the value names exactly one, else as it stands."""
    forms = [form for form in _FORMS if form in value.lower()]
    return forms[0] if len(forms) == 1 else value or None
