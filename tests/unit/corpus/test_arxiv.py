"""Papers of arXiv, from the snapshot and from the API."""

from __future__ import annotations

from rag.corpus.arxiv import is_record, make_row
from rag.corpus.records import RejectedRow, Row
from rag.corpus.xml_rows import XmlLoader

RECORD = {
    "id": "0704.0001",
    "authors": "Ann Example and Bo Sample (Somewhere)",
    "authors_parsed": [["Example", "Ann", ""], ["Sample", "Bo", "Jr."]],
    "title": "On\n  Wrapping",
    "abstract": "  We wrap\nlines.\n  A paragraph\ngoes on.\n",
    "comments": "9 pages",
    "journal-ref": None,
    "doi": "10.1000/xyz",
    "categories": "cs.CL stat.ML",
    "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
    "update_date": "2008-11-26",
}
FEED = """<?xml version="1.0" encoding="ISO-8859-1"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <title>A query</title>
  <entry>
    <id>http://arxiv.org/abs/math/0601001v2</id>
    <title>On
  Größe &amp; more</title>
    <summary>  We wrap
lines, 1 &lt; 2.
</summary>
    <published>2006-01-02T14:57:58Z</published>
    <updated>2019-01-02T14:57:58Z</updated>
    <category term="math.CO"/>
    <arxiv:journal_ref>J. of X 1</arxiv:journal_ref>
    <author><name>Ann Example</name><arxiv:affiliation>A</arxiv:affiliation></author>
    <author><name>Bo Sample</name></author>
  </entry>
  <entry><id>https://arxiv.org/api/errors#x</id><title>Error</title><summary>wrong id</summary></entry>
  <entry><id>http://arxiv.org/abs/2401.00001v1</id><title>T</title>
    <arxiv:comment>This paper has been withdrawn by the author.</arxiv:comment></entry>
</feed>
"""


def test_a_record_of_the_snapshot():
    assert is_record(RECORD)
    row = make_row(RECORD, 7, "x.json")
    assert isinstance(row, Row)
    assert row.fields == {
        "paper_id": "0704.0001",
        "title": "On\n  Wrapping",
        "abstract": "We wrap lines.\nA paragraph goes on.",
        "authors": ["Ann Example", "Bo Sample Jr."],
        "venue": "arXiv",
        "year": "Mon, 2 Apr 2007 19:18:42 GMT",
        "keywords": ["cs.CL", "stat.ML"],
        "doi": "10.1000/xyz",
        "url": "https://arxiv.org/abs/0704.0001",
        "pdf_url": "https://arxiv.org/pdf/0704.0001",
    }


def test_a_record_without_its_authors_in_parts():
    row = make_row({**RECORD, "authors_parsed": None, "versions": []}, 1, "x.json")
    assert (row.fields["authors"], row.fields["year"]) == (RECORD["authors"], "2008-11-26")


def test_withdrawn_papers_are_rejected():
    for change in (
        {"comments": "This paper has been withdrawn due to an error"},
        {"abstract": "  This submission was withdrawn by the\nauthors."},
    ):
        assert isinstance(make_row(RECORD | change, 1, "x.json"), RejectedRow)
    kept = {"comments": "replaces a withdrawn paper"}
    assert isinstance(make_row(RECORD | kept, 1, "x.json"), Row)


def test_a_feed():
    paper, error, withdrawn = XmlLoader().rows(FEED, "x.atom")
    assert paper == Row(
        4,
        {
            "paper_id": "math/0601001",
            "title": "On\n  Größe & more",
            "abstract": "We wrap lines, 1 < 2.",
            "authors": ["Ann Example", "Bo Sample"],
            "venue": "J. of X 1",
            "year": "2006-01-02T14:57:58Z",
            "keywords": ["math.CO"],
            "doi": None,
            "url": "https://arxiv.org/abs/math/0601001",
            "pdf_url": "https://arxiv.org/pdf/math/0601001",
        },
    )
    assert str(error) == "x.atom:18: arXiv reports an error: wrong id"
    assert str(withdrawn) == "x.atom:19: it was withdrawn from arXiv"
