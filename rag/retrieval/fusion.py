"""Two rankings into one, each leg's scores on a scale that means the same for every question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

_LARGEST_DEVIATION = 6.0
_USUAL_TERMS = 10
# Of a name, title or id that the question contains, when there is any.
_EXACT_WEIGHT = 0.55
_UNRELATED_SHARE = 0.5
_FEWEST_RANKED = 10


@dataclass(frozen=True, slots=True)
class Scales:
    """How the evidence of both legs is added."""

    lexical_weight: float
    """Of a paper that holds every word of the question; the rest is for one whose vector lies
    six standard deviations above the mean."""
    length_exponent: float
    """No text holds all words of a long question. A share of its words counts as one of a question
    of ten words, times this power of a tenth of their number."""


# Fitted on training questions and judged collections by eval/calibration/fusion.py; see
# eval/DECISIONS.md, Retrieval.
SCALES = Scales(lexical_weight=0.7, length_exponent=0.45)


def fuse(
    dense: Mapping[str, float],
    lexical: Mapping[str, float],
    *,
    everywhere: Mapping[str, float] | None = None,
    n_searched: int,
    n_terms: int,
    ceiling: float,
    scales: Scales = SCALES,
) -> dict[str, float]:
    """Add the evidence of both legs.

    The fixed weights serve every kind of question, since neither leg is scaled to its own best.
    A question in other words than the papers' has no great lexical score, whatever comes first;
    an exact one has; and the dense leg counts as far as its first papers stand out.

    Args:
        dense: Id -> cosine similarity of the nearest.
        lexical: Id -> score of those that share words with the question.
        everywhere: As ``dense``, without a filter, where there is one: what stands out is known by
            all, not by the few that pass.
        n_searched: How many there are, of which ``everywhere`` has the nearest.
        n_terms: How many different words the question has.
        ceiling: The lexical score of what holds every one of them.
        scales: How both legs are added.

    Returns:
        Id -> score from 0 to 1, best first; equal scores in the order of their ids.
    """
    outstanding = deviations(dense, n_searched, among=everywhere)
    # What a leg did not return is no better than its last. A lexical list that is shorter than the
    # dense one was not cut: what it lacks has no word of the question.
    floor = min(outstanding.values(), default=0.0)
    lexical_floor = min(lexical.values(), default=0.0) if len(lexical) >= len(dense) else 0.0
    unit = (n_terms / _USUAL_TERMS) ** scales.length_exponent / ceiling if ceiling else 0.0
    weight = scales.lexical_weight
    fused = {}
    for name in {**dense, **lexical}:
        by_meaning = min(max(outstanding.get(name, floor), 0.0) / _LARGEST_DEVIATION, 1.0)
        by_words = lexical.get(name, lexical_floor) * unit
        fused[name] = (1 - weight) * by_meaning + weight * min(by_words, 1.0)
    return _ranked(fused)


def put_first(fused: Mapping[str, float], exact: frozenset[str]) -> dict[str, float]:
    """Put what the question names before all else; where it names nothing, change nothing."""
    if not exact:
        return dict(fused)
    rest = 1 - _EXACT_WEIGHT
    return _ranked(
        {name: _EXACT_WEIGHT * (name in exact) + rest * score for name, score in fused.items()}
    )


def deviations(
    scores: Mapping[str, float], n_searched: int, *, among: Mapping[str, float] | None = None
) -> dict[str, float]:
    """How many standard deviations scores lie above the mean of all that could be searched.

    Only the best are known. Mean and deviation are those of the normal distribution that has, of
    the scores in order, the last one (at most the median of all) and the one at a tenth of that
    place where they are.

    Args:
        scores: Of the nearest that pass a filter.
        n_searched: How many there are in all.
        among: The scores of the nearest of all, where those are only some of them.
    """
    among = scores if among is None else among
    ordered = sorted(among.values(), reverse=True)
    low = min(len(ordered), int(_UNRELATED_SHARE * n_searched))
    if low < _FEWEST_RANKED:
        return _spread(scores, among)
    high = low // 10
    # Blom's approximation of the expected order statistics.
    at_low, at_high = (
        NormalDist().inv_cdf(1 - (rank - 0.375) / (n_searched + 0.25)) for rank in (low, high)
    )
    deviation = (ordered[high - 1] - ordered[low - 1]) / (at_high - at_low)
    if deviation <= 0:
        return _spread(scores, among)
    mean = ordered[low - 1] - at_low * deviation
    return {name: (score - mean) / deviation for name, score in scores.items()}


def _spread(scores: Mapping[str, float], among: Mapping[str, float]) -> dict[str, float]:
    """Of too few to tell a distribution: the best stands out by half of the scale."""
    worst, best = min(among.values(), default=0.0), max(among.values(), default=0.0)
    unit = _LARGEST_DEVIATION / 2 / (best - worst) if best > worst else 0.0
    return {name: (score - worst) * unit for name, score in scores.items()}


def _ranked(scores: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
