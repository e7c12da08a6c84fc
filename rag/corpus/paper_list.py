"""Lists of a conference's papers, one file a conference, as list keepers on GitHub publish them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rag.corpus.identity import id_from_links
from rag.corpus.records import RejectedRow, Row
from rag.corpus.values import one_line

# iclr2018.json, ACL2024_sample.json
_FILE = re.compile(r"(?P<venue>[A-Za-z]{2,12})[-_ ]?(?P<year>(?:19|20)\d{2})(?!\d)")
_FORMS = frozenset({"oral", "spotlight", "poster"})
_SPELLED = {"nips": "NeurIPS", "neurips": "NeurIPS", "interspeech": "Interspeech"}


def is_record(record: Mapping[str, object]) -> bool:
    """Whether a JSON object is an entry of such a list."""
    keys = record.keys()
    has_status = {"title", "status", "track"} <= keys and bool(
        keys & {"site", "pid", "gs_citation", "author_site"}
    )
    return has_status or {"title", "volume", "semantic_title"} <= keys


def make_row(record: Mapping[str, object], line: int, file: str) -> Row | RejectedRow:
    """The row of an entry; venue and year are in the name of the file alone."""
    said = _FILE.match(file)
    venue = _SPELLED.get(said["venue"].lower(), said["venue"].upper()) if said else ""
    address = record.get("openreview") or record.get("site") or record.get("url")
    is_keyed = "semantic_title" in record
    part = one_line(record.get("volume"))
    fields = {
        **record,
        "authors": record.get("author") or record.get("authors") or record.get("author_site"),
        "author": None,
        "venue": record.get("venue") or (f"{venue} {said['year']}" if said else ""),
        "year": record.get("year") or (said["year"] if said else ""),
        "url": address,
        "presentation": part if part in _FORMS else record.get("status"),
        "track": record.get("track") or ("" if part in _FORMS else part),
        # A keyed list's own ids are those of Semantic Scholar.
        "id": id_from_links([one_line(address)]) if is_keyed else record.get("id"),
    }
    return Row(line, fields)
