"""Claims about papers, honest ones and ones that were written false."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.cases import DatasetError
from rag.records import Paper
from rag.text import split_sentences

_LABELS = ("S", "C", "N")


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of a file of claims."""

    paper_id: str
    label: str
    """``S``: the abstract supports it; ``C``: contradicts it; ``N``: does not say."""
    sentences: tuple[int, ...]
    """Numbers, from 0, of the sentences that prove it, or that it is nearest to."""
    kind: str
    """What is wrong; ``-`` for ``S``."""
    text: str

    @property
    def honest(self) -> bool:
        """Whether the abstract supports it."""
        return self.label == "S"

    def proof(self, paper: Paper) -> str:
        """The sentences of the claim's paper, joined."""
        spans = split_sentences(paper.abstract)
        texts = [paper.abstract[spans[n].start : spans[n].end] for n in self.sentences]
        return " ".join(texts)


def load_claims(path: Path, papers: Mapping[str, Paper]) -> tuple[Claim, ...]:
    """Read a JSONL file with ``paper_id``, ``label``, ``sentences``, ``kind`` and ``claim``.

    Args:
        path: The file.
        papers: By id; every claim is about one of them.

    Raises:
        DatasetError: If the file cannot be read or a line is not a claim; names file and line.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise DatasetError(f"The claims {path} cannot be read ({error.strerror}).") from error
    return tuple(
        _parse(line, f"{path}:{number}", papers)
        for number, line in enumerate(lines, 1)
        if line.strip()
    )


def _parse(line: str, where: str, papers: Mapping[str, Paper]) -> Claim:
    try:
        row: dict[str, Any] = json.loads(line)
        claim = Claim(
            row["paper_id"], row["label"], tuple(row["sentences"]), row["kind"], row["claim"]
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{where}: not a claim ({error!r}).", hint="Mend the line.") from error
    if claim.label not in _LABELS or claim.paper_id not in papers:
        raise DatasetError(
            f"{where}: label {claim.label!r}, paper {claim.paper_id!r}.",
            hint="The label is S, C or N, and the paper one of those given.",
        )
    n_sentences = len(split_sentences(papers[claim.paper_id].abstract))
    if not claim.sentences or not all(0 <= n < n_sentences for n in claim.sentences):
        raise DatasetError(
            f"{where}: the abstract has no sentences {claim.sentences}.",
            hint="Sentences count from 0, as rag.text.split_sentences splits the abstract.",
        )
    return claim
