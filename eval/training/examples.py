"""What the local reader learns from: questions, each beside an abstract.

Most pairs are a question and the abstract that it was written about. The others, the hard
negatives, are a question and the abstract of another paper that sounds alike.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rag.chunking import split_paper
from rag.corpus import load_corpus
from rag.records import Paper
from rag.store.lexical import LexicalIndex

QUESTIONS = Path(__file__).with_name("questions.jsonl")
PAPERS = Path(__file__).with_name("papers.jsonl")

_NEGATIVE_SHARE = 0.175
_N_NEAREST = 3
_SEED = 0
_ONE_CHUNK_TOKENS = 10_000


@dataclass(frozen=True, slots=True)
class Question:
    """One line of ``questions.jsonl``."""

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


def load_questions(path: Path = QUESTIONS) -> tuple[Question, ...]:
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


def training_examples(
    questions: Sequence[Question], papers: Mapping[str, Paper]
) -> tuple[Example, ...]:
    """All questions beside their own abstracts, then the hard negatives; always the same."""
    own = (
        Example(
            question.text, papers[question.paper_id], question.answered, True, question.sentences
        )
        for question in questions
    )
    return (*own, *hard_negatives(questions, papers))


def hard_negatives(
    questions: Iterable[Question],
    papers: Mapping[str, Paper],
    *,
    share: float = _NEGATIVE_SHARE,
    seed: int = _SEED,
) -> Iterator[Example]:
    """Pair some questions with one of the three other papers that BM25 finds nearest.

    Args:
        questions: To draw from.
        papers: To search, by id.
        share: How likely a question is drawn, from 0 to 1.
        seed: Decides which questions and which of the three papers.
    """
    draw = random.Random(seed)  # noqa: S311
    index = _open_index(papers)
    for question in questions:
        if draw.random() >= share:
            continue
        found = index.search(question.text, _N_NEAREST + 1)
        ids = [hit.chunk_id.rpartition("#")[0] for hit in found]
        others = [paper_id for paper_id in ids if paper_id != question.paper_id][:_N_NEAREST]
        if others:
            paper = papers[draw.choice(others)]
            yield Example(question.text, paper, answered=False, about=False, sentences=())


def _open_index(papers: Mapping[str, Paper]) -> LexicalIndex:
    """The product's lexical index, every abstract whole."""
    chunks = {
        chunk.chunk_id: chunk
        for paper in papers.values()
        for chunk in split_paper(paper, max_tokens=_ONE_CHUNK_TOKENS)
    }
    with TemporaryDirectory() as folder:
        LexicalIndex.create(Path(folder), papers, chunks.values())
        return LexicalIndex.open(Path(folder), chunks)
