"""Posts of PMLR."""

from __future__ import annotations

import pytest

from rag.corpus.pmlr import PmlrPostLoader
from rag.corpus.records import RejectedRow, Row

POST = """---
title: 'On Folding: a Study'
abstract: We fold long lines over
  several lines, keep  two spaces,
  and $x_{1}$ and \\emph{this}.
id: example25a
page: 4-22
author:
- given: Ann
  family: Example
date: 2025-02-17
container-title: Proceedings of Folding
volume: '272'
pdf: https://a.org/example25a.pdf
---
"""


def load(text):
    (row,) = PmlrPostLoader().rows(text, "x.md")
    return row


def test_a_post():
    row = load(POST)
    assert isinstance(row, Row)
    assert row.line == 1
    assert row.fields == {
        "paper_id": "example25a",
        "title": "On Folding: a Study",
        "abstract": "We fold long lines over several lines, keep  two spaces, "
        "and $x_{1}$ and \\emph{this}.",
        "authors": [{"given": "Ann", "family": "Example"}],
        "venue": "Proceedings of Folding",
        "year": "2025-02-17",
        "url": "https://proceedings.mlr.press/v272/example25a.html",
        "pdf_url": "https://a.org/example25a.pdf",
        "pages": "4-22",
    }


def test_the_address_at_openreview_goes_first():
    row = load(POST.replace("id: e", "openreview: abc\nid: e"))
    assert row.fields["url"] == "https://openreview.net/forum?id=abc"


def test_values_stay_texts():
    assert load("---\ntitle: 1e3\nid: 007\n---").fields["title"] == "1e3"
    assert load("---\ntitle: yes\nid: 007\n---").fields["paper_id"] == "007"


@pytest.mark.parametrize(
    ("text", "line"),
    [("---\ntitle: a\nabstract: b: c\n---\n", 3), ("---\ntitle: " + "[" * 50_000 + "\n---\n", 1)],
)
def test_a_broken_post_is_reported(text, line):
    row = load(text)
    assert isinstance(row, RejectedRow)
    assert (row.line, row.reason[:15]) == (line, "not valid YAML:")


def test_recognition():
    assert PmlrPostLoader().recognises(POST)
    assert not PmlrPostLoader().recognises("---\nlayout: page\n---\n")
    assert not PmlrPostLoader().recognises("An abstract.\n---\ntitle: x\n---\n")
