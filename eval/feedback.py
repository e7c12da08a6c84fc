"""What readers said of answers: kept on this machine, and turned into cases of an evaluation."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from eval.cases import DatasetError
from rag.answer import Answer
from rag.text import clean, content_hash

Verdict = Literal["helpful", "not_helpful", "wrong_source"]
FILE = "feedback.jsonl"
"""Its name in the data folder."""
SPLIT = "feedback"
"""The split of the cases that are made of it."""
_MOST_CHARS = 2000
_ANY_OUTCOME = ("answered", "not_stated", "not_in_corpus")


@dataclass(frozen=True, slots=True)
class Feedback:
    """One reader's word on one answer, with what is needed to ask again."""

    at: str
    """ISO 8601, UTC."""
    verdict: Verdict
    comment: str
    question: str
    history: tuple[str, ...]
    """Earlier questions of the conversation, oldest first."""
    status: str
    text: str
    papers: tuple[str, ...]
    """Ids of the papers that the answer speaks of."""
    quotes: tuple[tuple[str, str], ...]
    """Paper id and quote of each citation."""
    wrong_paper: str
    """For ``wrong_source`` the paper that was meant; empty where it was the answer as a whole."""
    corpus: str
    model: str
    index: str


def feedback_on(
    answer: Answer,
    verdict: Verdict,
    *,
    corpus: str,
    comment: str = "",
    history: Sequence[str] = (),
    wrong_paper: str = "",
) -> Feedback:
    """A reader's word on an answer; long comments are shortened.

    Raises:
        ValueError: If there is no such verdict.
    """
    if verdict not in get_args(Verdict):
        raise ValueError(f"There is no verdict {verdict!r}.")
    return Feedback(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        verdict=verdict,
        comment=clean(comment).strip()[:_MOST_CHARS],
        question=answer.question,
        history=tuple(history),
        status=answer.status,
        text=answer.text,
        papers=tuple(paper.paper_id for paper in answer.papers),
        quotes=tuple((item.paper.paper_id, item.quote) for item in answer.citations),
        wrong_paper=wrong_paper,
        corpus=corpus,
        model=answer.model,
        index=answer.index_fingerprint,
    )


def append_feedback(path: Path, feedback: Feedback) -> None:
    """Add one line to the file and bring it to the disk; several processes may do so at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(asdict(feedback), ensure_ascii=False) + "\n"
    with path.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def load_feedback(path: Path) -> list[Feedback]:
    """Read the file, oldest first. A last line that was cut off by a crash is left out.

    Raises:
        DatasetError: If it cannot be read, or another line is no feedback.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(
            f"The feedback {path} cannot be read: {error}.", hint="Check who may read it."
        ) from error
    given = []
    for number, line in enumerate(lines, start=1):
        try:
            given += [_parse(json.loads(line))] if line.strip() else []
        except (ValueError, TypeError, KeyError) as error:
            if number == len(lines):
                break
            raise DatasetError(
                f"{path}:{number}: no feedback ({error}).", hint="Mend or remove the line."
            ) from error
    return given


def to_case(feedback: Feedback) -> dict[str, Any]:
    """A case of an evaluation, as an object of its file.

    A helpful answer is what the next one is measured by: the same outcome, the same papers. Where a
    source was wrong, it must not be cited again. Of an answer that did not help nobody said what
    would have: any outcome passes until somebody has looked (``to_check``).
    """
    helped = feedback.verdict == "helpful"
    told = (feedback.at, feedback.verdict, feedback.question, feedback.text, feedback.comment)
    papers = feedback.papers if helped else ()
    wrong = [feedback.wrong_paper] if feedback.wrong_paper else list(feedback.papers)
    return {
        "case_id": f"{SPLIT}-{content_hash(*told)[:12]}",
        "split": SPLIT,
        "kind": "reported",
        "question": feedback.question,
        "history": list(feedback.history),
        "expected": [feedback.status] if helped else list(_ANY_OUTCOME),
        "gold_papers": list(dict.fromkeys(papers)),
        "gold_quotes": [
            {"paper_id": paper_id, "quote": quote}
            for paper_id, quote in dict.fromkeys(feedback.quotes if helped else ())
            if quote
        ],
        "gold_facts": [],
        "wrong_papers": list(dict.fromkeys(wrong)) if feedback.verdict == "wrong_source" else [],
        "to_check": not helped,
        "comment": feedback.comment,
        "corpus": feedback.corpus,
    }


def import_feedback(source: Path, target: Path) -> tuple[int, int]:
    """Add to a file of cases what is not yet in it.

    Args:
        source: The feedback.
        target: A JSONL file of cases; made if it is not there. Its lines are kept as they are, so
            that what somebody corrected by hand stays.

    Returns:
        How many cases were added, and how many were there already.

    Raises:
        DatasetError: If either file cannot be read.
    """
    kept = target.read_text(encoding="utf-8") if target.exists() else ""
    there = _ids(kept, target)
    cases = {case["case_id"]: case for case in map(to_case, load_feedback(source))}
    new = [case for case_id, case in cases.items() if case_id not in there]
    if new:
        joint = "" if not kept or kept.endswith("\n") else "\n"
        lines = [json.dumps(case, ensure_ascii=False) for case in new]
        partial = target.with_name(target.name + ".part")
        partial.write_text(kept + joint + "\n".join(lines) + "\n", encoding="utf-8")
        partial.replace(target)
    return len(new), len(cases) - len(new)


def _ids(text: str, path: Path) -> set[str]:
    try:
        return {json.loads(line)["case_id"] for line in text.split("\n") if line.strip()}
    except (ValueError, TypeError, KeyError) as error:
        raise DatasetError(
            f"{path} is no file of cases ({error}).", hint="Give another file, or mend this one."
        ) from error


def _parse(row: dict[str, Any]) -> Feedback:
    row = row | {
        "history": tuple(row["history"]),
        "papers": tuple(row["papers"]),
        "quotes": tuple((paper_id, quote) for paper_id, quote in row["quotes"]),
    }
    return Feedback(**row)
