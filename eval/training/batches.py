"""Which examples are learned from together, and in which order."""

from __future__ import annotations

import random
from collections.abc import Sequence

_BATCHES_SORTED_TOGETHER = 16


def epoch_batches(lengths: Sequence[int], *, size: int, seed: int) -> list[list[int]]:
    """Put the examples into batches of like length, at random otherwise.

    Like lengths waste little on padding. Sorting happens within random groups of 16 batches, so
    that an example meets other companions in every epoch.

    Args:
        lengths: Tokens of each example.
        size: Examples a batch; what is left over sits this epoch out.
        seed: Decides the order; another one for every epoch.

    Returns:
        Batches of indices into ``lengths``.
    """
    draw = random.Random(seed)  # noqa: S311
    order = list(range(len(lengths)))
    draw.shuffle(order)
    together = size * _BATCHES_SORTED_TOGETHER
    batches = []
    for start in range(0, len(order), together):
        group = sorted(order[start : start + together], key=lambda index: lengths[index])
        full = len(group) - len(group) % size
        batches += [group[first : first + size] for first in range(0, full, size)]
    draw.shuffle(batches)
    return batches
