"""Which records are no papers of the conference: withdrawn, rejected and retracted ones."""

from __future__ import annotations

import re

from rag.records import Paper

_GONE = re.compile(
    r"\b(?:withdrawn?|withdrawal|desk reject(?:ed|ion)?|reject(?:ed|ion)?|retract(?:ed|ion)?)\b",
    re.IGNORECASE,
)
_GONE_IN_VENUE = re.compile(
    r"\b(?:withdrawn|(?:desk )?rejected)\s(?:submission|by)\b", re.IGNORECASE
)
_GONE_IN_TITLE = re.compile(r"\W*(?:withdrawn|retracted)\s*[:\]]", re.IGNORECASE)


def says_gone(status: str) -> bool:
    """Whether a status, a decision or the id of a group says that a paper was turned down."""
    return bool(_GONE.search(status.replace("_", " "))) and "accept" not in status.lower()


def why_left_out(paper: Paper) -> str:
    """Why a record is no paper of the conference; empty if it is one."""
    if paper.presentation and says_gone(paper.presentation):
        return f"its status is {paper.presentation!r}: no paper of the conference"
    if paper.venue and _GONE_IN_VENUE.search(paper.venue):
        return f"its venue is {paper.venue!r}: no paper of the conference"
    if _GONE_IN_TITLE.match(paper.title):
        return "its title says that it was withdrawn"
    return ""
