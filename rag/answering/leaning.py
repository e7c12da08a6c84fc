"""Whether a question leans on what was said before, judged from its words alone.

Three things give a follow-up away: a pronoun for which the question itself has no noun ("Does it
scale?"), a part of a paper without the paper ("What are the results?"), and a form that is no
whole question ("And on graphs?").
"""

from __future__ import annotations

import functools
import re

from rag.answering.languages import read_other_language
from rag.answering.misspelling import mend
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
    r"|\b(?:do|are|were|did|can|could|will|would|should) both\b(?!(?: \S+){1,2} and\b| (?:the|an?)\b)"
    r"|\beach(?= ?$| in one\b)"
    r"|\bthe (?:two|three)(?= ?$)|^(?:and |so )?(?:n?either|which) of the (?:two|three|four)\b(?! \w+ of\b|.*\bor\b)"
    r"|^neither\b(?!.*\bnor\b)"
    r"|\bwhich ones?\b|\b(?:the|that|this) (?:first|second|third|last|other|latter|former|same|one)"
    r"(?: ones?)?(?![ -]\w)"
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
_BESIDE = re.compile(
    r"^(?:and )?(?:(?:as )?compared (?:to|with)|unlike|in contrast to|as opposed to|relative to)"
    r" [^,]+,"
)
_CHOICE = re.compile(r"which (?:is|are|was|were|has|have|does|uses?|needs?)\b(?!.*\bor\b)")
_DEFINITE = re.compile(r"\b(?:the|this|these|those) ((?:[\w-]+ )?[\w-]+)")
_INDEFINITE = re.compile(r"\b(?:an?|some|every|each) \w")
_FILLER = re.compile(
    r"(?:(?:ok(?:ay)?|thanks?|thank you|hm+|well|great|cool|yes|no|right|oh|sorry|now"
    r"|let me rephrase|one more(?: thing| question)?|quick question|another question|next"
    r"|(?:a )?different question)\b[,.!:]* ?)+"
)
_OPENER = re.compile(
    r"(?:and|but|or|so|then|also|same|what about|how about|what else|how so|how come|why not)\b"
)
_FRAGMENT = re.compile(
    r"(?:on|in|for|with|at|by|under|without|from|to|of|against|than|only|even)\b"
)
_WH_AFTER = re.compile(r"\w+ (?:which|what|how|whom?)\b")
_ASKS = re.compile(
    rf"(?:what|which|how|why|when|where|who|any|got|{_AUXILIARY}|what's|how's|who's)\b"
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
_DEMONSTRATIVES = ("this", "these", "those")
_FEW_WORDS, _MANY_WORDS = 2, 6
_MANY_CHARS = 500
# What every paper has or does: "Which loss is minimised?" does not say of which.
_PART_WORDS = """
    training loss layer encoder decoder network architecture parameter hyperparameter component
    sample size number metric measure accuracy score error rate speed memory cost gpu hour second
    time runtime theory theorem proof assumption guarantee bound complexity ablation test task input
    output label annotation image reward optimizer objective step stage phase
    abstract title name acronym term claim evidence reason role part version demo link repository
    use take need require last run reach get make improve drop gain beat outperform cost
    train evaluate define minimise optimise stand support matter report state say
    long short big large small high low fast slow good bad exactly
"""
# Words that say what one wants to know, but not about what.
_EMPTY_WORDS = """
    paper article work study author method approach framework system technique algorithm dataset
    data set benchmark result finding limitation conclusion contribution idea intuition motivation
    experiment evaluation baseline performance improvement detail main key first second third new
    another one use propose find found release available publish compare say well much many
    even else also too please tell explain elaborate describe summarise summarize summary give show
    example come like five stand simple simply sentence short briefly go thing way year read deal anyone thank ok
    por que pourquoi warum wieso und et como wie comment mehr plus dazu
"""


def leans_on_history(question: str) -> bool:
    """Whether a question cannot be understood without the turns before it."""
    if points_back(question):
        return True
    if (elsewhere := read_other_language(normalise(question))) is not None:
        return elsewhere != "stands alone"
    plain = _plain(question)
    n_words, names = _count_words(plain), _names(question)
    if _says_no_more_than_its_role(plain, names):
        return True
    if n_words and _NEW_TOPIC.search(plain):
        return False
    if _OPENER.match(plain) or (n_words <= _FEW_WORDS and _CHOICE.match(plain)):
        return True
    if _FRAGMENT.match(plain) and not (names and _CLAUSE.search(plain)):
        is_clause = _WH_AFTER.match(plain) and _CLAUSE.search(plain)
        return n_words < _FEW_WORDS + (not is_clause) and "," not in plain
    if _ASKS.match(plain) and not names and not _says_more_than_parts(plain):
        return True
    is_bare = len(_WORD.findall(plain)) <= _FEW_WORDS
    return n_words < _FEW_WORDS and (is_bare or not names)


def points_back(question: str) -> bool:
    """Whether a pronoun stands for something that the question itself has not named before."""
    if (elsewhere := read_other_language(normalise(question))) is not None:
        return elsewhere == "points back"
    plain, names = _plain(question), _names(question)
    plain = _EMPTY_IT.sub(_without_it, _BESIDE.sub("", plain).strip())
    pointers = [*_POINTER.finditer(plain), *_COMPARED.finditer(plain)]
    return any(not _is_named_before(plain, match, names) for match in pointers)


def _plain(question: str) -> str:
    plain = mend(normalise(question))
    filler = _FILLER.match(plain)
    return plain[filler.end() :] if filler else plain


def _without_it(match: re.Match[str]) -> str:
    """``Is it hard to train?`` asks about something; ``Is it hard to train GANs?`` does not."""
    return match["rest"] if len(search_terms(match["rest"])) >= _FEW_WORDS else match[0]


def _is_named_before(plain: str, pointer: re.Match[str], names: frozenset[str]) -> bool:
    # A pronoun stands for nothing in its own clause, as in "How well does o1 do on it?".
    # "Too many units in these dictionaries ..." goes on to say which.
    if pointer[0] in _DEMONSTRATIVES and _count_words(plain) >= _MANY_WORDS:
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


def opens_topic(question: str) -> bool:
    """Whether its form asks about something of its own: ``What is``, ``Which papers``."""
    return _NEW_TOPIC.search(_plain(question)) is not None


def definite_terms(question: str) -> tuple[frozenset[str], ...]:
    """The terms of each thing spoken of as known: ``bound`` of ``Is the bound tight?``."""
    terms = (content_terms(found[1]) for found in _DEFINITE.finditer(_plain(question)))
    return tuple(thing for thing in terms if thing)


def content_words(question: str) -> tuple[frozenset[str], ...]:
    """The terms of each word that says what a question is about."""
    terms = (content_terms(word) for word in _WORD.findall(_plain(question)))
    return tuple(word for word in terms if word)


def _says_more_than_parts(plain: str) -> bool:
    words = (content_terms(word) - _part_terms() for word in _WORD.findall(plain))
    return any(words)


def _count_words(plain: str) -> int:
    return sum(bool(content_terms(word)) for word in _WORD.findall(plain))


def content_terms(text: str) -> frozenset[str]:
    """The search terms of a text that say what it is about."""
    return frozenset(search_terms(text)) - _empty_terms()


@functools.cache
def _part_terms() -> frozenset[str]:
    return frozenset(search_terms(_PART_WORDS))


@functools.cache
def _empty_terms() -> frozenset[str]:
    return frozenset(search_terms(_EMPTY_WORDS))
