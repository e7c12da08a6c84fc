"""Splitting a stream: the same sentences wherever it is cut, each as soon as it is complete."""

import random

import pytest

from rag.answering.splitting import MAX_SENTENCE, SentenceSplitter, Written

REPLIES = {
    "markers before and after the stop": (
        "Wells leak. [1] Moss grows [2]. The end[3]. [2] shows this. So. [1][2]",
        ["Wells leak. [1]", "Moss grows [2].", "The end[3].", "[2] shows this.", "So. [1][2]"],
    ),
    "markers glued to the stop": (
        "Wells leak.[1] Moss grows.[2][3] Both end.【1】",
        ["Wells leak. [1]", "Moss grows. [2][3]", "Both end. 【1】"],
    ),
    "a marker on the next line": (
        "Wells leak.\n[1]\nMoss grows.\n\n[2]\n\n[1] Wells leak again.",
        ["Wells leak. [1]", "Moss grows. [2]", "[1] Wells leak again."],
    ),
    "authors and years": (
        "Wells leak. [Smith et al., 2020] Moss grows (Sun et al., 2021). Smith et al. [1] agree.",
        [
            "Wells leak. [Smith et al., 2020]",
            "Moss grows (Sun et al., 2021).",
            "Smith et al. [1] agree.",
        ],
    ),
    "lists": (
        "The findings are:\n- First one [1]\n- Second one. [2]\n1. Third\n2) Fourth one.\n* **Fifth** one",
        [
            "The findings are:",
            "First one [1]",
            "Second one. [2]",
            "Third",
            "Fourth one.",
            "**Fifth** one",
        ],
    ),
    "headings, rules and labels": (
        "## Results\nWells leak.\n---\n**Key results**\nMoss grows.\n\n# Sources of error\n"
        "Title: Wells\nAuthors: A. B.\nBoth do.",
        ["Wells leak.", "Moss grows.", "Both do."],
    ),
    "bold sentences are no headings": (
        "**Wells leak [1].**\n**Moss** grows.\n",
        ["**Wells leak [1].**", "**Moss** grows."],
    ),
    "a list of references": (
        "Wells leak [1].\n\n### References\n[1] Smith. Wells. 2025.\n[2] Sun. Moss.\n\n- x\n\n"
        "Sources of this data are many. Moss grows [2].",
        ["Wells leak [1].", "Sources of this data are many.", "Moss grows [2]."],
    ),
    "definitions of links": (
        "Wells leak [^1].\n\n[^1]: https://x.example\n[a]: javascript:alert(1)\nMoss grows.",
        ["Wells leak [^1].", "Moss grows."],
    ),
    "formulas and prices": (
        "It costs $5. The next is $x. Y$ fine. Then $a = b. C$ holds. It ends at $6.",
        ["It costs $5.", "The next is $x. Y$ fine.", "Then $a = b. C$ holds.", "It ends at $6."],
    ),
    "code is dropped, fenced prose is not": (
        "```python\nprint('x. Y')\n# z\n```\nWells leak.\n```\nMoss grows [1].\n```\n",
        ["Wells leak.", "Moss grows [1]."],
    ),
    "abbreviations": (
        "We saw e.g. wells in Fig. 3 of it. Version 2.0 leaks approx. 5 times.",
        ["We saw e.g. wells in Fig. 3 of it.", "Version 2.0 leaks approx. 5 times."],
    ),
    "without spaces": (
        "井が漏れる。[1]苔が育つ。[2]終わり。",
        ["井が漏れる。[1]", "苔が育つ。[2]", "終わり。"],
    ),
    "quotations and tables": (
        "> Wells leak.\n> Moss grows.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        ["Wells leak.", "Moss grows.", "| a | b |", "| 1 | 2 |"],
    ),
}


def split(text: str, seed: int | None = None) -> list[Written]:
    splitter, found, start = SentenceSplitter(), [], 0
    cut = random.Random(seed)  # noqa: S311
    while start < len(text):
        end = len(text) if seed is None else start + cut.choice((1, 1, 2, 3, 7, 30))
        found += splitter.feed(text[start:end])
        start = end
    return found + splitter.finish()


@pytest.mark.parametrize(("reply", "sentences"), REPLIES.values(), ids=REPLIES)
def test_a_reply_is_split_into_sentences_with_their_markers(reply, sentences) -> None:
    assert [written.text for written in split(reply)] == sentences


@pytest.mark.parametrize("reply", [reply for reply, _ in REPLIES.values()], ids=REPLIES)
def test_it_makes_no_difference_where_the_pieces_are_cut(reply) -> None:
    whole = split(reply)
    for seed in range(40):
        assert split(reply, seed) == whole


def test_a_sentence_comes_as_soon_as_the_next_word_is_there() -> None:
    splitter = SentenceSplitter()
    assert splitter.feed("Wells leak methane.") == []
    assert splitter.feed(" [") == []
    assert splitter.feed("1") == []
    assert splitter.feed("]") == []
    assert splitter.feed(" Mo") == []
    assert [written.text for written in splitter.feed("ss ")] == ["Wells leak methane. [1]"]


def test_paragraphs_and_list_items_are_kept() -> None:
    found = split("One is. Two is.\n\nThree is.\nFour is.\n- Five\n- Six")
    assert [written.starts_paragraph for written in found] == [True, False, True, False, True, True]


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("Wells leak.", ""),
        ("Wells leak", "broken off"),
        ("Wells leak [1]", "broken off"),
        ("Wells leak. [1]", ""),
        ("Wells leak\n", ""),
        ("“Wells leak.”", ""),
        ("井。", ""),
    ],
)
def test_it_is_told_whether_the_last_sentence_has_an_end(reply, fault) -> None:
    (written,) = split(reply)
    assert written.fault == fault


@pytest.mark.parametrize("reply", ["word " * 1000, "w" * 5000, "a, " * 2000 + "end. Next one is."])
def test_what_never_ends_is_cut_and_told(reply) -> None:
    found = split(reply)
    assert found[0].fault == "too long"
    assert all(len(written.text) <= MAX_SENTENCE for written in found)
    assert split(reply, seed=1) == found


@pytest.mark.parametrize("reply", ["", "\n\n\n", "   ", "# Only a heading", "```\n```", "---\n"])
def test_nothing_gives_no_sentence(reply) -> None:
    assert split(reply) == split(reply, seed=2) == []


def test_a_long_reply_in_small_pieces_takes_no_more_than_its_length() -> None:
    splitter = SentenceSplitter()
    n_found = sum(len(splitter.feed(piece)) for piece in ["Wells ", "leak. "] * 2000)
    assert n_found + len(splitter.finish()) == 2000
