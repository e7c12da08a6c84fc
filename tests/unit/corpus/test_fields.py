"""Field names and values in their usual spellings."""

from __future__ import annotations

import pytest

from rag.corpus.fields import known_field, make_paper


def paper(**row):
    made = make_paper({"title": "T", **row})
    assert made is not None
    return made.paper


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("Paper ID", "paper_id"),
        ("openreview_id", "paper_id"),
        ("TITLE", "title"),
        ("Summary", "abstract"),
        ("author", "authors"),
        ("Conference", "venue"),
        ("Publication Year", "year"),
        ("PDF URL", "pdf_url"),
        ("Status", "presentation"),
        ("title_at_icml_cc", "other_titles"),
        ("affiliations", None),
    ],
)
def test_names(name, field):
    assert known_field(name) == field


@pytest.mark.parametrize(
    ("value", "authors"),
    [
        (["Ann Example", " Bo  Sample "], ("Ann Example", "Bo Sample")),
        ("Ann Example; Bo Sample;", ("Ann Example", "Bo Sample")),
        ("Ann Example, Bo Sample", ("Ann Example", "Bo Sample")),
        ("Example, Ann", ("Example, Ann",)),
        ("Example, Ann; Sample, Bo", ("Example, Ann", "Sample, Bo")),
        ([{"name": "Ann Example", "id": 1}, {"id": 2}], ("Ann Example",)),
        ([], ()),
        ("", ()),
        (None, ()),
        (7.5, ()),
        (["", None, {}], ()),
    ],
)
def test_authors(value, authors):
    assert paper(authors=value).authors == authors


@pytest.mark.parametrize(
    ("value", "year"),
    [
        ("2025", 2025),
        (2025, 2025),
        (2025.0, 2025),
        ("July 13, 2025", 2025),
        ("soon", None),
        ("", None),
    ],
)
def test_year(value, year):
    assert paper(year=value).year == year


@pytest.mark.parametrize(
    ("value", "presentation"),
    [
        ("Oral", "oral"),
        ("Accept (spotlight)", "spotlight"),
        ("ICML 2025 poster", "poster"),
        ("poster or spotlight", "poster or spotlight"),
        ("Withdrawn", "Withdrawn"),
        ("", None),
    ],
)
def test_presentation(value, presentation):
    assert paper(status=value).presentation == presentation


def test_the_first_synonym_with_a_value_wins():
    row = {"id": "pmlr", "openreview": "abc", "url": "", "link": "https://example.org"}
    assert paper(**row).paper_id == "pmlr"
    assert paper(**row).url == "https://example.org"
    assert paper(id=None, openreview="abc").paper_id == "abc"
    assert paper(id=17).paper_id == "17"


def test_keywords_pages_and_other_titles():
    made = paper(keywords="graphs; learning", pages="1-9", title_at_icml_cc="Old, or not")
    assert made.keywords == ("graphs", "learning")
    assert paper(keywords="graphs, learning").keywords == ("graphs", "learning")
    assert made.pages == "1-9"
    assert made.other_titles == ("Old, or not",)
    assert paper(other_titles=["T", "Older"]).other_titles == ("Older",)


def test_abstracts_are_kept_byte_for_byte_but_for_what_cannot_be_stored():
    kept = "  &amp; <i>x</i>\n $\\alpha$  ﬁ "
    assert paper(abstract=kept).abstract == kept
    assert paper(abstract="a\x00b\ud835").abstract == "ab"


@pytest.mark.parametrize(
    "value", ["N/A", "na", " None ", "No abstract available.", "nan", "-", None, 3]
)
def test_what_stands_for_no_abstract_is_empty(value):
    assert paper(abstract=value).abstract == ""


def test_titles_are_on_one_line():
    assert paper(title=" A\n long   title ").title == "A long title"


def test_a_row_without_title_and_abstract_gives_nothing():
    assert make_paper({"id": "a", "year": 2025}) is None
    assert make_paper({"title": "n/a", "abstract": "N/A"}) is None


def test_it_is_known_whether_the_title_is_the_papers_own():
    titled, untitled = make_paper({"title": "T"}), make_paper({"abstract": "We learn."})
    assert titled is not None
    assert untitled is not None
    assert (titled.has_own_title, untitled.has_own_title) == (True, False)
