"""Whether the numbers of a claim are in its evidence.

``50 %`` agrees with ``0.5`` and "half", "over 200,000" with 213,000, "two datasets" with two that
are listed by name; "eight networks" does not agree with "two networks in 8 steps".
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from rag.answering.quantities import Quantity, quantities
from rag.text import normalise

_SPEEDS_UP = re.compile(r"speed-?\s?up|faster|factor|improvement")
_ROUNDINGS: dict[str, Callable[[float], float]] = {
    "above": math.floor,
    "nearly": math.ceil,
    "about": round,
}
_FARTHEST = {"above": 0.25, "nearly": 0.25, "about": 0.1}
"""How far from a number its rounded form may be, as a share of it."""
_SMALL_COUNT = 20
_LISTED = 5
"""Fewer than so many things may be listed by name and not be counted."""
_LIST = re.compile(r"(?:[^,;:.]{2,60}, (?:and |or )?)+")
_PAIR = re.compile(r"\b(?:and|or|both|either|neither|other|another|nor|pair|dual|than|versus)\b")
_NEXT_MAGNITUDE = 1e3


def missing_quantity(claim: str, evidence: str, known: Sequence[float] = ()) -> Quantity | None:
    """The first number of a claim that its evidence does not have.

    Args:
        claim: One sentence.
        evidence: What it is to be proven by.
        known: Values that need no evidence, such as the year of the paper.
    """
    have = quantities(evidence)
    plain = normalise(evidence)
    speeds_up = _SPEEDS_UP.search(plain) is not None
    for item in quantities(claim):
        if not item.unit and (item.value in known or (item.is_word and item.value == 1)):
            continue
        same = [other for other in have if _agree(item, other, speeds_up=speeds_up)]
        if not (same or _is_listed(item, plain)) or _counts_another_thing(item, same, have):
            return item
    return None


def _is_listed(item: Quantity, evidence: str) -> bool:
    """Whether so many things may be named one by one, as in "CIFAR-10 and ImageNet"."""
    if item.unit or not item.is_word or not 1 < item.value < _LISTED or item.value % 1:
        return False
    longest = max((found[0].count(", ") + 1 for found in _LIST.finditer(evidence)), default=0)
    return item.value <= max(longest, 2 if _PAIR.search(evidence) else 0)


def _counts_another_thing(
    item: Quantity, same: Sequence[Quantity], have: Sequence[Quantity]
) -> bool:
    """Whether the evidence has this number of other things only, and of these another one."""
    if item.unit or item.value % 1:
        return False
    alike = [other for other in have if not other.unit and other.counted & item.counted]
    return bool(alike) and not any(other in alike or other.unit for other in same)


def _agree(claimed: Quantity, other: Quantity, *, speeds_up: bool) -> bool:
    value = other.value
    if {claimed.hedge, other.hedge} == {"above", "below"}:
        return False  # "more than 40" against "less than 40"
    if claimed.unit == other.unit:
        return _near(claimed, value)
    units = {claimed.unit, other.unit}
    if units == {"magnitude", ""}:
        return claimed.unit != "" and 1 <= value / claimed.value < _NEXT_MAGNITUDE
    if units == {"percent", ""}:
        if _near(claimed, value * (100.0 if claimed.unit else 0.01)):
            return value <= 1 or claimed.unit == ""
        # "an accuracy of 95.2" is a percentage; "95 tasks" is none, nor "six sets" for "6 %".
        is_count = claimed.is_word or (claimed.value <= _SMALL_COUNT and not claimed.n_decimals)
        return _near(claimed, value) and (other.n_decimals > 0 if claimed.unit else not is_count)
    if units == {"times", ""}:
        is_said = claimed.is_word and claimed.unit == "times"  # "twice" for "two passes"
        return _near(claimed, value) and (speeds_up or other.n_decimals > 0 or is_said)
    return False


def _near(claimed: Quantity, value: float) -> bool:
    if math.isclose(claimed.value, value, rel_tol=1e-9):
        return True
    if claimed.n_decimals and round(value, claimed.n_decimals) == claimed.value:
        return True
    farthest = _FARTHEST.get(claimed.hedge, 0.0)
    if not farthest or not 0 < value < math.inf or abs(claimed.value / value - 1) > farthest:
        return False
    # "over 200,000" for 213,000: rounded to as many digits as the claim gives, the way it says.
    n_digits = len(f"{claimed.value:.12g}".replace(".", "").strip("0")) or 1
    scale = 10.0 ** (n_digits - 1 - math.floor(math.log10(value)))
    rounded = _ROUNDINGS[claimed.hedge](value * scale) / scale
    return math.isclose(claimed.value, rounded, rel_tol=1e-9)
