"""The numbers of a text with their units, and whether those of a claim are in its evidence.

``50 %`` equals ``0.5`` and "half", ``1k`` equals ``1,000`` and "a thousand", ``2x`` equals
"twice". Digits inside names (``GPT-4``, ``CIFAR-10``, ``3D``) are no numbers; names are compared
elsewhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rag.text import normalise

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
    """.split()  # noqa: SIM905
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_WORDS = {word: float(value) for value, word in enumerate(_ONES)} | {
    word: 10.0 * value for value, word in enumerate(_TENS, start=2)
}
_WORDS |= {"half": 0.5, "dozen": 12.0, "a hundred": 100.0, "a thousand": 1e3, "a million": 1e6}
_WORDS |= dict.fromkeys(("twice", "doubles", "doubled", "doubling"), 2.0)
_WORDS |= dict.fromkeys(("triples", "tripled", "tripling", "thrice"), 3.0)
_WORDS |= dict.fromkeys(("halves", "halved", "halving"), 0.5)
_WORDS |= {"an order of magnitude": 10.0, "one order of magnitude": 10.0}
_FACTORS = frozenset(word for word in _WORDS if word[:4] in ("twic", "doub", "trip", "thri")) | {
    "an order of magnitude",
    "one order of magnitude",
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SUFFIXES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12}
_TIMES = {"ms": 1e-3, "millisecond": 1e-3, "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0}
_TIMES |= {"minute": 60.0, "h": 3600.0, "hr": 3600.0, "hour": 3600.0, "day": 86400.0}
_TIMES |= {"week": 604800.0, "month": 2.6298e6, "year": 3.15576e7}
_SIZES = {"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "byte": 1.0}
_OTHER = ("bit", "db", "hz", "khz", "mhz", "ghz", "kw", "kg", "mg", "km", "cm", "mm", "nm", "mm")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CORE = re.compile(
    r"(?<![\w.])(?:(?P<digits>\d+(?:\.\d+)?|\.\d+)(?:e(?P<exponent>[+-]?\d+)(?!\w))?|(?P<words>"
    + "|".join(sorted(_WORDS, key=lambda word: (-len(word), word)))
    + r")(?:[ -](?P<ones>"
    + "|".join(_ONES[1:10])
    + r"))?(?![a-z]))"
)
_POWER = re.compile(
    r"\s?(?P<factor>(?:x|\u00d7|times|\*|\u00b7|cdot)\s?10\s?)?\^\s?(?P<power>[+-]?\d{1,3})"
)
_SCALE = re.compile(
    rf"[ -]?(?P<word>{'|'.join(_SCALES)})s?\b|(?P<suffix>{'|'.join(_SUFFIXES)})(?![a-z0-9])"
)
_UNIT = re.compile(
    r"[ -]?(?:(?P<percent>%|percent\b|per cent\b|percentage points?\b|pp\b|points?\b)"
    r"|(?P<times>x\b|\u00d7|times\b|fold\b)"
    rf"|(?P<unit>{'|'.join(sorted({*_TIMES, *_SIZES, *_OTHER}, key=lambda unit: (-len(unit), unit)))})s?\b)"
)
_FACTOR_OF = re.compile(r"factor of (?:up to |about )?\Z")
_HEDGE = re.compile(
    r"(?:(?P<above>over|more than|above|at least|exceeding)|(?P<nearly>nearly|almost|close to)|(?P<below>under|less than"
    r"|up to)|about|around|approximately|approx\.?|roughly|some|circa|[~\u223c\u2248])\s?\Z"
)
_ROUNDINGS: dict[str, Callable[[float], float]] = {
    "above": math.floor,
    "nearly": math.ceil,
    "about": round,
}
_JOINED = re.compile(r"\s?(?:-|to|and|or|,|/)\s?(?:and\s)?")
_NAME_BEFORE = re.compile(r"[^\W\d_][\w.]*[-_]\Z")
_SPEEDS_UP = re.compile(r"speed-?\s?up|faster|factor|improvement")
_MAX_COUNT = 20


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number as it is meant."""

    value: float
    """With its scale (thousand, k) multiplied in."""
    unit: str
    """``percent``, ``times``, ``time`` (value in seconds), ``size`` (in bytes), or a unit's name."""
    text: str
    n_decimals: int
    hedge: str
    """``about``, ``nearly``, ``above`` or ``below`` where it is said not to be exact."""
    is_word: bool


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text in order."""
    plain = _THOUSANDS.sub("", normalise(text))
    found: list[tuple[int, int, Quantity]] = []
    position = 0
    for core in _CORE.finditer(plain):
        # The 5 of "10^5" has been read with the 10.
        quantity = _read(plain, core) if core.start() >= position else None
        if quantity is not None:
            found.append(quantity)
            position = quantity[1]
    for place in range(len(found) - 2, -1, -1):
        _, end, first = found[place]
        start, _, second = found[place + 1]
        # "10-15 %" is percent twice.
        if not first.unit and second.unit and _JOINED.fullmatch(plain, end, start):
            found[place] = (*found[place][:2], replace(first, unit=second.unit))
    return [quantity for _, _, quantity in found]


def missing_quantity(claim: str, evidence: str, known: Sequence[float] = ()) -> Quantity | None:
    """The first number of a claim that its evidence does not have.

    Args:
        claim: One sentence.
        evidence: What it is to be proven by.
        known: Values that need no evidence, such as the year of the paper.
    """
    have = quantities(evidence)
    has_count = any(not item.unit and item.value <= _MAX_COUNT for item in have)
    speeds_up = _SPEEDS_UP.search(normalise(evidence)) is not None
    for item in quantities(claim):
        if (
            item.is_word
            and not item.unit
            and (item.value == 1 or (item.value < 5 and not has_count))
        ):
            continue  # "one of them"; "two datasets" may be listed by name
        if not item.unit and item.value in known:
            continue
        if not any(_agree(item, other, speeds_up=speeds_up) for other in have):
            return item
    return None


def _read(plain: str, core: re.Match[str]) -> tuple[int, int, Quantity] | None:
    if _NAME_BEFORE.search(plain, max(0, core.start() - 30), core.start()):
        return None
    digits, words = core["digits"], core["words"]
    value = (
        float(digits) if digits else _WORDS[words] + (_WORDS[core["ones"]] if core["ones"] else 0)
    )
    value *= _power(10.0, int(core["exponent"] or 0))
    end = core.end()
    if digits and (power := _POWER.match(plain, end)):
        value = _raise(value, power)
        end = power.end()
    while scale := _SCALE.match(plain, end):
        value *= _SCALES.get(scale["word"] or "", 1.0) * _SUFFIXES.get(scale["suffix"] or "", 1.0)
        end = scale.end()
    unit = _UNIT.match(plain, end)
    if digits and unit is None and plain[end : end + 1].isalpha():
        return None  # "3d", "2nd": a name
    if plain[core.start() - 1 : core.start()] == "^":
        return core.start(), end, Quantity(value, "power", f"^{core[0]}", 0, "", is_word=False)
    kind = "times" if words in _FACTORS or _FACTOR_OF.search(plain, 0, core.start()) else ""
    if unit:
        kind, factor = _unit_of(unit)
        value, end = value * factor, unit.end()
    hedge = _HEDGE.search(plain, max(0, core.start() - 20), core.start())
    said = (hedge.lastgroup or "about") if hedge else ""
    n_decimals = len(digits.partition(".")[2]) if digits else 0
    shown = plain[core.start() : end].strip()
    return core.start(), end, Quantity(value, kind, shown, n_decimals, said, words is not None)


def _raise(value: float, power: re.Match[str]) -> float:
    exponent = int(power["power"])
    return value * _power(10.0, exponent) if power["factor"] else _power(value, exponent)


def _power(base: float, exponent: int) -> float:
    """What is too large for a float is too large for any abstract."""
    try:
        return float(base**exponent)
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _unit_of(match: re.Match[str]) -> tuple[str, float]:
    if match["percent"]:
        return "percent", 1.0
    if match["times"]:
        return "times", 1.0
    unit = match["unit"]
    if unit in _TIMES:
        return "time", _TIMES[unit]
    return ("size", _SIZES[unit]) if unit in _SIZES else (unit, 1.0)


def _agree(claimed: Quantity, other: Quantity, *, speeds_up: bool) -> bool:
    value = other.value
    if {claimed.hedge, other.hedge} == {"above", "below"}:
        return False  # "more than 40" against "less than 40"
    if claimed.unit != other.unit:
        if {claimed.unit, other.unit} == {"percent", ""}:
            if _near(claimed, value * (100.0 if claimed.unit else 0.01)):
                return value <= 1 or bool(claimed.unit == "")
            # "an accuracy of 95.2" is a percentage; "95 tasks" is none.
            return _near(claimed, value) and (claimed.unit == "" or other.n_decimals > 0)
        if {claimed.unit, other.unit} == {"times", ""}:
            return _near(claimed, value) and (speeds_up or other.n_decimals > 0)
        if claimed.unit and other.unit:
            return False
    return _near(claimed, value)


def _near(claimed: Quantity, value: float) -> bool:
    if math.isclose(claimed.value, value, rel_tol=1e-9):
        return True
    if claimed.n_decimals and round(value, claimed.n_decimals) == claimed.value:
        return True
    if claimed.hedge not in _ROUNDINGS or value <= 0 or abs(claimed.value / value - 1) > 0.1:
        return False
    # "over 200,000" for 213,000: rounded to as many digits as the claim gives, the way it says.
    n_digits = len(f"{claimed.value:.12g}".replace(".", "").strip("0")) or 1
    scale = 10.0 ** (n_digits - 1 - math.floor(math.log10(value)))
    rounded = _ROUNDINGS[claimed.hedge](value * scale) / scale
    return math.isclose(claimed.value, rounded, rel_tol=1e-9)
