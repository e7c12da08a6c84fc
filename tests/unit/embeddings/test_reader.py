"""The trained reader: what it makes of texts that it should understand, and of odd ones."""

import json
from pathlib import Path

import numpy as np
import pytest

from rag.embeddings.reader import LocalReader
from rag.text import split_sentences

TITLE = "Counting Wells from Orbit"
TEXT = (
    "Abandoned wells leak methane into the air. We build a data set of 213,000 wells in Alberta "
    "from satellite images. A small network finds most of them. We release the data."
)
CANONICAL = json.loads(Path(__file__).with_name("reader.json").read_text(encoding="utf-8"))
# An int8 model gives slightly different numbers on another processor.
TOLERANCE = 0.7


@pytest.fixture(scope="module")
def reader():
    return LocalReader()


def read(reader, question, text=TEXT):
    return reader.read(question, TITLE, text, split_sentences(text))


@pytest.mark.parametrize("case", CANONICAL, ids=[case["question"] for case in CANONICAL])
def test_readings_are_those_of_the_trained_model(reader, case) -> None:
    found = read(reader, case["question"])
    np.testing.assert_allclose(found.answerable, case["answerable"], atol=TOLERANCE)
    np.testing.assert_allclose(found.about, case["about"], atol=TOLERANCE)
    np.testing.assert_allclose(found.sentences, case["sentences"], atol=TOLERANCE)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How many wells does the data set hold?", 1),
        ("What do abandoned wells do to the air?", 0),
        ("Is the data available?", 3),
    ],
)
def test_the_sentence_that_answers_scores_best(reader, question, sentence) -> None:
    assert int(np.argmax(read(reader, question).sentences)) == sentence


def test_a_question_that_is_answered_scores_above_one_that_is_not(reader) -> None:
    answered = read(reader, "How many wells does the data set hold?")
    absent = read(reader, "How many people labelled the wells?")
    elsewhere = read(reader, "How long does sourdough have to rest?")
    assert answered.answerable > absent.answerable + 1
    assert absent.about > elsewhere.about + 1


def test_a_text_without_sentences_can_be_read(reader) -> None:
    found = reader.read("How many wells?", TITLE, "", [])
    assert found.sentences == ()
    assert np.isfinite([found.answerable, found.about]).all()


@pytest.mark.parametrize("question", ["", "\ud835", "😀", "x" * 20_000, "\x00"])
def test_odd_questions_are_read(reader, question) -> None:
    found = read(reader, question)
    assert len(found.sentences) == 4
    assert np.isfinite([*found.sentences, found.answerable, found.about]).all()


def test_what_lies_beyond_the_window_scores_far_below_zero(reader) -> None:
    text = TEXT + " This sentence says nothing new." * 200
    found = read(reader, "How many wells does the data set hold?", text)
    assert found.sentences[-1] < -10
    assert int(np.argmax(found.sentences)) == 1


def test_the_same_pair_reads_the_same_twice(reader) -> None:
    assert read(reader, "How many wells?") == read(reader, "How many wells?")
