"""What the judge of support learns from: claims, each beside one or two sentences of an abstract.

Claims were written true and false by hand (``claims.jsonl``); rules make more of them false
(``eval.planting``); and a true one stands beside sentences that do not prove it, of its own
abstract and of the nearest other one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from eval.planting import Claim, Planted
from eval.training.examples import Example
from rag.records import Paper
from rag.text import search_terms, split_sentences

CLAIMS = Path(__file__).with_name("claims.jsonl")
MORE_CLAIMS = Path(__file__).with_name("claims_more.jsonl")
"""On which the weights that ship were not trained: they choose thresholds."""
_SEED = 0
_TITLED = 0.5
"""How often the title stands before the sentences; the product has texts with and without."""
_TRUE_TIMES = 2
_PLANTED_SHARE = 0.4
_ELSEWHERE_SHARE = 0.5
"""Of each kind as many that about two of five examples are of true claims."""


def support_examples(
    claims: Sequence[Claim],
    planted: Sequence[Planted],
    papers: Mapping[str, Paper],
    nearest: Mapping[str, Sequence[Paper]],
    *,
    seed: int = _SEED,
) -> Iterator[Example]:
    """All claims beside their sentences, then some of what was planted, and of what proves nothing.

    Args:
        claims: True and false ones.
        planted: Those made false by rule; one moved to another paper is left out, as is done here.
        papers: By id.
        nearest: The text of a true claim -> other papers, nearest first.
        seed: Decides where there is a choice.
    """
    draw = random.Random(seed)  # noqa: S311
    make = _Maker(draw)
    for claim in claims:
        paper = papers[claim.paper_id]
        for _ in range(_TRUE_TIMES if claim.honest else 1):
            yield make.example(claim.text, paper, claim.sentences, supported=claim.honest)
    for fault in planted:
        if fault.kind != "paper" and draw.random() < _PLANTED_SHARE:
            paper = papers[fault.paper_id]
            yield make.example(fault.text, paper, fault.honest.sentences, supported=False)
    for claim in claims:
        if claim.honest:
            others = make.elsewhere(claim, papers[claim.paper_id], nearest[claim.text][:1])
            yield from (example for example in others if draw.random() < _ELSEWHERE_SHARE)


def verbatim_claims(papers: Mapping[str, Paper], *, share: float, seed: int = _SEED) -> list[Claim]:
    """Some sentences of abstracts as claims that they prove themselves.

    Args:
        papers: By id.
        share: How likely a sentence is taken, from 0 to 1.
        seed: Decides which.
    """
    draw = random.Random(seed)  # noqa: S311
    return [
        Claim(paper.paper_id, "S", (number,), "-", paper.abstract[span.start : span.end])
        for paper in papers.values()
        for number, span in enumerate(split_sentences(paper.abstract))
        if draw.random() < share
    ]


class _Maker:
    def __init__(self, draw: random.Random) -> None:
        self._draw = draw

    def example(
        self,
        text: str,
        paper: Paper,
        numbers: Sequence[int],
        *,
        supported: bool,
        about: bool = True,
    ) -> Example:
        """A claim beside some sentences of a paper, as if they were all of its abstract."""
        spans = split_sentences(paper.abstract)
        chosen = [paper.abstract[spans[n].start : spans[n].end] for n in sorted(set(numbers))]
        title = paper.title if self._draw.random() < _TITLED else ""
        evidence = Paper(paper.paper_id, title, " ".join(chosen))
        proving = range(len(split_sentences(evidence.abstract))) if supported else ()
        return Example(text, evidence, supported, about, tuple(proving))

    def elsewhere(self, claim: Claim, own: Paper, others: Sequence[Paper]) -> Iterator[Example]:
        """A true claim beside the nearest sentences that do not prove it."""
        for paper in (own, *others):
            is_own = paper is own
            numbers = _nearest(claim.text, paper, claim.sentences if is_own else ())
            if numbers:
                # Now and then any other sentence: the nearest may say the same once more.
                number = numbers[0] if self._draw.random() < 1 / 2 else self._draw.choice(numbers)
                yield self.example(claim.text, paper, (number,), supported=False, about=is_own)


def _nearest(text: str, paper: Paper, without: Sequence[int]) -> list[int]:
    """The numbers of a paper's sentences, those first that share most terms with a text."""
    terms = set(search_terms(text))
    spans = split_sentences(paper.abstract)
    shared = {
        number: len(terms & set(search_terms(paper.abstract[span.start : span.end])))
        for number, span in enumerate(spans)
        if number not in without
    }
    return sorted(shared, key=lambda number: (-shared[number], number))
