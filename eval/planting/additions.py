"""Faults of addition: a true claim with a detail that the abstract does not have."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

from rag.text import search_terms, split_sentences, strip_markup

_CLAUSE = re.compile(
    r", (?P<clause>(?:while|without|with|using|by|even|especially|particularly|achieving|reducing|"
    r"improving|enabling|allowing|leading to|resulting in|outperforming|yielding|making|including|"
    r"such as|at|under|across)\b[^,;:()]{15,120}?)(?:,|\.|;)"
)
# "with few labels is hard", after a comma: the verb is that of the sentence around it.
_FINITE = re.compile(r"(?!while).*\b(?:is|are|was|were|has|have|can|remains?)\b")
# What points out of the clause or speaks as the authors would give its origin away.
_POINTING = re.compile(
    r"\b(?:we|our|us|this|these|it|its|they|their|which|such|here|paper|work)\b", re.IGNORECASE
)
_FORMULA = re.compile(r"[$\\_^{}]")
_N_NEW = 3


def additions(
    claim: str, abstract: str, sources: Iterable[str], draw: random.Random
) -> Iterator[str]:
    """The claim with a clause of another abstract at its end.

    Args:
        claim: A true sentence.
        abstract: That of its paper; three terms of the clause at least are not in it.
        sources: Other abstracts, nearest first.
        draw: Decides between the clauses of one abstract.
    """
    known = set(search_terms(abstract)) | set(search_terms(claim))
    end = re.search(r"[.!?]*\Z", claim)
    body = claim[: end.start()] if end else claim
    for source in sources:
        clauses = list(_clauses(source))
        draw.shuffle(clauses)
        for clause in clauses:
            if len(set(search_terms(clause)) - known) >= _N_NEW:
                yield f"{body}, {clause}."


def _clauses(abstract: str) -> Iterator[str]:
    for span in split_sentences(abstract):
        sentence = abstract[span.start : span.end]
        for match in _CLAUSE.finditer(sentence):
            clause = strip_markup(match["clause"]).strip()
            odd = _POINTING.search(clause) or _FINITE.match(clause)
            if not odd and not _FORMULA.search(match["clause"]):
                yield clause
