"""The questions of an evaluation and what a right answer to each must contain."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from rag.errors import SymposiaError
from rag.records import Status

SEED_CASES = Path(__file__).parent / "datasets" / "seeds.jsonl"
KINDS = (
    "fact",
    "method",
    "find",
    "paraphrase",
    "typo",
    "title",
    "author",
    "yes_no",
    "several",
    "comparison",
    "follow_up",
    "not_stated",
    "not_in_corpus",
    "wrong_premise",
    "reported",
)


class DatasetError(SymposiaError):
    """A file of evaluation cases cannot be used."""


@dataclass(frozen=True, slots=True)
class GoldQuote:
    """The sentence of an abstract that holds the answer, verbatim."""

    paper_id: str
    quote: str


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its acceptable outcomes and its gold."""

    case_id: str
    split: str
    """The part of the data set that it belongs to, such as ``dev`` or ``test``."""
    kind: str
    """One of ``KINDS``."""
    question: str
    history: tuple[str, ...]
    """Earlier questions of the same user, oldest first."""
    expected: tuple[Status, ...]
    """The acceptable outcomes."""
    gold_papers: tuple[str, ...]
    """Every paper that a full answer cites; for ``not_stated`` the paper that was asked about."""
    gold_quotes: tuple[GoldQuote, ...]
    gold_facts: tuple[tuple[str, ...], ...]
    """Every group must be present in a full answer; the strings of one group are alternatives."""
    wrong_papers: tuple[str, ...] = ()
    """Papers that a reader found wrongly cited."""

    @property
    def answerable(self) -> bool:
        """True when only an answer is right."""
        return self.expected == ("answered",)

    @property
    def unanswerable(self) -> bool:
        """True when only a refusal is right."""
        return "answered" not in self.expected


def load_cases(path: Path = SEED_CASES, *, split: str | None = None) -> tuple[Case, ...]:
    """Read cases from a JSONL file, one object a line.

    Args:
        path: The data set.
        split: Keep the cases of this part only; None keeps all.

    Raises:
        DatasetError: The file is missing, a line is not a valid case (the message names file,
            line and field), an id occurs twice, or nothing is left.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(
            f"The evaluation cases {path} cannot be read: {error}.",
            hint="Give a UTF-8 JSONL file; eval/datasets/README.md describes its fields.",
        ) from error
    numbered = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    cases = [_parse(line, f"{path}:{n}") for n, line in numbered]
    _refuse_repeated_ids(cases, path)
    kept = tuple(case for case in cases if split in (None, case.split))
    if not kept:
        splits = ", ".join(sorted({case.split for case in cases})) or "none"
        raise DatasetError(
            f"{path} has no cases" + (f" of the split {split!r}." if split else "."),
            hint=f"Splits in this file: {splits}.",
        )
    return kept


def dataset_sha256(path: Path = SEED_CASES) -> str:
    """Sha256 (hex) of the data set file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _parse(line: str, where: str) -> Case:
    try:
        raw = json.loads(line)
    except json.JSONDecodeError as error:
        raise DatasetError(f"{where}: not JSON ({error}).", hint="Mend the line.") from error
    if not isinstance(raw, dict):
        raise DatasetError(f"{where}: not a JSON object.", hint="Mend the line.")
    return Case(
        case_id=_text(raw, "case_id", where),
        split=_text(raw, "split", where),
        kind=_choice(_text(raw, "kind", where), KINDS, "kind", where),
        question=_text(raw, "question", where),
        history=_texts(raw, "history", where),
        expected=_expected(raw, where),
        gold_papers=_texts(raw, "gold_papers", where),
        gold_quotes=_quotes(raw, where),
        gold_facts=_facts(raw, where),
        wrong_papers=_texts({"wrong_papers": [], **raw}, "wrong_papers", where),
    )


def _expected(raw: Mapping[str, Any], where: str) -> tuple[Status, ...]:
    statuses: tuple[Status, ...] = get_args(Status)
    named = _texts(raw, "expected", where)
    if not named:
        raise _bad("expected", "names no outcome", where)
    for name in named:
        _choice(name, statuses, "expected", where)
    return tuple(status for name in named for status in statuses if status == name)


def _quotes(raw: Mapping[str, Any], where: str) -> tuple[GoldQuote, ...]:
    items = _items(raw, "gold_quotes", where)
    if not all(isinstance(item, dict) for item in items):
        raise _bad("gold_quotes", "must be a list of objects", where)
    return tuple(
        GoldQuote(_text(item, "paper_id", where), _text(item, "quote", where)) for item in items
    )


def _facts(raw: Mapping[str, Any], where: str) -> tuple[tuple[str, ...], ...]:
    groups = _items(raw, "gold_facts", where)
    if not all(isinstance(group, list) and group for group in groups):
        raise _bad("gold_facts", "must be a list of non-empty lists", where)
    return tuple(_texts({"gold_facts": group}, "gold_facts", where) for group in groups)


def _items(raw: Mapping[str, Any], field: str, where: str) -> list[Any]:
    value = raw.get(field)
    if not isinstance(value, list):
        raise _bad(field, "must be a list", where)
    return value


def _texts(raw: Mapping[str, Any], field: str, where: str) -> tuple[str, ...]:
    items = _items(raw, field, where)
    if not all(isinstance(item, str) and item.strip() for item in items):
        raise _bad(field, "must be a list of non-empty strings", where)
    return tuple(items)


def _text(raw: Mapping[str, Any], field: str, where: str) -> str:
    value = raw.get(field)
    if not isinstance(value, str) or not value.strip():
        raise _bad(field, "must be a non-empty string", where)
    return value


def _choice(value: str, allowed: tuple[str, ...], field: str, where: str) -> str:
    if value not in allowed:
        raise _bad(field, f"is {value!r}, not one of {', '.join(allowed)}", where)
    return value


def _bad(field: str, problem: str, where: str) -> DatasetError:
    return DatasetError(
        f"{where}: field {field!r} {problem}.",
        hint="eval/datasets/README.md describes the fields.",
    )


def _refuse_repeated_ids(cases: list[Case], path: Path) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.case_id in seen:
            raise DatasetError(
                f"{path}: field 'case_id' repeats {case.case_id!r}.", hint="Rename one of them."
            )
        seen.add(case.case_id)
