"""The normal form of text and its terms, for searching and comparing; never shown."""

from __future__ import annotations

import html
import re
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_TAG = re.compile(r"</?(?:i|b|em|strong|sub|sup|p|br|tt|code|span|inf)\s*/?>", re.IGNORECASE)
_STYLE_COMMAND = re.compile(
    r"\\(?:text(?:bf|it|sc|tt|rm|sf|sl|normal|up|md)?|emph|underline|operatorname\*?|mbox"
    r"|math(?:bf|bb|cal|rm|it|sf|tt|frak|scr|ds)|boldsymbol|bm|left|right|[bB]igg?[lr]?"
    r"|displaystyle|ensuremath|href|url|xspace|rm|bf|it|sc|em|tt)(?![A-Za-z])"
)
_ACCENT = re.compile(r"\\['`^\"~=.](?=\{?\\?[A-Za-z])|\\[cuvHrk](?=\{[A-Za-z]\})")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_EMPHASIS = re.compile(r"(\*{1,3}|`{1,2})(?=\S)([^*`]{1,400}?)(?<=\S)\1")
_UNDERSCORES = re.compile(r"(?<!\w)(_{1,2})(?=\S)([^_]{1,400}?)(?<=\S)\1(?!\w)")
_LONG_DASH = re.compile("---?|[\u2014\u2015]")
_GREEK = re.compile("[\u0391-\u03c9\u03d1\u03d5\u03f5]")
_ONE_TO_ONE = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    }
)
_MARKUP = str.maketrans("", "", "${}")


def normalise(text: str) -> str:
    r"""A plain lower-case form of text, for searching and comparing, never for showing.

    Unicode NFKC without accents, case folded; LaTeX, HTML and Markdown markup taken off (a
    symbol keeps its name: ``$\Delta$-IRIS`` and ``Δ-IRIS`` both give ``delta-iris``); dashes and
    quotation marks unified; white space collapsed.
    """
    text = strip_markup(text)
    if text.isascii():
        # Most texts are, and need the least of it.
        return " ".join(_LONG_DASH.sub(" - ", text).lower().split())
    text = _INVISIBLE.sub("", text).translate(_ONE_TO_ONE)
    text = _LONG_DASH.sub(" - ", unicodedata.normalize("NFKD", text))
    text = unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", text))
    return " ".join(_GREEK.sub(_greek_name, text).casefold().split())


def strip_markup(text: str) -> str:
    """Text without the markup of HTML, LaTeX and Markdown, its words and symbols kept."""
    text = _TAG.sub("", html.unescape(text)) if "&" in text or "<" in text else text
    text = _strip_latex(text.replace("``", '"').replace("''", '"'))
    return _UNDERSCORES.sub(r"\2", _EMPHASIS.sub(r"\2", text))


def _strip_latex(text: str) -> str:
    if "\\" in text:
        text = _ACCENT.sub("", _STYLE_COMMAND.sub("", text))
        text = _COMMAND.sub(_command_name, text)
        text = text.replace("\\", "")
    return text.translate(_MARKUP)


def _command_name(match: re.Match[str]) -> str:
    # A space keeps "n\\log" two words; "$\\mu$CODE" stays one.
    glued = match.start() > 0 and match.string[match.start() - 1].isalnum()
    return f" {match[1]}" if glued else match[1]


def _greek_name(match: re.Match[str]) -> str:
    # The last word of the Unicode name, as in GREEK CAPITAL LETTER DELTA.
    return unicodedata.name(match[0], match[0]).removesuffix(" SYMBOL").rsplit(" ", 1)[-1]


# The Snowball project's English stop words (snowballstem.org, BSD licence), without the
# contractions, which the tokeniser joins.
_STOP_WORDS = frozenset(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself
    she her hers herself it its itself they them their theirs themselves what which who whom this
    that these those am is are was were be been being have has had having do does did doing would
    should could ought a an the and but if or because as until while of at by for with about
    against between into through during before after above below to from up down in out on off
    over under again further then once here there when where why how all any both each few more
    most other some such no nor not only own same so than too very can will
    dont doesnt didnt isnt arent wasnt werent hasnt havent wont cant couldnt shouldnt wouldnt
    """.split()  # noqa: SIM905
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ACRONYM = re.compile(r"\b(?:[a-z]\.){2,}(?:[a-z]\b)?")
_TERM = re.compile(r"\d+(?:\.\d+)+|[^\W_]+(?:'[^\W_]+)?")
_COMPOUND = re.compile(rf"(?:{_TERM.pattern})(?:[-_](?:{_TERM.pattern}))*")


class _Stemmers(threading.local):
    """One Snowball stemmer a thread: its cache is not safe to share."""

    def __init__(self) -> None:
        import Stemmer

        self.stem_words: Callable[[Sequence[str]], list[str]] = Stemmer.Stemmer("english").stemWords


@lru_cache(maxsize=1)
def _stemmers() -> _Stemmers:
    return _Stemmers()


def search_terms(text: str) -> list[str]:
    """Terms for lexical search, in order: normalised, without stop words, Snowball stems.

    ``213,000`` gives ``213000``; a compound gives its parts and the joined form
    (``SWE-Gym``: ``swe``, ``gym``, ``swegym``), so that either way of writing it is found.
    """
    plain = _THOUSANDS.sub("", normalise(text))
    plain = _ACRONYM.sub(lambda match: match[0].replace(".", "") + " ", plain)
    return _stemmers().stem_words([term for term in _split_terms(plain) if term not in _STOP_WORDS])


def _split_terms(plain: str) -> Iterator[str]:
    for compound in _COMPOUND.findall(plain):
        if compound.isalnum():
            # Nearly all are one plain word; this takes a third of the time of looking for parts.
            yield compound
            continue
        parts = [part.removesuffix("'s").replace("'", "") for part in _TERM.findall(compound)]
        yield from parts
        if len(parts) > 1:
            yield "".join(parts)
