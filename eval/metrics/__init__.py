"""The metrics: pure functions over a case and its answer, and the list of all of them."""

from __future__ import annotations

from eval.cases import Case
from eval.metrics.base import NOT_APPLICABLE, Metric, Score
from eval.metrics.citations import citation_validity, n_sentences, quoted_share
from eval.metrics.facts import fact_first, gold_fact
from eval.metrics.outcomes import correct_refusal, exact_refusal, false_refusal, outcome
from eval.metrics.papers import gold_first, gold_recall, named_paper, wrong_source
from rag.answer import Answer

__all__ = ["METRICS", "NOT_APPLICABLE", "Metric", "Score", "score_all"]

METRICS = (
    Metric(
        "gold_first",
        "the first paper cited is the gold one (answerable, one gold paper)",
        gold_first,
        goal="≥ 97 %",
    ),
    Metric(
        "gold_recall",
        "share of the gold papers that are cited (answerable)",
        gold_recall,
        interval="bootstrap",
    ),
    Metric("gold_fact", "every gold fact is in the answer (answerable)", gold_fact, goal="≥ 92 %"),
    Metric("fact_first", "the first sentence states the fact (kind fact)", fact_first, best=None),
    Metric(
        "citation_validity",
        "every sentence proven, every quote verbatim at its place, no proof on a refusal (all)",
        citation_validity,
        goal="100 %",
    ),
    Metric("outcome", "answered, not stated or not in the corpus, as it should be (all)", outcome),
    Metric(
        "correct_refusal", "refuses, in either way (unanswerable)", correct_refusal, goal="≥ 92 %"
    ),
    Metric("exact_refusal", "refuses for the right reason (unanswerable)", exact_refusal),
    Metric(
        "false_refusal",
        "refuses what the papers answer (answerable; lower is better)",
        false_refusal,
        best=0.0,
        goal="≤ 4 %",
    ),
    Metric(
        "named_paper", "says not stated and names the paper asked about (not stated)", named_paper
    ),
    Metric("wrong_source", "does not cite what a reader found wrong (reported)", wrong_source),
    Metric(
        "n_sentences",
        "sentences in an answer (answered)",
        n_sentences,
        best=None,
        interval="bootstrap",
        unit="count",
    ),
    Metric(
        "quoted_share",
        "share of the most quoted abstract that is quoted (answered)",
        quoted_share,
        best=None,
        interval="bootstrap",
    ),
)


def score_all(case: Case, answer: Answer) -> dict[str, Score]:
    """The score of each metric, by its name."""
    return {metric.name: metric.score(case, answer) for metric in METRICS}
