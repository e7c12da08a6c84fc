"""Whether a question leans on what was said before, judged from its words alone.

Three things give a follow-up away: a pronoun for which the question itself has no noun ("Does it
scale?"), a part of a paper without the paper ("What are the results?"), and a form that is no
whole question ("And on graphs?").
"""

from __future__ import annotations

import functools
import re

from rag.text import normalise, search_terms

_POSSESSIVES = frozenset({"its", "their", "his", "her", "theirs", "itself", "themselves"})
_PREPOSITION = r"(?:about|of|for|with|from|to|in|on|than|like|by|at)"
_AUXILIARY = r"(?:is|are|was|were|does|do|did|can|could|will|would|has|have|should)"
_HERE = r"(?:list|collection|corpus|conference|venue|year|site|tool|app)"
_PUBLICATION = r"(?:papers?|articles?|authors?|works?|study|studies|position paper)"
_PART = (
    r"(?:methods?|models?|approach(?:es)?|frameworks?|data ?sets?|benchmarks?|algorithms?|systems?"
    r"|techniques?|code|weights|licen[cs]e|results?|findings?|limitations?|conclusions?|labels?"
    r"|contributions?|ideas?|intuition|motivation|theory|theorems?|proofs?|experiments?|images?"
    r"|evaluation|improvements?|gains?|speed-?up|speed|accuracy|baselines?|metrics?|tasks?|loss"
    r"|run ?time|running time|complexity|training|architecture|attacks?|defen[cs]es?|users?)"
)
_POINTER = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|themselves|he|she|him|his|her)\b"
    rf"|\b(?:this|these|those)\b(?! (?:who|that|which|with|of|in|{_HERE}|{_PUBLICATION}|{_PART})\b)"
    rf"|(?:^|\b{_PREPOSITION} |\b{_AUXILIARY} )that\b(?! of\b)"
    r"|\bwhich ones?\b|\b(?:the|that|this) (?:first|second|third|last|other|latter|former|same|one)"
    r"(?: ones?)?(?! \w)"
)
_DETERMINER = r"\b(?:the|this|these|those)(?: (?:main|key|final|new|proposed|other|same|source))*"
_SAYS_WHICH = r"of|that|which|who|whose|for|about|by|behind|in|from|called|named|based|using|here"
_ROLE = re.compile(
    rf"{_DETERMINER} (?P<noun>{_PUBLICATION}(?! (?:{_SAYS_WHICH}|on|with|at|to)\b)"
    rf"|{_PART}(?! (?:{_SAYS_WHICH})\b))\b(?! ?[\"(])(?: (?P<next>[\w-]+))?"
)
# In "is it true that", "how hard is it to" and "does it matter whether", "it" is nobody.
_JUDGED = (
    r"(?:true|false|possible|impossible|feasible|easy|hard|tough|difficult|necessary|important"
    r"|said|believed|claimed|argued|thought|known|decided|useful|harmful|better|best|optimal|safe"
    r"|enough|sufficient|worth|common|likely|cheaper|costly|reasonable|realistic|long)"
)
_EMPTY_IT = re.compile(
    rf"\b(?:it (?:\w+ ){{0,2}}?(?:{_JUDGED}|take|matter|help|pay|cost|make sense)"
    rf"|{_JUDGED} (?:is|was|does) it(?: take)?) (?:(?:for|in) .{{1,40}}? )?"
    r"(?:to|that|if|whether|when|how|which|\w+ing) (?P<rest>.+)"
)
_CLAUSE_START = re.compile(
    r"[,;:.!?]|\b(?:and|or|but|if|when|that|which|who|whose|because|while|although|whether|how|why"
    r"|where|what|so|as|than|since|without|after|before|(?:by|for) \w+ing)\b"
    r"|(?<=s)(?<!is)(?<!was)(?<!has)(?<!does)(?= (?:he|she|they) \w)"
)
_INDEFINITE = re.compile(r"\b(?:an?|some|every|each) \w")
_FILLER = re.compile(
    r"(?:(?:ok(?:ay)?|thanks?|thank you|hm+|well|great|cool|yes|no|right|oh|sorry|now)\b[,.!]* ?)+"
)
_OPENER = re.compile(
    r"(?:and|but|or|so|then|also|same|what about|how about|what else|how so|how come|why not)\b"
)
_FRAGMENT = re.compile(
    r"(?:on|in|for|with|at|by|under|without|from|to|of|against|than|only|even)\b"
)
_CLAUSE = re.compile(rf"\b{_AUXILIARY} \w")
_NEW_TOPIC = re.compile(
    r"\btell me (?:more )?(?:about|something)\b|\bwhich (?:\w+ )?papers?\b"
    r"|\b(?:papers?|works?) (?:here |are )?(?:on|about|that|which|where)\b"
    r"|\bwhat (?:is|are) (?!the\b|its\b|their\b|so\b)"
)
_CAPITALS = re.compile(
    r"\b\w*[A-Z]\w*[A-Z0-9]\w*(?<![A-Z]s)\b|\b[A-Za-z]+-?\d+\w*\b|(?<=[a-z,] )[A-Z][a-z]\w*"
)
_WORD = re.compile(r"[\u3040-\u9fff]{1,4}|[\w'-]+")
_FEW_WORDS = 2
_MANY_CHARS = 500
# Words that say what one wants to know, but not about what.
_EMPTY_WORDS = """
    paper article work study author method approach framework system technique algorithm dataset
    data set benchmark result finding limitation conclusion contribution idea intuition motivation
    experiment evaluation baseline performance improvement detail main key first second third new
    another one use propose find found release available publish compare say well much many
    even else also too please tell explain elaborate describe summarise summarize summary give show
    example simple simply sentence short briefly go thing way year read deal anyone thank ok
    por que pourquoi warum wieso und et como wie comment mehr plus dazu
"""


def leans_on_history(question: str) -> bool:
    """Whether a question cannot be understood without the turns before it."""
    if points_back(question):
        return True
    plain = _plain(question)
    n_words, names = _count_words(plain), _names(question)
    if _says_no_more_than_its_role(plain, names):
        return True
    if n_words and _NEW_TOPIC.search(plain):
        return False
    if _OPENER.match(plain):
        return True
    if _FRAGMENT.match(plain) and not (names and _CLAUSE.search(plain)):
        return n_words <= _FEW_WORDS and "," not in plain
    is_bare = len(_WORD.findall(plain)) <= _FEW_WORDS
    return n_words < _FEW_WORDS and (is_bare or not names)


def points_back(question: str) -> bool:
    """Whether a pronoun stands for something that the question itself has not named before."""
    plain, names = _plain(question), _names(question)
    plain = _EMPTY_IT.sub(_without_it, plain)
    return any(not _is_named_before(plain, match, names) for match in _POINTER.finditer(plain))


def _plain(question: str) -> str:
    plain = normalise(question)
    filler = _FILLER.match(plain)
    return plain[filler.end() :] if filler else plain


def _without_it(match: re.Match[str]) -> str:
    """``Is it hard to train?`` asks about something; ``Is it hard to train GANs?`` does not."""
    return match["rest"] if len(search_terms(match["rest"])) >= _FEW_WORDS else match[0]


def _is_named_before(plain: str, pointer: re.Match[str], names: frozenset[str]) -> bool:
    # A pronoun stands for nothing in its own clause, as in "How well does o1 do on it?".
    clause = max(
        (m.start() for m in _CLAUSE_START.finditer(plain) if m.start() < pointer.start()), default=0
    )
    if _names_something(plain[:clause], _FEW_WORDS, names):
        return True
    if pointer[0] not in _POSSESSIVES:
        return False
    is_own = pointer[0].endswith(("self", "selves")) or plain.startswith(" own", pointer.end())
    return _names_something(plain[: pointer.start()], _FEW_WORDS + (not is_own), names)


def _names_something(before: str, n_terms: int, names: frozenset[str]) -> bool:
    return (
        _INDEFINITE.search(before) is not None
        or not names.isdisjoint(_WORD.findall(before))
        or len(search_terms(before[:_MANY_CHARS])) >= n_terms
    )


def _says_no_more_than_its_role(plain: str, names: frozenset[str]) -> bool:
    """``Does the method need labels?``, but not with enough words to tell which method."""
    for match in _ROLE.finditer(plain):
        n_enough = _FEW_WORDS if match["noun"] in ("papers", "works", "studies") else 4
        if match["next"] not in names and _count_words(plain) < n_enough:
            return True
    return False


def _names(question: str) -> frozenset[str]:
    if question.isupper() or question.istitle():
        return frozenset()
    return frozenset(normalise(match[0]) for match in _CAPITALS.finditer(question))


def _count_words(plain: str) -> int:
    """How many words say what a question is about."""
    terms = (set(search_terms(word)) - _empty_terms() for word in _WORD.findall(plain))
    return sum(bool(left) for left in terms)


@functools.cache
def _empty_terms() -> frozenset[str]:
    return frozenset(search_terms(_EMPTY_WORDS))
