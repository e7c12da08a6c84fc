"""RIS and its liberties."""

from __future__ import annotations

import pytest

from rag.corpus.records import Row
from rag.corpus.ris import RisLoader


def load(text):
    rows = list(RisLoader().rows(text, "x.ris"))
    assert all(isinstance(row, Row) for row in rows)
    return [(row.line, row.fields) for row in rows]


def test_a_record():
    ((line, fields),) = load(
        "1.\nTY  - CONF\nTI  - On RIS\nAU  - Example, Ann\nAU  - Sample, Bo\nT2  - ICML\n"
        "AB  - First line\n\nsecond line.\nPY  - 2025\nDO  - 10.1000/xyz\nUR  - https://a.org\n"
        "KW  - one\ntwo\nKW  - three\nSP  - 12\nEP  - 19\nL1  - https://a.org/x.pdf\nER  - \n"
    )
    assert line == 2
    assert fields == {
        "paper_id": "10.1000/xyz",
        "title": "On RIS",
        "abstract": "First line\nsecond line.",
        "authors": ["Example, Ann", "Sample, Bo"],
        "venue": "ICML",
        "year": "2025",
        "url": "https://doi.org/10.1000/xyz",
        "pdf_url": "https://a.org/x.pdf",
        "keywords": ["one", "two", "three"],
        "pages": "12-19",
    }


def test_other_tags_of_the_same_meaning_and_tabs():
    ((_, fields),) = load(
        "TY  - JOUR\nT1\t- T\nA1 \t- A B\nN2  - Text\nJF  - J\nY1  - 2019//\nUR  - https://a.org\nER  -"
    )
    assert (fields["title"], fields["authors"], fields["abstract"]) == ("T", ["A B"], "Text")
    assert (fields["venue"], fields["year"], fields["url"]) == ("J", "2019//", "https://a.org")


@pytest.mark.parametrize(("own", "paper_id"), [("17", ""), ("2019-65183-001", "2019-65183-001")])
def test_a_running_number_is_no_id(own, paper_id):
    ((_, fields),) = load(f"TY  - GEN\nID  - {own}\nTI  - T\nER  -\n")
    assert fields["paper_id"] == paper_id


def test_what_lies_between_records_is_no_record():
    rows = load(
        "Provider: X\n\nTY  - GEN\nTI  - One\nER  -\nNL  - stray\nLink to the text\n\n"
        "TY  - GEN\nTI  - Two\nER  -\nER  -\n"
    )
    assert [(line, fields["title"]) for line, fields in rows] == [(3, "One"), (9, "Two")]


def test_a_record_without_its_end_is_read_as_far_as_it_goes():
    rows = load("TY  - GEN\nTI  - One\nTY  - GEN\nTI  - Two\nAB  - cut of")
    assert [(line, fields["title"], fields["abstract"]) for line, fields in rows] == [
        (1, "One", ""),
        (3, "Two", "cut of"),
    ]


def test_page_numbers_that_are_none():
    ((_, fields),) = load("TY  - GEN\nTI  - T\nSP  - No\nEP  - Specified\nER  -")
    assert fields["pages"] == ""


def test_recognition():
    assert RisLoader().recognises("Record #1\n\nTY  - JOUR\n")
    assert not RisLoader().recognises("TY - JOUR\nIt was TY  - JOUR\n")
