"""Which words of an earlier answer speak of which of its numbered papers."""

from __future__ import annotations

import re

# "[1] Sun et al. (2025). A Title": a line of a list of sources.
_LISTED = re.compile(r"^\s*(?:[-*] )?\[(\d{1,6})\][.:]?\s+(\S.*)$")
_MARKED = re.compile(r"(?P<text>.*?)(?P<marks>(?:\s*\[\d{1,6}(?:\s*,\s*\d{1,6})*\])+)", re.DOTALL)
_LINKED = re.compile(r"\[(?P<link>[^\[\]]{8,300})\]\(|“(?P<quoted>[^“”]{8,300})”")
_TITLE = re.compile(r"\[(?P<link>(?:[^\[\]\\]|\\.){1,500})\]\(")
_MAX_CHARS = 600


def cited_texts(answer: str) -> dict[int, str]:
    """Marker -> what the answer says of that paper, in the order in which it does.

    A title in a list of sources says it best; else it is the sentences before the marker.
    """
    listed: dict[int, str] = {}
    said: dict[int, list[str]] = {}
    for line in answer.split("\n"):
        if source := _LISTED.match(line):
            listed.setdefault(int(source[1]), source[2])
            continue
        for piece in _MARKED.finditer(line):
            for marker in re.findall(r"\d+", piece["marks"]):
                said.setdefault(int(marker), []).append(piece["text"].strip())
    texts = {marker: " ".join(parts) for marker, parts in said.items()} | listed
    return {marker: text[:_MAX_CHARS] for marker, text in texts.items() if text}


def listed_titles(answer: str) -> dict[int, str]:
    """Marker -> title, for each paper in a list of sources as this program writes them."""
    lines = filter(None, map(_LISTED.match, answer.split("\n")))
    return {int(line[1]): _title(line[2]) for line in lines}


def _title(line: str) -> str:
    linked = _TITLE.match(line)
    title = linked["link"] if linked else line.partition(". ")[0]
    return title.replace(r"\[", "[").replace(r"\]", "]")


def named_title(answer: str) -> str:
    """The first title that an answer links or quotes, as a refusal does; empty without one."""
    found = _LINKED.search(answer)
    return (found["link"] or found["quoted"]) if found else ""
