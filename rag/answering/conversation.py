"""What a conversation is about: the papers of its exchanges, found only when they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag.answering.content import content_terms, content_words, definite_terms
from rag.answering.finding import Finder, Resolve
from rag.answering.history import Exchange
from rag.answering.leaning import (
    is_english,
    is_search,
    leans_on_history,
    names_topic,
    opens_topic,
    points_back,
)
from rag.answering.misspelling import is_slip
from rag.answering.naming import calls_by_name, names_in
from rag.answering.pointing import Pointer, read_number, read_several
from rag.answering.question import wants_several
from rag.answering.wording import Thing, compares, lacks_other_side
from rag.records import Paper

_MAX_SEVERAL = 4
_MANY_WORDS, _FEW_WORDS, _TWO_WORDS = 5, 4, 2
_IN_ABSTRACT = 0.6
MATCHES, MATCHES_WELL = 0.5, 0.75


@dataclass(frozen=True, slots=True)
class Subject:
    """What a follow-up is about."""

    things: tuple[Thing, ...] = ()
    topic: str = ""
    """Where nothing is clear: the earlier question that began the topic."""


class Conversation:
    """Earlier exchanges, and the papers that they deal with.

    Args:
        exchanges: Oldest first, without small talk.
        resolve: Asked at most once for each text.
        papers: All papers by id, for answers whose sources are known.
        numbered: Marker -> paper for all that were numbered, also before these exchanges.
    """

    def __init__(
        self,
        exchanges: Sequence[Exchange],
        resolve: Resolve,
        papers: Mapping[str, Paper] | None = None,
        numbered: Mapping[int, Paper] | None = None,
    ) -> None:
        self._exchanges = exchanges
        self._find = Finder(resolve, papers or {})
        self._numbered = numbered or {}
        self._of: dict[int, tuple[Thing, ...]] = {}

    def __len__(self) -> int:
        return len(self._exchanges)

    def subject(self, question: str) -> Subject:
        """What a follow-up to all exchanges is about: what it points at, else the latest papers."""
        return self._subject(question, len(self))

    def pointed(self, pointer: Pointer) -> Thing | None:
        """What a number or a place names."""
        return self._pointed(pointer, len(self))

    def described(
        self, what: str, *, but: Sequence[Thing] = (), at_least: float = MATCHES
    ) -> Subject | None:
        """The exchange, or the paper of one, that some words describe; None if none fits.

        Args:
            what: The words.
            but: Papers that are not meant.
            at_least: The share of the words that must fit.
        """
        terms = content_terms(what)
        best, subject = 0.0, None
        for n in reversed(range(len(self) if terms else 0)):
            for found, score in self._matches(terms, n):
                if score > best and not set(found.things) & set(but):
                    best, subject = score, found
        return subject if best >= at_least else None

    def stands_alone(self, question: str) -> bool:
        """Whether a question can be understood without these exchanges."""
        return self._stands_alone(question, len(self))

    def lead(self) -> str:
        """The latest question that says what it wants to know."""
        questions = [exchange.question for exchange in reversed(self._exchanges)]
        return next((q for q in questions if len(content_terms(q)) >= _TWO_WORDS), "")

    def others(self, question: str) -> dict[str, Paper]:
        """Name -> paper, for each that a question names and the latest exchange is not about."""
        latest = self.latest_things
        return {
            name: paper for name, paper in self._find.named(question).items() if paper not in latest
        }

    @property
    def latest_question(self) -> str:
        """What was asked last."""
        return self._exchanges[-1].question

    @property
    def latest_things(self) -> tuple[Thing, ...]:
        """What that was about, in the order in which it was spoken of."""
        return self._things(len(self) - 1)

    def _subject(self, question: str, n: int) -> Subject:
        if (number := read_number(question)) and (paper := self._pointed(number, n)):
            return Subject((paper,))
        if (several := self._several(n)) and read_several(question):
            return Subject(several)
        latest = self._things(n - 1)
        if latest and len(latest) > 1 and not self._is_list(n - 1):
            latest = latest[:1]
        return Subject(latest[:_MAX_SEVERAL]) if latest else Subject(topic=self._topic(n))

    def _things(self, n: int) -> tuple[Thing, ...]:
        """The papers of one exchange, in the order in which they are spoken of."""
        if n not in self._of:
            self._of[n] = self._find_things(n)
        return self._of[n]

    def _find_things(self, n: int) -> tuple[Thing, ...]:
        exchange = self._exchanges[n]
        if cited := self._find.cited(exchange):
            return tuple(cited.values())
        question = exchange.question
        if not self._stands_alone(question, n):
            return self._subject(question, n).things
        found = self._find.asked(question)
        # "You rock" is not what a follow-up is about.
        return found or (self._things(n - 1) if n and is_search(question) else ())

    def name_of(self, thing: Thing) -> str:
        """How earlier questions called a paper, where it was the name of its own work."""
        if isinstance(thing, str):
            return thing
        questions = " ".join(exchange.question for exchange in self._exchanges)
        names = (name for name in names_in(questions) if calls_by_name(name, thing))
        return next(names, "")

    def _is_list(self, n: int) -> bool:
        question = self._exchanges[n].question
        return wants_several(question) or read_several(question) is not None

    def _several(self, n: int) -> tuple[Thing, ...]:
        """The papers of the latest exchange that has more than one, else the last two."""
        latest = self._things(n - 1)
        return latest[:_MAX_SEVERAL] if len(latest) > 1 else self._all(n)[-_TWO_WORDS:]

    def _all(self, n: int) -> tuple[Thing, ...]:
        """The papers of the first ``n`` exchanges in order of appearance."""
        return tuple(dict.fromkeys(paper for i in range(n) for paper in self._things(i)))

    def _pointed(self, pointer: Pointer, n: int) -> Thing | None:
        if pointer.kind == "marker":
            if known := self._numbered.get(pointer.number):
                return known
            answers = (self._find.cited(exchange) for exchange in self._exchanges[:n][::-1])
            cited = next((found for found in answers if found), {})
            return cited.get(pointer.number)
        papers = self._all(n) if pointer.in_all else self._listed(n)
        if pointer.number == 0:
            latest = self._things(n - 1)[:1]
            others = [paper for paper in papers if paper not in latest]
            return others[0] if len(others) == 1 else None
        place = pointer.number - 1 if pointer.number > 0 else pointer.number
        return papers[place] if len(papers) > place else None

    def _listed(self, n: int) -> tuple[Thing, ...]:
        """The papers of the latest exchange that has more than one, else of all."""
        lists = (self._things(i) for i in reversed(range(n)))
        return next((papers for papers in lists if len(papers) > 1), ()) or self._all(n)

    def _matches(self, terms: frozenset[str], n: int) -> Iterator[tuple[Subject, float]]:
        question, things = self._exchanges[n].question, self._things(n)
        asked = content_terms(question) if len(things) < _TWO_WORDS else frozenset[str]()
        if not things:
            yield Subject(topic=question), len(terms & asked) / len(terms)
        for thing in things:
            title, abstract = _texts(thing)
            named = asked | content_terms(title)
            n_said = len((terms - named) & content_terms(abstract))
            yield Subject((thing,)), (len(terms & named) + _IN_ABSTRACT * n_said) / len(terms)

    def _stands_alone(self, question: str, n: int) -> bool:
        if not n:
            return True
        if read_number(question):
            return False
        if lacks_other_side(question) and set(self._find.named(question).values()) - set(
            self._things(n - 1)
        ):
            return False
        if not leans_on_history(question):
            return not self._is_about_latest(question, n)
        if points_back(question) or read_several(question):
            return is_english(question) and not compares(question) and self._turns_away(question, n)
        if not content_words(question):
            return False
        if is_search(question) and not self._n_given(question, n):
            return True
        if compares(question):
            return False
        # "And BaxBench?" turns to another paper, "And ImageNet?" does not.
        paper = self._find.resolve(question)
        if paper is None or paper in self._things(n - 1):
            return False
        return calls_by_name(question, paper) or self._opens_anew(question, n)

    def _opens_anew(self, question: str, n: int) -> bool:
        """Whether ``What about quantum learning?`` has nothing of the exchange before."""
        return not self._n_given(question, n) and names_topic(question)

    def _turns_away(self, question: str, n: int) -> bool:
        """Whether its many words are clearly about another paper than the exchange before.

        Then what looks like a pronoun stands for something in the question itself.
        """
        n_words = len(content_words(question))
        if n_words < _MANY_WORDS or self._n_given(question, n) > n_words / 4:
            return False
        paper = self._find.resolve(question)
        return paper is not None and paper not in self._things(n - 1)

    def _is_about_latest(self, question: str, n: int) -> bool:
        """Whether it says too little of its own: ``Is the bound tight?`` after one on a bound.

        Where its words are not all those of the exchange before, it is not if the index clearly
        finds another paper for them. A title too much costs a search far less than a missing one.
        """
        n_words = len(content_words(question))
        if not 0 < n_words <= _MANY_WORDS or opens_topic(question) or wants_several(question):
            return False
        n_given, given = self._n_given(question, n), content_terms(self._said(n))
        if any(content_terms(name).isdisjoint(given) for name in names_in(question)):
            return False
        known = any(thing <= given for thing in definite_terms(question))
        is_hinted = n_given >= n_words / 3
        if not (known or n_given == n_words or is_hinted):
            return False
        if n_given == n_words <= (_FEW_WORDS if known else _TWO_WORDS):
            return True
        found = self._find.resolve(question)
        return found is None or found in self._things(n - 1)

    def _n_given(self, question: str, n: int) -> int:
        """How many of its words the exchange before has, slips of the finger forgiven."""
        said = self._said(n)
        terms, words = content_terms(said), set(said.lower().split())
        return sum(
            not of_word.isdisjoint(terms) or is_slip(word, words)
            for word, of_word in content_words(question).items()
        )

    def _said(self, n: int) -> str:
        """The exchange before: its question and what its papers say."""
        texts = [self._exchanges[n - 1].question]
        for thing in self._things(n - 1):
            texts += _texts(thing)
        return " ".join(texts)

    def _topic(self, n: int) -> str:
        """The latest question that stands alone, else the first."""
        alone = (
            i for i in reversed(range(n)) if self._stands_alone(self._exchanges[i].question, i)
        )
        return self._exchanges[next(alone, 0)].question


def _texts(thing: Thing) -> tuple[str, str]:
    """Its title and abstract."""
    return (thing, "") if isinstance(thing, str) else (thing.title, thing.abstract)
