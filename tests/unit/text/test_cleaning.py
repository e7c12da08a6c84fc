"""Cleaning at the door, and the content hash."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text import clean, content_hash


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("a\ud835\udc00b", "a\U0001d400b"),
        ("a\ud835b", "ab"),
        ("a\udc00b\ud835", "ab"),
        ("nul\x00 bell\x07 del\x7f c1\x85", "nul bell del c1"),
        ("tab\tand\nnewline", "tab\tand\nnewline"),
        ("windows\r\nand old mac\r", "windows\nand old mac\n"),
        ("&amp; <i>k</i> $x$ **b** ﬁ \u00a0\u200b", "&amp; <i>k</i> $x$ **b** ﬁ \u00a0\u200b"),
    ],
)
def test_clean(raw, cleaned):
    assert clean(raw) == cleaned


@given(st.text(st.characters(exclude_categories=())))
def test_what_is_cleaned_can_be_encoded_and_stays(text):
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert clean(cleaned) == cleaned
    assert all(unicodedata.category(char) != "Cc" or char in "\n\t" for char in cleaned)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))))
def test_ordinary_text_is_left_alone(text):
    assert clean(text) == text


def test_content_hash_is_pinned_and_unambiguous():
    # Hashes are stored in indexes and caches: another value would embed everything again.
    assert content_hash("title", "text") == (
        "a67c3c385e86a533de1ed16a81508ee711df95c19f954cb1240f3f5b4c486cc1"
    )
    assert len({content_hash("ab", "c"), content_hash("a", "bc"), content_hash("abc")}) == 3
    assert content_hash("1:a") != content_hash("1", "a")
