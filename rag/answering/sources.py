"""Which words of an earlier answer speak of which of its numbered papers."""

from __future__ import annotations

import re

# "[1] Sun et al. (2025). A Title": a line of a list of sources.
_LISTED = re.compile(r"^\s*(?:[-*] )?\[(\d{1,3})\][.:]?\s+(\S.*)$")
_MARKED = re.compile(r"(?P<text>.*?)(?P<marks>(?:\s*\[\d{1,3}(?:\s*,\s*\d{1,3})*\])+)", re.DOTALL)
_LINKED = re.compile(r"\[(?P<link>[^\[\]]{8,300})\]\(|“(?P<quoted>[^“”]{8,300})”")
_MAX_CHARS = 600


def cited_texts(answer: str) -> dict[int, str]:
    """Marker -> what the answer says of that paper, in the order of the markers.

    A title in a list of sources says it best; else it is the sentences before the marker. An
    answer without markers that links a title, as a refusal does, gives it the marker 1.
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
    if not texts and (title := _LINKED.search(answer)):
        texts = {1: title["link"] or title["quoted"]}
    return {marker: texts[marker][:_MAX_CHARS] for marker in sorted(texts) if texts[marker]}
