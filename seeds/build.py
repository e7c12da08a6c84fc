"""Make papers.jsonl from the three seed documents and what is known of their papers.

    python seeds/build.py

The documents hold abstracts without titles. sources/metadata.jsonl has one line for each of the
57 papers, which names the sha256 of its abstract; every abstract must find its line.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
N_PAPERS = 57


def read_abstracts(document: Path) -> list[str]:
    """The abstracts of a document: after the heading line, parted by blank lines."""
    heading, *abstracts = document.read_text(encoding="utf-8").strip().split("\n\n")
    if heading != "ICML 2025 Papers":
        raise ValueError(f"{document.name} begins with an unexpected heading: {heading!r}")
    return abstracts


def paper_record(known: dict[str, Any], abstract: str) -> dict[str, Any]:
    """One line of papers.jsonl; what is not known is left out."""
    record = {
        "paper_id": known["openreview"],
        "title": known["title"],
        "abstract": abstract,
        "authors": known["authors"],
        "venue": known["venue"],
        "year": known["year"],
        "url": known["url"],
        "pdf_url": known["pdf"],
        # For four papers of the position track the sources do not tell poster from spotlight.
        "presentation": known.get("presentation"),
        "track": known["track"],
        "pages": known.get("pages"),
        "other_titles": [known["title_at_icml_cc"]] if "title_at_icml_cc" in known else None,
    }
    return {name: value for name, value in record.items() if value is not None}


def build(folder: Path = FOLDER) -> str:
    """The content of papers.jsonl, in the order of the documents."""
    lines = (folder / "sources" / "metadata.jsonl").read_text(encoding="utf-8").splitlines()
    known = {entry["abstract_sha256"]: entry for entry in map(json.loads, lines)}
    records = [
        paper_record(known.pop(hashlib.sha256(abstract.encode()).hexdigest()), abstract)
        for document in sorted(folder.glob("*.txt"))
        for abstract in read_abstracts(document)
    ]
    if len(records) != N_PAPERS or known:
        raise ValueError(f"{len(records)} papers of {N_PAPERS}; without abstract: {len(known)}")
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


if __name__ == "__main__":
    (FOLDER / "papers.jsonl").write_text(build(), encoding="utf-8", newline="\n")
