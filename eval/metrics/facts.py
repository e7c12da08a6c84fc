"""Is the gold fact in what the reader sees?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from eval.cases import Case
from eval.metrics.base import NOT_APPLICABLE, Score, verdict
from rag.answer import Answer

_STYLE_COMMANDS = re.compile(
    r"\\(?:text\w*|math\w*|emph|operatorname|mbox|left|right|url|href|[,;:! ])(?![a-zA-Z])"
)
_COMMAND_BEFORE_DIGIT = re.compile(r"\\([a-zA-Z]+)(?=\d)")
_MARKUP = re.compile(r"[\\$*`{}]")
_DASHES = re.compile(r"[\u2010-\u2015\u2212-]+")
_QUOTE_MARKS = re.compile(r"[\u2018\u2019\u201a\u201b\u2032]")
_DOUBLE_QUOTE_MARKS = re.compile(r"[\u201c-\u201f\u2033]|``|''")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def normalise(text: str) -> str:
    r"""Fold what does not change a fact.

    That is: LaTeX and Markdown markup (``97.1\%`` equals ``97.1%``), case, white space,
    thousands separators, the kind of dash or quotation mark, and Unicode compatibility forms.
    """
    text = unicodedata.normalize("NFKC", text)
    text = _STYLE_COMMANDS.sub("", text)
    text = _DOUBLE_QUOTE_MARKS.sub('"', _QUOTE_MARKS.sub("'", text))
    text = _MARKUP.sub("", _COMMAND_BEFORE_DIGIT.sub(r" \1 ", text))
    text = _DASHES.sub("-", text)
    return _THOUSANDS.sub("", " ".join(text.replace("~", " ").split())).casefold()


def states(text: str, fact: str) -> bool:
    """True when ``text`` holds ``fact``, as whole words and whole numbers, after ``normalise``.

    A fact that ends in a letter may be followed by an ending ("model" is stated by "models");
    a number may not be a part of a longer one ("7.1" is not stated by "97.1").
    """
    needle = re.escape(normalise(fact))
    before = r"(?<![^\W_])(?<!\d[.,])" if needle[:1].isalnum() else ""
    after = r"(?![.,]?\d)" if needle[-1:].isdigit() else ""
    return re.search(before + needle + after, normalise(text)) is not None


def missing_facts(case: Case, text: str) -> tuple[str, ...]:
    """The first alternative of each fact group of which ``text`` states none."""
    return tuple(
        group[0] for group in case.gold_facts if not any(states(text, fact) for fact in group)
    )


def gold_fact(case: Case, answer: Answer) -> Score:
    """1 when every fact group is in the sentences shown; for answerable cases."""
    if not (case.answerable and case.gold_facts):
        return NOT_APPLICABLE
    return _has_facts(case, answer, (sentence.text for sentence in answer.sentences))


def fact_first(case: Case, answer: Answer) -> Score:
    """1 when the first sentence alone states the fact; for questions about one fact."""
    if not (case.kind == "fact" and case.answerable and case.gold_facts):
        return NOT_APPLICABLE
    return _has_facts(case, answer, (sentence.text for sentence in answer.sentences[:1]))


def _has_facts(case: Case, answer: Answer, shown: Iterable[str]) -> Score:
    if answer.status != "answered":
        return Score(0.0, f"refused: {answer.status}")
    # Markers such as [1] are left out: a digit in them is no fact.
    missing = missing_facts(case, " ".join(shown))
    return verdict(not missing, "missing: " + "; ".join(missing))
