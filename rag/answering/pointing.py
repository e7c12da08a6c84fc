"""The words by which a question points at papers of the conversation.

Offsets are into the question as typed, so that the words can be replaced by a title.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_PLACES = {
    "first": 1, "1st": 1, "former": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4,
    "4th": 4, "fifth": 5, "5th": 5, "sixth": 6, "6th": 6, "last": -1, "latter": -1, "other": 0,
}  # fmt: skip
_PUBLICATION = r"(?:ones?|papers?|works?|study|article|source|reference|result|hit|publication)"
_WORK = (
    rf"(?:{_PUBLICATION}|methods?|approach|framework|model|benchmark|data ?set|algorithm|system)"
)
_SAYS_WHICH = r"(?:on|about|that|which|who|whose|of|for|with|to|by|from|in|at)"
_VERB = (
    r"(?:is|was|are|has|have|does|did|do|would|could|can|might|sounds?|looks?|seems?|says?|needs?"
    r"|uses?|contains?|claims?|reports?|proposes?|shows?|finds?|achieves?|works?|requires?|cites?"
    r"|releases?|tests?|covers?|makes?|takes?|gets?|reaches)"
)
_MARKER = re.compile(
    r"(?:\b(?:paper|source|number|no\.|reference|result) ?)?\[(?P<in_brackets>\d{1,6})\]"
    r"|(?:\b(?:paper|source|number|reference|result) #?|(?<!\S)#)(?P<bare>\d{1,3})\b(?!\s*%|[.,-]\d)",
    re.IGNORECASE,
)
_PLACE = re.compile(
    rf"(?<!not )\b(?:the|that|this|your) (?:(?P<place>{'|'.join(_PLACES)}) {_WORK}\b(?! {_SAYS_WHICH}\b)"
    r"|(?P<pair>latter|former)\b"
    rf"|(?P<bare>{'|'.join(_PLACES)})(?: of (?:these|those|them|the (?:two|three|four|list))\b"
    rf"|(?=\s*(?:[?.!,;:]|$)| {_VERB}\b)))",
    re.IGNORECASE,
)
_IN_ALL = re.compile(
    r"\b(?:we|you|i) (?:\w+ )?(?:talked|discussed|mentioned|asked|spoke|started|began|looked)\b"
    r"|\bof (?:this|our|the) (?:conversation|chat|discussion)\b",
    re.IGNORECASE,
)
_FEW = r"(?:two|three|four|five)"
_THESE = rf"(?:them|(?:these|those)(?: (?:{_FEW}|papers|ones))?|the (?:{_FEW}|papers|ones))"
_SEVERAL = re.compile(
    rf"\b(?P<which>which(?: ones?)?(?: of {_THESE}(?: papers)?| ones?)|(?<![^ ])which(?= (?:is|are|was|has|does)\b))"
    rf"|\b(?P<some>(?:any|all|some|either|neither|none|one|most) of {_THESE}(?: papers)?)\b"
    rf"|\b(?P<each>each(?: one| of {_THESE})?)\b"
    rf"|\b(?P<both>both of {_THESE}|(?:they|these|those) both|both(?! [\w-]+ and\b))\b"
    rf"|\b(?:these|those) {_FEW}(?: papers| works)?\b"
    rf"|\b(?:they|them|(?:these|those)(?: papers| works)?|the {_FEW}(?: papers| works)?)\b"
    r"(?! (?:of|on|about|who|that|which|papers|works)\b)",
    re.IGNORECASE,
)
_Form = Literal["", "which", "some", "both", "each", "all"]
_FORMS: tuple[_Form, ...] = ("which", "some", "both", "each")
_BACK = r"(?:back|return(?:ing)?|(?:go|going|come|coming|get|getting|turn|turning) back)"
_RETURN = re.compile(
    r"^(?:(?:ok(?:ay)?|so|now|and|well|but),? )?"
    r"(?:(?:let'?s|let us|(?:can|may|could) (?:i|we)|to|i(?:'d| would) like to|i want to) )?"
    rf"(?:{_BACK}(?: again)? to|as for|about|regarding|concerning|now (?:again )?(?:about|on)"
    r"|again(?: about| on|,)|(?:earlier|before),? (?:i asked|we (?:spoke|talked)|you (?:spoke|talked)"
    r"|you mentioned)(?: about)?|(?:one|1) (?:more|last) (?:thing|question) (?:on|about)"
    r"|(?:another|a) question (?:on|about)|(?P<weak>and|for|in))"
    r" (?P<what>[^:;,.?!]+)[:;,.?!]+\s+(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_WHO_SPOKE = re.compile(r" (?:that |which )?(?:you|we|i) |\s+(?:again|once more)$", re.IGNORECASE)
_DESCRIBED = re.compile(
    rf"\b(?:the|that|this|your) (?!(?:two|three|four|same|other|whole|full)\b)(?P<what>(?:[\w*-]+ ){{1,4}}?)(?:(?P<publication>{_PUBLICATION})|{_WORK})\b(?! {_SAYS_WHICH}\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """Words that point at one or several papers of the conversation."""

    kind: Literal["marker", "place", "several", "described"]
    start: int
    end: int
    number: int = 0
    """A marker; or a place from 1, -1 for the last, 0 for the other."""
    in_all: bool = False
    """For a place: whether it counts through the whole conversation."""
    what: str = ""
    """For ``described``: by which words; for ``several``: the words themselves."""
    is_sure: bool = True
    """False for ``the music model``, which need not be a paper of the conversation."""
    form: _Form = ""
    """For ``several``: how the words choose among them."""


def read_number(question: str) -> Pointer | None:
    """``[2]``, ``the second one``, ``the latter``: a pointer by number or place."""
    if found := _MARKER.search(question):
        number = int(found["in_brackets"] or found["bare"])
        return Pointer("marker", found.start(), found.end(), number)
    if found := _PLACE.search(question):
        word = (found["place"] or found["pair"] or found["bare"]).lower()
        in_all = _IN_ALL.search(question) is not None
        return Pointer("place", found.start(), found.end(), _PLACES[word], in_all)
    return None


def read_several(question: str) -> Pointer | None:
    """``which of them``, ``both``, ``these two``: a pointer at all papers of an answer."""
    found = _SEVERAL.search(question)
    if found is None:
        return None
    forms: list[_Form] = [name for name in _FORMS if found[name]]
    form = forms[0] if forms else "all"
    return Pointer("several", found.start(), found.end(), form=form, what=found[0])


def read_description(question: str) -> Pointer | None:
    """``the music paper``: a pointer by what the paper is about."""
    found = _DESCRIBED.search(question)
    if found is None:
        return None
    return Pointer(
        "described",
        found.start(),
        found.end(),
        what=found["what"].strip(),
        is_sure=found["publication"] is not None,
    )


@dataclass(frozen=True, slots=True)
class Return:
    """A turn back: ``Back to the music paper: how large is it?``."""

    what: str
    question: str
    """Without the words that turn back, unless they are part of the question."""
    is_sure: bool
    """False for ``In the music paper, how large is it?``, which need not turn back."""


def read_return(question: str) -> Return | None:
    """A turn back to something, said first."""
    found = _RETURN.match(question)
    if found is None:
        return None
    what = _WHO_SPOKE.split(found["what"])[0]
    return Return(what, question if found["weak"] else found["rest"], not found["weak"])


_DENIES = (
    r"(?:no|nope|nah|oh|not|wrong|sorry|actually|oops|wait|hm+|rather|that'?s (?:not|wrong)|that is not"
    r"|i (?:didn'?t|did not) mean)"
)
_NO_QUESTION = (
    r"(?!(?:is|are|was|were|do|does|did|can|could|how|what|why|when|who|which|where|if|whether)\b)"
)
_MEANT = re.compile(
    rf"^(?:{_DENIES}\b[^?]{{0,80}}?[,.:;! ]+)?(?:but )?i (?:really |actually )?"
    r"(?:meant|mean|was (?:asking|talking|thinking) (?:about|of)|was looking for|wanted)\b:?,? "
    rf"(?:to (?:say|ask about) )?(?P<meant>{_NO_QUESTION}[^?]+)\??$",
    re.IGNORECASE,
)
_PLEASE = re.compile(r",? please\b[ .!]*$", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|mean) (?!(?:that|this|it)\b)(?P<denied>[^,.;!]+)[,.;!]", re.IGNORECASE
)
_INSTEAD = re.compile(
    r"^(?:no|nope|nah|wrong(?: one| paper)?|not (?:that|this)(?: one| paper)?|sorry|oops|wait)"
    r"(?:,? no)?[,.:;!]? (?:but |rather )?(?P<meant>(?:the|that) [^?]+?)\.?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Correction:
    """What was meant, and where it was said, what was not: ``not audio, I meant music``."""

    meant: str
    denied: str = ""


def read_correction(question: str) -> Correction | None:
    """``No, I meant the diffusion one``."""
    found = _MEANT.match(question.strip()) or _INSTEAD.match(question.strip())
    if found is None:
        return None
    meant, _, denied = _PLEASE.sub("", found["meant"]).rstrip(" .!").partition(", not ")
    before = _DENIED.search(question[: question.lower().rfind(meant.lower())])
    return Correction(meant, denied or (before["denied"] if before else ""))
