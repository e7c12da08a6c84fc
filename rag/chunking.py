"""Papers into chunks: whole sentences, counted in tokens, with exact offsets into the abstract."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from rag.records import Chunk, Paper
from rag.text import Span, content_hash, split_sentences
from rag.tokens import count_tokens

# Prose has four to five characters a token. This bounds the search for the place of a cut, so
# that a long text is cut in linear time; it matters for runs of white space only.
_MAX_CHARACTERS_PER_TOKEN = 8


def split_paper(paper: Paper, *, max_tokens: int) -> list[Chunk]:
    """Split an abstract into chunks of whole sentences; a usual abstract is one chunk.

    Args:
        paper: The paper; its abstract may be empty, and then one chunk has empty text, so that
            the title can still be found.
        max_tokens: Limit on what is embedded, the title included. A title that takes more than
            half of it does not count beyond that half.

    Returns:
        Chunks in order. ``chunk.text == paper.abstract[chunk.start:chunk.end]``, and only white
        space lies between them. A sentence over the limit is cut between words, or inside a
        word that is itself over the limit. ``n_tokens`` counts what is embedded.
    """
    packer = _Packer(paper, max_tokens)
    return [
        _chunk(paper, number, span) for number, span in enumerate(packer.pack() or [Span(0, 0)])
    ]


def embedding_text(paper: Paper, chunk: Chunk) -> str:
    """What is embedded and searched for a chunk: the paper's titles, then the chunk's text."""
    return _with_titles(paper, chunk.text)


@lru_cache(maxsize=4)
def _n_tokens(text: str) -> int:
    """Counts a text that was just counted at no cost."""
    return count_tokens(text)


def _with_titles(paper: Paper, text: str) -> str:
    return ". ".join(part for part in (paper.title, *paper.other_titles, text) if part)


def _chunk(paper: Paper, number: int, span: Span) -> Chunk:
    text = paper.abstract[span.start : span.end]
    embedded = _with_titles(paper, text)
    return Chunk(
        chunk_id=f"{paper.paper_id}#{number}",
        paper_id=paper.paper_id,
        text=text,
        start=span.start,
        end=span.end,
        n_tokens=_n_tokens(embedded),
        content_hash=content_hash(embedded),
    )


class _Packer:
    """Packs the sentences of one abstract into spans that fit."""

    def __init__(self, paper: Paper, max_tokens: int) -> None:
        self._paper = paper
        n_title = count_tokens(_with_titles(paper, ""))
        self._limit = max(max_tokens, n_title + max_tokens // 2)
        self._window = _MAX_CHARACTERS_PER_TOKEN * max_tokens

    def pack(self) -> list[Span]:
        sentences = split_sentences(self._paper.abstract)
        if not sentences:
            return []
        whole = Span(sentences[0].start, sentences[-1].end)
        if self._fits(whole):
            return [whole]
        packed: list[Span] = []
        for piece in self._pieces(sentences):
            joined = Span(packed[-1].start, piece.end) if packed else piece
            if packed and self._fits(joined):
                packed[-1] = joined
            else:
                packed.append(piece)
        return packed

    def _fits(self, span: Span) -> bool:
        if span.end - span.start > self._window:
            return False
        text = self._paper.abstract[span.start : span.end]
        return _n_tokens(_with_titles(self._paper, text)) <= self._limit

    def _pieces(self, sentences: list[Span]) -> Iterator[Span]:
        for sentence in sentences:
            rest = sentence
            while not self._fits(rest):
                cut = self._cut(rest)
                yield cut
                rest = self._skip_space(Span(cut.end, rest.end))
            yield rest

    def _cut(self, span: Span) -> Span:
        """The longest beginning of the span that fits: to a word's end if any, else anywhere."""
        stop = min(span.end, span.start + self._window)
        text = self._paper.abstract
        word_ends = [match.end() for match in re.compile(r"\S+").finditer(text, span.start, stop)]
        for ends in (word_ends[:-1], range(span.start + 1, stop)):
            n_fitting = bisect_right(ends, 0, key=lambda end: not self._fits(Span(span.start, end)))
            if n_fitting:
                return Span(span.start, ends[n_fitting - 1])
        return Span(span.start, span.start + 1)

    def _skip_space(self, span: Span) -> Span:
        text = self._paper.abstract[span.start : span.end]
        return Span(span.end - len(text.lstrip()), span.end)
