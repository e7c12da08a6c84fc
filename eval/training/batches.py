"""Which examples are learned from together, and in which order."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

_BATCHES_SORTED_TOGETHER = 16


def epoch_batches(
    lengths: Sequence[int],
    *,
    size: int,
    seed: int,
    partners: Mapping[int, int] | None = None,
    abreast: int = 1,
) -> list[list[int]]:
    """Put the examples into batches of like length, at random otherwise.

    Like lengths waste little on padding. Sorting happens within random groups of 16 batches, so
    that an example meets other companions in every epoch.

    Args:
        lengths: Tokens of each example.
        size: Examples a batch; one fewer where a pair does not fit. What is left over sits this
            epoch out.
        seed: Decides the order; another one for every epoch.
        partners: Example -> another one that has to be in its batch; nobody is in two pairs.
        abreast: So many batches in a row have like lengths, for processes that train together.

    Returns:
        Batches of indices into ``lengths``, a multiple of ``abreast``.
    """
    draw = random.Random(seed)  # noqa: S311
    units = _units(len(lengths), partners or {})
    draw.shuffle(units)
    rows: list[list[list[int]]] = []
    for group in _groups(units, size * _BATCHES_SORTED_TOGETHER):
        group.sort(key=lambda unit: max(lengths[index] for index in unit))
        batches = _filled(group, size)
        full = len(batches) - len(batches) % abreast
        rows += [batches[first : first + abreast] for first in range(0, full, abreast)]
    draw.shuffle(rows)
    return [batch for row in rows for batch in row]


def _units(count: int, partners: Mapping[int, int]) -> list[list[int]]:
    """Pairs, and what is in none."""
    paired = {*partners, *partners.values()}
    alone = [[index] for index in range(count) if index not in paired]
    return alone + [[partner, index] for index, partner in partners.items()]


def _groups(units: Sequence[list[int]], most: int) -> list[list[list[int]]]:
    """Units in a row that have at most so many examples together."""
    groups: list[list[list[int]]] = [[]]
    n_examples = 0
    for unit in units:
        if n_examples + len(unit) > most:
            groups.append([])
            n_examples = 0
        groups[-1].append(unit)
        n_examples += len(unit)
    return groups


def _filled(units: Sequence[list[int]], size: int) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    for unit in units:
        if len(batches[-1]) + len(unit) > size:
            batches.append([])
        batches[-1] += unit
    least = size - any(len(unit) > 1 for unit in units)
    return [batch for batch in batches if len(batch) >= least]
