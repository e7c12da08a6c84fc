"""The local judge of support: a claim and a few sentences in, how well they prove it out.

It is the cross-encoder ms-marco-MiniLM-L-12-v2 whose upper six layers were trained further, first
as the reader and then on claims about ICML 2025 abstracts, true and false (``eval/training``).
Far from these, it believes too much; so a text loses that has few of the claim's words.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from rag.embeddings.files import MS_MARCO_MINILM
from rag.embeddings.trained import TrainedWeights, load_trained
from rag.text import search_terms

WEIGHTS = TrainedWeights(
    Path(__file__).with_name("judge.npz"),
    "4e53ccae7002318bd59d5bbcb818f470e0e360024e39a36140ac190a11e8609f",
)

# Fitted on SciFact's training claims and on claims the weights were not trained on: see
# eval/calibration/support.json.
ENOUGH_SHARED = 0.5
"""The share of a claim's terms from which on nothing is lost."""
LOST_PER_SHARE = 3.0
"""In log-odds, for all terms that are missing to ``ENOUGH_SHARED``, as a share."""


class LocalJudge:
    """Judges with the trained cross-encoder; nothing is loaded before the first text.

    Args:
        threads: CPU threads of one run of the model.
    """

    name = f"symposia-judge ({MS_MARCO_MINILM.name}, upper half trained)"

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        """The probability that each text proves a claim, from 0 to 1.

        Args:
            claim: One sentence.
            evidence: One or a few sentences of an abstract each.

        Raises:
            ModelFileError: If a model file is missing or not the pinned one.
        """
        model = load_trained(WEIGHTS, self._threads)
        terms = frozenset(search_terms(claim))
        return [
            probability(model.read(claim, "", text, ()).answerable, share_of(terms, text))
            for text in evidence
        ]


def share_of(terms: frozenset[str], text: str) -> float:
    """The share of some terms that a text has; 1 of none."""
    return len(terms.intersection(search_terms(text))) / len(terms) if terms else 1.0


def probability(odds: float, shared: float) -> float:
    """What the model's log-odds and the share of the claim's terms come to, from 0 to 1."""
    odds -= LOST_PER_SHARE * max(0.0, ENOUGH_SHARED - shared)
    return 1 / (1 + math.exp(-odds))
