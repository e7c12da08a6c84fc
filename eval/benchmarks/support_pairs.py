"""Pairs of a sentence and a text that people have judged, and how such files are read."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.cases import DatasetError
from rag.text import split_sentences

SUPPORTED = "supported"
FOLDS = {"even": "odd", "odd": "even"}
"""Two halves, each with the threshold of the other."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence, a text that it may rest on, and what people say of the two."""

    claim: str
    evidence: tuple[str, ...]
    """The sentences of the text, in order."""
    document: str
    """Where the pair comes from: pairs of one document are not independent."""
    part: str
    """A half of the set, such as ``dev`` or ``even``."""
    kind: str = SUPPORTED
    """``SUPPORTED``, or what is wrong."""
    response: str = ""
    """The answer that the sentence belongs to; empty where it stands alone."""

    @property
    def supported(self) -> bool:
        """Whether the evidence supports the sentence."""
        return self.kind == SUPPORTED


@dataclass(frozen=True, slots=True)
class SupportSet:
    """Judged pairs, and how they are to be used."""

    name: str
    pairs: tuple[Pair, ...]
    calibrated_on: Mapping[str, str]
    """Each part that is judged -> the part that its threshold is chosen on."""
    made: tuple[str, ...] = ()
    """Kinds that nobody has judged: chance decides which abstract stands beside a claim. They
    have figures of their own and count in no other."""


def limited(data: SupportSet, n_documents: int) -> SupportSet:
    """A set with the pairs of so many documents of each part and kind, evenly spaced."""
    documents: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for pair in data.pairs:
        documents[pair.part, pair.kind][pair.document] = None
    kept = {
        group: set(list(names)[:: -(-len(names) // n_documents)])
        for group, names in documents.items()
    }
    pairs = tuple(pair for pair in data.pairs if pair.document in kept[pair.part, pair.kind])
    return SupportSet(data.name, pairs, data.calibrated_on, data.made)


def fold(number: int) -> str:
    """The half of a set that a running number belongs to."""
    return "odd" if number % 2 else "even"


def sentences_of(text: str) -> tuple[str, ...]:
    """Split as the product splits abstracts."""
    return tuple(text[span.start : span.end] for span in split_sentences(text))


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file, in order."""
    for line in read_file(path).split("\n"):
        if line.strip():
            yield json.loads(line)


def read_file(path: Path) -> str:
    """A UTF-8 file.

    Raises:
        DatasetError: If it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise DatasetError(
            f"The judged pairs {path} cannot be read ({error.strerror}).",
            hint="--data names the folder with scifact/, ragtruth_qa_test/, qags/ and "
            "scholarqabench/; --sets leaves out those that are not there.",
        ) from error
