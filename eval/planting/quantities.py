"""Faults of number: figures, percentages, years, spelt numbers, orders of magnitude."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from eval.planting.edits import Edit

# A figure that counts something: not part of a name (CIFAR-10, 3D), a formula or a range's end.
_FIGURE = re.compile(
    r"(?<![\w.,\-/^_{\\])(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:(?P<rest>\.\d+)|(?!\.\d))"
    r"(?=\\?%|[×x]\b|[kKMB]\b|[GMT]B\b|ms\b|-[a-z\d]|[\s.,;:)!?$]|$)"
)
_PERCENT = re.compile(r"\s?(?:\\?%|per ?cent)")
_FACTORS = (0.5, 0.6, 0.7, 0.8, 1.25, 1.4, 1.5, 2.0, 3.0)
_STEPS = (-2, -1, 1, 2, 3)
_YEARS = range(1900, 2100)
_YEARS_BACK = range(1, 9)
_SMALL = 10
_ROUNDING = 0.1
_WHOLE = 100
_SPELT = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_OTHERS = {
    "twice": ("three times", "four times", "ten times"),
    "double": ("triple",),
    "doubles": ("triples",),
    "doubled": ("tripled",),
    "doubling": ("tripling",),
    "twofold": ("fourfold", "tenfold"),
    "tenfold": ("twofold", "threefold"),
    "dozen": ("hundred",),
    "twelve": ("eight", "twenty"),
    "twenty": ("twelve", "fifty"),
    "thousand": ("million",),
    "thousands": ("millions",),
    "million": ("billion", "thousand"),
    "millions": ("billions", "thousands"),
    "billion": ("million",),
    "billions": ("millions",),
} | {word: tuple(other for other in _SPELT if other != word) for word in _SPELT}
_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(_OTHERS)})(?![\w-])", re.IGNORECASE)


def number_edits(claim: str, abstract: str, draw: random.Random) -> Iterator[Edit]:
    """Another number in the place of each, one that the abstract does not have."""
    stated = {_value(match) for match in _FIGURE.finditer(abstract)}
    for match in _FIGURE.finditer(claim):
        for other in _other_figures(match, draw):
            if float(other.replace(",", "")) not in stated:
                yield Edit(match.start(), match.end(), other)
                break
    words = {match[0].casefold() for match in _WORD.finditer(abstract)}
    for match in _WORD.finditer(claim):
        others = [word for word in _OTHERS[match[0].casefold()] if word not in words]
        if others:
            yield Edit(match.start(), match.end(), draw.choice(others))


def _value(match: re.Match[str]) -> float:
    return float(match[0].replace(",", ""))


def _other_figures(match: re.Match[str], draw: random.Random) -> Iterator[str]:
    """Other figures of the same form, in the order of a draw."""
    value, n_decimals = _value(match), max(len(match["rest"] or "") - 1, 0)
    others = _other_values(match, value, n_decimals)
    draw.shuffle(others)
    for other in others:
        yield f"{other:,.{n_decimals}f}" if "," in match[0] else f"{other:.{n_decimals}f}"


def _other_values(match: re.Match[str], value: float, n_decimals: int) -> list[float]:
    if not n_decimals and "," not in match[0] and value in _YEARS:
        return [value - step for step in _YEARS_BACK]
    if not n_decimals and value < _SMALL:
        return [value + step for step in _STEPS if value + step > 0]
    zeros = len(match["whole"]) - len(match["whole"].rstrip("0"))
    n_digits = n_decimals or -min(zeros, len(match["whole"].replace(",", "")) - 1)
    scaled = [round(value * factor, n_digits) for factor in _FACTORS]
    # A rounded figure is no fault.
    different = [other for other in scaled if abs(other - value) >= _ROUNDING * value > 0]
    is_share = value <= _WHOLE and _PERCENT.match(match.string, match.end()) is not None
    return [other for other in different if other > 0 and not (is_share and other > _WHOLE)]
