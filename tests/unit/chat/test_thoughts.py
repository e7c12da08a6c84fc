"""Thoughts before an answer are dropped, however they are cut into pieces; nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.chat.thoughts import ThoughtFilter


def answer_of(*pieces: str) -> str:
    thoughts = ThoughtFilter()
    return "".join(thoughts.answer_in(piece) for piece in pieces)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>So, wells.</think>213,000 wells.", "213,000 wells."),
        ("\n<think>\n\n</think>\n\nYes.", "\n\nYes."),
        ("<think>never done", ""),
        ("<thinking> is a word.", "<thinking> is a word."),
        ("Yes <think>no</think>.", "Yes <think>no</think>."),
        ("No thoughts.", "No thoughts."),
        ("", ""),
    ],
)
def test_only_thoughts_at_the_beginning_are_dropped(text: str, answer: str) -> None:
    assert answer_of(text) == answer
    assert answer_of(*text) == answer


@given(st.text(), st.text(), st.integers(1, 9))
def test_any_cut_gives_the_same(thought: str, answer: str, size: int) -> None:
    text = f"<think>{thought.replace('</think>', '')}</think>{answer}"
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert answer_of(*pieces) == answer_of(text)


def test_long_thoughts_are_not_kept() -> None:
    thoughts = ThoughtFilter()
    for _ in range(1000):
        thoughts.answer_in("<think>I wonder. ")
    assert len(thoughts._held) < 20
