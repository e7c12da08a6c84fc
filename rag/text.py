"""Text, at the lowest level: cleaning at the door, sentences with exact offsets, search terms.

What a paper says is kept byte for byte; ``normalise`` and ``search_terms`` make copies for
searching and comparing that are never shown.
"""

from __future__ import annotations

import hashlib
import html
import re
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    """Make text from outside safe to encode, store and print; change nothing else.

    Surrogate pairs are joined, lone surrogates and control characters other than newline and
    tab are dropped, and every kind of line end becomes a newline.
    """
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def content_hash(*parts: str) -> str:
    """The sha256 (hex) of the parts; ``("ab", "c")`` and ``("a", "bc")`` differ."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()


# --- Normal form for searching and comparing -------------------------------------------------

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_TAG = re.compile(r"</?(?:i|b|em|strong|sub|sup|p|br|tt|code|span|inf)\s*/?>", re.IGNORECASE)
_STYLE_COMMAND = re.compile(
    r"\\(?:text(?:bf|it|sc|tt|rm|sf|sl|normal|up|md)?|emph|underline|operatorname\*?|mbox"
    r"|math(?:bf|bb|cal|rm|it|sf|tt|frak|scr|ds)|boldsymbol|bm|left|right|[bB]igg?[lr]?"
    r"|displaystyle|ensuremath|href|url|xspace|rm|bf|it|sc|em|tt)(?![A-Za-z])"
)
_ACCENT = re.compile(r"\\['`^\"~=.](?=\{?\\?[A-Za-z])|\\[cuvHrk](?=\{[A-Za-z]\})")
_COMMAND = re.compile(r"(?P<glued>(?<=[^\W_]))?\\(?P<name>[A-Za-z]+)")
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
    text = _TAG.sub("", html.unescape(text)) if "&" in text or "<" in text else text
    text = _strip_latex(text.replace("``", '"').replace("''", '"'))
    text = _UNDERSCORES.sub(r"\2", _EMPHASIS.sub(r"\2", text))
    text = _INVISIBLE.sub("", text).translate(_ONE_TO_ONE)
    text = _LONG_DASH.sub(" - ", unicodedata.normalize("NFKD", text))
    text = unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", text))
    return " ".join(_GREEK.sub(_greek_name, text).casefold().split())


def _strip_latex(text: str) -> str:
    if "\\" in text:
        text = _ACCENT.sub("", _STYLE_COMMAND.sub("", text))
        text = _COMMAND.sub(lambda m: (" " if m["glued"] is not None else "") + m["name"], text)
        text = text.replace("\\", "")
    return text.translate(_MARKUP)


def _greek_name(match: re.Match[str]) -> str:
    # The last word of the Unicode name, as in GREEK CAPITAL LETTER DELTA.
    return unicodedata.name(match[0], match[0]).removesuffix(" SYMBOL").rsplit(" ", 1)[-1]


# --- Search terms ------------------------------------------------------------------------------

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
        parts = [part.removesuffix("'s").replace("'", "") for part in _TERM.findall(compound)]
        yield from parts
        if len(parts) > 1:
            yield "".join(parts)


# --- Sentences -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character offsets."""

    start: int
    end: int


# Never the end of a sentence.
_OPEN_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie cf c.f vs w.r.t a.k.a viz resp approx et dr prof mr mrs ms st esp incl".split()  # noqa: SIM905
)
# Not the end when a number follows ("Fig. 3").
_NUMBERED = frozenset(
    """
    fig figs eq eqs eqn sec secs sect tab alg thm lem prop cor ref refs ch chap no nos vol p pp
    app appx def ex ver v jan feb mar apr jun jul aug sep sept oct nov dec
    """.split()  # noqa: SIM905
)
# Words that begin a new sentence after "et al.", an initial ("class A. We") or no space at all.
_STARTERS = frozenset(
    """
    A After All Also Although An And Another As At Based Besides Both But By Compared Consequently
    Crucially Despite Due Each Empirical Empirically Even Existing Experimental Experiments
    Extensive Finally First Following For From Further Furthermore Given Hence Here How However
    If Importantly In Instead It Its Lastly Many More Moreover Most Motivated Nevertheless Next
    Notably On One Our Overall Prior Recent Recently Results Second Secondly Several Similarly
    Since So Some Specifically Such That The Their Then There Therefore These They Third This
    Those Through Thus To Together Two Under Unfortunately Unlike Using We What When Where
    Whereas Whether Which While With Yet
    """.split()  # noqa: SIM905
)
_TERMINATORS = ".!?\u2026\u3002\uff01\uff1f\uff61"
_CJK_STOPS = frozenset("\u3002\uff01\uff1f\uff61")
_CLOSERS = re.escape("\"'\u201d\u2019\u00bb)]}*_`$\u300d\u300f\uff09\u3011")
_CANDIDATE = re.compile(
    rf"(?<![{_TERMINATORS}])(?P<stop>[{_TERMINATORS}]++)(?P<closers>[{_CLOSERS}]*+)(?:\\(?=\s))?"
)
_NEXT = re.compile(
    r"\s*(?P<open>(?:[\"'\u201c\u2018\u00ab*_`$\[({]|\\[A-Za-z]{2,12}\{){0,8})(?P<word>\S{0,40})"
)
_LIST_MARK = re.compile(r"(?:[ivx]{1,4}|[a-z]|\d{1,2})[).]")
_WORD_BEFORE = re.compile(r"[^\W_](?:[\w.'-]*[^\W_])?\Z")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]")
_MATH = re.compile(r"(?<!\\)\$\$?(?=\S)[^$]{1,400}(?<=\S)\$\$?(?!\d)")
_FORCED = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*\u2022]|\d{1,2}[.)])[ \t])")


def split_sentences(text: str) -> list[Span]:
    """Where the sentences of a text are.

    Spans are in order, do not overlap, begin and end with a character that is not white space,
    and leave out nothing but white space. Linear in the length of the text.
    """
    ends = {match.end() for match in _FORCED.finditer(text)} | set(_sentence_ends(text))
    spans: list[Span] = []
    start = 0
    for end in [*sorted(ends), len(text)]:
        piece = text[start:end]
        first = end - len(piece.lstrip())
        last = start + len(piece.rstrip())
        if spans and first < last and not any(map(str.isalnum, piece)):
            spans[-1] = Span(spans[-1].start, last)
        elif first < last:
            spans.append(Span(first, last))
        start = end
    return spans


def _sentence_ends(text: str) -> Iterator[int]:
    formulas = [(match.start(), match.end()) for match in _MATH.finditer(text)]
    formulas.append((len(text), len(text)))
    nearest = 0
    for match in _CANDIDATE.finditer(text):
        while formulas[nearest][1] <= match.start():
            nearest += 1
        start, end = formulas[nearest]
        inside_formula = start < match.start() and match.end("closers") < end
        if not inside_formula and _ends_sentence(text, match):
            yield match.end()


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = _NEXT.match(text, match.end())
    opening, word = (following["open"], following["word"]) if following else ("", "")
    if match["stop"][-1] in _CJK_STOPS or not (word or opening):
        return True
    before = _WORD_BEFORE.search(text, max(0, match.start() - 30), match.start())
    last_word = before[0] if before else ""
    if not text[match.end()].isspace():
        return len(last_word) > 2 and text[match.end()].isupper() and _is_starter(word)
    if (
        match["stop"] == "."
        and (ends := _after_abbreviation(text, before, opening, word)) is not None
    ):
        return ends
    if not word[:1].islower() or not word.islower() or any(map(str.isdigit, word)):
        return True
    if "(" in opening:
        return _LIST_MARK.match(word) is not None
    return match["stop"] == "." and not match["closers"] and len(last_word) > 3


def _after_abbreviation(
    text: str, before: re.Match[str] | None, opening: str, word: str
) -> bool | None:
    """Whether a full stop after an abbreviation ends the sentence; None after an ordinary word."""
    if before is None:
        return None
    last_word = before[0]
    if last_word.lower() in _OPEN_ABBREVIATIONS:
        return False
    if last_word.lower() in _NUMBERED and any(map(str.isdigit, word)):
        return False
    if _is_list_mark(text, before):
        return False
    if (
        last_word == "al"
        or _DOTTED.fullmatch(last_word)
        or (len(last_word) == 1 and last_word.isupper())
    ):
        return "(" not in opening and "[" not in opening and _is_starter(word)
    return None


def _is_starter(word: str) -> bool:
    return re.split(r"[^A-Za-z]", word, maxsplit=1)[0] in _STARTERS


def _is_list_mark(text: str, before: re.Match[str]) -> bool:
    """Whether the word is the number of a list item: ``1.`` or ``ii.`` at the start of a clause."""
    if not _LIST_MARK.fullmatch(before[0] + "."):
        return False
    lead = text[max(0, before.start() - 10) : before.start()].rstrip(" \t(*_")
    return not lead or lead[-1] in ".:;?!\n"
