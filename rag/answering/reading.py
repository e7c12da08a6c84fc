"""Reading the papers that a search found, in the light of one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag.embeddings.base import Reader, Reading
from rag.records import Hit
from rag.text import Span, split_sentences


@dataclass(frozen=True, slots=True)
class ReadPaper:
    """One paper that was read."""

    hit: Hit
    sentences: tuple[Span, ...]
    """Of the chunk that was read, with offsets into ``hit.paper.abstract``."""
    reading: Reading

    def quote(self, number: int) -> str:
        """The text of one of its sentences."""
        span = self.sentences[number]
        return self.hit.paper.abstract[span.start : span.end]

    def best_first(self) -> list[int]:
        """The numbers of its sentences, those that answer best first, ties in order."""
        scores = self.reading.sentences
        return sorted(range(len(scores)), key=lambda number: (-scores[number], number))


def read_papers(reader: Reader, question: str, hits: Sequence[Hit]) -> list[ReadPaper]:
    """Read the best chunk of each hit; a usual abstract is one chunk."""
    return [_read(reader, question, hit) for hit in hits]


def _read(reader: Reader, question: str, hit: Hit) -> ReadPaper:
    chunk = hit.chunk
    spans = split_sentences(chunk.text)
    reading = reader.read(question, hit.paper.title, chunk.text, spans)
    moved = tuple(Span(span.start + chunk.start, span.end + chunk.start) for span in spans)
    return ReadPaper(hit, moved, reading)
