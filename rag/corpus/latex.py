r"""LaTeX in titles and names: accents become letters, ``$math$`` stays as it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

_MATH = re.compile(
    r"(?<!\\)\$\$.{0,2000}?\$\$|(?<!\\)\$[^$]*\$|\\\(.{0,2000}?\\\)|\\\[.{0,2000}?\\\]", re.DOTALL
)
_COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "b": "\u0331",
    "d": "\u0323",
}
_LETTERS = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "polishl": "ł",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "i": "ı",
    "j": "ȷ",
    "dh": "ð",
    "DH": "Ð",
    "th": "þ",
    "TH": "Þ",
    "dj": "đ",
    "DJ": "Đ",
    "ng": "ŋ",
    "NG": "Ŋ",
}
_BASE = r"\\[ij](?![A-Za-z])|[A-Za-z]"
# A bare \" needs a vowel after it, or it may be an escaped quotation mark.
_ACCENT = (
    rf"\\(?:[`'^~=.]|\"(?=\s*(?:[{{\\]|[aeiouyAEIOUY]))|[uvHckrbd](?![A-Za-z]))\s*"
    rf"(?:\{{\s*(?:{_BASE})\s*\}}|(?:{_BASE}))"
)
# PMLR writes its own macro without an end, as in Kot\polishlowski.
_LETTER = (
    rf"\\(?:polishl|(?:{'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?![A-Za-z]))"
    r"(?:\{\}| )?"
)
_SPECIAL = re.compile(rf"\{{\s*({_ACCENT}|{_LETTER})\s*\}}|({_ACCENT}|{_LETTER})")
_ESCAPED = re.compile(r"\\([&%#_{} ])")
_SIGNS = (("``", "“"), ("''", "”"), ("---", "—"))
_COMMAND_BEFORE = re.compile(r"\\(?:[A-Za-z]+\*?|.)\s*(?:\[[^\]]*\])?\Z")


def decode_accents(text: str) -> str:
    r"""Accents and special letters outside math as Unicode: ``Schr{\"o}dinger``, ``\L ukasz``.

    Everything else, other commands and braces too, stays as it is.
    """
    if "\\" not in text:
        return text
    return "".join(_outside_math(text, _decode_accents))


def decode_bibtex(text: str) -> str:
    r"""The text of a BibTeX field: accents, signs, ``\&`` and ``~`` decoded, protecting braces off.

    Math and the arguments of commands keep their braces: ``{BERT}`` gives ``BERT``,
    ``\emph{one}`` and ``$x_{i}$`` stay. White space is one space; a blank line parts paragraphs.
    """
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n[ \t]*\n", text))
    text = _strip_braces(decode_accents("\n\n".join(part for part in paragraphs if part)))
    return "".join(_outside_math(text, _decode_signs))


def _outside_math(text: str, change: Callable[[str], str]) -> Iterator[str]:
    position = 0
    for math in _MATH.finditer(text):
        yield change(text[position : math.start()])
        yield math[0]
        position = math.end()
    yield change(text[position:])


def _decode_accents(text: str) -> str:
    return _SPECIAL.sub(lambda match: _decode_special(match[1] or match[2]), text)


def _decode_special(macro: str) -> str:
    name = macro[1:].strip("{} ")
    if name in _LETTERS:
        return _LETTERS[name]
    base = re.sub(r"[\\{}\s]", "", macro[2:])
    return unicodedata.normalize("NFC", base + _COMBINING[macro[1]])


def _decode_signs(text: str) -> str:
    text = _ESCAPED.sub(r"\1", re.sub(r"(?<!\\)~", " ", text))
    for written, meant in _SIGNS:
        text = text.replace(written, meant)
    return text


def _strip_braces(text: str) -> str:
    """Without the braces that only protect capitals; unpaired ones stay."""
    math_ends = {math.start(): math.end() for math in _MATH.finditer(text)}
    kept: list[str] = []
    open_braces: list[int | None] = []
    position = 0
    while position < len(text):
        end = math_ends.get(position) or position + (2 if text[position] == "\\" else 1)
        piece = text[position:end]
        if piece == "{":
            open_braces.append(None if _is_needed(text, position, kept) else len(kept))
        elif piece == "}" and open_braces:
            opened = open_braces.pop()
            if opened is not None:
                kept[opened] = piece = ""
        kept.append(piece)
        position = end
    return "".join(kept)


def _is_needed(text: str, position: int, kept: list[str]) -> bool:
    r"""Whether an opening brace is the argument of a command, or holds one: ``{\bf bold}``."""
    return (
        kept[-1:] == ["}"]
        or _COMMAND_BEFORE.search("".join(kept[-40:])) is not None
        or re.match(r"\{\s*\\[A-Za-z]", text[position : position + 10]) is not None
    )
