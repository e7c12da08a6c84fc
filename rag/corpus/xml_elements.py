"""XML into the elements that are wanted, each with its line; broken files as far as they go."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from rag.corpus.records import RejectedRow
from rag.errors import CorpusError


@dataclass(frozen=True, slots=True)
class XmlRecord:
    """An element with all that is in it; names are without their namespaces."""

    line: int
    element: Element


@dataclass(frozen=True, slots=True)
class XmlContent:
    """What a file holds, and where it breaks off if it does."""

    root: str
    """The name of the outermost element; empty if there is none."""
    records: tuple[XmlRecord, ...]
    broken: RejectedRow | None


def read_elements(text: str, file: str, wanted: Collection[str]) -> XmlContent:
    """The outermost elements of the wanted names, in order.

    Raises:
        CorpusError: If the file declares entities, which may unfold without end.
    """
    collector = _Collector(file, wanted)
    try:
        collector.parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        reason = f"not valid XML: {expat.ErrorString(error.code)}; the rest of the file is lost"
        broken = RejectedRow(file, error.lineno, reason)
        return XmlContent(collector.root, tuple(collector.records), broken)
    return XmlContent(collector.root, tuple(collector.records), None)


class _Collector:
    """Builds an element tree for each wanted element that the parser meets."""

    def __init__(self, file: str, wanted: Collection[str]) -> None:
        self.root = ""
        self.records: list[XmlRecord] = []
        self._file, self._wanted = file, wanted
        self._builder: TreeBuilder | None = None
        self._depth = self._line = 0
        # The text is decoded already, whatever the file declares.
        self.parser = expat.ParserCreate("utf-8", " ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.EntityDeclHandler = self._refuse

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        name = qualified.rpartition(" ")[2]
        self.root = self.root or name
        if self._builder is None and name in self._wanted:
            self._builder, self._depth = TreeBuilder(), 0
            self._line = self.parser.CurrentLineNumber
        if self._builder is not None:
            self._builder.start(name, attributes)
            self._depth += 1

    def _end(self, qualified: str) -> None:
        if self._builder is None:
            return
        self._builder.end(qualified.rpartition(" ")[2])
        self._depth -= 1
        if not self._depth:
            self.records.append(XmlRecord(self._line, self._builder.close()))
            self._builder = None

    def _data(self, text: str) -> None:
        if self._builder is not None:
            self._builder.data(text)

    def _refuse(self, *declaration: object) -> None:
        raise CorpusError(
            f"{self._file} declares the XML entity {declaration[0]!r}, which is not read.",
            hint="Export the file again without a document type.",
        )
