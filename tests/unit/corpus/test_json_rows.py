"""JSON in its three shapes, whole and broken."""

from __future__ import annotations

import json

import pytest

from rag.corpus.json_rows import JsonLoader
from rag.corpus.records import RejectedRow, Row
from rag.errors import CorpusError


def load(text):
    rows = list(JsonLoader().rows(text, "x.json"))
    good = [(row.line, row.fields["id"]) for row in rows if isinstance(row, Row)]
    return good, [str(row) for row in rows if isinstance(row, RejectedRow)]


ONE, TWO = {"id": "a", "title": "T"}, {"id": "b", "title": "U"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{json.dumps(ONE)}\n\n{json.dumps(TWO)}", [(1, "a"), (3, "b")]),
        (json.dumps([ONE, TWO]), [(1, "a"), (1, "b")]),
        ("\n" + json.dumps([ONE, TWO], indent=2), [(3, "a"), (7, "b")]),
        (json.dumps({"n": 2, "papers": [ONE, TWO]}, indent=1), [(4, "a"), (8, "b")]),
        (json.dumps(ONE, indent=1), [(1, "a")]),
        (json.dumps(ONE), [(1, "a")]),
        (json.dumps({"papers": [ONE, TWO]}), [(1, "a"), (1, "b")]),
        (json.dumps({"a": {"title": "T"}, "b": {"title": "U"}}, indent=1), [(2, "a"), (5, "b")]),
        (json.dumps({**ONE, "authors": [{"name": "N"}]}, indent=1), [(1, "a")]),
        ("[]", []),
    ],
)
def test_shapes(text, lines):
    assert load(text) == (lines, [])


def test_a_truncated_line_leaves_the_others():
    text = f'{json.dumps(ONE)}\n{{"id": "c", "title": "cut o\n{json.dumps(TWO)}\n'
    good, bad = load(text)
    assert good == [(1, "a"), (3, "b")]
    assert bad == ["x.json:2: not valid JSON: Unterminated string starting at at column 22"]


def test_a_truncated_list_keeps_what_was_whole():
    good, bad = load(json.dumps([ONE, TWO], indent=1)[:-20])
    assert good == [(2, "a")]
    assert len(bad) == 1
    assert bad[0].startswith("x.json:6: not valid JSON")
    assert bad[0].endswith("the rest of the list is lost")


def test_a_list_without_its_end_or_a_comma():
    assert load(json.dumps([ONE])[:-1]) == (
        [(1, "a")],
        ["x.json:1: the list breaks off or lacks a comma here"],
    )
    good, bad = load(f"[{json.dumps(ONE)}\n{json.dumps(TWO)}]")
    assert good == [(1, "a")]
    assert bad == ["x.json:2: the list breaks off or lacks a comma here"]


def test_what_is_no_object_is_rejected():
    good, bad = load(f'{json.dumps(ONE)}\n[1]\n"text"\n7\nnull\ntrue\n')
    assert good == [(1, "a")]
    assert [reason.rsplit(" is ", 1)[1] for reason in bad] == [
        "a list",
        "a text",
        "a number",
        "null",
        "true or false",
    ]


def test_deep_nesting_is_rejected_not_raised():
    good, bad = load(f"{json.dumps(ONE)}\n{'[' * 200_000}\n")
    assert good == [(1, "a")]
    assert len(bad) == 1


def test_a_truncated_document_keeps_what_was_whole():
    good, bad = load(json.dumps({"n": 2, "papers": [ONE, TWO]}, indent=1)[:-12])
    assert good == [(4, "a")]
    assert len(bad) == 1
    assert bad[0].startswith("x.json:8: not valid JSON")
    good, bad = load(json.dumps({"a": {"title": "T"}, "b": {"title": "U"}}, indent=1)[:-8])
    assert good == [(2, "a")]
    assert bad[0].startswith("x.json:5: not valid JSON")
    assert bad[0].endswith("the rest is lost")


def test_papers_may_be_named_by_their_addresses():
    text = json.dumps({"https://a.org/1": {"title": "T"}, "https://a.org/2": {"title": "U"}})
    rows = list(JsonLoader().rows(text, "x.json"))
    assert [row.fields["url"] for row in rows] == ["https://a.org/1", "https://a.org/2"]


def test_two_lists_in_one_object_are_ambiguous():
    with pytest.raises(CorpusError, match="2 lists of objects"):
        load(json.dumps({"papers": [ONE], "reviews": [TWO]}, indent=1))


def test_a_line_separator_inside_a_text_does_not_end_the_line():
    good, bad = load('{"id": "a\u2028b", "title": "T"}\n')
    assert good == [(1, "a\u2028b")]
    assert bad == []


@pytest.mark.parametrize(
    ("text", "is_json"),
    [
        ('\n {"id": 1}', True),
        ('[\n{"id"', True),
        ("[]", True),
        ("[1] A reference", False),
        ("{\\bf x}", False),
        ("", False),
    ],
)
def test_recognition(text, is_json):
    assert JsonLoader().recognises(text) is is_json
