"""From a sentence as a model wrote it to one that can be shown: plain, inert, without padding."""

from __future__ import annotations

import re
from functools import lru_cache

from rag.answering.markers import formulas
from rag.text import search_terms

_WITHIN = r"(?:[^()]|\([^()]{0,200}\)){0,500}"
_IMAGE = re.compile(rf"!\[[^\]]{{0,300}}\](?:\({_WITHIN}\)|\[[^\]]{{0,100}}\])?")
# "f[x](y)" is no link; a space keeps it from becoming one.
_LINK = re.compile(
    r"\[{1,2}(?P<text>[^\[\]]{0,300})\]{1,2}"
    rf"\((?:[^()]{{0,500}}[:/.#?]{_WITHIN}|\s*)\)"
)
_REFERENCE_LINK = re.compile(r"\[(?P<text>[^\[\]]{1,300})\]\[[^\[\]\d][^\[\]]{0,100}\]")
_MARKER_TEXT = re.compile(r"\s?\^?\d[\d,;\s-]*")
_LINK_JOINT = re.compile(r"\](?=\()")
_ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"\u201d]+|(?<![\w:])//[\w-]+(?:\.[\w-]+)+[^\s<>\"\u201d]*"
    r"|\b(?:(?:javascript|vbscript|mailto):|data:\w+/)[^\s<>]*|\bwww\.[^\s<>\"\u201d]+"
    r"|[\w.+-]+@[\w-]+\.[\w.]*\w|\b(?:[\w-]+\.)+"
    r"(?:com|org|net|io|ai|dev|edu|gov|co|app|xyz|info|me|ru|cn|de|uk|ly|gg|sh)\b(?:/[^\s<>\"]*)?",
    re.IGNORECASE,
)
_STRONG = re.compile(r"\*{2,3}|(?<!\w)_{2,3}(?=\S)|(?<=\S)_{2,3}(?!\w)|~~|``+")
_ITALIC = re.compile(r"(?<![\w*\\])([*_])(?=[^\s*_])([^*_\n]{1,200}?)(?<=[^\s*_])\1(?![\w*])")
_LEAD = re.compile(r"(?:[#>*+\u2022=-]+\s+)+")
_CELLS = re.compile(r"\s*\|\s*")
_SPEAKER = re.compile(
    r"(?:final answer|answer|response|abstract|reply|assistant|summary)\s*:\s*", re.IGNORECASE
)
_GREETING = r"(?:sure|certainly|of course|absolutely|great question|ok(?:ay)?)\s*[,.!:-]+\s+"
_SOURCES = (
    r"(?:the\s|these\s|those\s|all\s|your\s|my\s)?(?:(?:provided|given|above|following|retrieved"
    r"|available|supplied|numbered|cited|research)\s)*(?:abstracts?|sources?|passages?|papers?"
    r"|documents?|contexts?|information|texts?|excerpts?|materials?|literature)"
    r"(?:\s(?:provided|given|above|at hand|available|i was given|you (?:gave|provided)))?"
)
_FILLER = re.compile(
    rf"(?:{_GREETING})?(?:(?:based|relying|drawing) (?:only |solely )?(?:up)?on|according to"
    r"|judging (?:by|from)|as (?:stated|described|mentioned|reported|noted|shown) in|as per|per)"
    rf" {_SOURCES}\s?,\s+|{_GREETING}",
    re.IGNORECASE,
)
_GAP = re.compile(
    rf"(?:however,? |but )?(?:unfortunately,? )?{_SOURCES} (?:do|does|did)(?: not|n't|n\u2019t)"
    r"(?: \w+ly)? (?:state|mention|say|report|specify|give|describe|discuss|provide|contain|include"
    r"|indicate|address|disclose|tell|cover)\b",
    re.IGNORECASE,
)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]{4}")
_EMPTY_WORDS = (
    "abstract answer question source paper passage document context text information summary"
    " following provided given above below based according available retrieved cited see here"
    " describe details relevant list point note conclusion overall help hope let know feel free"
    " ask say sure certainly course please thank thanks yes sorry regarding several various finding"
    " study research work result mention state author also additional further find"
)


def unlink(text: str) -> str:
    """Text without images and links; the words of a link stay, a number as a marker."""
    text = _LINK.sub(_link_text, _IMAGE.sub("", text))
    return _LINK_JOINT.sub("] ", _REFERENCE_LINK.sub(lambda match: match["text"], text))


def _link_text(match: re.Match[str]) -> str:
    text = match["text"]
    return f"[{text}]" if _MARKER_TEXT.fullmatch(text) else text


def tidy(text: str) -> str:
    """A sentence without markers as it may be shown: no emphasis, label or filler, no link."""
    text = _without_emphasis(text)
    if text.startswith("|"):
        text = _CELLS.sub(", ", text.strip("| "))
    for lead in (_LEAD, _SPEAKER):
        text = text[found.end() :] if (found := lead.match(text)) else text
    if filler := _FILLER.match(text):
        text = text[filler.end() :]
        text = text[:1].upper() + text[1:]
    return " ".join(text.split())


def _without_emphasis(text: str) -> str:
    """Take emphasis away where it is no multiplication and no index."""
    pieces: list[str] = []
    position = 0
    for start, end in [*formulas(text), (len(text), len(text))]:
        prose = _STRONG.sub("", text[position:start])
        pieces += [_ITALIC.sub(lambda match: match[2], prose), text[start:end]]
        position = end
    return "".join(pieces)


def addresses(text: str) -> list[str]:
    """Web and mail addresses, with or without a scheme, and links that run code."""
    return [match[0].rstrip(".,;:!?)]}'\u201d") for match in _ADDRESS.finditer(text)]


def makes_claim(text: str) -> bool:
    """Whether it says anything about the world, and is not a greeting, lead-in or lone word."""
    if _UNSPACED.search(text):
        return True
    words = [] if text.endswith((":", "\uff1a")) else text.split()
    n_telling = sum(not _empty_terms().issuperset(search_terms(word)) for word in words)
    return n_telling > 1 or (n_telling == 1 and len(words) > 2)


def names_gap(text: str, question: str) -> bool:
    """Whether it says that the abstracts do not state something, in the words of the question."""
    gap = _GAP.match(text)
    known = _empty_terms() | set(search_terms(question))
    return gap is not None and known.issuperset(search_terms(text[gap.end() :]))


@lru_cache(maxsize=1)
def _empty_terms() -> frozenset[str]:
    return frozenset(search_terms(_EMPTY_WORDS))
