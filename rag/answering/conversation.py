"""What a conversation is about: the papers of its exchanges, found only when they are needed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rag.answering.history import Exchange
from rag.answering.leaning import (
    content_terms,
    content_words,
    definite_terms,
    leans_on_history,
    opens_topic,
    points_back,
)
from rag.answering.naming import calls_by_name, names_in, sides
from rag.answering.pointing import Pointer, read_number, read_several
from rag.answering.question import wants_several
from rag.answering.sources import cited_texts
from rag.answering.wording import compares
from rag.records import Paper

Resolve = Callable[[str], Paper | None]
"""Finds the paper that a text is about, if there is a clear one."""

_MAX_SEVERAL = 4
_MANY_WORDS, _FEW_WORDS, _TWO_WORDS = 5, 3, 2
_IN_ABSTRACT = 0.6
MATCHES, MATCHES_WELL = 0.5, 0.75


@dataclass(frozen=True, slots=True)
class Subject:
    """What a follow-up is about."""

    papers: tuple[Paper, ...] = ()
    topic: str = ""
    """Where no paper is clear: the earlier question that began the topic."""


class Conversation:
    """Earlier exchanges, and the papers that they deal with.

    Args:
        exchanges: Oldest first, without small talk.
        resolve: Asked at most once for each text.
    """

    def __init__(self, exchanges: Sequence[Exchange], resolve: Resolve) -> None:
        self._exchanges = exchanges
        self._resolve = functools.cache(resolve)
        self._of: dict[int, tuple[Paper, ...]] = {}

    def __len__(self) -> int:
        return len(self._exchanges)

    def subject(self, question: str) -> Subject:
        """What a follow-up to all exchanges is about: what it points at, else the latest papers."""
        return self._subject(question, len(self))

    def pointed(self, pointer: Pointer) -> Paper | None:
        """The paper that a number or a place names."""
        return self._pointed(pointer, len(self))

    def described(
        self, what: str, *, but: Sequence[Paper] = (), at_least: float = MATCHES
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
                if score > best and not set(found.papers) & set(but):
                    best, subject = score, found
        return subject if best >= at_least else None

    def stands_alone(self, question: str) -> bool:
        """Whether a question can be understood without these exchanges."""
        return self._stands_alone(question, len(self))

    def lead(self) -> str:
        """The latest question that says what it wants to know."""
        questions = [exchange.question for exchange in reversed(self._exchanges)]
        return next((q for q in questions if len(content_terms(q)) >= _TWO_WORDS), "")

    @property
    def latest_question(self) -> str:
        """What was asked last."""
        return self._exchanges[-1].question

    @property
    def latest_papers(self) -> tuple[Paper, ...]:
        """What that was about, in the order of markers."""
        return self._papers(len(self) - 1)

    def _subject(self, question: str, n: int) -> Subject:
        if (number := read_number(question)) and (paper := self._pointed(number, n)):
            return Subject((paper,))
        if (several := self._several(n)) and read_several(question):
            return Subject(several)
        latest = self._papers(n - 1)
        if latest and len(latest) > 1 and not self._is_list(n - 1):
            latest = latest[:1]
        return Subject(latest[:_MAX_SEVERAL]) if latest else Subject(topic=self._topic(n))

    def _papers(self, n: int) -> tuple[Paper, ...]:
        """The papers of one exchange, in the order of their markers or of their mention."""
        if n not in self._of:
            self._of[n] = self._find_papers(n)
        return self._of[n]

    def _find_papers(self, n: int) -> tuple[Paper, ...]:
        exchange = self._exchanges[n]
        if cited := self._cited(exchange):
            return tuple(cited.values())
        question = exchange.question
        if not self._stands_alone(question, n):
            return self._subject(question, n).papers
        if compared := sides(question):
            found = [self._resolve(side) for side in compared]
            return tuple(dict.fromkeys(paper for paper in found if paper))
        if wants_several(question):
            return ()
        paper = self._resolve(question)
        return (paper,) if paper else tuple(self.named(question).values())

    def named(self, question: str) -> dict[str, Paper]:
        """Name -> paper, for each paper that a question calls by the name of its own work."""
        found = {name: self._resolve(name) for name in names_in(question)}
        return {
            name: paper for name, paper in found.items() if paper and calls_by_name(name, paper)
        }

    def name_of(self, paper: Paper) -> str:
        """How earlier questions called a paper, where it was the name of its own work."""
        questions = " ".join(exchange.question for exchange in self._exchanges)
        names = (name for name in names_in(questions) if calls_by_name(name, paper))
        return next(names, "")

    def _cited(self, exchange: Exchange) -> dict[int, Paper]:
        """Marker -> paper, for each that is clear."""
        found = {
            # A sentence such as "The code is public." says more after the question.
            marker: self._resolve(text) or self._resolve(f"{exchange.question} {text}")
            for marker, text in cited_texts(exchange.answer).items()
        }
        return {marker: paper for marker, paper in found.items() if paper}

    def _is_list(self, n: int) -> bool:
        question = self._exchanges[n].question
        return wants_several(question) or read_several(question) is not None

    def _several(self, n: int) -> tuple[Paper, ...]:
        """The papers of the latest exchange that has more than one, else the last two."""
        latest = self._papers(n - 1)
        return latest[:_MAX_SEVERAL] if len(latest) > 1 else self._all(n)[-_TWO_WORDS:]

    def _all(self, n: int) -> tuple[Paper, ...]:
        """The papers of the first ``n`` exchanges in order of appearance."""
        return tuple(dict.fromkeys(paper for i in range(n) for paper in self._papers(i)))

    def _pointed(self, pointer: Pointer, n: int) -> Paper | None:
        if pointer.kind == "marker":
            answers = (self._cited(exchange) for exchange in self._exchanges[:n][::-1])
            cited = next((found for found in answers if found), {})
            return cited.get(pointer.number)
        papers = self._all(n) if pointer.in_all else self._listed(n)
        if pointer.number == 0:
            latest = self._papers(n - 1)[:1]
            others = [paper for paper in papers if paper not in latest]
            return others[0] if len(others) == 1 else None
        place = pointer.number - 1 if pointer.number > 0 else pointer.number
        return papers[place] if len(papers) > place else None

    def _listed(self, n: int) -> tuple[Paper, ...]:
        """The papers of the latest exchange that has more than one, else of all."""
        lists = (self._papers(i) for i in reversed(range(n)))
        return next((papers for papers in lists if len(papers) > 1), ()) or self._all(n)

    def _matches(self, terms: frozenset[str], n: int) -> Iterator[tuple[Subject, float]]:
        question, papers = self._exchanges[n].question, self._papers(n)
        asked = content_terms(question) if len(papers) < _TWO_WORDS else frozenset[str]()
        if not papers:
            yield Subject(topic=question), len(terms & asked) / len(terms)
        for paper in papers:
            named = asked | content_terms(paper.title)
            n_said = len((terms - named) & content_terms(paper.abstract))
            yield Subject((paper,)), (len(terms & named) + _IN_ABSTRACT * n_said) / len(terms)

    def _stands_alone(self, question: str, n: int) -> bool:
        if not n:
            return True
        if not leans_on_history(question):
            return not self._is_about_latest(question, n)
        if points_back(question) or read_several(question):
            return not compares(question) and self._turns_away(question, n)
        if not content_words(question):
            return False
        # "And BaxBench?" turns to another paper, "And ImageNet?" does not.
        paper = self._resolve(question)
        return paper is not None and calls_by_name(question, paper)

    def _turns_away(self, question: str, n: int) -> bool:
        """Whether its many words are clearly about another paper than the exchange before.

        Then what looks like a pronoun stands for something in the question itself.
        """
        words = content_words(question)
        if len(words) < _MANY_WORDS or self._n_given(words, n) * 4 > len(words):
            return False
        paper = self._resolve(question)
        return paper is not None and paper not in self._papers(n - 1)

    def _is_about_latest(self, question: str, n: int) -> bool:
        """Whether its few words are those of the exchange before: ``Is the bound tight?``."""
        words = content_words(question)
        if not 0 < len(words) <= _FEW_WORDS or opens_topic(question) or wants_several(question):
            return False
        given = self._given(n)
        n_given = self._n_given(words, n)
        if n_given == len(words):
            return True
        if any(content_terms(name).isdisjoint(given) for name in names_in(question)):
            return False
        if any(thing <= given for thing in definite_terms(question)):
            return True
        return n_given > 0 and len(words) <= _TWO_WORDS and self._resolve(question) is None

    def _given(self, n: int) -> frozenset[str]:
        """The terms of the exchange before: its question and what its papers say."""
        texts = [self._exchanges[n - 1].question]
        for paper in self._papers(n - 1):
            texts += [paper.title, paper.abstract]
        return content_terms(" ".join(texts))

    def _n_given(self, words: Sequence[frozenset[str]], n: int) -> int:
        given = self._given(n)
        return sum(not word.isdisjoint(given) for word in words)

    def _topic(self, n: int) -> str:
        """The latest question that stands alone, else the first."""
        alone = (
            i for i in reversed(range(n)) if self._stands_alone(self._exchanges[i].question, i)
        )
        return self._exchanges[next(alone, 0)].question
