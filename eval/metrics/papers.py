"""Are the right papers cited?"""

from __future__ import annotations

from eval.cases import Case
from eval.metrics.base import NOT_APPLICABLE, Score, verdict
from rag.answer import Answer


def gold_first(case: Case, answer: Answer) -> Score:
    """1 when the first paper cited is the gold one; for answerable questions about one paper."""
    if not (case.answerable and len(case.gold_papers) == 1):
        return NOT_APPLICABLE
    if answer.status != "answered":
        return Score(0.0, f"refused: {answer.status}")
    first = _first_cited(answer)
    return verdict(first == case.gold_papers[0], f"cites {first or 'nothing'} first")


def gold_recall(case: Case, answer: Answer) -> Score:
    """The share of the gold papers that are cited; for answerable questions."""
    if not (case.answerable and case.gold_papers):
        return NOT_APPLICABLE
    cited = {citation.paper.paper_id for citation in answer.citations}
    missing = [paper_id for paper_id in case.gold_papers if paper_id not in cited]
    reason = "does not cite " + ", ".join(missing) if missing else ""
    return Score(1.0 - len(missing) / len(case.gold_papers), reason)


def named_paper(case: Case, answer: Answer) -> Score:
    """1 when a ``not_stated`` refusal names the paper that was asked about."""
    if not (case.expected == ("not_stated",) and case.gold_papers):
        return NOT_APPLICABLE
    if answer.status != "not_stated":
        return Score(0.0, f"outcome {answer.status}")
    named = answer.papers[0].paper_id if answer.papers else None
    return verdict(named in case.gold_papers, f"names {named or 'no paper'}")


def wrong_source(case: Case, answer: Answer) -> Score:
    """1 when no paper is cited that a reader found wrong; for cases that name such papers."""
    if not case.wrong_papers:
        return NOT_APPLICABLE
    cited = {citation.paper.paper_id for citation in answer.citations}
    again = [paper_id for paper_id in case.wrong_papers if paper_id in cited]
    return verdict(not again, "cites " + ", ".join(again))


def _first_cited(answer: Answer) -> str | None:
    """The paper behind the first marker of the first sentence."""
    markers = answer.sentences[0].markers[:1] if answer.sentences else ()
    cited = [item.paper.paper_id for item in answer.citations if item.marker in markers]
    return cited[0] if cited else None
