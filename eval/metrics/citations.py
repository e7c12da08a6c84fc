"""Does every sentence carry its proof, and how much is quoted?"""

from __future__ import annotations

from collections.abc import Iterator

from eval.cases import Case
from eval.metrics.base import NOT_APPLICABLE, Score, verdict
from rag.answer import Answer
from rag.answering.lookup_proof import is_in_record
from rag.records import Citation, Paper


def citation_validity(case: Case, answer: Answer) -> Score:  # noqa: ARG001, one protocol for all
    """1 when nothing is wrong with any citation.

    That is: each quote stands at its offsets in its abstract, and what is cited from a record is
    what the paper's record says; each sentence has a marker, each
    marker a citation, each citation a sentence and the paper that was read under its marker;
    each support is from 0 to 1; a refusal has neither sentences nor citations.
    """
    problems = tuple(_problems(answer))
    return verdict(not problems, "; ".join(problems))


def n_sentences(case: Case, answer: Answer) -> Score:  # noqa: ARG001, one protocol for all
    """How many sentences an answer has."""
    if answer.status != "answered":
        return NOT_APPLICABLE
    return Score(float(len(answer.sentences)))


def quoted_share(case: Case, answer: Answer) -> Score:  # noqa: ARG001, one protocol for all
    """The share of the abstract that is quoted, of the cited paper where it is largest."""
    shares = [
        _quoted_length(answer, paper) / len(paper.abstract)
        for paper in answer.papers
        if paper.abstract
    ]
    if answer.status != "answered" or not shares:
        return NOT_APPLICABLE
    return Score(max(shares))


def _problems(answer: Answer) -> Iterator[str]:
    if answer.status != "answered":
        if answer.citations or answer.sentences:
            yield f"{answer.status} carries sentences or citations"
        return
    if not answer.sentences:
        yield "answered without a sentence"
    cited = {citation.marker for citation in answer.citations}
    for number, sentence in enumerate(answer.sentences, 1):
        if not sentence.markers:
            yield f"sentence {number} has no marker"
        for marker in sorted(set(sentence.markers) - cited):
            yield f"sentence {number} has the marker [{marker}] without a citation"
        if not 0.0 <= sentence.support <= 1.0:
            yield f"sentence {number} has the support {sentence.support}"
    used = {marker for sentence in answer.sentences for marker in sentence.markers}
    read = {passage.marker: passage.paper.paper_id for passage in answer.passages}
    for citation in answer.citations:
        yield from _citation_problems(citation, used, read)


def _citation_problems(citation: Citation, used: set[int], read: dict[int, str]) -> Iterator[str]:
    name = f"citation [{citation.marker}]"
    abstract = citation.paper.abstract
    in_range = 0 <= citation.start < citation.end <= len(abstract)
    # A record may be all that there is of a paper.
    in_range |= bool(citation.record) and citation.start == citation.end == 0
    if not in_range or abstract[citation.start : citation.end] != citation.quote:
        yield f"{name} is not at {citation.start}:{citation.end} of {citation.paper.paper_id}"
    if citation.record and not is_in_record(citation.paper, citation.record):
        yield f"{name} is not in the record of {citation.paper.paper_id}"
    if citation.marker not in used:
        yield f"{name} belongs to no sentence"
    if read.get(citation.marker) != citation.paper.paper_id:
        yield f"{name} cites {citation.paper.paper_id}, which was not read under this marker"


def _quoted_length(answer: Answer, paper: Paper) -> int:
    """How many characters of the abstract lie in a quote, each counted once."""
    positions: set[int] = set()
    for citation in answer.citations:
        if citation.paper.paper_id == paper.paper_id:
            end = min(citation.end, len(paper.abstract))
            positions.update(range(max(citation.start, 0), end))
    return len(positions)
