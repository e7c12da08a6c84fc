"""From a misspelt word to the word of the papers that it was meant to be."""

from __future__ import annotations

from collections.abc import Mapping

_LONG, _LONG_FOREIGN, _VERY_LONG = 9, 7, 10


class Spelling:
    """Finds what a word was meant to be among known words.

    Args:
        words: Known word, in small letters -> how many texts hold it.
    """

    def __init__(self, words: Mapping[str, int]) -> None:
        self._words = words

    def nearest(self, word: str, *, is_foreign: bool = False) -> str | None:
        """The known word that the fewest slips make of this one, the most frequent of several.

        One slip at most in a short word and two in a long one, which leave its length within one
        letter; words of other languages may be shorter for it, and have one more in a very long
        one. The first letter stands.
        """
        long = _LONG_FOREIGN if is_foreign else _LONG
        most = (1 if len(word) < long else 2) + (is_foreign and len(word) >= _VERY_LONG)
        longest = most if is_foreign else 1
        best: tuple[int, int, str] | None = None
        for known, n_holding in self._words.items():
            if known[0] != word[0] or abs(len(known) - len(word)) > longest:
                continue
            if len(set(word) ^ set(known)) > 2 * most:
                continue
            n_slips = count_slips(word, known, most)
            if n_slips <= most and (best is None or (n_slips, -n_holding, known) < best):
                best = (n_slips, -n_holding, known)
        return best[2] if best else None


def count_slips(word: str, other: str, most: int) -> int:
    """Letters left out, added, wrong, or swapped with their neighbour; ``most + 1`` for more.

    The optimal string alignment distance (Damerau 1964, without overlapping changes).
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, start=1):
        last, before, row = before, row, [i]
        for j, other_letter in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other_letter))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == other_letter:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
