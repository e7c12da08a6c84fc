"""The numbers of a text with their units.

``1k`` is ``1,000`` and "a thousand", ``2x`` is "twice", ``10^3`` times is "three orders of
magnitude". Digits inside names (``GPT-4``, ``CIFAR-10``, ``3D``) are no numbers, but those that
say how large a model is (``Llama-8B``) are.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from rag.text import normalise, search_terms

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
    """.split()  # noqa: SIM905
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_WORDS = {word: float(value) for value, word in enumerate(_ONES)} | {
    word: 10.0 * value for value, word in enumerate(_TENS, start=2)
}
_WORDS |= {"half": 0.5, "dozen": 12.0, "a hundred": 100.0, "a thousand": 1e3, "a million": 1e6}
_WORDS |= dict.fromkeys(("twice", "double", "doubles", "doubled", "doubling"), 2.0)
_WORDS |= dict.fromkeys(("triple", "triples", "tripled", "tripling", "thrice"), 3.0)
_WORDS |= dict.fromkeys(("quadruple", "quadruples", "quadrupled", "quadrupling"), 4.0)
_WORDS |= dict.fromkeys(("halves", "halved", "halving"), 0.5)
_WORDS |= {"an order of magnitude": 10.0, "one order of magnitude": 10.0}
_FACTORS = frozenset(
    word for word in _WORDS if word[:4] in ("twic", "doub", "trip", "thri", "quad")
) - {"thirteen", "thirty"} | {"an order of magnitude", "one order of magnitude"}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
# "a million-scale set", "per million tokens"; and "millions of users", which is no exact number.
_WORDS |= _SCALES
_MAGNITUDES = {f"{word}s": value for word, value in _SCALES.items()}
_SUFFIXES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12}
_TIMES = {"ms": 1e-3, "millisecond": 1e-3, "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0}
_TIMES |= {"minute": 60.0, "h": 3600.0, "hr": 3600.0, "hour": 3600.0, "day": 86400.0}
_TIMES |= {"week": 604800.0, "month": 2.6298e6, "year": 3.15576e7}
_SIZES = {"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "byte": 1.0}
_OTHER = ("bit", "db", "hz", "khz", "mhz", "ghz", "kw", "kg", "mg", "km", "cm", "mm", "nm", "mm")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CORE = re.compile(
    r"(?<![\w.])(?:(?P<digits>\d+(?:\.\d+)?|\.\d+)(?:e(?P<exponent>[+-]?\d+)(?!\w))?|(?P<words>"
    + "|".join(sorted(_WORDS | _MAGNITUDES, key=lambda word: (-len(word), word)))
    + r")(?:[ -](?P<ones>"
    + "|".join(_ONES[1:10])
    + r"))?(?=fold|[^a-z]|\Z))(?P<half> and a half)?"
)
_ORDERS = re.compile(r"[ -]orders? of magnitude")
_POWER = re.compile(
    r"\s?(?P<factor>(?:x|\u00d7|times|\*|\u00b7|cdot)\s?10\s?)?\^\s?(?P<power>[+-]?\d{1,3})"
)
_SCALE = re.compile(
    rf"[ -]?(?P<word>{'|'.join(_SCALES)})s?\b|(?P<suffix>{'|'.join(_SUFFIXES)})(?![a-z0-9])"
)
_UNIT = re.compile(
    r"[ -]?(?:(?P<percent>%|percent\b|per cent\b|percentage points?\b|pp\b)|(?P<points>points?\b)"
    r"|(?P<times>x\b|\u00d7|times\b|fold\b)"
    rf"|(?P<unit>{'|'.join(sorted({*_TIMES, *_SIZES, *_OTHER}, key=lambda unit: (-len(unit), unit)))})s?\b)"
)
_FACTOR_OF = re.compile(r"factor of (?:up to |about )?\Z")
_HEDGE = re.compile(
    r"(?:(?P<above>over|more than|above|at least|exceeding)|(?P<nearly>nearly|almost|close to)|(?P<below>under|less than"
    r"|up to)|about|around|approximately|approx\.?|roughly|some|circa|~)\s?\Z"
)
_JOINED = re.compile(r"\s?(?:-|~|to|and|or|,|/)\s?(?:and\s)?")
_NAME_BEFORE = re.compile(r"(?<![\w.])[^\W\d_][\w.]*[-_/]\Z")
_SIZE_IN_NAME = re.compile(r"[mb](?![a-z0-9])")
_BRACED = r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(rf"\\[dt]?frac{_BRACED}{_BRACED}")
_SIMILAR = re.compile(r"\{?\\(?:sim|simeq|approx)(?![a-z])\s?\}?|[\u223c\u2248\u2243]")
_N_COUNTED = 3


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number as it is meant."""

    value: float
    """With its scale (thousand, k) multiplied in."""
    unit: str
    """``percent``, ``times``, ``time`` (value in seconds), ``size`` (in bytes), ``magnitude``
    (thousands of something), or a unit's name."""
    text: str
    n_decimals: int
    hedge: str
    """``about``, ``nearly``, ``above`` or ``below`` where it is said not to be exact."""
    is_word: bool
    counted: frozenset[str]
    """The stems of the words after it: what there are so many of."""


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text in order."""
    plain = _THOUSANDS.sub("", normalise(_SIMILAR.sub("~", _FRACTION.sub(r"\1/\2", text))))
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


def _read(plain: str, core: re.Match[str]) -> tuple[int, int, Quantity] | None:
    digits, words = core["digits"], core["words"]
    if _NAME_BEFORE.search(plain, max(0, core.start() - 30), core.start()) and not (
        digits and _SIZE_IN_NAME.match(plain, core.end())
    ):
        return None
    value = float(digits) if digits else _spelt(words, core["ones"])
    value = value * _power(10.0, int(core["exponent"] or 0)) + (0.5 if core["half"] else 0.0)
    end = core.end()
    if digits and (power := _POWER.match(plain, end)):
        value = _raise(value, power)
        end = power.end()
    while scale := _SCALE.match(plain, end):
        value *= _SCALES.get(scale["word"] or "", 1.0) * _SUFFIXES.get(scale["suffix"] or "", 1.0)
        end = scale.end()
    unit, orders = _UNIT.match(plain, end), _ORDERS.match(plain, end)
    if digits and unit is None and plain[end : end + 1].isalpha():
        return None  # "3d", "2nd": a name
    kind = "times" if words in _FACTORS or _FACTOR_OF.search(plain, 0, core.start()) else ""
    kind = "magnitude" if words in _MAGNITUDES else kind
    if orders:
        value, kind, end = _power(10.0, value), "times", orders.end()
    elif unit and not (words and unit["points"]):
        kind, factor = _unit_of(unit)
        value, end = value * factor, unit.end()
    if plain[core.start() - 1 : core.start()] == "^":
        kind = "power"
    hedge = _HEDGE.search(plain, max(0, core.start() - 20), core.start())
    return (
        core.start(),
        end,
        Quantity(
            value,
            kind,
            plain[core.start() - (kind == "power") : end].strip(),
            n_decimals=len((digits or "").partition(".")[2]),
            hedge=(hedge.lastgroup or "about") if hedge else "",
            is_word=words is not None,
            counted=_counted(plain, end),
        ),
    )


def _spelt(words: str, ones: str | None) -> float:
    value = _MAGNITUDES[words] if words in _MAGNITUDES else _WORDS[words]
    return value + (_WORDS[ones] if ones else 0.0)


def _counted(plain: str, start: int) -> frozenset[str]:
    clause = re.split(r"[.,;:()]", plain[start : start + 80], maxsplit=1)[0]
    terms = search_terms(" ".join(clause.split()[:_N_COUNTED]))
    return frozenset(term for term in terms if len(term) > 1 and not term.isdecimal())


def _raise(value: float, power: re.Match[str]) -> float:
    exponent = int(power["power"])
    return value * _power(10.0, exponent) if power["factor"] else _power(value, exponent)


def _power(base: float, exponent: float) -> float:
    """What is too large for a float is too large for any abstract."""
    try:
        return float(base**exponent)
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _unit_of(match: re.Match[str]) -> tuple[str, float]:
    if match["percent"] or match["points"]:
        return "percent", 1.0
    if match["times"]:
        return "times", 1.0
    unit = match["unit"]
    if unit in _TIMES:
        return "time", _TIMES[unit]
    return ("size", _SIZES[unit]) if unit in _SIZES else (unit, 1.0)
