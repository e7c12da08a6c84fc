"""Field names and values in their usual spellings."""

from __future__ import annotations

import pytest

from rag.corpus.columns import known_field
from rag.corpus.fields import make_paper


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
        ("Example, Ann", ("Ann Example",)),
        ("Example, Ann; Sample, Bo", ("Ann Example", "Bo Sample")),
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


def test_abstracts_are_kept_byte_for_byte_but_for_what_cannot_be_stored_and_entities():
    kept = '  <i>x</i> AT&T; R&D\n $\\alpha$ {\\"o} **b** ﬁ '
    assert paper(abstract=kept).abstract == kept
    assert paper(abstract="a\x00b\ud835").abstract == "ab"
    made = make_paper({"abstract": "1 &lt; 2 &amp;amp; 3 &notanentity; &#8212;"})
    assert made.paper.abstract == "1 < 2 &amp; 3 &notanentity; \u2014"
    assert made.oddities == ("HTML entities in its abstract were decoded",)


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


def test_latex_accents_in_titles_and_names_become_letters():
    made = paper(
        title='Schr{\\"o}dinger in $\\tilde{x}$', authors="J. M{\\o}ller; B{\\'e}la Kov{\\'a}cs"
    )
    assert made.title == "Schrödinger in $\\tilde{x}$"
    assert made.authors == ("J. Møller", "Béla Kovács")


def test_an_abstract_may_come_as_its_sentences():
    assert paper(abstract=["One. ", "Two."]).abstract == "One. Two."
    assert paper(abstract="['One.'\n \"Two's.\"]").abstract == "One. Two's."


def test_without_an_id_a_known_site_gives_one():
    assert paper(url="https://openreview.net/forum?id=abc").paper_id == "abc"
    assert (
        paper(link="https://a.org", pdf="https://arxiv.org/pdf/2401.00001v3").paper_id
        == "2401.00001"
    )
    assert paper(openreview="https://openreview.net/forum?id=abc").paper_id == "abc"
    assert paper(url="https://example.org/1").paper_id == paper().paper_id
    assert not make_paper({"title": "T"}).has_own_id


def test_a_doi_is_an_address_if_there_is_no_other():
    assert paper(doi="10.1000/xyz").url == "https://doi.org/10.1000/xyz"
    assert paper(doi="10.1000/xyz", url="https://a.org").url == "https://a.org"


def test_values_of_absurd_length_are_left_out_and_said():
    made = make_paper({"title": "T", "id": "x" * 201, "pages": "y" * 41, "url": "z" * 2001})
    assert (made.paper.pages, made.paper.url) == (None, None)
    assert made.paper.paper_id == made.content_id
    assert made.oddities == (
        "its page range has 41 characters and was left out",
        "its address has 2001 characters and was left out",
        "its id has 201 characters and was left out",
    )


def test_an_abstract_that_stands_in_the_place_of_the_pages():
    made = make_paper({"title": "T", "abstract": "23 - 40", "pages": "We study graphs. " * 5})
    assert made.paper.abstract == "We study graphs. " * 5
    assert made.paper.pages == "23-40"
    assert made.oddities == ("its abstract and its pages stood in each other's place",)
