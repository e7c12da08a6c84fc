"""What the reader makes of the papers that are found for each development question."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from eval.cases import Case
from rag.answering.reading import ReadPaper, read_papers
from rag.embeddings.base import Reader
from rag.library import Library
from rag.records import Filters
from rag.settings import Settings


@dataclass(frozen=True, slots=True)
class PaperEvidence:
    """One paper that was read for one question."""

    paper_id: str
    score: float
    """Of the fused search."""
    prominence: float
    """See ``rag.records.Hit``."""
    answerable: float
    about: float
    sentences: tuple[float, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseEvidence:
    """One question with everything that its outcome is decided by."""

    case_id: str
    papers: tuple[PaperEvidence, ...]
    """In the order of the search."""


def collect(
    library: Library,
    reader: Reader,
    cases: Sequence[Case],
    progress: Callable[[int], object] = int,
) -> list[CaseEvidence]:
    """Search and read for each case; follow-ups are left out, which need the main flow."""
    evidence = []
    n_read = Settings.model_fields["max_passages"].default
    for number, case in enumerate(cases, start=1):
        if not case.history:
            found = library.view().retriever.search(case.question, k=n_read, filters=Filters())
            read = read_papers(reader, found.wording, found.hits)
            evidence.append(CaseEvidence(case.case_id, tuple(_paper(item) for item in read)))
        progress(number)
    return evidence


def save(evidence: Iterable[CaseEvidence], path: Path) -> None:
    """Write one JSON object a line."""
    lines = [json.dumps(asdict(item), ensure_ascii=False) for item in evidence]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def load(path: Path) -> list[CaseEvidence]:
    """Read what ``save`` wrote."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        CaseEvidence(
            row["case_id"],
            tuple(
                PaperEvidence(
                    paper["paper_id"],
                    paper["score"],
                    paper["prominence"],
                    paper["answerable"],
                    paper["about"],
                    tuple(paper["sentences"]),
                    tuple(paper["texts"]),
                )
                for paper in row["papers"]
            ),
        )
        for row in rows
    ]


def _paper(item: ReadPaper) -> PaperEvidence:
    reading = item.reading
    return PaperEvidence(
        item.hit.paper.paper_id,
        item.hit.score,
        item.hit.prominence,
        reading.answerable,
        reading.about,
        reading.sentences,
        tuple(item.quote(number) for number in range(len(item.sentences))),
    )
