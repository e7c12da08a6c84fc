"""Hasty spelling of common words is put right, other words are left alone."""

import pytest

from rag.answering.misspelling import is_slip, mend


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wich mehtod", "which method"),
        ("hwo does teh algoritm wrok", "how does the algorithm wrok"),
        ("waht are thier resutls", "what are their results"),
        ("how mny paramters", "how many parameters"),
        ("can u use the datset", "can you use the dataset"),
    ],
)
def test_common_words_are_mended(typed, meant) -> None:
    assert mend(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "neural odes and mode collapse",
        "form follows function and there were cold starts",
        "the optimal dose of a drug",
        "metric learning with weight decay by an author",
        "wasserstein gan",
        "",
    ],
)
def test_right_words_are_left_alone(text) -> None:
    assert mend(text) == text


@pytest.mark.parametrize(
    ("word", "near"),
    [("latncy", True), ("latenyc", True), ("guidence", True), ("latency", False),
     ("patency", False), ("lat", False), ("latitude", False)],
)  # fmt: skip
def test_a_single_slip_in_a_long_word_is_known(word, near) -> None:
    assert is_slip(word, {"latency", "guidance"}) is near
