"""Hard negatives: a question beside the abstract of another paper that the product's search finds.

An answer reads the first few papers of a search, so those are what the reader must tell apart.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from eval.search import open_retriever
from eval.training.examples import Example, Question
from rag.embeddings.base import Embedder
from rag.records import Filters, Paper

SHARE = 0.5
_DEEPEST = 64
_SEED = 0


def hard_negatives(
    questions: Sequence[Question],
    papers: Mapping[str, Paper],
    embedder: Embedder,
    *,
    share: float = SHARE,
    seed: int = _SEED,
) -> Iterator[Example]:
    """Pair some questions with another paper, one of the first 64 that a search finds.

    Early ranks are drawn more often, as 1 / rank. A question that was written about several papers
    is left out: more papers than those may answer it.

    Args:
        questions: To draw from.
        papers: To search, by id.
        embedder: Gives the vectors of the search.
        share: How likely a question is drawn, from 0 to 1.
        seed: Decides which questions and which ranks.
    """
    draw = random.Random(seed)  # noqa: S311
    own = defaultdict(set)
    for question in questions:
        own[question.text].add(question.paper_id)
    retriever = open_retriever(papers, embedder)
    for question in questions:
        is_drawn, place = draw.random() < share, int(_DEEPEST ** draw.random())
        if not is_drawn or len(own[question.text]) > 1:
            continue
        hits = retriever.search(question.text, k=_DEEPEST + 1, filters=Filters()).hits
        others = [hit.paper for hit in hits if hit.paper.paper_id != question.paper_id]
        if others:
            paper = others[min(place, len(others)) - 1]
            yield Example(question.text, paper, answered=False, about=False, sentences=())
