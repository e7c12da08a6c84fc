"""Whether a question leans on what was said before, judged from its words alone.

Three things give a follow-up away: a pronoun for which the question itself has no noun ("Does it
scale?"), a part of a paper without the paper ("What are the results?"), and a form that is no
whole question ("And on graphs?").
"""

from __future__ import annotations

import re

from rag.answering.content import WORD, count_beyond_parts, count_words, plain_words
from rag.answering.languages import read_other_language
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
    r"|evaluation|data structures?|procedure|estimator|pipeline|scheme|mechanism|improvements?|gains?|speed-?up|speed|accuracy|baselines?|metrics?|tasks?|loss"
    r"|run ?time|running time|complexity|training|architecture|attacks?|defen[cs]es?|users?)"
)
_POINTER = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|themselves|he|she|him|his|her)\b"
    rf"|\b(?:this|these|those)\b(?! (?:who|that|which|with|of|in|{_HERE}|{_PUBLICATION}|{_PART})\b)"
    rf"|(?:^|\b{_PREPOSITION} |\b{_AUXILIARY} )that\b(?! of\b)"
    r"|\bthat(?= (?:with|to|from|against)\b)"
    r"|\b(?:do|are|were|did|can|could|will|would|should) both\b(?!(?: \S+){1,2} and\b| (?:the|an?)\b)"
    r"|\beach(?=[ ?.!]*$| in one\b)"
    r"|\bthe (?:two|three)(?=[ ?.!]*$)|^(?:and |so )?(?:n?either|which) of the (?:two|three|four)\b"
    r"(?= (?:are|has|have|do|can|is|was|does|\w+s)\b|[ ?]*$)(?! \w+ of\b|.*\bor\b)"
    r"|^neither\b(?!.*\bnor\b)"
    r"|\bwhich ones?\b|\b(?:the|that|this) (?:first|second|third|last|other|latter|former|same|one)"
    r"(?: ones?)?(?![ -]\w)"
    r"|\b(?:the )?(?:above|aforementioned|preceding|said (?:paper|method|model|work))\b"
    r"|\b(?:(?:differences?|similarity|similarities|parallels?) (?:to|from|with)|comparison (?:to|with))\b(?!.*\b(?:between|of)\b)"
    r"|\b(?:in the same way|mean here|in (?:this|that) (?:case|context|setting))(?=[ ?.!]*$)"
)
_DETERMINER = r"\b(?:the|this|these|those)(?: (?:main|key|final|new|proposed|other|same|source))*"
_SAYS_WHICH = r"of|that|which|who|whose|for|about|by|behind|in|from|called|named|based|using|here"
_ROLE = re.compile(
    rf"{_DETERMINER} (?P<noun>{_PUBLICATION}(?! (?:{_SAYS_WHICH}|on|with|at|to)\b)"
    rf"|{_PART}(?! (?:{_SAYS_WHICH})\b))\b(?!-| ?[\"(])(?: (?P<next>[\w-]+))?"
)
# In "is it true that", "how hard is it to" and "does it matter whether", "it" is nobody.
_JUDGED = (
    r"(?:true|false|possible|impossible|feasible|easy|hard|tough|difficult|necessary|important"
    r"|said|believed|claimed|argued|thought|known|decided|useful|harmful|better|best|optimal|safe"
    r"|enough|sufficient|worth|common|likely|cheaper|costly|reasonable|realistic|long|proved|proven"
    r"|shown|checked|found|demonstrated|reported|called|wise|wiser|smart|easier|harder|troublesome"
    r"|tricky|a pain|a problem)"
)
_EMPTY_IT = re.compile(
    rf"\b(?:it (?:\w+ ){{0,2}}?(?:{_JUDGED}|take|matter|help|pay|cost|make sense)"
    rf"|{_JUDGED} (?:is|was|does) it(?: take)?) (?:(?:for|in) .{{1,40}}? |\w+ )?"
    r"(?:to|that|if|whether|when|how|which|\w+ing) (?P<rest>.+)"
)
_CLAUSE_START = re.compile(
    r"[,;:.!?]|\b(?:and|or|but|if|when|that|which|who|whose|because|while|although|whether|how|why"
    r"|where|what|so|as|than|since|until|once|without|after|before|(?:by|for) \w+ing)\b"
    r"|(?<=s)(?<!is)(?<!was)(?<!has)(?<!does)(?= (?:he|she|they) \w)"
)
# What something is compared with is not the thing itself.
_COMPARED = re.compile(r"\b(?:than|versus|vs) (?:it|this|that|them|these|those|theirs)(?=[ ?.!]*$)")
_TWO_POINTERS = re.compile(
    r"\bit\b.*\b(?:than|versus|vs|from|to|with) (?:that|this|those)(?=[ ?.!]*$)"
)
_BESIDE = re.compile(
    r"^(?:(?:and|so|but),? )?(?:(?:as )?compared (?:to|with)|unlike|in contrast to|as opposed to|relative to)"
    r" [^,]+,"
)
_CHOICE = re.compile(r"which (?:is|are|was|were|has|have|does|uses?|needs?)\b(?!.*\bor\b)")
_INDEFINITE = re.compile(r"\b(?:an?|some|every|each) \w")
_OPENER = re.compile(
    r"(?:and|but|or|so|then|also|same|what about|how about|what else|how so|how come|why not|versus|vs)\b"
)
_FRAGMENT = re.compile(
    r"(?:on|in|for|with|at|by|under|without|from|to|of|against|than|only|even)\b"
)
_WH_AFTER = re.compile(r"\w+ (?:which|what|how|whom?)\b")
_ASKS = re.compile(
    rf"(?:what|which|how|why|when|where|who|any|got|{_AUXILIARY}|what's|how's|who's)\b"
)
_NOUN = re.compile(r"the (?:[\w-]+ ){0,4}[\w-]+[?.! ]*$")
_CLAUSE = re.compile(rf"\b{_AUXILIARY} \w")
_NEW_TOPIC = re.compile(
    r"\btell me (?:more )?(?:about|something)\b|\bwhich (?:\w+ )?papers?\b"
    r"|\b(?:papers?|works?) (?:here |are )?(?:on|about|that|which|where)\b"
    r"|\bwhat (?:is|are) (?!the\b|its\b|their\b|so\b)"
)
_CAPITALS = re.compile(
    r"\b\w*[A-Z]\w*[A-Z0-9]\w*(?<![A-Z]s)\b|\b[A-Za-z]+-?\d+\w*\b|(?<=[a-z,] )[A-Z][a-z]\w*"
)
_DEMONSTRATIVES = ("this", "these", "those")
_FEW_WORDS, _MANY_WORDS = 2, 6
_MANY_CHARS = 500


def leans_on_history(question: str) -> bool:
    """Whether a question cannot be understood without the turns before it."""
    if points_back(question):
        return True
    if (elsewhere := read_other_language(normalise(question))) is not None:
        return elsewhere != "stands alone"
    plain = plain_words(question)
    n_words, names = count_words(plain), _names(question)
    if _says_no_more_than_its_role(plain, names):
        return True
    if n_words and _NEW_TOPIC.search(plain):
        return False
    if _OPENER.match(plain) or (n_words <= _FEW_WORDS and _CHOICE.match(plain)):
        return True
    if _FRAGMENT.match(plain) and not (names and _CLAUSE.search(plain)):
        is_clause = _WH_AFTER.match(plain) and _CLAUSE.search(plain)
        return n_words < _FEW_WORDS + (not is_clause) and "," not in plain
    n_beyond = count_beyond_parts(plain)
    is_part = _ASKS.match(plain) and not n_beyond
    if not names and (is_part or (_NOUN.match(plain) and n_beyond < _FEW_WORDS)):
        return True
    is_bare = len(WORD.findall(plain)) <= _FEW_WORDS
    if plain.endswith("?") and not _ASKS.match(plain) and len(plain.split()) <= _FEW_WORDS:
        return True
    return n_words < _FEW_WORDS and (is_bare or not names)


def points_back(question: str) -> bool:
    """Whether a pronoun stands for something that the question itself has not named before."""
    if (elsewhere := read_other_language(normalise(question))) is not None:
        return elsewhere == "points back"
    plain, names = plain_words(question), _names(question)
    if _TWO_POINTERS.search(plain):
        return True
    plain = _EMPTY_IT.sub(_without_it, _BESIDE.sub("", plain).strip())
    pointers = [*_POINTER.finditer(plain), *_COMPARED.finditer(plain)]
    return any(not _is_named_before(plain, match, names) for match in pointers)


def _without_it(match: re.Match[str]) -> str:
    """``Is it hard to train?`` asks about something; ``Is it hard to train GANs?`` does not."""
    return match["rest"] if len(search_terms(match["rest"])) >= _FEW_WORDS else match[0]


def _is_named_before(plain: str, pointer: re.Match[str], names: frozenset[str]) -> bool:
    # A pronoun stands for nothing in its own clause, as in "How well does o1 do on it?".
    # "Too many units in these dictionaries ..." goes on to say which.
    if pointer[0] in _DEMONSTRATIVES and count_words(plain) >= _MANY_WORDS:
        return True
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
        or not names.isdisjoint(WORD.findall(before))
        or len(search_terms(before[:_MANY_CHARS])) >= n_terms
    )


def _says_no_more_than_its_role(plain: str, names: frozenset[str]) -> bool:
    """``Does the method need labels?``, but not with enough words to tell which method."""
    for match in _ROLE.finditer(plain):
        n_enough = _FEW_WORDS if match["noun"] in ("papers", "works", "studies") else 4
        if match["next"] in names:
            continue
        rest = plain[: match.start()] + plain[match.end("noun") :]
        if count_words(plain) < n_enough or count_beyond_parts(rest) < _FEW_WORDS:
            return True
    return False


def _names(question: str) -> frozenset[str]:
    if question.isupper() or question.istitle():
        return frozenset()
    return frozenset(normalise(match[0]) for match in _CAPITALS.finditer(question))


def opens_topic(question: str) -> bool:
    """Whether its form asks about something of its own: ``What is``, ``Which papers``."""
    return _NEW_TOPIC.search(plain_words(question)) is not None


def names_topic(question: str) -> bool:
    """``What about quantum learning?``, not ``And on quantum computers?``."""
    plain = plain_words(question)
    found = _OPENER.match(plain)
    if found is None:
        return False
    rest = plain[found.end() :].strip()
    return not _FRAGMENT.match(rest) and count_beyond_parts(rest) >= _FEW_WORDS


def is_search(question: str) -> bool:
    """Whether it is words typed into a search box: ``quantum learning``, not ``on images``."""
    plain = plain_words(question)
    is_asked = plain.endswith(("?", "!", ".")) or _ASKS.match(plain) or _OPENER.match(plain)
    return not is_asked and not _FRAGMENT.match(plain) and count_beyond_parts(plain) > 0


def is_english(question: str) -> bool:
    """Whether it is in none of the other languages that are known here."""
    return read_other_language(normalise(question)) is None
