"""The lexical leg: BM25 over the same chunks as the dense leg."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rag.errors import IndexDamaged
from rag.records import Chunk, LegHit, Paper
from rag.store.postings import K1, B, Postings
from rag.text import normalise, search_terms

_IDS = "chunk_ids.json"
_WORDS = "words.json"
# What a misspelt word may have meant: a word of some length that is no slip of its own.
_WORD = re.compile(r"[a-z]{4,}")
_LEAST_CHUNKS = 2
# In a link to a paper its id, or the number of its page.
_IN_LINK = re.compile(r"[?&]id=([\w-]+)|/([\w.-]+?)(?:\.html|\.pdf)?/?$")
# A form number, since what is indexed of a paper is not told by the terms of a text.
_FORM = "2"
# Every kind of thing that the rules for search terms treat in a way of their own.
_PROBE = """Running studies' $\\Delta$-IRIS (SWE-Gym v2.1), 213,000 U.S. wells; \\textbf{Naïve} &amp;
don't "re-use" the e.g. Schrödinger–Föllmer α_t ﬁne-tuning of GPT-4o’s 3.5 universities"""


@lru_cache(maxsize=1)
def lexicon() -> str:
    """12 hex digits that change when the rules for search terms, or what is indexed, change."""
    return hashlib.sha256(json.dumps([_FORM, *search_terms(_PROBE)]).encode()).hexdigest()[:12]


class LexicalIndex:
    """BM25 (Lucene's variant, k1 = 1.2, b = 0.75) over titles, authors, ids and abstracts.

    Several threads may search at once.
    """

    def __init__(
        self,
        bm25: Any,
        chunk_ids: Sequence[str],
        paper_ids: Sequence[str],
        words: Mapping[str, int],
    ) -> None:
        self._bm25 = bm25
        self.chunk_ids = tuple(chunk_ids)
        """Of all chunks, sorted."""
        self.words = words
        """Words of titles and abstracts, normalised, that two chunks or more hold: how many do."""
        self._paper_ids = tuple(paper_ids)

    @staticmethod
    def create(folder: Path, papers: Mapping[str, Paper], chunks: Iterable[Chunk]) -> None:
        """Write a new index into a folder that has none.

        Args:
            folder: Made if need be.
            papers: By id; all that the chunks are of.
            chunks: In any order, at least one.
        """
        from bm25s import BM25

        # Sorted, so that the order of rows settles ties by chunk id.
        ordered = sorted(chunks, key=lambda chunk: chunk.chunk_id)
        # bm25s cannot count an empty text; an empty term is never searched for.
        terms = [terms_of(papers[chunk.paper_id], chunk.text) or [""] for chunk in ordered]
        bm25 = BM25(method="lucene", k1=K1, b=B)
        bm25.index(terms, show_progress=False)
        bm25.save(folder, allow_pickle=False, show_progress=False)
        ids = json.dumps([chunk.chunk_id for chunk in ordered])
        (folder / _IDS).write_text(ids, encoding="utf-8")
        words = json.dumps(_count_words(papers, ordered))
        (folder / _WORDS).write_text(words, encoding="utf-8")

    @classmethod
    def open(cls, folder: Path, chunks: Mapping[str, Chunk]) -> LexicalIndex:
        """Open an index that ``create`` made from these chunks.

        Raises:
            IndexDamaged: If it was made from others.
        """
        from bm25s import BM25

        bm25 = BM25.load(folder, load_corpus=False, allow_pickle=False, show_progress=False)
        chunk_ids = json.loads((folder / _IDS).read_text(encoding="utf-8"))
        if chunk_ids != sorted(chunks):
            raise IndexDamaged(f"The lexical index {folder} is of other chunks than the records.")
        words = json.loads((folder / _WORDS).read_text(encoding="utf-8"))
        return cls(bm25, chunk_ids, [chunks[chunk_id].paper_id for chunk_id in chunk_ids], words)

    def postings(self) -> Postings:
        """Which terms the chunks hold, in their order."""
        return Postings.read(self._bm25, len(self.chunk_ids))

    def search(self, text: str, k: int, allowed: frozenset[str] | None = None) -> list[LegHit]:
        """Find the chunks that share terms with a text.

        Args:
            text: The query as written.
            k: How many hits at most.
            allowed: Ids of the papers to search; None for all.

        Returns:
            Best first, ties by chunk id; the score is that of BM25 and above 0.
        """
        terms = search_terms(text)
        if not terms:
            return []
        scores = self._bm25.get_scores(terms)
        if allowed is not None:
            scores = scores * np.fromiter((paper in allowed for paper in self._paper_ids), bool)
        rows = np.flatnonzero(scores > 0)
        best = rows[np.argsort(-scores[rows], kind="stable")][: max(k, 0)]
        return [LegHit(self.chunk_ids[row], float(scores[row])) for row in best]

    def ceiling(self, text: str) -> float:
        """The score of a chunk that held every term of a text any number of times."""
        n_all = len(self.chunk_ids)
        n_holding = map(self.n_holding, search_terms(text))
        return sum(math.log(1 + (n_all - n + 0.5) / (n + 0.5)) for n in n_holding)

    def n_holding(self, term: str) -> int:
        """How many chunks hold a term that ``search_terms`` gave."""
        row = self._bm25.vocab_dict.get(term)
        starts = self._bm25.scores["indptr"]
        return 0 if row is None else int(starts[row + 1] - starts[row])


def terms_of(paper: Paper, text: str) -> list[str]:
    """What is indexed of a chunk with this text."""
    texts = (paper.title, *paper.other_titles, *paper.authors, *ids_of(paper), text)
    return [term for text in texts for term in search_terms(text)]


def ids_of(paper: Paper) -> list[str]:
    """What a paper is known by: its ids and those in its links, but for mere numbers."""
    entries = paper.entries
    links = (link for entry in entries for link in (entry.url, entry.pdf_url) if link)
    found = [match[1] or match[2] for link in links if (match := _IN_LINK.search(link))]
    ids = (*(entry.paper_id for entry in entries), *found)
    named = (name for name in ids if re.search("[A-Za-z]", name))
    return list(dict.fromkeys(named))


def _count_words(papers: Mapping[str, Paper], chunks: Iterable[Chunk]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for chunk in chunks:
        paper = papers[chunk.paper_id]
        text = " ".join((paper.title, *paper.other_titles, chunk.text))
        counts.update(set(_WORD.findall(normalise(text))))
    return {word: n for word, n in sorted(counts.items()) if n >= _LEAST_CHUNKS}
