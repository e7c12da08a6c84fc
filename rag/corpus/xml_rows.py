"""XML: feeds of arXiv (Atom) and volumes of the ACL Anthology."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag.corpus.anthology import anthology_rows
from rag.corpus.arxiv import atom_rows
from rag.corpus.records import RejectedRow, Row
from rag.corpus.xml_elements import read_elements
from rag.errors import CorpusError

_ROWS_OF = {"feed": atom_rows, "collection": anthology_rows}
_WANTED = frozenset({"entry", "meta", "paper"})
_START = re.compile(r"\s*(?:<\?xml\b|<(?:\w+:)?(?:feed|collection)\b)")


class XmlLoader:
    """Reads ``.xml``; the outermost element tells which of the two a file is."""

    name = "XML of arXiv (Atom) and of the ACL Anthology"
    suffixes = (".xml", ".atom")

    def recognises(self, text: str) -> bool:
        """See ``Loader``."""
        return bool(_START.match(text))

    def rows(self, text: str, file: str) -> Iterator[Row | RejectedRow]:
        """See ``Loader``; what follows a fault in the XML cannot be read."""
        content = read_elements(text, file, _WANTED)
        if content.root not in _ROWS_OF and not content.broken:
            raise CorpusError(
                f"{file} is XML of no known kind: its outermost element is {content.root!r}.",
                hint="Known are Atom feeds of arXiv and volumes of the ACL Anthology.",
            )
        if content.root in _ROWS_OF:
            yield from _ROWS_OF[content.root](content.records, file)
        if content.broken:
            yield content.broken
