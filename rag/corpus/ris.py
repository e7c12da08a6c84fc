"""RIS, as Zotero, EndNote, Scopus, Web of Science, PubMed, Embase, Ovid and others export it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag.corpus.identity import DOI_SITE, doi_link
from rag.corpus.records import RejectedRow, Row

_TAG = re.compile(r"(?P<tag>[A-Z][A-Z0-9])(?: {2}| ?\t)-(?:[ \t]+(?P<value>.*)|[ \t]*)")
_START = re.compile(r"^TY(?: {2}| ?\t)-", re.MULTILINE)
_HEAD_CHARACTERS = 4000
# An export numbers its records from 1; such a number is no id of the paper.
_RUNNING_NUMBER = re.compile(r"\d{0,6}")

_Tags = dict[str, list[list[str]]]
"""For each tag its values, and for each of them its lines."""


class RisLoader:
    """Reads ``.ris``; a record goes from ``TY`` to ``ER``, and what lies between records is none."""

    name = "RIS"
    suffixes = (".ris",)

    def recognises(self, text: str) -> bool:
        """See ``Loader``."""
        return bool(_START.search(text[:_HEAD_CHARACTERS]))

    def rows(self, text: str, file: str) -> Iterator[Row | RejectedRow]:
        """See ``Loader``; a record that the next one cuts short is read as far as it goes."""
        del file
        tags: _Tags | None = None
        start, last = 0, ""
        for number, line in enumerate(text.split("\n"), start=1):
            found = _TAG.fullmatch(line.strip())
            if found and found["tag"] in {"TY", "ER"}:
                if tags is not None:
                    yield Row(start, _fields(tags))
                tags, start = ({} if found["tag"] == "TY" else None), number
            elif tags is None:
                continue
            elif found:
                last = found["tag"]
                tags.setdefault(last, []).append([found["value"] or ""])
            elif line.strip() and last in tags:
                tags[last][-1].append(line.strip())
        if tags is not None:
            yield Row(start, _fields(tags))


def _fields(lines_of: _Tags) -> dict[str, object]:
    tags = {tag: ["\n".join(lines).strip() for lines in values] for tag, values in lines_of.items()}

    def first(*names: str) -> str:
        return next((value for name in names for value in tags.get(name, ()) if value), "")

    pages = [value for value in (first("SP"), first("EP")) if any(map(str.isdigit, value))]
    own_id, doi = first("ID"), doi_link(first("DO"))
    return {
        "paper_id": doi.removeprefix(DOI_SITE) if _RUNNING_NUMBER.fullmatch(own_id) else own_id,
        "title": first("TI", "T1", "CT"),
        "abstract": first("AB", "N2"),
        "authors": [*tags.get("AU", ()), *tags.get("A1", ())],
        "venue": first("T2", "JF", "JO", "BT", "C3", "JA", "J2"),
        "year": first("PY", "Y1", "DA"),
        "url": doi or first("UR"),
        "pdf_url": next((link for link in tags.get("L1", ()) if "://" in link), ""),
        "keywords": [word for value in tags.get("KW", ()) for word in value.split("\n")],
        "pages": "-".join(dict.fromkeys(pages)),
    }
