"""Finding the words of the abstracts that prove a sentence, and judging how well they do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag.answering.agreement import Disagreement, disagreement, without_titles
from rag.answering.citations import Quote
from rag.answering.places import Place, Places
from rag.answering.support import SupportScorer
from rag.records import Passage
from rag.text import normalise, search_terms

_N_JOINED = 3
_N_ADDED = 2
_PAIR_MUST_GAIN = 0.03
"""By how much two sentences must support better than one of them to be quoted both."""
_JOINT_MUST_GAIN = 0.1
"""By how much several papers must support better than one to be quoted for one claim."""
# Rules see these in a free paraphrase now and then: where the judge is sure, the reader is warned.
_ARGUABLE = ("negation", "direction", "order")
_FREE = 0.8
"""The share of a claim's terms in a place under which it is a free paraphrase."""
_CLAUSE_JOINT = re.compile(r",?\s+(?:while|whereas|but)\s+|,\s+and\s+|;\s+")
# "..., and releases a dataset": whose subject stands in the clause before.
_NO_SUBJECT = re.compile(
    r"(?:also |then |still |further )?[a-z]+(?:s|ed|ing) (?:a|an|the|its|their|that|on|in|at|to|by"
    r"|with|for|up|only|\d\S*|[a-z]+ly|[A-Z]\S*)\b"
)


@dataclass(frozen=True, slots=True)
class SupportThresholds:
    """From which support on a sentence is shown, and from which it is shown with a warning.

    Chosen on claims that the judge was not trained on: eval/calibration/support.json and
    eval/DECISIONS.md, Support.
    """

    passes: float = 0.5
    flags: float = 0.05


@dataclass(frozen=True, slots=True)
class Grounding:
    """What was found for one claim."""

    quotes: tuple[Quote, ...] = ()
    """Empty where nothing supports it, or what does disagrees with it."""
    support: float = 0.0
    """Of the quotes; where there are none, the best of what was looked at."""
    is_certain: bool = False
    """Whether the support passes and one place has every name and number."""
    disagreement: Disagreement | None = None
    """Why the best supported place does not prove it."""


@dataclass(frozen=True, slots=True)
class _Judged:
    place: Place
    support: float

    @property
    def worth(self) -> float:
        return self.support - _PAIR_MUST_GAIN * (self.place.n_sentences - 1)


class Evidence:
    """The sentences of some abstracts, as evidence for what is said about them.

    Args:
        passages: By marker.
        scorer: Judges how well a place supports a claim.
        thresholds: What counts as support.
    """

    def __init__(
        self,
        passages: Mapping[int, Passage],
        scorer: SupportScorer,
        thresholds: SupportThresholds,
    ) -> None:
        self._papers = {marker: passage.paper for marker, passage in passages.items()}
        self._scorer = scorer
        self._thresholds = thresholds
        self._places = Places(
            {marker: passage.paper.abstract for marker, passage in passages.items()}
        )

    def ground(self, claim: str, markers: Sequence[int], *, n_papers: int = _N_JOINED) -> Grounding:
        """Prove a claim from the papers with these markers.

        Args:
            claim: One sentence without markers.
            markers: The papers to look in.
            n_papers: How many of those that support it by themselves are quoted at most.

        Returns:
            The best place of each paper that supports the claim by itself, or places of several
            that do so together.
        """
        alone = self._alone(claim, markers)
        certain = [found for found in alone if found.is_certain]
        if len(markers) > 1 and n_papers > 1:
            together = self._clause_by_clause(claim, markers)
            if together.is_certain and (
                not certain or together.support >= certain[0].support + _JOINT_MUST_GAIN
            ):
                return together
        if certain:
            quotes = tuple(quote for found in certain[:n_papers] for quote in found.quotes)
            return Grounding(quotes, certain[0].support, is_certain=True)
        if alone and not alone[0].quotes and n_papers > 1:
            return self._joined(claim, markers) or alone[0]
        return alone[0] if alone else Grounding()

    def _alone(self, claim: str, markers: Sequence[int]) -> list[Grounding]:
        """What each paper makes of a claim by itself, the best first."""
        said = without_titles(claim, [self._papers[marker] for marker in markers])
        judged = self._judge(said, markers)
        return sorted(
            (self._best_agreeing(claim, own) for own in judged.values()),
            key=lambda found: (not found.quotes, not found.is_certain, -found.support),
        )

    def _clause_by_clause(self, claim: str, markers: Sequence[int]) -> Grounding:
        """Prove "A does this, while B does that" in its parts, each by one paper."""
        clauses = _CLAUSE_JOINT.split(claim)
        is_short = any(len(search_terms(clause)) < 2 for clause in clauses)
        if len(clauses) < 2 or is_short or any(map(_NO_SUBJECT.match, clauses[1:])):
            return Grounding()
        found = [self._alone(clause, markers)[0] for clause in clauses]
        if not all(part.is_certain for part in found):
            return Grounding()
        quotes = dict.fromkeys(quote for part in found for quote in part.quotes)
        return Grounding(tuple(quotes), min(part.support for part in found), is_certain=True)

    def _judge(self, said: str, markers: Sequence[int]) -> dict[int, list[_Judged]]:
        """For each paper the nearest places, the best supporting one first."""
        plain = _plain(said)
        found: dict[int, list[Place]] = {}
        for place in self._places.nearest(said, markers):
            found.setdefault(place.marker, []).append(place)
        judged: dict[int, list[_Judged]] = {}
        for marker, places in found.items():
            # The words themselves need no judge.
            others = [place.text for place in places if _plain(place.text) != plain]
            scores = dict(
                zip(others, self._scorer.score(said, others) if others else (), strict=True)
            )
            judged[marker] = sorted(
                (
                    _Judged(place, min(1.0, max(0.0, scores.get(place.text, 1.0))))
                    for place in places
                ),
                key=lambda item: (-item.worth, item.place.start),
            )
        return judged

    def _best_agreeing(self, claim: str, judged: Sequence[_Judged]) -> Grounding:
        """The best supporting place that agrees with the claim, else why the best one does not."""
        limits = self._thresholds
        paper = self._papers[judged[0].place.marker]
        first: Disagreement | None = None
        uncertain: Grounding | None = None
        for item in judged:
            if item.support < limits.flags:
                break
            found = disagreement(claim, [item.place.text], [paper])
            if found is None:
                is_certain = item.support >= limits.passes
                grounding = Grounding((item.place.quote,), item.support, is_certain=is_certain)
                if is_certain:
                    return grounding
                uncertain = uncertain or grounding
            elif item.support >= limits.passes and _is_arguable(found, claim, item.place):
                uncertain = uncertain or Grounding((item.place.quote,), item.support)
            first = first or found
        if first is not None and (uncertain is None or uncertain.support < judged[0].support):
            uncertain = self._extend(claim, judged[0]) or uncertain
        return uncertain or Grounding((), judged[0].support, disagreement=first)

    def _extend(self, claim: str, item: _Judged) -> Grounding | None:
        """Add the sentences of the same abstract that have the names and numbers it lacks.

        What is put together from several places is shown with a warning: all words are there, but
        no one sentence says that they belong together.
        """
        place = item.place
        chosen, paper = [place], self._papers[place.marker]
        while found := disagreement(claim, [one.text for one in chosen], [paper]):
            added = [
                other
                for other in self._places.of(place.marker)
                if other.n_sentences == 1
                and found.kind in ("name", "number")
                and normalise(found.word) in normalise(other.text)
                and other not in chosen
            ]
            if not added or len(chosen) > _N_ADDED:
                return None
            chosen.append(added[0])
        return Grounding(tuple(one.quote for one in chosen), item.support)

    def _joined(self, claim: str, markers: Sequence[int]) -> Grounding | None:
        """Prove "both A and B do this": each paper supports it, together they have every name."""
        said = without_titles(claim, [self._papers[marker] for marker in markers])
        limits = self._thresholds
        best = [own[0] for own in self._judge(said, markers).values()]
        best = [item for item in best if item.support >= limits.flags][:_N_JOINED]
        texts = [item.place.text for item in best]
        papers = [self._papers[item.place.marker] for item in best]
        if len(best) < 2 or disagreement(claim, texts, papers) is not None:
            return None
        support = min(item.support for item in best)
        quotes = tuple(item.place.quote for item in best)
        return Grounding(quotes, support, is_certain=support >= limits.passes)


def _is_arguable(found: Disagreement, claim: str, place: Place) -> bool:
    terms = set(search_terms(claim))
    return found.kind in _ARGUABLE and len(terms & place.terms) < _FREE * len(terms)


def _plain(text: str) -> str:
    return normalise(text).rstrip('.!?\u201d" ').lstrip('\u201c" ')
