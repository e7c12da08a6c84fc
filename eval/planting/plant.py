"""Making honest claims false, by rule."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eval.planting.additions import additions
from eval.planting.claims import Claim
from eval.planting.direction import direction_edits
from eval.planting.edits import Edit, apply
from eval.planting.names import name_edits
from eval.planting.negation import negation_edits
from eval.planting.quantities import number_edits
from rag.records import Paper
from rag.text import search_terms, split_sentences

KINDS = {
    "number": "a figure, percentage, year or spelt number is another one",
    "name": "a method or data set is another one of the same abstract",
    "foreign name": "a method or data set is another one of a neighbouring paper",
    "negation": "a negation is taken away or put in",
    "direction": "more is less, before is after, wins is loses",
    "paper": "the claim is true, but of the nearest other paper",
    "addition": "a clause of a neighbouring abstract is added",
}
_SEED = 0
# "Experiments support the theory." is true of other papers, too.
_MIN_TERMS = 5


@dataclass(frozen=True, slots=True)
class Planted:
    """A claim that has been made false."""

    kind: str
    """One of ``KINDS``."""
    text: str
    paper_id: str
    """The paper that it is now said to be about."""
    honest: Claim
    """What it was."""


def plant(
    claims: Iterable[Claim],
    papers: Mapping[str, Paper],
    nearest: Mapping[str, Sequence[Paper]],
    *,
    seed: int = _SEED,
) -> list[Planted]:
    """Make of each honest claim one false one of each kind whose rule fits it.

    What is planted in a claim depends on nothing but that claim, its papers and the seed.

    Args:
        claims: Those that are not honest are left out.
        papers: By id.
        nearest: The text of a claim -> other papers, nearest first.
        seed: Decides where a rule leaves a choice.
    """
    return [
        planted
        for claim in claims
        if claim.honest
        for kind in KINDS
        if (planted := _plant(claim, kind, papers[claim.paper_id], nearest[claim.text], seed))
        is not None
    ]


def _plant(
    claim: Claim, kind: str, paper: Paper, nearest: Sequence[Paper], seed: int
) -> Planted | None:
    draw = random.Random(f"{seed}/{kind}/{claim.paper_id}/{claim.text}")  # noqa: S311
    if kind == "paper":
        specific = len(set(search_terms(claim.text))) >= _MIN_TERMS
        moved = nearest and specific
        return Planted(kind, claim.text, nearest[0].paper_id, claim) if moved else None
    if kind == "addition":
        texts = additions(claim.text, paper.abstract, (p.abstract for p in nearest), draw)
    else:
        texts = (apply(edit, claim.text) for edit in _edits(claim, kind, paper, nearest, draw))
    text = next((text for text in texts if text != claim.text), None)
    return None if text is None else Planted(kind, text, claim.paper_id, claim)


def _edits(
    claim: Claim, kind: str, paper: Paper, nearest: Sequence[Paper], draw: random.Random
) -> Iterator[Edit]:
    if kind == "number":
        edits = list(number_edits(claim.text, paper.abstract, draw))
        draw.shuffle(edits)
        yield from edits
    elif kind == "negation":
        yield from negation_edits(claim.text)
    elif kind == "direction":
        yield from direction_edits(claim.text, draw)
    else:
        own = kind == "name"
        said = claim.proof(paper) if own else f"{paper.title} {paper.abstract}"
        sources = [paper] if own else nearest
        sentences = [sentence for source in sources for sentence in _sentences(source)]
        yield from name_edits(claim.text, said, paper.abstract, sentences, draw)


def _sentences(paper: Paper) -> list[str]:
    abstract = paper.abstract
    return [abstract[span.start : span.end] for span in split_sentences(abstract)]
