"""A readable label for a paper without a title, made from its abstract."""

from __future__ import annotations

import re

from rag.text import split_sentences, strip_markup

MAX_LABEL_CHARACTERS = 80

# "We introduce SWE-Gym, the first environment ..." gives the name and what it is.
_INTRODUCTION = re.compile(
    r"\b(?:introduces?|proposes?|presents?|develops?|designs?|called|named|dubbed|termed)\s+"
    r"(?:(?:an?|the|our|two|new|novel|method|framework|approach|model|algorithm)\s+){0,4}"
    r"(?P<name>(?=[\w-]*[A-Z][\w-]*[A-Z])[A-Z][\w+-]{2,30})"
    r"(?:\s*\([^()]{1,60}\))?\s*[,:]\s*(?:which is\s+)?"
    r"(?P<clause>(?:an?|the)\s(?:[^.;:]|\.(?=\d)){12,160})"
)


def make_label(abstract: str) -> str:
    """``"SWE-Gym: the first environment for training ..."``, or the first sentence, shortened.

    Returns:
        At most 80 characters, on one line, without markup; empty for an empty abstract.
    """
    introduction = _INTRODUCTION.search(strip_markup(abstract[:4000]))
    if introduction:
        return _shorten(f"{introduction['name']}: {introduction['clause']}")
    sentences = split_sentences(abstract)
    if not sentences:
        return ""
    return _shorten(strip_markup(abstract[sentences[0].start : sentences[0].end]))


def _shorten(text: str) -> str:
    text = " ".join(text.split()).lstrip("# ")
    if len(text) <= MAX_LABEL_CHARACTERS:
        return text.rstrip(" .,;:")
    head = text[:MAX_LABEL_CHARACTERS]
    words = head.rsplit(" ", 1)[0] if " " in head else head[:-1]
    return words.rstrip(" .,;:(-") + "\u2026"
