"""Questions that the records of papers answer: who wrote it, how many are there, where is its PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rag.text import normalise

Kind = Literal[
    "authors",
    "author_at",
    "n_authors",
    "is_author",
    "presentation",
    "venue",
    "track",
    "pages",
    "link",
    "bibtex",
]


@dataclass(frozen=True, slots=True)
class PaperQuestion:
    """Asks one field of a paper's record."""

    kind: Kind
    about: str
    """What the question calls the paper."""
    detail: str = ""
    """``first`` or ``last`` author, the name of one, ``oral``, ``pdf``; in lower case."""
    is_strict: bool = False
    """Whether the paper must be named whole, as the question may also mean something else."""


_LEAD = re.compile(
    r"^(?:(?:please|hey|hi|so|and|also|ok(?:ay)?|but|then|now|(?:can|could|would) you(?: please)?|do you know"
    r"|tell me(?=\s+(?:who|what|when|where|which|how|whether)\b)|i (?:want|need) to know|i(?:'d| would) like to know|let me know)\b[\s,:]*)+",
    re.IGNORECASE,
)
_THANKS = re.compile(r"[\s,]+(?:please|thanks|thank you|thx)$", re.IGNORECASE)
_CONTRACTED = re.compile(r"^(who|what|where|when)['’]s\b", re.IGNORECASE)
_ENDS = " \t\n?.!"
# As a follow-up is written when its paper is known: "Who wrote it, in “A Title”?".
_IN_PAPER = re.compile(r"^(?P<question>.*?)[\s?.!,]*,\s+in\s+(?P<paper>“[^”]+”)$", re.DOTALL)
_PRONOUN = re.compile(
    r"\b(?:it|this|that|this one|that one|(?:this|that|the) (?:paper|work|article|one))(?!\w)",
    re.IGNORECASE,
)
_X = r"(?P<x>.+?)"
_NAME = r"[\w.'’ -]+?"
_AUTHORS = r"(?:co-?)?(?:authors?|writers?)"
_OF = r"(?:of|on|for|behind|to)"
_WHERE = r"(?:\s+(?:at|in)\s+(?:the\s+)?[\w -]+)?"
_ORAL = r"(?:oral|spotlight|poster|position)"
_ORALS = rf"{_ORAL}(?:\s+(?:presentation|paper|talk))?"
_FORMS: tuple[tuple[Kind, str], ...] = (
    ("authors", rf"who\s+(?:all\s+)?(?:has\s+|have\s+)?(?:wrote|written|(?:co-?)?authored|penned|published)\s+{_X}"),
    ("authors", rf"who\s+(?:is|are|was|were|stands?)\s+(?:the\s+(?:people|researchers|team)\s+)?behind\s+{_X}"),
    ("authors", rf"(?:which|what)\s+(?:people|researchers|authors|scientists)\s+(?:wrote|(?:co-?)?authored|published|are\s+behind)\s+{_X}"),
    ("authors", rf"who\s+(?:is|are|was|were)\s+(?:all\s+)?(?:the\s+)?{_AUTHORS}\s+{_OF}\s+{_X}"),
    ("authors", rf"who\s+(?:is|are|was|were)\s+{_X}['’]s?\s+{_AUTHORS}"),
    ("authors", rf"(?:(?:what|which)\s+(?:is|are|were)\s+|list\s+|name\s+|give(?:\s+me)?\s+|show(?:\s+me)?\s+|tell\s+me\s+)?(?:all\s+)?(?:the\s+)?(?:names?\s+of\s+)?(?:all\s+)?(?:the\s+)?{_AUTHORS}(?:\s+(?:list|names))?\s+(?:of|for)\s+{_X}"),
    ("authors", rf"by\s+whom\s+(?:is|was|were|are)\s+{_X}(?:\s+(?:written|authored|published))?"),
    ("authors", rf"who\s+(?:is|are|was)\s+{_X}\s+(?:(?:written|authored)\s+)?by"),
    ("authors", rf"{_X}\s+(?:is\s+|was\s+)?(?:(?:written|authored)\s+)?by\s+whom"),
    ("authors", rf"whose\s+(?:paper|work|article|study)\s+(?:is|was)\s+{_X}"),
    ("author_at", rf"(?:(?:who|which\s+author|what)\s+(?:is|was)\s+)?(?:give\s+me\s+|tell\s+me\s+)?(?:the\s+)?(?:name\s+of\s+)?(?:the\s+)?(?P<detail>first|lead|main|second|third|last|senior|final)[\s-]+author(?:'s\s+name)?\s+(?:of|on|for)\s+{_X}"),
    ("author_at", rf"who\s+(?:is|was)\s+{_X}['’]s?\s+(?P<detail>first|lead|main|second|third|last|senior|final)[\s-]+author"),
    ("n_authors", rf"how\s+many\s+(?:co-?)?(?:authors|people|researchers|writers)\s+(?:does|do|did|has|have)\s+{_X}(?:\s+(?:have|got|list))?"),
    ("n_authors", rf"how\s+many\s+(?:co-?)?(?:authors|people|researchers|writers)\s+(?:wrote|(?:co-?)?authored|are\s+behind)\s+{_X}"),
    ("n_authors", rf"how\s+many\s+(?:co-?)?(?:authors|writers)\s+(?:(?:are|were)\s+(?:there\s+|listed\s+)?)?(?:on|of|for|behind)\s+{_X}"),
    ("n_authors", rf"(?:what\s+is\s+)?(?:the\s+)?number\s+of\s+(?:co-?)?authors\s+(?:of|on)\s+{_X}"),
    ("is_author", rf"(?:did|has|have)\s+(?P<detail>{_NAME})\s+(?:(?:co-?)?(?:write|author|written|authored)|publish(?:ed)?)\s+{_X}"),
    ("is_author", rf"(?:is|was|were)\s+{_X}\s+(?:(?:written|authored|published)\s+)?by\s+(?P<detail>{_NAME})"),
    ("is_author", rf"(?:is|was)\s+(?P<detail>{_NAME})\s+(?:an?|the|one\s+of\s+the|among\s+the)\s+(?:co-?)?authors?\s+(?:of|on)\s+{_X}"),
    ("presentation", rf"(?:is|was|did|has)\s+{_X}\s+(?:(?:been|become|get|an?|the|accepted|presented|selected|chosen|given|as|for)\s+)+(?:(?:icml|neurips|iclr)\s+(?:20\d\d\s+)?)?(?P<detail>{_ORALS}(?:\s*,?\s+or\s+(?:an?\s+)?{_ORALS})*){_WHERE}"),
    ("presentation", rf"how\s+(?:is|was|were)\s+{_X}\s+(?:presented|accepted){_WHERE}"),
    ("presentation", rf"(?:as\s+)?(?:what|which)\s+(?:kind|type|sort|form)\s+of\s+(?:presentation|acceptance|talk|paper)\s+(?:is|was|did|does|has|had)\s+{_X}(?:\s+(?:have|get|got|given|receive))?{_WHERE}"),
    ("presentation", rf"(?:what\s+is\s+)?(?:the\s+)?presentation(?:\s+(?:type|format|form))?\s+of\s+{_X}"),
    ("venue", rf"(?:when\s+and\s+where|where\s+and\s+when|when|where|(?:in|at|to)\s+(?:what|which)\s+(?:year|venue|conference|journal)|(?:what|which)\s+(?:year|venue|conference|journal))\s+(?:is|was|were|has|did|does)\s+{_X}\s+(?:been\s+)?(?:first\s+)?(?:published|presented|accepted|appear|appeared|come\s+out|from)(?:\s+(?:in|at|to|by))?"),
    ("venue", rf"(?:(?:at|in)\s+)?(?:what|which)\s+(?:year|venue|conference|journal|proceedings)\s+(?:is|was|did)\s+{_X}\s+(?:at|in|appear)(?:\s+in)?"),
    ("venue", rf"(?:what|which)\s+(?:venue|conference|journal)\s+(?:published|accepted|has)\s+{_X}"),
    ("venue", rf"(?:what\s+is\s+)?(?:the\s+)?(?:venue|conference|year\s+of\s+publication|publication\s+(?:year|date|venue))\s+of\s+{_X}"),
    ("track", rf"(?:in\s+)?(?:what|which)\s+track\s+(?:is|was)\s+{_X}(?:\s+(?:in|from|part\s+of|published\s+in|presented\s+in|accepted\s+to))?"),
    ("pages", rf"(?:what|which)\s+(?:are\s+)?(?:the\s+)?page(?:s|\s+numbers)\s+of\s+{_X}"),
    ("pages", rf"on\s+(?:what|which)\s+pages\s+(?:is|does)\s+{_X}(?:\s+appear)?"),
    ("bibtex", rf"(?:(?:give|send|show|get|share|write)(?:\s+me)?\s+|what\s+is\s+|i\s+(?:need|want)\s+)?(?:the\s+|a\s+)?bib\s?(?:tex|entry|liographic\s+entry)(?:\s+(?:entry|citation|record|code))?\s+(?:of|for|to)\s+{_X}"),
    ("bibtex", rf"(?:how\s+(?:do|can|should|would|could)\s+(?:i|we|one)\s+|how\s+to\s+)?cite\s+{_X}"),
    ("bibtex", rf"{_X}\s+bibtex"),
    ("link", rf"(?:(?:give|send|show|get|share|find)(?:\s+me)?\s+|what(?:\s+is|['’]s)\s+|where\s+is\s+|i\s+(?:need|want)\s+|(?:do\s+you\s+have|is\s+there)\s+)?(?:the\s+|an?\s+)?(?:full\s+)?(?P<detail>(?:pdf|paper)?\s?(?:link|url|pdf)|web\s?page|openreview(?:\s+(?:page|link))?)(?:\s+(?:file|url|address|link))?\s+(?:to|of|for)\s+{_X}"),
    ("link", rf"(?:does|do)\s+{_X}\s+have\s+(?:an?\s+)?(?P<detail>pdf|link|url|web\s?page)"),
    ("link", rf"where\s+can\s+(?:i|we|one)\s+(?P<detail>read|find|get|download|access)\s+{_X}"),
    ("link", rf"{_X}\s+(?P<detail>pdf|url|link)"),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile(form, re.IGNORECASE | re.DOTALL)) for kind, form in _FORMS)
# Methods and data sets are proposed and found, too: then the paper must be named whole.
_MADE_BY = re.compile(
    rf"who\s+(?:proposed|introduced|developed|created|invented|designed|built|made|released|came\s+up\s+with)\s+{_X}",
    re.IGNORECASE | re.DOTALL,
)
_AUTHORS_LAST = re.compile(rf"{_X}(?:['’]s?)?\s+authors?", re.IGNORECASE | re.DOTALL)
# Not "written by hand" or "by GPT-4".
_PERSON = re.compile(r"[A-Z][^\W\d]*\.?(?: [^\W\d]+\.?)* [^\W\d_a-z][^\W\d]*(?:[-'’][^\W\d]+)?")
_FIND = re.compile(r"where\s+can\b", re.IGNORECASE)
_SAYS_PAPER = re.compile(r"\b(?:paper|article|full text|pdf|work|study)\b|“", re.IGNORECASE)


def paper_questions(question: str) -> Iterator[PaperQuestion]:
    """What a question may ask of one paper's record; the reading that fits best comes first.

    Args:
        question: One that stands alone.
    """
    text = _plain_question(question)
    for kind, form in _COMPILED:
        if match := form.fullmatch(text):
            found = match.groupdict()
            if _FIND.match(text) and not _SAYS_PAPER.search(found["x"]):
                continue
            if kind == "is_author" and not _PERSON.fullmatch(found["detail"]):
                continue
            yield PaperQuestion(kind, found["x"], (found.get("detail") or "").lower())
    if match := _MADE_BY.fullmatch(text) or _AUTHORS_LAST.fullmatch(text):
        yield PaperQuestion("authors", match["x"], is_strict=True)


def _plain_question(question: str) -> str:
    text = _CONTRACTED.sub(r"\1 is", _LEAD.sub("", _THANKS.sub("", question.strip().rstrip(_ENDS))))
    inside = _IN_PAPER.match(text)
    if inside is None:
        return text
    # An earlier question may stand before it.
    asked = _LEAD.sub("", re.split(r"[?.!]\s+", inside["question"])[-1])
    asked, paper = re.sub(r"\b(?:its|their)\b", "the", asked, flags=re.IGNORECASE), inside["paper"]
    pronoun = _PRONOUN.search(asked)
    if pronoun is None:
        return f"{asked} of {paper}"
    return asked[: pronoun.start()] + paper + asked[pronoun.end() :]


_ASK = (
    r"(?:(?:please )?(?:list|show|give|name|find|enumerate|display|tell)(?: me| us)?(?: (?:a|the) (?:full |complete )?list of"
    r"| the titles of| titles of)?|which|what(?: are| were)?|which are|are there|is there|do (?:you|we) have"
    r"|have you(?: got)?|i (?:want|need|d like|would like)(?: to see)?|what is the (?:title|name) of|what about|how about)"
)
_DETERMINERS = r"(?: ?\b(?:this corpus|\d+|one|two|three|four|five|ten|all|the|any|every|some|other|of|these|those|a|an|your)\b)*"
_NOUN = (
    r"(?: ?\b(?:papers?|works?|articles?|publications?|studies|study|preprints?|submissions?|anything|something"
    r"|everything)\b)"
)
_TAIL = (
    r"(?: ?\b(?:(?:are|is|were|was) (?:there|here|available|included|indexed|listed)|are|is|there are|there is|here"
    r"|there|in total|altogether|overall|about|do (?:you|we) have|does it have|exist|(?:that )?you have"
    r"|are (?:in|part of)|in|of|does|have|contain|include|got"
    r"|(?:this|the|your) (?:collection|corpus|data ?set|list|index|library|conference|proceedings|database)))*"
)
_HOW_MANY = r"(?:(?:and )?how many|(?:what is |what s |give me |tell me )?(?:the )?(?:total )?(?:number|count) of|count)"
_LIST = re.compile(rf"{_ASK}?{_DETERMINERS}{_NOUN}?{_TAIL}")
_LIST_ALL = re.compile(
    rf"(?:please )?(?:list|show|give|name|enumerate)(?: me| us)?{_DETERMINERS}{_NOUN}{_TAIL}"
    rf"|(?:which|what) papers (?:are there|are here|do (?:you|we) have|are in .+|exist)"
)
_COUNT = re.compile(rf"{_HOW_MANY}{_DETERMINERS}{_NOUN}{_TAIL}")
_COUNT_CUED = re.compile(rf"{_HOW_MANY}{_DETERMINERS}{_NOUN}?{_TAIL}")


def asks_for_list(topic: str, *, is_cued: bool) -> bool:
    """Whether nothing is asked but which papers there are.

    Args:
        topic: The question without its cues.
        is_cued: Whether it had any: then few words are enough.
    """
    return (_LIST if is_cued else _LIST_ALL).fullmatch(_folded(topic)) is not None


def asks_how_many(topic: str, corpus: str, *, is_cued: bool) -> bool:
    """Whether nothing is asked but how many papers there are.

    Args:
        topic: The question without its cues.
        corpus: What the papers are called together; a question may say it.
        is_cued: Whether it had any cues: then few words are enough.
    """
    plain = f" {_folded(topic)} ".replace(f" {_folded(corpus)} ", " this corpus ").strip()
    return (_COUNT_CUED if is_cued else _COUNT).fullmatch(plain) is not None


def _folded(text: str) -> str:
    """The last question of a text, in plain words."""
    text = re.split(r"[?.!]\s+(?=\S)", _THANKS.sub("", text.strip().rstrip(_ENDS)))[-1]
    return " ".join(re.findall(r"\w+", normalise(_LEAD.sub("", text))))
