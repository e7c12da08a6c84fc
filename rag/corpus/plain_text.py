"""Plain text: a heading line, then abstracts parted by blank lines, without titles.

An abstract that itself contains a blank line is read as two; the format cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag.corpus.records import RejectedRow, Row
from rag.text import content_hash

_BLOCK = re.compile(r"\S.*?(?=\n[ \t]*\n|\s*\Z)", re.DOTALL)
_VENUE = re.compile(r"(?P<venue>\S.*?\b(?P<year>(?:19|20)\d{2}))\b")
_MAX_HEADING_CHARACTERS = 200


class PlainTextLoader:
    """Reads ``.txt`` and ``.md``; the heading gives venue and year (``ICML 2025 Papers``)."""

    name = "text"
    suffixes = (".txt", ".md")

    def recognises(self, text: str) -> bool:
        """See ``Loader``; any text may be one, so the name of the file must say so."""
        del text
        return False

    def rows(self, text: str, file: str) -> Iterator[Row | RejectedRow]:
        """See ``Loader``; the id of a paper is made from its text, so that it is stable."""
        del file
        blocks = list(_BLOCK.finditer(text))
        shared: dict[str, object] = {}
        if len(blocks) > 1 and _is_heading(blocks[0][0]):
            heading = blocks.pop(0)[0].lstrip("# ")
            if venue := _VENUE.match(heading):
                shared = venue.groupdict()
        line, counted_to = 1, 0
        for block in blocks:
            line += text.count("\n", counted_to, block.start())
            counted_to = block.start()
            abstract = block[0].rstrip()
            paper_id = f"txt-{content_hash(abstract)[:12]}"
            yield Row(line, {"id": paper_id, "abstract": abstract, **shared})


def _is_heading(block: str) -> bool:
    return (
        "\n" not in block
        and len(block) <= _MAX_HEADING_CHARACTERS
        and (block.startswith("#") or block[-1] not in ".!?")
    )
