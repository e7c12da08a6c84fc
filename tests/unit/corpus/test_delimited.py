"""CSV with its delimiters, quotes and faults."""

from __future__ import annotations

import pytest

from rag.corpus.columns import Columns
from rag.corpus.delimited import DelimitedLoader
from rag.corpus.records import RejectedRow, Row
from rag.errors import CorpusError


def load(text):
    rows = list(DelimitedLoader().rows(text, "x.csv"))
    good = [(row.line, dict(row.fields)) for row in rows if isinstance(row, Row)]
    return good, [str(row) for row in rows if isinstance(row, RejectedRow)]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_header_tells_the_delimiter(mark):
    good, bad = load(f'Title{mark}Abstract\n"A, b; c"{mark}Text\n')
    assert good == [(2, {"Title": "A, b; c", "Abstract": "Text"})]
    assert bad == []


def test_quoted_line_breaks_keep_the_line_numbers_right():
    good, bad = load('id,title,abstract\na,T,"one\ntwo ""quoted"""\n\nb,U,three\n')
    assert good == [
        (2, {"id": "a", "title": "T", "abstract": 'one\ntwo "quoted"'}),
        (5, {"id": "b", "title": "U", "abstract": "three"}),
    ]
    assert bad == []


def test_ragged_rows_are_reported_and_the_rest_is_read():
    good, bad = load("id,title,abstract\na,T,x,too many\nb,U\nc,V,fine\nd,W,extra blanks,,\n")
    assert [line for line, _ in good] == [4, 5]
    assert bad == [
        "x.csv:2: the row has 4 fields, the line of column names has 3",
        "x.csv:3: the row has 2 fields, the line of column names has 3",
    ]


def test_a_quotation_mark_that_is_not_closed_is_reported():
    good, bad = load('id,title\na,T\nb,"never closed\nc,V\nd,W\n')
    assert [fields["id"] for _, fields in good] == ["a"]
    assert bad == ["x.csv:3: a quotation mark is not closed; the rest of the file is lost"]


def test_a_lone_quotation_mark_inside_a_field_is_text():
    good, bad = load('id,title\na,A 5" disk\n')
    assert good[0][1]["title"] == 'A 5" disk'
    assert bad == []


def test_a_field_over_the_limit_is_reported():
    good, bad = load("id,title\na,T\nb," + "x" * 10_000_001 + "\n")
    assert len(good) == 1
    assert "field larger than field limit" in bad[0]


def test_a_table_without_title_and_abstract_is_refused():
    with pytest.raises(CorpusError, match="its first line is: name, size"):
        load("name,size\na,b\n")


@pytest.mark.parametrize(
    ("text", "is_table"),
    [
        ("title,abstract\n", True),
        ("ID;Document Title;x\n", True),
        ("title\n", False),
        ("id,year\n", False),
        ("A title, and an abstract.\n", False),
        ("", False),
    ],
)
def test_recognition(text, is_table):
    assert DelimitedLoader().recognises(text) is is_table


def test_columns_that_were_named_make_a_table_of_papers():
    loader = DelimitedLoader(Columns({"title": "Name of talk"}))
    (row,) = loader.rows("Room|Name of talk\n1|T\n", "x.csv")
    assert row == Row(2, {"Room": "1", "Name of talk": "T"})
