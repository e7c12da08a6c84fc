"""What an answer says of each numbered paper is read off its text."""

import pytest

from rag.answering.sources import cited_texts, named_title


def test_sentences_before_a_marker_speak_of_its_paper() -> None:
    answer = "Wells leak. [1] They leak methane. [1]\n\nHeads are sparse. [2]"
    assert cited_texts(answer) == {1: "Wells leak. They leak methane.", 2: "Heads are sparse."}


def test_a_sentence_with_several_markers_speaks_of_each() -> None:
    for marks in ("[1][3]", "[1, 3]", "[1] [3]"):
        assert cited_texts(f"Both leak {marks}.") == {1: "Both leak", 3: "Both leak"}


def test_papers_come_in_the_order_of_the_text_whatever_their_numbers() -> None:
    assert list(cited_texts("Heads are sparse. [12] Wells leak. [3]")) == [12, 3]


def test_numbers_may_be_large() -> None:
    assert cited_texts("Wells leak. [137]\n\n[1204] Li. Sparse Heads.") == {
        137: "Wells leak.",
        1204: "Li. Sparse Heads.",
    }


def test_a_list_of_sources_says_it_best() -> None:
    answer = (
        "The code is public. [1] So is this. [2]\n\n### Sources\n\n"
        "[1] Sun et al. Counting Wells. ICML 2025.\n> The code is public.\n\n"
        "[2] Li. Sparse Heads. ICML 2025."
    )
    assert cited_texts(answer) == {
        1: "Sun et al. Counting Wells. ICML 2025.",
        2: "Li. Sparse Heads. ICML 2025.",
    }


def test_a_refusal_names_its_paper_by_a_link_or_in_quotes() -> None:
    link = "The closest paper is [Counting Wells from Orbit](https://papers.example/wells) (Sun)."
    quoted = "The closest paper is “Counting Wells from Orbit”."
    assert named_title(link) == named_title(quoted) == "Counting Wells from Orbit"
    assert named_title("Nothing on this among the 60 papers.") == ""


@pytest.mark.parametrize(
    "answer", ["", "An attention.", "Nothing on this among the 60 papers.", "[1]", "a[i] and x[]"]
)
def test_an_answer_without_citations_speaks_of_no_paper(answer) -> None:
    assert cited_texts(answer) == {}


def test_what_is_said_of_one_paper_is_bounded() -> None:
    (text,) = cited_texts("wells " * 100_000 + "[1]").values()
    assert len(text) < 1000
