"""Lists of a conference's papers."""

from __future__ import annotations

import pytest

from rag.corpus.fields import make_paper
from rag.corpus.paper_list import is_record, make_row

ENTRY = {"id": "site_1", "title": "T", "status": "Poster", "track": "main", "site": "https://a.org"}
KEYED = {"url": "https://openreview.net/forum?id=abc", "title": "T", "volume": "oral",
         "id": "f" * 40, "semantic_title": "t", "authors": ["A B"]}  # fmt: skip


def paper(record, file="iclr2018.json"):
    assert is_record(record)
    made = make_paper(make_row(record, 1, file).fields)
    assert made is not None
    return made.paper


def test_an_entry():
    found = paper(ENTRY | {"author": "A B;C D", "author_site": "A. B., C. D.", "keywords": "x;y"})
    assert (found.paper_id, found.url, found.track) == ("site_1", "https://a.org", "main")
    assert found.authors == ("A B", "C D")
    assert found.keywords == ("x", "y")
    assert found.presentation == "poster"


def test_the_address_at_openreview_goes_first():
    assert paper(ENTRY | {"openreview": "https://openreview.net/forum?id=x"}).url.endswith("id=x")


@pytest.mark.parametrize(
    ("file", "venue", "year"),
    [
        ("iclr2018.json", "ICLR 2018", 2018),
        ("nips2018_sample.json", "NeurIPS 2018", 2018),
        ("ACL2024.json", "ACL 2024", 2024),
        ("papers.json", None, None),
    ],
)
def test_venue_and_year_are_in_the_name_of_the_file(file, venue, year):
    found = paper(ENTRY, file)
    assert (found.venue, found.year) == (venue, year)


def test_an_entry_that_is_named_by_its_address():
    found = paper(KEYED)
    assert (found.paper_id, found.presentation, found.track) == ("abc", "oral", None)
    assert paper(KEYED | {"volume": "findings"}).track == "findings"


def test_recognition():
    assert not is_record({"title": "T", "status": "Poster", "site": "https://a.org"})
