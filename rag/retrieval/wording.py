"""Words of a question that the papers do not know: misspelt ones, and those of other languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from rag.retrieval.base import LexicalLeg
from rag.retrieval.spelling import Spelling
from rag.text import normalise, search_terms
from rag.tokens import count_tokens

_GLOSSARY = Path(__file__).with_name("glossary.tsv")
_CJK = re.compile(r"[\u3400-\u9fff]+")
_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W\d_\u3400-\u9fff]+(?:-[^\W\d_\u3400-\u9fff]+)*")
_SHORTEST_MISSPELT, _SHORTEST_STEM, _SHORTEST_PART = 5, 5, 4
_ENDINGS = ("s", "ed", "d", "ing", "er", "ers", "ly")
_FEWEST_FOREIGN = 2
_JOINTS = ("", "s", "n", "en", "es")
# Frequent words of German, French, Spanish, Portuguese and Italian that are no English ones.
_FUNCTION_WORDS = frozenset(
    """
    der das den dem und oder ein eine einen einem eines einer ist sind wird werden wurde wurden
    nicht mit von vom zu zum zur im bei auf aus nach uber fur als auch wenn welche welcher welches
    welchen wer warum gibt es sich lassen lasst kann konnen haben durch denen ihre deren
    le la les un une des du et ou est sont dans par pour sur avec sans ce cette ces qui que quoi
    quel quelle quels quelles pourquoi il elle ils elles leur leurs peut ne pas au aux se entre
    el los las una unos unas del al son en para con como cual cuales cuando su sus lo mas hay fue
    ser mediante desde um uma uns da dos das nas com sao ao aos pela pelo
    lo gli nel della dei di che sono piu
    """.split()  # noqa: SIM905
)
# Left out in another language, but no sign of one.
_SMALL_WORDS = _FUNCTION_WORDS | frozenset(
    """
    die in an so war was l d de y o e u a i s t n no na nos as do plus per come
    """.split()  # noqa: SIM905
)
_ENGLISH = frozenset(
    """
    the of and to in is are was were for with on that this it by from as an be or at which what how
    who why when do does did can a not its their has have between without using into
    """.split()  # noqa: SIM905
)


def mend(question: str, lexical: LexicalLeg) -> str:
    """A question in words that the papers know, as far as they can be told; else as it stands.

    In a question of another language known technical words are put into English and the small
    words are left out. In an English one a word that neither the papers nor a large vocabulary
    know becomes a frequent word of the papers that one or two slips of the hand may have spoilt.
    """
    mender = _Mender(lexical)
    words = list(_WORD.finditer(question))
    if mender.is_foreign([word[0] for word in words]):
        return " ".join(part for word in words for part in mender.translate(word[0])) or question
    for word in reversed(words):
        is_name = word.start() > 0 and word[0] != word[0].lower()
        is_cut = question[word.end() : word.end() + 1] in tuple("'\u2019")
        if not (is_name or is_cut) and (right := mender.right(word[0])):
            question = question[: word.start()] + right + question[word.end() :]
    return question


class _Mender:
    def __init__(self, lexical: LexicalLeg) -> None:
        self._lexical = lexical
        self._spelling = Spelling(lexical.words)

    def is_foreign(self, words: list[str]) -> bool:
        """Whether more words tell another language than tell English."""
        plain = [normalise(word) for word in words]
        n_foreign = sum(word in _FUNCTION_WORDS or self._is_foreign_word(word) for word in plain)
        n_english = sum(word in _ENGLISH for word in plain)
        is_enough = n_foreign >= min(len(words), _FEWEST_FOREIGN)
        return any(map(_CJK.search, words)) or (is_enough and n_foreign > n_english)

    def _is_foreign_word(self, plain: str) -> bool:
        return not self._knows(plain) and (
            plain in _glossary()
            or any(_glossary().get(part, part) != part for part in self._parts(plain))
        )

    def translate(self, word: str) -> Iterator[str]:
        """The English for a word of another language; nothing for a small word."""
        if _CJK.fullmatch(word):
            yield from _segment(word)
            return
        plain = normalise(word)
        if (english := _glossary().get(plain)) is not None:
            yield english
        elif plain in _SMALL_WORDS:
            return
        elif self._knows(plain):
            yield word
        elif parts := self._parts(plain):
            yield from (_glossary().get(part, part) for part in parts)
        elif "-" in word:
            for part in word.split("-"):
                yield from self.translate(part)
        else:
            # What many languages share is often two letters away: Robustheit is not, linéaire is.
            yield self._spelling.nearest(plain, is_foreign=True) or word

    def right(self, word: str) -> str | None:
        """A misspelt word as it should be; None for one that is right or past mending."""
        plain = normalise(word)
        if (
            len(plain) < _SHORTEST_MISSPELT
            or not plain.isalpha()
            or self._knows(plain)
            or _is_common(plain)
        ):
            return None
        return self._spelling.nearest(plain)

    def _knows(self, plain: str) -> bool:
        return all(self._lexical.n_holding(term) for term in search_terms(plain))

    def _parts(self, plain: str) -> tuple[str, ...]:
        """Both words of a compound, as Bild and Generatoren; none if it is no such word."""
        for cut in range(len(plain) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
            for joint in _JOINTS if self._is_part(plain[cut:]) else ():
                head = plain[:cut].removesuffix(joint)
                if plain[:cut].endswith(joint) and self._is_part(head):
                    return head, plain[cut:]
        return ()

    def _is_part(self, plain: str) -> bool:
        return len(plain) >= _SHORTEST_PART and (
            plain in _glossary() or plain in self._lexical.words
        )


def _is_common(plain: str) -> bool:
    """Whether a large vocabulary has a word, or what it is an inflection of, as one token."""
    stems = (plain.removesuffix(ending) for ending in _ENDINGS)
    return any(
        count_tokens(f" {stem}") == 1
        for stem in {plain, *stems}
        if stem == plain or len(stem) >= _SHORTEST_STEM
    )


@lru_cache(maxsize=1)
def _glossary() -> dict[str, str]:
    """Word of another language, normalised as in the file -> English."""
    english_of: dict[str, str] = {}
    for line in _GLOSSARY.read_text(encoding="utf-8").splitlines():
        english, *others = line.split("\t")
        for word in (word for several in others for word in several.split(",")):
            english_of.setdefault(word, english)
    return english_of


def _segment(text: str) -> Iterator[str]:
    """Chinese into English, always by the longest known word; what is not known is left out."""
    start = 0
    while start < len(text):
        ends = range(min(len(text), start + 8), start, -1)
        end = next((end for end in ends if text[start:end] in _glossary()), None)
        if end is not None:
            yield _glossary()[text[start:end]]
        start = end or start + 1
