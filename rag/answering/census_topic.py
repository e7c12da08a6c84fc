"""Which questions ask for all papers of a kind, and what kind that is."""

from __future__ import annotations

import re

from rag.answering.question import is_comparison

_PAPERS = r"(?:papers|articles|publications)"
# Verbs as well, wherever a topic could stand before them.
_OR_VERBS = r"(?:works|studies)"
# What may stand before "papers" and says nothing of their topic.
_KIND = (
    r"(?:the|all|any|every|some|other|more|further|new|recent|relevant|related|different|existing"
    r"|accepted|published|research|conference|workshop|scientific|academic|position|main[- ]track"
    r"|oral|spotlight|poster|icml|neurips|iclr|colm|20\d\d|(?:icml|neurips|iclr)[- ]?20\d\d)"
)
# Words that cannot be a topic before "papers": the question is of another form.
_NO_TOPIC = (
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|of|in|on|for|with"
    r"|by|to|from|about|at|and|or|a|an|the|these|those|this|that|them|its|their|his|her|your|my"
    r"|our|each|one|two|three|four|five|six|seven|eight|nine|ten|both|several|many|much|most"
    r"|which|what|who|how|why|where|when|also|further|\d+)"
)
_WORD = rf"(?!{_NO_TOPIC}\b|{_PAPERS}\b|{_OR_VERBS}\b)[\w+./-]+"
_NAMED = rf"(?:{_KIND} )*(?:{_OR_VERBS}|(?P<field>(?:{_WORD} ){{0,3}}?)(?:{_KIND} )*{_PAPERS})"
_PLACE = (
    r"(?:(?:,? ?\b(?:here|there|so far)\b"
    r"|,? ?\b(?:in|from|on|of|at|among|within) (?:(?:this|the|your|our) (?:\w+ )?)?(?:collection|corpus"
    r"|list|library|set|dataset here|proceedings|conference|index|database|volume)\b"
    r"|,? ?\b(?:in|from|at|of) (?:icml|neurips|iclr|colm|this year)(?:[- ]?20\d\d)?\b))*"
)
_ASKED = (
    r"(?:which|what(?! works\b(?! (?:are|exist)))|how many)(?: of the| of all(?: the)?)?"
    r"|(?:are|were) there(?: any)?"
    r"|(?:do|can|could) (?:you|we|i) (?:have|know(?: of)?|find|see|show(?: me)?|list)"
    r"|(?:list|show|give|find|name|get|enumerate|count|collect|search for|looking for"
    r"|i(?: am|'m)? (?:need|want|looking for))(?: me)?"
    r"|(?:all|any)(?: of)?"
)
_FRAME = re.compile(
    rf"^(?:(?:please|hi|hey|hello|and|so|tell me|can you|could you),? )*"
    rf"(?:(?:in|of|from|among) (?:this|the|your|our) (?:\w+ )?(?:collection|corpus|list|conference"
    rf"|proceedings|papers|index|database|volume)(?: here)?[,:]? )?"
    rf"(?:(?:{_ASKED}) {_NAMED}"
    rf"|(?:{_KIND} )*papers(?= (?:on|about|that|which|regarding|concerning|dealing)\b))"
    rf"\b{_PLACE}(?P<rest>.*)$",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"^(?:,|:| |\b(?:that|which|are there|there are|exist|are here|do (?:you|we) have)\b(?! (?:not|no)\b))+",
    re.IGNORECASE,
)
# "... were used to train it", "... does it cite", "... are by X": of a paper's content or record.
_OTHER_PREDICATE = re.compile(
    r"^(?:(?:do|does|did|has|have|had|was|were|would|could|should|will|can|is|cannot|don't|lack)\b"
    r"|are (?:not|in|by|from|oral|orals|spotlights?|posters?|the|most|best|similar|like|as|more|cited"
    r"|accepted|written|published|presented|authored|new|newer|worth|longer|shorter|relevant)\b"
    r"|(?:by|from|at|after|before|since|than|per|like|similar|without|not|cited?|citing|written"
    r"|authored|published|presented|accepted|submitted|suggested|showed|found|inspired|motivated|referenced|reviewed|won|win|received|got)\b"
    r"|(?:in|of) (?:total|all|20\d\d|(?:the|its|their) (?:\w+ )?(?:dataset|data|sample|survey|study"
    r"|references|bibliography|experiments?|benchmark|evaluation))\b|with (?:the|more|most|fewer|at least|over) )",
    re.IGNORECASE,
)
_IS_ABOUT = re.compile(
    r"^(?:are|is) (?=(?:about|on|concerned|related|relevant to|devoted|dedicated|dealing|working"
    r"|focused|focusing|using|based|studying)\b)",
    re.IGNORECASE,
)
# Verbs that say no more than that the paper has the topic.
_VERB = (
    r"stud(?:y|ies|ying|ied)|deal(?:s|ing)? with|work(?:s|ing)? (?:on|with)|address(?:es|ing)?"
    r"|consider(?:s|ing)?|tackl(?:e|es|ing)|discuss(?:es|ing)?|investigat(?:e|es|ing)"
    r"|explor(?:e|es|ing)|look(?:s|ing)? (?:at|into)|examin(?:e|es|ing)|cover(?:s|ing)?"
    r"|treat(?:s|ing)?|concern(?:s|ing)?(?: with)?|concerned with|focus(?:es|ing|ed)? on"
    r"|talk(?:s|ing)? about|speak(?:s|ing)? (?:of|about)|mention(?:s|ing)?|touch(?:es|ing)? (?:on|upon)"
    r"|involv(?:e|es|ing)|contain(?:s|ing)?|us(?:e|es|ing)|apply|applies|applying|employ(?:s|ing)?"
    r"|leverag(?:e|es|ing)|propos(?:e|es|ing)|introduc(?:e|es|ing)|present(?:s|ing)?"
    r"|develop(?:s|ing)?|describ(?:e|es|ing)|offer(?:s|ing)?|provid(?:e|es|ing)|combin(?:e|es|ing)"
    r"|analy[sz](?:e|es|ing)|research(?:es|ing)?|report(?:s|ing)? on|related to|relat(?:e|es|ing) to"
    r"|relevant to|devoted to|dedicated to|based on|working|argue(?:s)?|say|show|claim|find"
)
_VERBS = re.compile(
    rf"^(?:(?:also|explicitly|specifically|mainly|primarily|directly|actually) )*"
    rf"(?:(?:{_VERB})\b(?: or | and |/|, )?)+(?: (?:that|the topic of|the problem of|about|on|how|whether))?",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"^(?:about|on|for|with|in|of|regarding|concerning|around|using|into|towards?)\b", re.IGNORECASE
)
_TAIL = re.compile(
    rf"(?:[\s,]+(?:are there|there are|exist|do (?:you|we) have|can you find|please|are here)"
    rf"|{_PLACE}|[\s?.!,;:]+)$",
    re.IGNORECASE,
)
_TWO_QUESTIONS = re.compile(
    r"\?.*\w|[,;] (?:and |but |so )?(?:\w+ )?(?:what|how|why|which|who|where)\b|\band (?:what|how|why|which)\b"
    r"|\b(?:these|those|them|this paper|that paper|the paper)\b",
    re.IGNORECASE,
)
_OF_SOME = re.compile(rf"(?:which|what) of (?:the|all) {_PAPERS} (?:on|about)\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"\bthe (?:best|highest|lowest|most|largest|smallest|fastest|strongest|least|first|same)\b"
    r"|\brespectively\b|\bon the other\b",
    re.IGNORECASE,
)
_MAX_TOPIC_WORDS = 30


def census_topic(question: str) -> str | None:
    """The topic, if the question asks which or how many papers have it; else None.

    It must be open how many there are ("which papers use X", "how many papers on X", "list all
    papers about X"), and about their topic, not their authors, awards or references.

    Args:
        question: A question that stands alone.
    """
    plain = " ".join(question.replace("’", "'").split())
    match = _FRAME.match(plain)
    if match is None or is_comparison(plain) or _SUPERLATIVE.search(plain):
        return None
    rest = match["rest"]
    if _TWO_QUESTIONS.search(rest) or _OF_SOME.match(plain):
        return None
    topic = _strip_frame(rest)
    field = (match["field"] or "").strip()
    topic = f"{field} {topic}".strip() if topic is not None else None
    if not topic or len(topic.split()) > _MAX_TOPIC_WORDS or not re.search(r"\w\w", topic):
        return None
    return topic


def _strip_frame(rest: str) -> str | None:
    """What is left of the question after its frame; None where it asks for something else."""
    rest = _LINK.sub("", rest).strip()
    rest = _IS_ABOUT.sub("", rest)
    if not rest or _OTHER_PREDICATE.match(rest):
        return None
    stripped = _VERBS.sub("", rest).strip()
    stripped = _PREPOSITION.sub("", stripped).strip()
    while (shorter := _TAIL.sub("", stripped)) != stripped:
        stripped = shorter
    return stripped
