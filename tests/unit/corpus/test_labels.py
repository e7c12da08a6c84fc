"""Labels for papers without titles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.corpus.labels import MAX_LABEL_CHARACTERS, make_label


@pytest.mark.parametrize(
    ("abstract", "label"),
    [
        (
            "We present SWE-Gym, the first environment for training real-world software "
            "engineering (SWE) agents. It has 2,438 tasks.",
            "SWE-Gym: the first environment for training real-world software engineering…",
        ),
        (
            r"Graphs are hard. To help, we propose $\textbf{EAGLES}$, a unified sparsification "
            "framework. It works.",
            "EAGLES: a unified sparsification framework",
        ),
        (
            "Agents need tests. We introduce Text-to-LoRA (T2L), a model of 3.5 parts; it runs.",
            "Text-to-LoRA: a model of 3.5 parts",
        ),
        (
            "$E(3)$-equivariant *networks* work. We introduce measures of expressivity, a lot.",
            "E(3)-equivariant networks work",
        ),
        ("We introduce Knowledge Swapping.", "We introduce Knowledge Swapping"),
        ("# Title: the text", "Title: the text"),
        ("", ""),
        (" \n ", ""),
        ("x" * 200, "x" * 79 + "…"),
    ],
)
def test_labels(abstract, label):
    assert make_label(abstract) == label


@given(st.text(max_size=300))
def test_labels_are_short_and_on_one_line(abstract):
    label = make_label(abstract)
    assert len(label) <= MAX_LABEL_CHARACTERS
    assert label == " ".join(label.split())
