"""SciFact: claims of experts beside the abstracts of other papers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.benchmarks.support_pairs import SUPPORTED, Pair, SupportSet, read_rows
from eval.benchmarks.support_terms import TfIdf

SCIFACT = "scifact"
_KINDS = {"SUPPORT": SUPPORTED, "CONTRADICT": "contradiction"}
_SEED = 0


def load_scifact(folder: Path) -> SupportSet:
    """SciFact: each claim beside every abstract that it cites or has evidence in.

    In the part ``dev``, claims with a supporting abstract also stand beside one at random, and
    beside the nearest by TF-IDF that they do not cite.
    """
    abstracts = _abstracts(folder)
    pairs = [pair for part in ("train", "dev") for pair in _judged(folder, part, abstracts)]
    claims = read_rows(folder / SCIFACT / "claims_dev.jsonl")
    pairs += _foreign_abstracts(list(claims), abstracts)
    return SupportSet(SCIFACT, tuple(pairs), {"dev": "train"}, made=("random", "neighbour"))


def load_scifact_train(folder: Path) -> list[Pair]:
    """The pairs of the training claims alone."""
    return list(_judged(folder, "train", _abstracts(folder)))


@dataclass(frozen=True, slots=True)
class Abstract:
    """One document of SciFact."""

    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """Title and abstract."""
        return " ".join((self.title, *self.sentences))


def scifact_texts(folder: Path) -> list[str]:
    """The text of every abstract of SciFact, to count words in."""
    return [" ".join(row["abstract"]) for row in read_rows(folder / SCIFACT / "corpus.jsonl")]


def _abstracts(folder: Path) -> dict[int, Abstract]:
    return {
        row["doc_id"]: Abstract(row["title"], tuple(row["abstract"]))
        for row in read_rows(folder / SCIFACT / "corpus.jsonl")
    }


def _judged(folder: Path, part: str, abstracts: Mapping[int, Abstract]) -> Iterator[Pair]:
    for row in read_rows(folder / SCIFACT / f"claims_{part}.jsonl"):
        yield from _judged_abstracts(row, part, abstracts)


def _judged_abstracts(
    row: Mapping[str, Any], part: str, abstracts: Mapping[int, Abstract]
) -> Iterator[Pair]:
    for doc_id in _related(row):
        rationales = row["evidence"].get(str(doc_id))
        kind = _KINDS[rationales[0]["label"]] if rationales else "no evidence"
        yield Pair(row["claim"], abstracts[doc_id].sentences, str(doc_id), part, kind)


def _foreign_abstracts(
    rows: Sequence[Mapping[str, Any]], abstracts: Mapping[int, Abstract]
) -> Iterator[Pair]:
    ids = list(abstracts)
    index = TfIdf([abstract.text for abstract in abstracts.values()])
    draw = random.Random(_SEED)  # noqa: S311
    for row in rows:
        labels = {rationales[0]["label"] for rationales in row["evidence"].values()}
        if "SUPPORT" not in labels:
            continue
        related = set(_related(row))
        by_chance = draw.choice([doc_id for doc_id in ids if doc_id not in related])
        ranking = (ids[place] for place in index.rank(row["claim"]))
        nearest = next(doc_id for doc_id in ranking if doc_id not in related)
        for doc_id, kind in ((by_chance, "random"), (nearest, "neighbour")):
            yield Pair(row["claim"], abstracts[doc_id].sentences, str(doc_id), "dev", kind)


def _related(row: Mapping[str, Any]) -> list[int]:
    return list(dict.fromkeys([*row["cited_doc_ids"], *map(int, row["evidence"])]))
