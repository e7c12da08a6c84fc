"""Faults of direction: more for less, before for after, wins for loses."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from eval.planting.edits import Edit

_BOTH_WAYS = """
    increase/decrease increases/decreases increased/decreased increasing/decreasing
    raises/lowers raised/lowered raising/lowering faster/slower larger/smaller better/worse
    outperform/underperform outperforms/underperforms outperformed/underperformed
    outperforming/underperforming above/below before/after longer/shorter stronger/weaker
    easier/harder maximize/minimize maximizes/minimizes maximizing/minimizing
    maximization/minimization strengthens/weakens strengthen/weaken positive/negative
    positively/negatively grows/shrinks grow/shrink grew/shrank growing/shrinking earlier/later
    more/less higher/lower wider/narrower deeper/shallower richer/poorer accelerates/slows
"""
_ONE_WAY = {
    "reduce": "increase",
    "reduces": "increases",
    "reduced": "increased",
    "reducing": "increasing",
    "reduction": "increase",
    "reductions": "increases",
    "improve": "worsen",
    "improves": "worsens",
    "improved": "worsened",
    "improving": "worsening",
    "improvement": "deterioration",
    "improvements": "deteriorations",
    "enhances": "impairs",
    "enhance": "impair",
    "boosts": "lowers",
    "raise": "lower",
    "fewer": "more",
    "bigger": "smaller",
    "cheaper": "more expensive",
    "beat": "lose to",
    "beats": "loses to",
    "surpass": "fall short of",
    "surpasses": "falls short of",
    "surpassing": "falling short of",
    "exceed": "fall short of",
    "exceeds": "falls short of",
    "hurts": "helps",
    "hinders": "helps",
}
_OPPOSITES = (
    dict(
        pair
        for entry in _BOTH_WAYS.split()
        for one, other in [entry.split("/")]
        for pair in ((one, other), (other, one))
    )
    | _ONE_WAY
)
_WORD = re.compile(
    rf"(?<![\w-])(?:upper bound|lower bound|upper bounds|lower bounds|at most|at least"
    rf"|{'|'.join(_OPPOSITES)})(?![\w-])",
    re.IGNORECASE,
)
_PHRASES = {
    "upper bound": "lower bound",
    "lower bound": "upper bound",
    "upper bounds": "lower bounds",
    "lower bounds": "upper bounds",
    "at most": "at least",
    "at least": "at most",
}
# "not worse", "once more", "the more", "better understand", "before and after", "more or less".
_BEFORE = re.compile(
    r"\b(?:not|no|never|once|any|ever|and|or|the|what is|cannot)\s\Z", re.IGNORECASE
)
_AFTER = re.compile(
    r"\s(?:or|and more|and after|and before|understand|capture|reflect|align|suit|all)\b"
)
_OBJECT_AFTER = re.compile(r"\s(?:the|its|their|a|an|this|these)\b")
_COUNT_AFTER = re.compile(r"\sthan\s(?:\d|two|three|four|five|six|ten)|\s[a-z]+(?<![su])s\b")


def direction_edits(claim: str, draw: random.Random) -> Iterator[Edit]:
    """The opposite in the place of a word that has one, in the order of a draw."""
    matches = [match for match in _WORD.finditer(claim) if _is_plain(claim, match)]
    draw.shuffle(matches)
    for match in matches:
        yield Edit(match.start(), match.end(), _opposite(claim, match))


def _is_plain(claim: str, match: re.Match[str]) -> bool:
    before, after = _BEFORE.search(claim, 0, match.start()), _AFTER.match(claim, match.end())
    return before is None and after is None


def _opposite(claim: str, match: re.Match[str]) -> str:
    word = match[0].casefold()
    if word == "lower" and _OBJECT_AFTER.match(claim, match.end()):
        return "raise"
    if word == "more" and _COUNT_AFTER.match(claim, match.end()):
        return "fewer"
    return _PHRASES.get(word) or _OPPOSITES[word]
