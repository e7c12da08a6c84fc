"""Replies to an offer: ``yes, please`` after ``Would you like to know how it was trained?``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.records import Turn
from rag.text import normalise

_YES = (
    r"(?:yes|yeah|yep|yup|sure|okay|ok|k|please|of course|certainly|definitely|absolutely|gladly"
    r"|go (?:on|ahead)|(?:please )?do(?: (?:it|so|that))?|why not|i would|i(?: would|'?d) like (?:that|to)"
    r"|that would be (?:great|nice|good|helpful)|sounds (?:good|great)|both|thanks?|thank you)"
)
_AGREES = re.compile(rf"(?!thank){_YES}(?: {_YES})*")
_MAX_WORDS = 8
_OFFER = re.compile(
    r"(?:\A|[.!?:)\]\u201d]\s+|\n\s*)(?:would you like|do you want|want|shall i|should i|may i|can i"
    r"|could i|are you interested in|if you (?:like|want),? i can)(?: me)?(?: to)?"
    r"(?: (?:know|hear|see|learn|read|tell you|show you))?"
    r" (?P<what>(?!(?:help|assist|ask|anything|something|to)\b)[^.?!\n]{3,300})[?.]\s*\Z",
    re.IGNORECASE,
)


def accepted_offer(question: str, turns: Sequence[Turn]) -> str:
    """What was offered at the end of the last answer and is accepted; empty if neither is so.

    Args:
        question: What the user says now.
        turns: What was said before, oldest first.
    """
    words = re.findall(r"[\w']+", normalise(question))
    if len(words) > _MAX_WORDS or not _AGREES.fullmatch(" ".join(words)):
        return ""
    if not turns or turns[-1].role != "assistant":
        return ""
    offer = _OFFER.search(turns[-1].text[-500:])
    return f"{offer['what'].strip()}?" if offer else ""
