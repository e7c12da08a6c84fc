"""What a question says: its words without fillers, and those that tell what it is about."""

from __future__ import annotations

import functools
import re

from rag.answering.misspelling import mend
from rag.text import normalise, search_terms

_FILLER = re.compile(
    r"(?:(?:ok(?:ay)?|thanks?|thank you|hm+|well|great|cool|yes|no|right|oh|sorry|now"
    r"|let me rephrase|one more(?: thing| question)?|quick question|another question|next"
    r"|(?:a )?different question"
    r"|(?:please )?(?:(?:could|can|would|will|may|might) (?:you|i|we)(?: please)?(?: (?:briefly|also|maybe|"
    r"perhaps))?(?: (?:tell|show|give|explain to|remind)(?: (?:me|us))?(?: about)?| (?:say|know|ask|explain"
    r"|summari[sz]e|describe|clarify|elaborate))?|(?:tell|show|give|remind) me|let me know"
    r"|do you (?:\w+ )?know(?: about)?|i (?:\w+ )?(?:wonder|would like to know|want to know|need to know)"
    r"|i'?d (?:like|love) to (?:know|hear)|i'?m (?:curious|wondering)(?: about)?|any idea|please"
    r"|i (?:don'?t|do not) (?:\w+ )?(?:get|understand|see)"
    r"|from what i understand|if i understand(?: it)? correctly))\b[,.!:]* ?)+"
)
_DEFINITE = re.compile(r"\b(?:the|this|these|those) ((?:[\w-]+ )?[\w-]+)")
WORD = re.compile(r"[\u3040-\u9fff]{1,4}|[\w'-]+")
# What every paper has or does: "Which loss is minimised?" does not say of which.
_PART_WORDS = """
    training loss layer encoder decoder network architecture parameter hyperparameter component
    sample size number weight metric measure accuracy score error rate speed memory cost gpu hour second
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
    example come like five stand simple simply sentence short briefly go thing way year read deal anyone help thank ok
    por que pourquoi warum wieso und et como wie comment mehr plus dazu
"""


def plain_words(question: str) -> str:
    """The normalised question, common words mended, without what it begins with politely."""
    plain = mend(normalise(question))
    filler = _FILLER.match(plain)
    return plain[filler.end() :] if filler else plain


def definite_terms(question: str) -> tuple[frozenset[str], ...]:
    """The terms of each thing spoken of as known: ``bound`` of ``Is the bound tight?``."""
    terms = (content_terms(found[1]) for found in _DEFINITE.finditer(plain_words(question)))
    return tuple(thing for thing in terms if thing)


def content_words(question: str) -> dict[str, frozenset[str]]:
    """Each word that says what a question is about, and its search terms."""
    terms = {word: content_terms(word) for word in WORD.findall(plain_words(question))}
    return {word: of_word for word, of_word in terms.items() if of_word}


def count_beyond_parts(plain: str) -> int:
    """The same without the words for what every paper has."""
    words = (content_terms(word) - _part_terms() for word in WORD.findall(plain))
    return sum(bool(word) for word in words)


def count_words(plain: str) -> int:
    """How many plain words say what a question is about."""
    return sum(bool(content_terms(word)) for word in WORD.findall(plain))


def content_terms(text: str) -> frozenset[str]:
    """The search terms of a text that say what it is about."""
    return frozenset(search_terms(text)) - _empty_terms()


@functools.cache
def _part_terms() -> frozenset[str]:
    return frozenset(search_terms(_PART_WORDS))


@functools.cache
def _empty_terms() -> frozenset[str]:
    return frozenset(search_terms(_EMPTY_WORDS))
