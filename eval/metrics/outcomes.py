"""Does it answer when it can, and refuse when it cannot?"""

from __future__ import annotations

from eval.cases import Case
from eval.metrics.base import NOT_APPLICABLE, Score, verdict
from eval.metrics.facts import missing_facts
from rag.answer import Answer


def outcome(case: Case, answer: Answer) -> Score:
    """1 when the status is an acceptable one.

    Where a false premise may be answered or refused, an answer must hold the words that
    contradict it: a reply which leaves the premise standing is no acceptable outcome.
    """
    if answer.status not in case.expected:
        return Score(0.0, f"{answer.status} instead of {' or '.join(case.expected)}")
    if answer.status == "answered" and not case.answerable:
        missing = missing_facts(case, " ".join(sentence.text for sentence in answer.sentences))
        return verdict(not missing, "does not contradict the premise: " + "; ".join(missing))
    return Score(1.0)


def correct_refusal(case: Case, answer: Answer) -> Score:
    """1 when it refuses, in either way; for questions that cannot be answered."""
    if not case.unanswerable:
        return NOT_APPLICABLE
    return verdict(answer.status != "answered", "answered what cannot be answered")


def exact_refusal(case: Case, answer: Answer) -> Score:
    """1 when it refuses for the right reason: not in this abstract, or nothing on this here."""
    if not case.unanswerable:
        return NOT_APPLICABLE
    return verdict(answer.status in case.expected, f"outcome {answer.status}")


def false_refusal(case: Case, answer: Answer) -> Score:
    """1 when it refuses what the papers do answer (lower is better)."""
    if not case.answerable:
        return NOT_APPLICABLE
    if answer.status == "answered":
        return Score(0.0)
    return Score(1.0, f"refused: {answer.status}")
