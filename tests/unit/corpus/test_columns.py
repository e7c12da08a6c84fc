"""Which column holds which field."""

from __future__ import annotations

import pytest

from rag.corpus.columns import Columns
from rag.errors import CorpusError

# As the exports of some well-known programs and sites name them.
ZOTERO = ("Key", "Publication Year", "Author", "Title", "Publication Title", "Abstract Note", "Url")
IEEE = ("Document Title", "Authors", "Publication Title", "Publication Year", "Abstract", "DOI")
SCOPUS = ("Author full names", "Title", "Year", "Source title", "Abstract", "Link", "EID")
WEB_OF_SCIENCE = ("Article Title", "Author Full Names", "Source Title", "Publication Year", "DOI")
EMBASE = ("Title", "Author Names", "Abstract", "keywords", "Open URL Link")


@pytest.mark.parametrize(
    ("names", "fields"),
    [
        (ZOTERO, {"paper_id", "year", "authors", "title", "venue", "abstract", "url"}),
        (IEEE, {"title", "authors", "venue", "year", "abstract", "doi"}),
        (SCOPUS, {"authors", "title", "year", "venue", "abstract", "url", "paper_id"}),
        (WEB_OF_SCIENCE, {"title", "authors", "venue", "year", "doi"}),
        (EMBASE, {"title", "authors", "abstract", "keywords", "url"}),
    ],
)
def test_well_known_exports_need_no_guess(names, fields):
    columns = Columns()
    assert columns.fields_in(names) == columns.known_in(names) == fields
    assert columns.guessed == {}


def test_a_part_of_a_name_tells_the_field_if_nothing_better_does():
    columns = Columns()
    row = {"Talk Title": "T", "speakerAuthor": "A B", "Abstract (en)": "A.", "Year held": "2025"}
    assert columns.pick(row) == {
        "title": "T", "abstract": "A.", "authors": "A B", "year": "2025"
    }  # fmt: skip
    assert columns.guessed["Talk Title"] == "title"


def test_names_of_something_else_are_not_guessed():
    columns = Columns()
    assert (
        columns.pick({"Source title abbreviated": "x", "author_ids": "1", "title_length": 3}) == {}
    )
    assert columns.pick({"title": "T", "Long title": "L"}) == {"title": "T"}
    assert columns.guessed == {}


def test_what_was_said_goes_before_what_names_tell():
    columns = Columns({"title": "Subtitle", "authors": ""})
    assert columns.pick({"title": "T", "SUBTITLE": "S", "authors": "A"}) == {"title": "S"}
    assert columns.pick({"title": "T"}) == {}
    assert columns.missing(["title"]) == {"title": "Subtitle"}
    assert columns.missing(["sub_title"]) == {}


def test_a_column_without_a_name_is_no_field():
    assert Columns({"paper_id": ""}).pick({"": "7", "title": "T"}) == {"title": "T"}


def test_a_field_that_papers_do_not_have():
    with pytest.raises(CorpusError, match="no field 'heading'") as caught:
        Columns({"heading": "x"})
    assert "title, abstract, authors" in caught.value.hint
