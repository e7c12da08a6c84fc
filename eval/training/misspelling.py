"""Typing mistakes, so that the reader learns to read through them."""

from __future__ import annotations

import random
import re

_WORD = re.compile(r"[A-Za-z]{4,}")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_MOST_MISTAKES = 3


def misspell(text: str, draw: random.Random) -> str:
    """Put one to three typing mistakes into words of four letters or more.

    Each mistake drops, doubles or swaps a letter, or hits a key beside it. The first letter of a
    word stays, as it mostly does. Half of the texts lose their capitals and closing mark as well.
    """
    words = list(_WORD.finditer(text))
    chosen = draw.sample(words, min(len(words), draw.randint(1, _MOST_MISTAKES)))
    for word in sorted(chosen, key=lambda word: -word.start()):
        text = text[: word.start()] + _mistype(word.group(), draw) + text[word.end() :]
    return text.lower().rstrip("?.") if draw.random() < 1 / 2 else text


def _mistype(word: str, draw: random.Random) -> str:
    place = draw.randrange(1, len(word) - 1)
    before, letter, after = word[:place], word[place], word[place + 1 :]
    kind = draw.randrange(4)
    if kind == 0:
        return before + after
    if kind == 1:
        return before + letter + letter + after
    if kind == 2:
        return before + after[0] + letter + after[1:]
    return before + _neighbour(letter.lower(), draw) + after


def _neighbour(letter: str, draw: random.Random) -> str:
    row = next(row for row in _ROWS if letter in row)
    place = row.index(letter)
    return draw.choice(row[max(place - 1, 0) : place] + row[place + 1 : place + 2])
