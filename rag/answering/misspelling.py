"""Mends misspelt common words, so that a hasty follow-up is still seen as one.

Only how a question leans is judged on the mended text; it is never shown or searched.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

_COMMON = """
    the with other what which how many they their them those these does that this about have from
    should would could much where instead then than also
    method methods model models approach framework dataset datasets benchmark algorithm algorithms
    system code weights license results limitations authors paper papers parameters training
    accuracy baseline baselines metrics compare compared difference different better
    second third first latter former technique techniques experiments example
"""
# Right words that one slip would give.
_RIGHT = frozenset(
    """
    form who own won were odes dose cold wold fist there later letter batter bettor mode modes
    metric metrical result resulted weight limitation parameter author compares comparer
    """.split()  # noqa: SIM905
)
_MANGLED = {
    "wat": "what", "wut": "what", "whats": "what is", "wich": "which", "whch": "which",
    "thier": "their", "mny": "many", "meny": "many", "hav": "have", "tht": "that", "wre": "were", "u": "you", "ur": "your",
}  # fmt: skip
_LONG, _VERY_LONG = 5, 7
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORD = re.compile(r"[a-z]+")


def mend(plain: str) -> str:
    """Normalised text with misspelt common words put right: ``wich mehtod`` -> ``which method``."""
    table = _table()
    return _WORD.sub(lambda match: table.get(match[0], match[0]), plain)


@functools.cache
def _table() -> dict[str, str]:
    """Misspelt -> right, for every single slip in a common word that gives no other right word."""
    common = _COMMON.split()
    slips = {slip: word for word in common for slip in _slips(word)}
    return {s: word for s, word in slips.items() if s not in _RIGHT.union(common)} | _MANGLED


def _slips(word: str) -> Iterator[str]:
    """Neighbours swapped; in long words one letter left out or doubled; in very long ones wrong."""
    for i in range(len(word)):
        if i + 1 < len(word):
            yield word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        if len(word) >= _LONG and i:
            yield word[:i] + word[i + 1 :]
            yield word[:i] + word[i] + word[i:]
        if len(word) >= _VERY_LONG:
            yield from (word[:i] + letter + word[i + 1 :] for letter in _LETTERS)


def is_slip(word: str, words: Iterable[str]) -> bool:
    """Whether a word of some length is a single slip away from one of the words."""
    return len(word) >= _LONG and any(
        word != other and word[0] == other[:1] and (word in _slips(other) or other in _slips(word))
        for other in words
        if abs(len(word) - len(other)) <= 1
    )
