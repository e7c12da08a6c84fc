"""Which papers are read for an answer: whole abstracts, as many as the token budget holds."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answering.numbering import Numbering
from rag.answering.reading import ReadPaper
from rag.records import Passage
from rag.tokens import count_tokens


def select_passages(
    read: Sequence[ReadPaper], *, token_budget: int, numbering: Numbering
) -> list[Passage]:
    """Choose papers that were read, and number them.

    Args:
        read: Most relevant first, as the passages are.
        token_budget: Tokens of all abstracts together. A paper that does not fit is left out
            whole, never cut; the first one is always taken.
        numbering: The numbers that papers have already.
    """
    chosen: list[ReadPaper] = []
    n_left = token_budget
    for item in read:
        n_tokens = count_tokens(item.hit.paper.abstract)
        if not chosen or n_tokens <= n_left:
            chosen.append(item)
            n_left -= n_tokens
    markers = numbering.number(item.hit.paper.paper_id for item in chosen)
    return [
        Passage(marker, item.hit.paper, item.hit.paper.abstract, item.hit.score)
        for marker, item in zip(markers, chosen, strict=True)
    ]
