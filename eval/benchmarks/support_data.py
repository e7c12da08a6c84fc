"""Pairs of a sentence and its evidence that people have judged, from four public sets.

Nothing of the sets is part of the project. A folder that holds them, each with the files as its
authors published them, is named by whoever measures:

    scifact/                corpus.jsonl, claims_train.jsonl, claims_dev.jsonl
    ragtruth_qa_test/       ragtruth_test.json (one response a line, with RAGTruth's human spans)
    qags/data/              mturk_cnndm.jsonl, mturk_xsum.jsonl
    scholarqabench/data/    scholarqa_multi/human_answers.json
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.benchmarks.support_pairs import (
    FOLDS,
    SUPPORTED,
    Pair,
    SupportSet,
    fold,
    read_file,
    read_rows,
    sentences_of,
)
from eval.benchmarks.support_scifact import SCIFACT, load_scifact
from rag.text import split_sentences

_OVERLAP = 3
_PASSAGE = re.compile(r"passage \d+:")
_MARKER = re.compile(r"\s*\[(\d+(?:\s*[-,\u2013]\s*\d+)*)\]")
_MOST_CITED = 50


def load_ragtruth(folder: Path) -> SupportSet:
    """RAGTruth, question answering: each sentence of a response beside all its passages.

    A sentence is not supported if three of its characters or more lie in a span that a person
    has marked; the kind is the type of that span. Two halves by question.
    """
    rows = list(read_rows(folder / "ragtruth_qa_test" / "ragtruth_test.json"))
    sources = list(dict.fromkeys(row["source_id"] for row in rows))
    part_of = {source: fold(number) for number, source in enumerate(sources)}
    passages = {text: _passage_sentences(text) for text in dict.fromkeys(r["d1"] for r in rows)}
    pairs = tuple(
        Pair(
            claim=row["d2"][span.start : span.end],
            evidence=passages[row["d1"]],
            document=row["source_id"],
            part=part_of[row["source_id"]],
            kind=_marked_as(row["labels"], span.start, span.end),
            response=row["id"],
        )
        for row in rows
        for span in split_sentences(row["d2"])
    )
    return SupportSet("ragtruth_qa", pairs, FOLDS)


def _passage_sentences(text: str) -> tuple[str, ...]:
    return tuple(sentence for passage in _PASSAGE.split(text) for sentence in sentences_of(passage))


def _marked_as(labels: Sequence[Mapping[str, Any]], start: int, end: int) -> str:
    kinds = (
        str(label["label_type"]).lower()
        for label in labels
        if min(end, label["end"]) - max(start, label["start"]) >= _OVERLAP
    )
    return next(kinds, SUPPORTED)


def load_qags(folder: Path, source: str) -> SupportSet:
    """QAGS: each sentence of a summary beside its article, judged by the majority of workers.

    Args:
        folder: See the module.
        source: ``cnndm`` or ``xsum``. Two halves by article.
    """
    pairs: list[Pair] = []
    for number, row in enumerate(read_rows(folder / "qags" / "data" / f"mturk_{source}.jsonl")):
        article = sentences_of(row["article"])
        for judged in row["summary_sentences"]:
            votes = [answer["response"] == "yes" for answer in judged["responses"]]
            kind = SUPPORTED if sum(votes) > len(votes) / 2 else "inconsistent"
            pairs.append(Pair(judged["sentence"], article, str(number), fold(number), kind))
    return SupportSet(f"qags_{source}", tuple(pairs), FOLDS)


def load_scholarqa(folder: Path) -> SupportSet:
    """ScholarQA-Multi: sentences of experts beside the passages that they cite.

    The same sentence beside as many passages of the next question of its subject, those with the
    same numbers, is not supported. That the cited ones support it is the expert's word; nobody has
    judged it. Two halves by question.
    """
    path = folder / "scholarqabench" / "data" / "scholarqa_multi" / "human_answers.json"
    rows = json.loads(read_file(path))
    subjects: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        subjects[row["subject"]].append(row)
    part_of = {row["id"]: fold(number) for number, row in enumerate(rows)}
    pairs = tuple(
        pair
        for same in subjects.values()
        for row, following in zip(same, [*same[1:], same[0]], strict=True)
        for pair in _expert_pairs(row, following, part_of[row["id"]])
    )
    return SupportSet("scholarqa", pairs, FOLDS)


def _expert_pairs(
    row: Mapping[str, Any], following: Mapping[str, Any], part: str
) -> Iterator[Pair]:
    n_passages = len(row["ctxs"])
    cited = _cited(row["output"])
    # One answer counts from 1 instead of 0; a few cite passages that are not there.
    first = 1 if 0 not in cited and n_passages in cited else 0
    for sentence in sentences_of(row["output"]):
        numbers = [n - first for n in _cited(sentence) if 0 <= n - first < n_passages]
        own = _passages(row, numbers)
        claim = _MARKER.sub("", sentence).strip()
        if own and any(map(str.isalnum, claim)):
            foreign = _passages(following, [n % len(following["ctxs"]) for n in numbers])
            yield Pair(claim, own, row["id"], part)
            yield Pair(claim, foreign, row["id"], part, "next question")


def _cited(text: str) -> list[int]:
    """The numbers in ``[2]``, ``[1, 3]`` and ``[1-4]``, in order."""
    numbers: list[int] = []
    for match in _MARKER.finditer(text):
        for item in match[1].split(","):
            first, last = re.findall(r"\d+", item)[0], re.findall(r"\d+", item)[-1]
            numbers += range(int(first), min(int(last), _MOST_CITED) + 1)
    return list(dict.fromkeys(numbers))


def _passages(row: Mapping[str, Any], numbers: Sequence[int]) -> tuple[str, ...]:
    texts = [row["ctxs"][number]["text"] for number in dict.fromkeys(numbers)]
    # Two passages of the file are NaN.
    return tuple(
        sentence for text in texts if isinstance(text, str) for sentence in sentences_of(text)
    )


LOADERS: Mapping[str, Callable[[Path], SupportSet]] = {
    SCIFACT: load_scifact,
    "ragtruth_qa": load_ragtruth,
    "qags_cnndm": lambda folder: load_qags(folder, "cnndm"),
    "qags_xsum": lambda folder: load_qags(folder, "xsum"),
    "scholarqa": load_scholarqa,
}
