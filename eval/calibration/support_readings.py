"""What the judge makes of claims, kept in a file so that nothing is read twice."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rag.answering.agreement import without_titles
from rag.answering.places import Places
from rag.embeddings.judge import WEIGHTS, probability, share_of
from rag.embeddings.trained import load_trained
from rag.records import Paper
from rag.text import search_terms


@dataclass(frozen=True, slots=True)
class Seen:
    """One place as the judge sees it."""

    odds: float
    """The log-odds that it proves the claim."""
    shared: float
    """The share of the claim's terms that it has, from 0 to 1."""


class Readings:
    """The judge of the product, with a memory; a ``SupportScorer``.

    Args:
        path: JSON lines of a claim, a text and its log-odds; more are added at the end.
    """

    name = "symposia-judge, kept"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._odds: dict[tuple[str, str], float] = {}
        if path.exists():
            rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            self._odds = {(row["claim"], row["text"]): row["odds"] for row in rows}

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        """See ``SupportScorer``."""
        return [probability(seen.odds, seen.shared) for seen in self._see(claim, evidence)]

    def see(self, claim: str, paper: Paper) -> list[Seen]:
        """The places of an abstract that the product asks about."""
        said = without_titles(claim, [paper])
        places = Places({1: paper.abstract}).nearest(said, [1])
        seen = self._see(said, [place.text for place in places])
        return seen or [Seen(-math.inf, 0.0)]

    def _see(self, claim: str, texts: Sequence[str]) -> list[Seen]:
        terms = frozenset(search_terms(claim))
        return [Seen(self._odds_of(claim, text), share_of(terms, text)) for text in texts]

    def _odds_of(self, claim: str, text: str) -> float:
        if (claim, text) not in self._odds:
            odds = load_trained(WEIGHTS, 1).read(claim, "", text, ()).answerable
            self._odds[claim, text] = odds
            row = {"claim": claim, "text": text, "odds": round(odds, 4)}
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return self._odds[claim, text]
