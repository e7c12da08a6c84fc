"""Words of a question that say where to look: ``oral papers by Ann Lee``, ``at ICML 2025``.

They become filters where the papers have such values; what is left of the question is its topic. A
word alone is never a cue: ``Adam``, ``oral`` or ``2024`` count only where the words around them
speak of papers.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from rag.records import Cue, Filters, Query
from rag.retrieval.filters import as_filters
from rag.retrieval.mentions import Mentions
from rag.retrieval.names import NameReader
from rag.retrieval.phrases import NounPhrase, Phrases
from rag.retrieval.suffixes import Found, Suffixes
from rag.retrieval.vocabulary import Vocabulary

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")
_TITLE_WORDS = 4
_MAX_NOUNS = 8
_ENDS = " \t\n?.!"
# After "papers", what the rest of the question is about.
_ON = re.compile(r"\s+(?:on|about|for|regarding|concerning|around|dealing with)\b", re.IGNORECASE)
# "Studies from 2019" may be what a paper deals with.
_STUDIED = re.compile(r"(?:stud|work)", re.IGNORECASE)
_LATER = re.compile(
    r"\s+(?=(?:by|at|in|from|since|after|before|between|with|written|authored|published|presented"
    r"|accepted|that|which|is|are|was|were)\b)",
    re.IGNORECASE,
)
# What is left out cannot be said by a filter.
_NEGATED = re.compile(
    r"\b(?:not|n['’]t|never|except(?:\s+for)?|excluding|besides|without|other\s+than|apart\s+from)\s+"
    r"(?:(?:a|an|the|those|any|all|presented|accepted|published|written|authored|as|by|at|in|from)\s+)*?"
    r"(?:(?=oral|spotlight|poster|position|papers?\b|icml)|(?:by|at|in|from)\s+(?=[A-Z]|(?:19|20)\d\d))"
)
_LEFT_OVER = (
    (re.compile(r"\s+(?=[,.;:?!])"), ""),
    (re.compile(r"\s{2,}"), " "),
    (re.compile(r"^[\s,;:]+|[\s,;:]+(?=[?.!]*$)"), ""),
    (re.compile(r"\ban(?= (?:paper|work|article))", re.IGNORECASE), "a"),
)


@dataclass(frozen=True, slots=True)
class CuedQuestion:
    """A question, parted in what it asks and where to look."""

    topic: str
    """The question without its cues; as it was where it has none."""
    cues: tuple[Cue, ...]


def read_cues(question: str, vocabulary: Vocabulary) -> CuedQuestion:
    """Find the cues of a question.

    Args:
        question: One that stands alone.
        vocabulary: Which values the papers have.
    """
    found = _Reader(question, vocabulary).found()
    if not found:
        return CuedQuestion(question, ())
    pieces, position = [], 0
    for each in found:
        pieces += [question[position : each.start], each.instead]
        position = each.end
    topic = "".join([*pieces, question[position:]])
    for pattern, instead in _LEFT_OVER:
        topic = pattern.sub(instead, topic)
    # "Which papers are orals? And spotlights?": what is asked last counts.
    latest = question.rstrip(_ENDS).rfind("? ")
    renewed = {cue.field for each in found if each.start > latest for cue in each.cues}
    cues = [
        cue
        for each in found
        for cue in each.cues
        if each.start > latest or cue.field not in renewed
    ]
    return CuedQuestion(topic, tuple(dict.fromkeys(cues)))


def with_cues(query: Query, vocabulary: Vocabulary) -> Query:
    """A query with the cues of its question as filters.

    A field that was given stays as it is; values of one field are alternatives.
    """
    cued = read_cues(query.standalone, vocabulary)
    if not cued.cues:
        return query
    values = {field.name: getattr(query.filters, field.name) for field in fields(Filters)}
    cues = tuple(cue for cue in cued.cues if not values[cue.field])
    for cue in cues:
        values[cue.field] = (*values[cue.field], cue.value)
    return replace(query, filters=as_filters(values), cues=cues, topic=cued.topic or "papers")


class _Reader:
    """Reads one question.

    Args:
        question: As it is; what it quotes is not read.
        vocabulary: Which values the papers have.
    """

    def __init__(self, question: str, vocabulary: Vocabulary) -> None:
        self._text = _QUOTED.sub(_masked, question)
        self._phrases = Phrases(vocabulary)
        names = NameReader(self._text, vocabulary)
        self._suffixes = Suffixes(self._text, vocabulary, self._phrases, names)
        self._mentions = Mentions(self._text, names, self._phrases, self._suffixes)

    def found(self) -> list[Found]:
        """All cues in the order of the text, none over another."""
        whole = self._mentions.whole()
        if whole is not None:
            return [whole]
        if _NEGATED.search(self._text):
            return []
        kept: list[Found] = []
        for each in [*self._around_nouns(), *self._mentions.found()]:
            if all(each.end <= other.start or other.end <= each.start for other in kept):
                kept.append(each)
        return sorted(kept, key=lambda each: each.start)

    def _around_nouns(self) -> Iterator[Found]:
        """What stands before and after "papers", and at the end of a question about papers."""
        end = len(self._text.rstrip(_ENDS))
        for noun in itertools.islice(self._phrases.nouns(self._text), _MAX_NOUNS):
            if noun.cues:
                yield Found(noun.start, noun.end, noun.word, noun.cues)
            position = noun.end
            for suffix in self._after(noun):
                yield suffix
                position = suffix.end
            is_topic = _ON.match(self._text, position) is not None
            for later in _LATER.finditer(self._text, position):
                if chain := self._reaching(later.start(), end, is_topic=is_topic):
                    yield from chain
                    break

    def _after(self, noun: NounPhrase) -> Iterator[Found]:
        """One cue after the other, from the noun on."""
        suffix = self._suffixes.at(noun.end, is_adjacent=True)
        while suffix and not (suffix.cues[0].field == "years" and _STUDIED.match(noun.word)):
            yield suffix
            suffix = self._suffixes.at(suffix.end, is_adjacent=True)

    def _reaching(self, position: int, end: int, *, is_topic: bool) -> list[Found]:
        """Cues one after the other up to the end of the question."""
        chain: list[Found] = []
        while position < end:
            suffix = self._suffixes.at(position, is_adjacent=False)
            if suffix is None or not (is_topic or suffix.is_sure):
                return []
            chain.append(suffix)
            position = suffix.end
        return chain


def _masked(quoted: re.Match[str]) -> str:
    """As long as what is quoted, without its words if they may be a title."""
    is_title = len(quoted[0].split()) >= _TITLE_WORDS
    return "\ue000" * len(quoted[0]) if is_title else quoted[0]
