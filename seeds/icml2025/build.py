"""Make papers.jsonl.gz from a list of the volume's papers and from the seed papers.

    python seeds/icml2025/build.py PATH/papers.jsonl

The list has one paper a line; seeds/README.md names its sources. Papers that are among the seed
papers are taken from there, since their abstracts are those of the conference byte for byte.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
N_PAPERS = 3330

_LINK = re.compile(r"://|www\.|\.(?:ai|com|edu|io|net|org)\b")
_ENDS_WITH_A_WORD = re.compile(r"(?:[\w)\]%>]|[^.\s][$*}])$")
# The list lacks braces: \mathcalO(T) for \mathcal{O}(T).
_NO_BRACES = re.compile(r"\\(mathbf|mathcal|mathrm|texttt)(\[\w+\]|\w)")


def with_full_stop(abstract: str) -> str:
    """The list lacks the full stop that ends an abstract; after a link there may have been none."""
    last_word = abstract.split()[-1]
    is_open = _ENDS_WITH_A_WORD.search(last_word) and not _LINK.search(last_word)
    return abstract + "." if is_open else abstract


def paper_record(listed: dict[str, Any]) -> dict[str, Any]:
    """One line of papers.jsonl.gz; what is not known is left out."""
    early_title = listed["title_at_icml_cc"]
    record = {
        # What OpenReview does not have is known by its place in the proceedings.
        "paper_id": listed["openreview"] or f"v267/{listed['id']}",
        "title": _NO_BRACES.sub(r"\\\1{\2}", listed["title"]),
        "abstract": with_full_stop(listed["abstract"]) if listed["abstract"] else None,
        "authors": listed["authors"],
        "venue": listed["venue"],
        "year": listed["year"],
        "url": listed["openreview_url"] or listed["url"],
        "pdf_url": listed["pdf"],
        "presentation": listed["presentation"],
        "track": listed["track"],
        "pages": listed.get("pages"),
        "other_titles": [early_title] if early_title else None,
    }
    return {name: value for name, value in record.items() if value is not None}


def build(papers: Path) -> str:
    """The content of papers.jsonl.gz, in the order of the list."""
    seeds = _read(FOLDER.parent / "papers.jsonl")
    known = {record["paper_id"]: record for record in seeds}
    records = [known.pop(record["paper_id"], record) for record in map(paper_record, _read(papers))]
    if len({record["paper_id"] for record in records}) != N_PAPERS or known:
        raise ValueError(f"{len(records)} papers of {N_PAPERS}; unmatched seeds: {len(known)}")
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    # Without a time, so that the same papers give the same bytes.
    packed = gzip.compress(build(Path(sys.argv[1])).encode(), mtime=0)
    (FOLDER / "papers.jsonl.gz").write_bytes(packed)
