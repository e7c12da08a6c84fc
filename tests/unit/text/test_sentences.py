"""Sentence splitting: gold splits of real abstracts, exact offsets, linear time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.corpus import load_corpus
from rag.text import split_sentences

# Excerpts of ICML 2025 abstracts (CC BY 4.0; the first column is the paper's id on OpenReview),
# chosen for their punctuation. The mark ¦ stands where one sentence ends; each was checked by reading.
GOLD = [
    line.split("\t")
    for line in Path(__file__)
    .with_name("hard_sentences.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
]


def texts_of(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text)]


@pytest.mark.parametrize(("paper_id", "marked"), GOLD)
def test_hard_real_sentences(paper_id, marked):
    assert texts_of(marked.replace("¦", "")) == [part.strip() for part in marked.split("¦")]


@pytest.mark.parametrize(
    "marked",
    [
        "We beat J. Smith and A. B. Jones by 0.5 points.¦ It is v0.2 of LLaMA-3.1.¦ Done",
        "See Fig. 3, Eq. 2 and Sec. 4.1 for more.¦ No. 5 is best.",
        "Is it so?!¦ Yes… and no.¦ Well...¦ We think so.",
        "**It is bold.**¦ *It is not.*¦ We go on.",
        'He said "stop."¦ She did not.',
        "We study class A.¦ We also study class B.",
        "First sentence.\n\nSecond one without a full stop\n\nThird.".replace("\n\n", "¦\n\n"),
        "The steps are:¦\n- load the data¦\n- split it¦\n1. embed it",
        "A line that is\nwrapped goes on.¦ Next.",
        "深度学习很有用。¦我们提出新方法！¦有效吗？¦是",
        "It costs $5 today.¦ Tomorrow it costs $10, e.g. in Paris.¦ End.",
        "Set $x = 1. \\text{ Then } y$ holds.¦ Next.",
        "Their MS. thesis uses SGD for DR.¦ Our bounds are optimal.",
        "Code is at https://example.org/a.b?c=d.¦ It runs on U.S. servers.¦ We thank Dr. Who.",
        "The Absolut! framework works.¦ however, it is lower case.",
    ],
)
def test_made_up_sentences(marked):
    expected = [part.strip() for part in marked.split("¦")]
    assert texts_of(marked.replace("¦", "")) == expected


def test_the_seed_abstracts_are_split_into_this_many_sentences():
    # Every one of these splits was read; a change of the number asks for reading them again.
    counts = [len(split_sentences(paper.abstract)) for paper in load_corpus("seeds").papers]
    assert sum(counts) == 429


def test_nothing_is_found_in_nothing():
    assert split_sentences("") == split_sentences(" \n\t ") == []


ALPHABET = st.sampled_from([*"aB1 .?!$*()[]{}\"'`\\\n\t-:;,…。é", "et al. ", "e.g. ", "We "])


@given(st.lists(ALPHABET, max_size=60).map("".join))
def test_spans_are_exact_and_leave_out_white_space_only(text):
    spans = split_sentences(text)
    covered = [False] * len(text)
    end_of_last = 0
    for span in spans:
        piece = text[span.start : span.end]
        assert piece == piece.strip() != ""
        assert span.start >= end_of_last
        end_of_last = span.end
        covered[span.start : span.end] = [True] * len(piece)
    assert all(done or char.isspace() for char, done in zip(text, covered, strict=True))


@pytest.mark.parametrize(
    "unit",
    [
        "word ",
        "x",
        ".",
        ". ",
        "$",
        "$x ",
        ".)",
        "e.g. ",
        " ",
        "\n",
        "(",
        "A. ",
        "it.This ",
        "$a b$.",
    ],
)
@pytest.mark.timeout(30)  # a second or two; hours if it grew quadratically
def test_time_grows_linearly_with_length(unit):
    text = (unit * 500_000)[:500_000]
    spans = split_sentences(text)
    assert sum(span.end - span.start for span in spans) >= len("".join(text.split()))
