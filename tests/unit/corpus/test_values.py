"""Single values in the types and spellings that files have them in."""

from __future__ import annotations

import pytest

from rag.corpus.values import decode_entities, listed, many, year_of


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("['a', 'b']", ["a", "b"]),
        ("['a' 'b'\n \"c's\"]", ["a", "b", "c's"]),
        (r'["caf\u00e9", "a \"b\"", "x\ty"]', ["café", 'a "b"', "x\ty"]),
        (r"['it\'s \xa0 $\alpha$']", ["it's \xa0 $\\alpha$"]),
        ("[]", []),
        ("[1] A reference", None),
        ("['a', b]", None),
        ("['a'", None),
        ("text", None),
    ],
)
def test_lists_that_were_written_into_a_text(text, items):
    assert listed(text) == items


@pytest.mark.parametrize(
    ("value", "year"),
    [
        ("20241204", 2024),
        (20250713, 2025),
        ("2019//", 2019),
        ("2014-03", 2014),
        ({"date-parts": [[2020, 1, 2]]}, 2020),
        (["2018"], 2018),
        ("10 15", None),
        ("1234567", None),
        ("20259999", None),
        (None, None),
    ],
)
def test_years(value, year):
    assert year_of(value) == year


def test_entities_are_decoded_once_and_only_known_ones():
    assert decode_entities("&lt;b&gt; &amp;lt; &#233;&#xe9; &nbsp;") == "<b> &lt; éé \xa0"
    assert decode_entities("AT&T R&D; &foo; &notit; &amp") == "AT&T R&D; &foo; &notit; &amp"


def test_empty_items_are_left_out():
    assert many("a; ;n/a;b", separators=";,") == ("a", "b")
    assert many([None, "a", {}, " "], separators=";") == ("a",)
    assert many("one, two", separators=";,") == ("one", "two")
    assert many("just one", separators=";,") == ("just one",)
    assert many(7, separators=";") == ()
