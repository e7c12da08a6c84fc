"""Which column or key of a source holds which field of a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from rag.corpus.values import has_value
from rag.errors import CorpusError

# In order of precedence; compared without case, spaces and punctuation.
_NAMES = {
    "paper_id": ("paper_id", "id", "openreview", "openreview_id", "forum", "doc_id", "record_id",
                 "key", "eid"),
    "title": ("title", "paper_title", "document_title", "article_title", "primary_title"),
    "abstract": ("abstract", "summary", "paper_abstract", "abstract_note", "notes_abstract",
                 "text"),
    "authors": ("authors", "author", "author_names", "author_full_names", "first_authors",
                "authorships", "creators"),
    "venue": ("venue", "conference", "conference_name", "booktitle", "journal",
              "publication_title", "source_title", "container_title", "proceedings_title"),
    "year": ("year", "publication_year", "published", "publication_date", "date", "issued"),
    "url": ("url", "paper_url", "openreview_url", "link", "site", "open_url_link"),
    "pdf_url": ("pdf_url", "pdf", "pdf_link"),
    "presentation": ("presentation", "status", "decision"),
    "track": ("track",),
    "keywords": ("keywords", "keyword", "author_keywords", "manual_tags", "tags",
                 "automatic_tags"),
    "pages": ("pages", "page"),
    "other_titles": ("other_titles", "title_at_icml_cc"),
    "doi": ("doi",),
}  # fmt: skip
FIELDS = tuple(_NAMES)
# A name that only contains one of these words is taken for the field, unless it also has one of
# the words that make it something else.
_GUESSED = ("title", "abstract", "authors", "year", "keywords")
_WORDS = {"abstract": {"abstract", "summary"}}
_SOMETHING_ELSE = frozenset(
    """
    abbreviated address addresses aff affiliation affiliations alternate alternative avg bibtex
    book citation cited conference corresponding count email emails homepage id ids index issue
    journal label language length link num number orcid original page pages proceedings
    publication publisher running score secondary section series short site source translated type
    url venue volume
    """.split()  # noqa: SIM905
)


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


_FIELD_OF = {_plain(name): field for field, names in _NAMES.items() for name in names}


def known_field(name: str) -> str | None:
    """The field of a paper that a column or key of this name holds, if any."""
    return _FIELD_OF.get(_plain(name))


@dataclass(frozen=True)
class Columns:
    """The mapping of columns to fields: what the reader of the corpus said, else what names tell.

    Raises:
        CorpusError: If the reader named a field that papers do not have.
    """

    said: Mapping[str, str] = field(default_factory=dict)
    """Field to column name: ``{"title": "Name of talk"}``; an empty name for no column."""
    guessed: dict[str, str] = field(default_factory=dict, init=False, compare=False)
    """Column name to field, of what was recognised by a part of its name alone."""
    _plans: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        unknown = [name for name in self.said if name not in FIELDS]
        if unknown:
            raise CorpusError(
                f"Papers have no field {unknown[0]!r}.", hint=f"Fields are: {', '.join(FIELDS)}."
            )

    def fields_in(self, names: Iterable[str]) -> set[str]:
        """The fields that columns of these names hold."""
        return set(self._plan(tuple(names)))

    def known_in(self, names: Iterable[str]) -> set[str]:
        """The fields that are known by the whole of a name, or were said to be in such a column."""
        said = {_plain(column): name for name, column in self.said.items() if column}
        return {name for each in names if (name := said.get(_plain(each)) or known_field(each))}

    def pick(self, row: Mapping[str, object]) -> dict[str, object]:
        """The values of a row by our names; of several columns the first with a value wins."""
        picked: dict[str, object] = {}
        for name, columns in self._plan(tuple(row)).items():
            values = (row[column] for column in columns)
            value = next((value for value in values if has_value(value)), None)
            if value is not None:
                picked[name] = value
        return picked

    def missing(self, names: Iterable[str]) -> dict[str, str]:
        """What was said of columns that are not among the named ones: field to column name."""
        there = {_plain(name) for name in names}
        return {
            name: column
            for name, column in self.said.items()
            if column and _plain(column) not in there
        }

    def _plan(self, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        if names not in self._plans:
            self._plans[names] = self._make_plan(names)
        return self._plans[names]

    def _make_plan(self, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        by_plain_name = {_plain(name): name for name in names}
        plan: dict[str, tuple[str, ...]] = {}
        for wanted, synonyms in _NAMES.items():
            if wanted in self.said:
                synonyms = (self.said[wanted],) if self.said[wanted] else ()
            found = [by_plain_name[name] for name in map(_plain, synonyms) if name in by_plain_name]
            if not found and wanted in _GUESSED and wanted not in self.said:
                found = [name for name in names if _suggests(name, wanted)][:1]
                self.guessed.update(dict.fromkeys(found, wanted))
            if found:
                plan[wanted] = tuple(found)
        return plan


@lru_cache(maxsize=4096)
def _suggests(name: str, wanted: str) -> bool:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = set(re.findall(r"[a-z]+", spaced.lower()))
    sought = _WORDS.get(wanted, {wanted, wanted.removesuffix("s")})
    return known_field(name) is None and bool(words & sought) and not words & _SOMETHING_ELSE
