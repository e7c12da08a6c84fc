r"""Text of papers, models and users as safe inline HTML for the page.

Gradio reads what this returns as Markdown, cleans it and typesets ``\(...\)``. So that no paper or
model can add markup of its own, everything is escaped here and only a closed set of formatting is
put back: emphasis, code, and mathematics that was recognised as such. ``$`` is never handed to the
page as a delimiter; prices therefore stay prices.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

LATEX_DELIMITERS: list[dict[str, str | bool]] = [
    {"left": r"\(", "right": r"\)", "display": False},
]
"""What the page typesets; ``inline`` alone writes it."""

# Stand in for <mark> while text is formatted; same length as what they replace in the input.
_MARK, _UNMARK = "\ue000", "\ue001"
_INNER = rf"[^{_MARK}{_UNMARK}]"
_ARGUMENT = rf"[^{{}}{_MARK}{_UNMARK}]{{1,600}}"

_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
    # The page's Markdown engine reads these in its source, in attributes too.
    "\\": "&#92;",
    "`": "&#96;",
    "%": "&#37;",
}
_ESCAPE_TABLE = str.maketrans(_ESCAPES)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")

# Every repetition is bounded: a paper of 50,000 asterisks must not cost quadratic time.
_FORMAT = re.compile(
    rf"""
      \$\$(?P<math2>[^$\n{_MARK}{_UNMARK}]{{1,600}})\$\$
    | \\\[(?P<math4>{_INNER}{{1,600}}?)\\\]
    | \\\((?P<math3>{_INNER}{{1,600}}?)\\\)
    | (?<!\\)\$(?P<math1>[^$\n{_MARK}{_UNMARK}]{{1,600}}?)(?<!\\)\$
    | \\{{1,2}}(?P<symbol>[%$&\#_{{}}])
    | ``(?P<quoted>[^`'{_MARK}{_UNMARK}]{{1,300}})''
    | `(?P<code1>[^`\n{_MARK}{_UNMARK}]{{1,300}})`
    | \\(?:text(?:bf|sc)|underline)\{{(?P<strong1>{_ARGUMENT})\}}
    | \\(?:emph|textit)\{{(?P<em1>{_ARGUMENT})\}}
    | \{{\\(?:em|it)\ (?P<em2>{_ARGUMENT})\}}
    | \{{\\bf\ (?P<strong2>{_ARGUMENT})\}}
    | \\(?:texttt|url)\{{(?P<samp>{_ARGUMENT})\}}
    | \\(?:text(?:rm|sf)?|mbox)\{{(?P<plain1>{_ARGUMENT})\}}
    | \\href\{{{_ARGUMENT}\}}\{{(?P<plain2>{_ARGUMENT})\}}
    | \*\*(?=[^\s*])(?P<strong3>{_INNER}{{1,1000}}?)(?<=[^\s])\*\*
    | (?<![\w*])\*(?=[^\s*])(?P<em3>[^*\n{_MARK}{_UNMARK}]{{1,600}}?)(?<=\S)\*(?![\w*])
    | (?<!\w)_(?=[^\s_])(?P<em4>[^_\n{_MARK}{_UNMARK}]{{1,600}}?)(?<=\S)_(?!\w)
    | (?P<dash>(?<=\s)--(?=\s)|(?<=\w)---(?=\w)|(?<=\s)---(?=\s))
    """,
    re.VERBOSE,
)

# Commands that draw far outside their line, define other commands or point elsewhere.
_REFUSED_TEX = re.compile(
    r"\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|rule|m?kern|[hm]skip|hspace"
    r"|raisebox|href|url|html\w*|includegraphics|[Hh]uge|char|unicode|tag|\(|\))"
)
# Words in dollars: as mathematics they would neither wrap nor match the type around them.
_TEXT_IN_DOLLARS = re.compile(r"\\(?:text(?:bf|it|tt|sc|rm|sf)?|emph|mbox)\{[^{}]*\}")
_PRICE = re.compile(r"\d[\d.,]*\s*(?:[-–/]$|(?:[kKmMbB]\s+)?[A-Za-z]{2,}\b)")


def attribute(text: str) -> str:
    """``text`` for a double-quoted attribute, on one line."""
    return _CONTROLS.sub(" ", text).translate(_ESCAPE_TABLE)


def escape(text: str) -> str:
    """``text`` for HTML content, on one line, nothing in it formatted."""
    # An element around each backslash keeps KaTeX from finding \( in the finished page.
    return attribute(text).replace("&#92;", "<span>&#92;</span>")


def inline(text: str, spans: Iterable[tuple[int, int]] = ()) -> str:
    """``text`` with its emphasis, code and mathematics shown, and ``spans`` in ``<mark>``.

    Args:
        text: Anything at all; Markdown, LaTeX and HTML in it are data.
        spans: Half-open character offsets into ``text``; may overlap, are clipped to it.

    Returns:
        HTML on one line, with the tags strong, em, code and mark only.
    """
    marked = _with_sentinels(text.replace(_MARK, "\ufffd").replace(_UNMARK, "\ufffd"), spans)
    formatted = _format(marked)
    return formatted.replace(_MARK, "<mark>").replace(_UNMARK, "</mark>")


def safe_url(url: str | None) -> str | None:
    """``url`` escaped for an attribute if it is a plain http(s) address, else None."""
    if not url or re.search(r"[\s\x00-\x1f\x7f\\]", url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        return None
    return attribute(url)


def _with_sentinels(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces, position = [], 0
    for start, end in _merged(spans, len(text)):
        pieces += [text[position:start], _MARK, text[start:end], _UNMARK]
        position = end
    return "".join([*pieces, text[position:]])


def _merged(spans: Iterable[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(end, length)) for start, end in spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _format(text: str) -> str:
    pieces, position, search_from = [], 0, 0
    while match := _FORMAT.search(text, search_from):
        if match.lastgroup == "math1" and not _is_math(match["math1"]):
            # This dollar is a price; the next one may still open a formula.
            search_from = match.start() + 1
            continue
        pieces += [escape(text[position : match.start()]), _formatted(match)]
        position = search_from = match.end()
    return "".join([*pieces, escape(text[position:])])


def _formatted(match: re.Match[str]) -> str:
    group = match.lastgroup or ""
    content = match[group]
    kind = group.rstrip("1234")
    if kind == "math":
        return _math(match[0], content)
    if kind == "symbol":
        return escape(content)
    if kind == "code":
        return f"<code>{escape(content)}</code>"
    if kind == "dash":
        return "—" if content == "---" else "–"
    inner = _format(content)
    if kind == "quoted":
        return f"“{inner}”"
    return inner if kind == "plain" else f"<{kind}>{inner}</{kind}>"


def _math(source: str, content: str) -> str:
    if _TEXT_IN_DOLLARS.fullmatch(content.strip()):
        return _format(content.strip())
    return escape(source) if _REFUSED_TEX.search(content) else rf"\({_tex(content)}\)"


def _is_math(content: str) -> bool:
    """Whether ``$content$`` is a formula, and not the text between two prices."""
    core = content.strip()
    if not core or _PRICE.match(core):
        return False
    if re.search(r"\\[A-Za-z|]|[\^_{]", core) or re.fullmatch(r"[A-Za-z]|[\d.,\s]+(?<!\s)", core):
        return True
    return core == content and (len(core.split()) <= 3 or bool(re.search("[=<>+]", core)))


def _tex(content: str) -> str:
    tex = _CONTROLS.sub(" ", content.strip())
    if r"\begin" not in tex:
        # Some sources escape twice: 6\\sim45\\%.
        tex = re.sub(r"\\\\(?=[A-Za-z%])", r"\\", tex)
    return re.sub("[&<>\"'`]", lambda match: _ESCAPES[match[0]], tex)
