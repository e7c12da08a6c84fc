"""Two rankings into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def convex_fusion(
    legs: Sequence[Mapping[str, float]], weights: Sequence[float]
) -> dict[str, float]:
    """Blend the scores of several legs, each scaled to run from 0 (its worst) to 1 (its best).

    What a leg did not return counts 0 there; a leg whose scores are all equal counts 1 for each.
    Convex combination with min-max scaling, as analysed by Bruch, Gai and Ingber, "An Analysis of
    Fusion Functions for Hybrid Retrieval" (2023).

    Args:
        legs: For each leg, id -> score; higher is better.
        weights: One number for each leg; with a sum of 1, fused scores run from 0 to 1.

    Returns:
        id -> fused score, best first; equal scores in the order of their ids.
    """
    fused: dict[str, float] = {}
    for leg, weight in zip(legs, weights, strict=True):
        for name, score in _scaled(leg).items():
            fused[name] = fused.get(name, 0.0) + weight * score
    return dict(sorted(fused.items(), key=lambda item: (-item[1], item[0])))


def _scaled(leg: Mapping[str, float]) -> dict[str, float]:
    if not leg:
        return {}
    worst, best = min(leg.values()), max(leg.values())
    if worst == best:
        return dict.fromkeys(leg, 1.0)
    return {name: (score - worst) / (best - worst) for name, score in leg.items()}
