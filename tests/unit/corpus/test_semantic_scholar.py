"""Papers with the field names of Semantic Scholar."""

from __future__ import annotations

import pytest

from rag.corpus.fields import make_paper
from rag.corpus.semantic_scholar import is_record, make_row


def paper(record):
    assert is_record(record)
    made = make_paper(make_row(record, 1, "x.jsonl").fields)
    assert made is not None
    return made.paper


def test_a_paper_of_the_api():
    found = paper(
        {
            "paperId": "a" * 40,
            "externalIds": {"DOI": "10.1000/xyz"},
            "title": "T",
            "abstract": None,
            "authors": [{"authorId": "1", "name": "Ann Example"}],
            "venue": "",
            "journal": {"name": "J", "pages": "1-9"},
            "year": 2024,
            "openAccessPdf": {"url": "https://a.org/x.pdf"},
        }
    )
    assert found.paper_id == "a" * 40
    assert found.authors == ("Ann Example",)
    assert (found.venue, found.year, found.pages) == ("J", 2024, "1-9")
    assert found.url == f"https://www.semanticscholar.org/paper/{'a' * 40}"
    assert found.pdf_url == "https://a.org/x.pdf"


def test_a_paper_of_a_search_that_keeps_its_names():
    record = {"paperID": "2412.02980", "title": "T", "author": ["A B"], "year": "20241204"}
    found = paper(record)
    assert (found.year, found.authors) == (2024, ("A B",))


@pytest.mark.parametrize(
    ("paper_id", "url"),
    [
        ("2412.02980", "https://arxiv.org/abs/2412.02980"),
        ("PMID:38697206", "https://pubmed.ncbi.nlm.nih.gov/38697206/"),
        ("https://a.org/x.pdf", "https://a.org/x.pdf"),
        ("12345", None),
    ],
)
def test_addresses(paper_id, url):
    assert paper({"paperId": paper_id, "title": "T"}).url == url
