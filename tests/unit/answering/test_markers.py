"""Markers: every form of a known number is read, and nothing else becomes one."""

import re

import pytest

from rag.answering.markers import CLEAR_MARK, read_markers
from rag.records import Paper, Passage

PAPERS = (
    Paper("a", "Counting Wells", "Wells leak.", authors=("Ann Smith", "Bo Li"), year=2025),
    Paper("b", "Moss <b>Atlas</b>", "Moss grows.", authors=("Cy Sun",), year=2025),
    Paper("c", "SparseBench: Pruning", "We prune.", authors=("Di Smith",), year=2025),
)
PASSAGES = {
    number: Passage(number, paper, paper.abstract, 1.0)
    for number, paper in enumerate(PAPERS, start=1)
}

READ = [
    ("Wells leak [1].", "Wells leak.", (1,)),
    ("Wells leak. [1]", "Wells leak.", (1,)),
    ("Wells leak [1]. [2].", "Wells leak.", (1, 2)),
    ("Wells leak[1][3].", "Wells leak.", (1, 3)),
    ("Wells leak [1, 3].", "Wells leak.", (1, 3)),
    ("Wells leak [3,1,3].", "Wells leak.", (3, 1)),
    ("Wells leak [1\uff0c3].", "Wells leak.", (1, 3)),
    ("Wells leak [1 and 2].", "Wells leak.", (1, 2)),
    ("Wells leak [1-3].", "Wells leak.", (1, 2, 3)),
    ("Wells leak [1\u20133].", "Wells leak.", (1, 2, 3)),
    ("Wells leak [^1].", "Wells leak.", (1,)),
    ("Wells leak [[1]].", "Wells leak.", (1,)),
    ("Wells leak ([1]).", "Wells leak.", (1,)),
    ("Wells leak (see [1]).", "Wells leak.", (1,)),
    ("Wells leak (1).", "Wells leak.", (1,)),
    ("Wells leak [1] (2).", "Wells leak.", (1, 2)),
    ("井が漏れる【1】。", "井が漏れる。", (1,)),
    ("Wells leak 【1†source】.", "Wells leak.", (1,)),
    ("Wells leak [Source 1].", "Wells leak.", (1,)),
    ("Wells leak [ID:2].", "Wells leak.", (2,)),
    ("Wells leak (Paper 2).", "Wells leak.", (2,)),
    ("Wells leak (passages 1 and 2).", "Wells leak.", (1, 2)),
    ("Wells leak [Sun 2025].", "Wells leak.", (2,)),
    ("Wells leak (Sun et al., 2025).", "Wells leak.", (2,)),
    ("Wells leak [SparseBench: Pruning].", "Wells leak.", (3,)),
    ("Wells leak [1](https://x.example).", "Wells leak.", (1,)),
    ("[2] Moss grows.", "Moss grows.", (2,)),
    ("Wells leak [1], and moss grows [2].", "Wells leak, and moss grows.", (1, 2)),
    ("Wells leak, [1].", "Wells leak.", (1,)),
    ("Wells leak [1] and [2].", "Wells leak.", (1, 2)),
    ("It costs $5 [1] and $6 [2].", "It costs $5 and $6.", (1, 2)),
]


@pytest.mark.parametrize(("written", "text", "markers"), READ, ids=lambda value: str(value)[:40])
def test_a_known_number_is_read_in_any_form(written, text, markers) -> None:
    marked = read_markers(written, PASSAGES)
    assert (marked.text, marked.markers, marked.unknown) == (text, markers, ())


@pytest.mark.parametrize(
    ("written", "unknown"),
    [
        ("Wells leak [99].", ("[99]",)),
        ("Wells leak [0].", ("[0]",)),
        ("Wells leak [901].", ("[901]",)),
        ("Wells leak [1-4000].", ("[1-4000]",)),
        ("Wells leak [Jones 2020].", ("[Jones 2020]",)),
        ("Wells leak [Smith 2025].", ("[Smith 2025]",)),
        ("Wells leak [Sun 1999].", ("[Sun 1999]",)),
        ("Wells leak [citation needed].", ("[citation needed]",)),
        ("Wells leak [n].", ("[n]",)),
        ("Wells leak [7][8].", ("[7]", "[8]")),
    ],
)
def test_what_names_no_source_is_taken_out_and_told(written, unknown) -> None:
    marked = read_markers(written, PASSAGES)
    assert marked.text == "Wells leak."
    assert marked.unknown == unknown
    assert set(marked.markers) <= {1}


def test_a_known_number_counts_beside_an_unknown_one() -> None:
    marked = read_markers("Wells leak [1, 99].", PASSAGES)
    assert (marked.markers, marked.unknown) == ((1,), ("[1, 99]",))


@pytest.mark.parametrize(
    "written",
    [
        "x[1] is zero.",
        "We set arr[1] = 3.",
        "It lies in the range [0, 1].",
        "Scores lie on the scale [1, 3].",
        "We (1) prune and (2) quantise.",
        "It holds for $x[1]$ and $[1, 2]$.",
        "Call `list[1]` twice.",
        "There are many wells (213).",
        "It was in the year (2020).",
        "Two things [TODO] are left.",
        "The interval [0.5, 2] is open.",
    ],
)
def test_what_only_looks_like_a_marker_stays(written) -> None:
    marked = read_markers(written, PASSAGES)
    assert (marked.text, marked.markers, marked.unknown) == (written, (), ())


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("According to [1], wells leak.", "According to “Counting Wells”, wells leak."),
        ("[1] shows that wells leak.", "“Counting Wells” shows that wells leak."),
        ("Both [1] and [3] agree.", "Both “Counting Wells” and “SparseBench: Pruning” agree."),
        ("Passage 2 mentions moss.", "“Moss Atlas” mentions moss."),
        ("According to source 1, wells leak.", "According to “Counting Wells”, wells leak."),
        ("As shown in [2].", "As shown in “Moss Atlas”."),
    ],
)
def test_a_marker_that_is_a_noun_becomes_the_title(written, text) -> None:
    marked = read_markers(written, PASSAGES)
    assert marked.text == text
    assert marked.markers
    assert not marked.rests_on_unknown


@pytest.mark.parametrize("written", ["According to [99], wells leak.", "Passage 9 mentions moss."])
def test_a_sentence_about_an_unknown_source_is_told(written) -> None:
    assert read_markers(written, PASSAGES).rests_on_unknown


def test_without_passages_every_number_is_unknown() -> None:
    marked = read_markers("Wells leak [1].", {})
    assert (marked.markers, marked.unknown) == ((), ("[1]",))


@pytest.mark.parametrize("mark", ["[1]", "[1, 2]", "【1】", "(1)", "[Smith et al., 2020]", "[^1]"])
def test_a_clear_mark_is_known_by_its_form(mark) -> None:
    assert re.fullmatch(CLEAR_MARK, mark)


@pytest.mark.parametrize("text", ["[see the appendix]", "(a note)", "[x]", "1", "[0.5, 1]"])
def test_other_brackets_are_no_clear_marks(text) -> None:
    assert not re.fullmatch(CLEAR_MARK, text)


LARGE = {number: PASSAGES[place] for place, number in enumerate((112, 27, 301), start=1)}


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("Wells leak [112].", (112,)),
        ("Wells leak [27, 112].", (27, 112)),
        ("Wells leak [27][301].", (27, 301)),
        ("Wells leak (27).", (27,)),
        ("Wells leak [Source 301].", (301,)),
        ("According to source 112, wells leak.", (112,)),
        ("Wells leak [1].", ()),
        ("Its range [27, 112] is wide [301].", (301,)),
        ("We use 27 layers (see x[112]) [301].", (301,)),
    ],
)
def test_numbers_of_a_long_conversation_are_read_like_all_others(text, markers) -> None:
    assert read_markers(text, LARGE).markers == markers
