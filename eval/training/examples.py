"""What the local reader learns from: questions, each beside an abstract.

A question stands beside the abstract that it was written about here, and beside one that it was
not written about in ``negatives``.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.training.misspelling import misspell
from rag.corpus import load_corpus
from rag.records import Paper

QUESTIONS = Path(__file__).with_name("questions.jsonl")
PAIR_QUESTIONS = Path(__file__).with_name("pair_questions.jsonl")
PAPERS = Path(__file__).with_name("papers.jsonl")

MISSPELT_SHARE = 0.1
_SEED = 0


@dataclass(frozen=True, slots=True)
class Question:
    """One line of ``questions.jsonl`` or ``pair_questions.jsonl``.

    A question to a pair of papers is there twice, once for each.
    """

    paper_id: str
    """The paper that it was written about."""
    answered: bool
    """Whether that paper's abstract answers it."""
    sentences: tuple[int, ...]
    """Numbers, from 0, of the sentences that answer it, best first; empty where none does."""
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """A question beside an abstract, and what a reader should make of the two."""

    question: str
    paper: Paper
    answered: bool
    about: bool
    """Whether the question is about this paper."""
    sentences: tuple[int, ...]


def load_questions(path: Path) -> tuple[Question, ...]:
    """Read the questions, in the order of the file."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(
        Question(row["paper_id"], row["answered"], tuple(row["sentences"]), row["question"])
        for row in rows
    )


def load_papers(path: Path = PAPERS) -> dict[str, Paper]:
    """Read the papers as the product reads a corpus, by id.

    Raises:
        CorpusError: If the file cannot be read.
    """
    return {paper.paper_id: paper for paper in load_corpus(path).papers}


def own_examples(
    questions: Sequence[Question],
    papers: Mapping[str, Paper],
    *,
    misspelt: float = MISSPELT_SHARE,
    seed: int = _SEED,
) -> Iterator[Example]:
    """All questions beside their own abstracts, some with typing mistakes.

    Args:
        questions: In any order.
        papers: By id.
        misspelt: How likely a question gets typing mistakes, from 0 to 1.
        seed: Decides which questions and which mistakes.
    """
    draw = random.Random(seed)  # noqa: S311
    for question in questions:
        text = misspell(question.text, draw) if draw.random() < misspelt else question.text
        paper = papers[question.paper_id]
        yield Example(text, paper, question.answered, True, question.sentences)
