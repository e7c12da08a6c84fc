"""Which papers are read for an answer: whole abstracts, as many as the token budget holds."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answering.reading import ReadPaper
from rag.records import Passage
from rag.tokens import count_tokens


def select_passages(read: Sequence[ReadPaper], *, limit: int, token_budget: int) -> list[Passage]:
    """Number the papers that were read, best first.

    Args:
        read: In the order in which they are to be numbered.
        limit: How many at most.
        token_budget: Tokens of all abstracts together. A paper that does not fit is left out
            whole, never cut; the first one is always taken.
    """
    passages: list[Passage] = []
    n_left = token_budget
    for item in read:
        paper = item.hit.paper
        n_tokens = count_tokens(paper.abstract)
        if passages and n_tokens > n_left:
            continue
        n_left -= n_tokens
        passages.append(Passage(len(passages) + 1, paper, paper.abstract, item.hit.score))
        if len(passages) == limit:
            break
    return passages
