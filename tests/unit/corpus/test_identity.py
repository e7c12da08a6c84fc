"""Ids from addresses."""

from __future__ import annotations

import pytest

from rag.corpus.identity import doi_link, id_from_links


@pytest.mark.parametrize(
    ("link", "paper_id"),
    [
        ("https://openreview.net/forum?id=abc_-1", "abc_-1"),
        ("https://openreview.net/pdf?id=abc&x=1", "abc"),
        ("https://openreview.net/forum?noteId=x&id=abc", "abc"),
        ("https://arxiv.org/pdf/2401.12345v2.pdf", "2401.12345"),
        ("http://arxiv.org/abs/quant-ph/0201082v1", "quant-ph/0201082"),
        ("https://aclanthology.org/2022.acl-short.96.pdf", "2022.acl-short.96"),
        ("https://aclanthology.org/P18-1001/", "P18-1001"),
        ("https://proceedings.mlr.press/v267/a-b25a.html", "v267/a-b25a"),
        ("https://doi.org/10.1145/123.4", "10.1145/123.4"),
        ("https://example.org/forum?id=abc", ""),
        ("", ""),
    ],
)
def test_ids_of_known_sites(link, paper_id):
    assert id_from_links([link]) == paper_id


def test_the_conference_comes_before_the_archive():
    links = ["https://arxiv.org/abs/2401.12345", "https://openreview.net/forum?id=abc"]
    assert id_from_links(links) == "abc"


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("10.1002/cpp.2398", "https://doi.org/10.1002/cpp.2398"),
        ("doi: 10.1002/cpp.2398", "https://doi.org/10.1002/cpp.2398"),
        ("http://dx.doi.org/10.1002/cpp.2398", "https://doi.org/10.1002/cpp.2398"),
        ("unknown", ""),
    ],
)
def test_dois(text, link):
    assert doi_link(text) == link
