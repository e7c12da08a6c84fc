"""SciFact's training claims as examples for the judge: another field, judged by its experts.

Nothing of SciFact is part of the project; whoever trains names the folder that holds it
(``eval/benchmarks/support_data.py`` says with which files). Claims and judgements are CC BY 4.0, the
abstracts ODC-By 1.0.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from eval.benchmarks.support_pairs import read_rows
from eval.benchmarks.support_scifact import SCIFACT
from eval.training.examples import Example
from rag.answering.places import Places
from rag.records import Paper
from rag.text import split_sentences

_SEED = 0
_TITLED = 0.5
_MOST = 3
"""Sentences of one rationale that are shown together; the product quotes one or two."""
_N_FOREIGN = 2


def scifact_examples(folder: Path, *, seed: int = _SEED) -> Iterator[Example]:
    """Each training claim beside each rationale, and beside places that prove nothing.

    A claim with a rationale is proven by it or contradicted; of an abstract without one, the nearest
    places do not prove the claim.

    Args:
        folder: Holds ``scifact/``.
        seed: Decides where the title stands before the sentences.
    """
    draw = random.Random(seed)  # noqa: S311
    abstracts = {row["doc_id"]: row for row in read_rows(folder / SCIFACT / "corpus.jsonl")}
    for row in read_rows(folder / SCIFACT / "claims_train.jsonl"):
        for doc_id in dict.fromkeys([*row["cited_doc_ids"], *map(int, row["evidence"])]):
            rationales = row["evidence"].get(str(doc_id), ())
            for text, supported in _texts(row["claim"], rationales, abstracts[doc_id]):
                title = abstracts[doc_id]["title"] if draw.random() < _TITLED else ""
                paper = Paper(f"{SCIFACT}-{doc_id}", title, text)
                proving = range(len(split_sentences(text))) if supported else ()
                yield Example(row["claim"], paper, supported, True, tuple(proving))


def _texts(
    claim: str, rationales: list[Mapping[str, Any]], abstract: Mapping[str, Any]
) -> Iterator[tuple[str, bool]]:
    sentences = abstract["abstract"]
    for rationale in rationales:
        numbers = sorted(rationale["sentences"])
        if len(numbers) <= _MOST:
            text = " ".join(sentences[number].strip() for number in numbers)
            yield text, rationale["label"] == "SUPPORT"
    if not rationales:
        whole = " ".join(sentence.strip() for sentence in sentences)
        for place in Places({1: whole}).nearest(claim, [1])[:_N_FOREIGN]:
            yield place.text, False
