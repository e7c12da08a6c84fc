"""Changing a few words of a sentence, and what must change with them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ARTICLE = re.compile(r"(?<![\w-])([Aa]n?)(\s+)\Z")
_VOWEL = re.compile(r"[aeioAEIO]|[uU](?!ni|se|ti)")
# A letter that is read out with a vowel first: an LLM, an MLP, an RNN.
_SPELT_OUT = re.compile(r"[FHLMNRSX](?:[A-Z\d]|\b)")


@dataclass(frozen=True, slots=True)
class Edit:
    """New words in the place ``start:end`` of a sentence."""

    start: int
    end: int
    text: str


def apply(edit: Edit, sentence: str) -> str:
    """The sentence with the new words: same capital letter as the old ones, article to match."""
    before, old, after = (
        sentence[: edit.start],
        sentence[edit.start : edit.end],
        sentence[edit.end :],
    )
    new = edit.text
    if old[:1].isupper() and new[:1].islower() and not old[1:2].isupper():
        new = new[:1].upper() + new[1:]
    if not new:
        before, after = before.rstrip() + (" " if before.strip() else ""), after.lstrip()
    elif match := _ARTICLE.search(before):
        article = ("A" if match[1][0] == "A" else "a") + ("n" if _needs_an(new) else "")
        before = before[: match.start()] + article + match[2]
    return before + new + after


def _needs_an(word: str) -> bool:
    if word[1:2].isupper() and _SPELT_OUT.match(word):
        return True
    return _VOWEL.match(word) is not None
