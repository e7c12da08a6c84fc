"""Several indexes as one: one scale for both legs, each paper under one id.

Similarities of one embedder are comparable wherever they were found, so the dense legs are asked
one after the other. BM25 scores are not: how rare a word is, and how long a text, is relative to
its corpus. The lexical leg is therefore made anew from what is counted in each, and is the one that
an index of all papers would have.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexDamaged
from rag.records import Chunk, LegHit, Paper
from rag.store.index import DenseStore, Index
from rag.store.lexical import LexicalIndex, terms_of
from rag.store.manifest import Manifest
from rag.store.postings import Postings


@dataclass(frozen=True, slots=True)
class Part:
    """One of several indexes, and what is shown of it."""

    index: Index
    papers: Mapping[str, Paper]
    """By the id that a paper has in the index: the paper as it is shown. What is left out is not
    searched. The abstracts are those of the index."""
    chunks: Mapping[str, Chunk] = field(init=False)
    """By the id that a chunk has in the index: the chunk as it is shown."""

    def __post_init__(self) -> None:
        shown = {
            chunk_id: _shown(chunk, self.papers[chunk.paper_id])
            for chunk_id, chunk in self.index.chunks.items()
            if chunk.paper_id in self.papers
        }
        object.__setattr__(self, "chunks", shown)

    def has_same_terms(self, chunk_id: str) -> bool:
        """Whether a chunk is found by the same words as in the index alone."""
        paper_id = self.index.chunks[chunk_id].paper_id
        before, after = self.index.papers[paper_id], self.papers[paper_id]
        return (
            before.paper_id == after.paper_id
            and before.other_titles == after.other_titles
            and before.copies == after.copies
        )


def join_indexes(parts: Sequence[Part]) -> Index:
    """One index over all that the parts show.

    Args:
        parts: At least one, all made by one embedder; no two show a paper by one id.
    """
    papers = {paper.paper_id: paper for part in parts for paper in part.papers.values()}
    chunks = {chunk.chunk_id: chunk for part in parts for chunk in part.chunks.values()}
    return Index(
        "+".join(part.index.generation_id for part in parts),
        _manifest(parts, len(papers), len(chunks)),
        papers,
        dict(sorted(chunks.items())),
        JointVectors(parts),
        _join_lexical(parts, papers),
    )


class JointVectors:
    """The dense legs of several indexes; see ``DenseStore``."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._legs = [_Leg.of(part) for part in parts if part.chunks]

    def search(
        self, vector: NDArray[np.float32], k: int, allowed: frozenset[str] | None = None
    ) -> list[LegHit]:
        """Find the chunks nearest to a query; see ``DenseStore.search``."""
        found = [leg.search(vector, k, allowed) for leg in self._legs]
        return list(heapq.merge(*found, key=_best_first))[: max(k, 0)]

    def read_vectors(self, chunk_ids: Sequence[str]) -> NDArray[np.float32]:
        """Read embeddings back; see ``DenseStore.read_vectors``."""
        rows = {
            chunk_id: row
            for leg in self._legs
            for chunk_id, row in leg.read_vectors(set(chunk_ids)).items()
        }
        if rows.keys() != set(chunk_ids):
            raise IndexDamaged("The indexes that are open together have lost embeddings.")
        return np.array([rows[chunk_id] for chunk_id in chunk_ids], dtype=np.float32)

    def close(self) -> None:
        """There is nothing to let go: the indexes belong to whoever opened them."""


@dataclass(frozen=True, slots=True)
class _Leg:
    """The dense leg of one part, in the ids that are shown."""

    dense: DenseStore
    shown: Mapping[str, str]
    """Id of a chunk in the index -> as it is shown."""
    papers: Mapping[str, str]
    """Id of a paper as it is shown -> in the index."""

    @classmethod
    def of(cls, part: Part) -> _Leg:
        shown = {own: chunk.chunk_id for own, chunk in part.chunks.items()}
        return cls(part.index.dense, shown, {p.paper_id: own for own, p in part.papers.items()})

    def search(
        self, vector: NDArray[np.float32], k: int, allowed: frozenset[str] | None
    ) -> list[LegHit]:
        # A copy that is left out takes the place of a hit, and is as near as the paper that another
        # part shows for it: together they are k hits all the same.
        own = None
        if allowed is not None:
            own = frozenset(self.papers[name] for name in allowed if name in self.papers)
            if not own:
                return []
        hits = self.dense.search(vector, k, own)
        kept = (
            LegHit(self.shown[hit.chunk_id], hit.score)
            for hit in hits
            if hit.chunk_id in self.shown
        )
        return sorted(kept, key=_best_first)

    def read_vectors(self, chunk_ids: set[str]) -> dict[str, NDArray[np.float32]]:
        wanted = {own: chunk_id for own, chunk_id in self.shown.items() if chunk_id in chunk_ids}
        vectors = self.dense.read_vectors(list(wanted)) if wanted else ()
        return dict(zip(wanted.values(), vectors, strict=True))


def _best_first(hit: LegHit) -> tuple[float, str]:
    return -hit.score, hit.chunk_id


def _shown(chunk: Chunk, paper: Paper) -> Chunk:
    if chunk.paper_id == paper.paper_id:
        return chunk
    number = chunk.chunk_id.rpartition("#")[2]
    return replace(chunk, chunk_id=f"{paper.paper_id}#{number}", paper_id=paper.paper_id)


def _manifest(parts: Sequence[Part], n_papers: int, n_chunks: int) -> Manifest:
    """What all were made with; its fingerprint tells by which content answers were given."""
    manifests = [part.index.manifest for part in parts]
    hashes = "\n".join(manifest.corpus_hash for manifest in manifests)
    return replace(
        manifests[0],
        source=" ".join(manifest.source for manifest in manifests),
        corpus_hash=hashlib.sha256(hashes.encode()).hexdigest(),
        n_papers=n_papers,
        n_chunks=n_chunks,
        created_at=max(manifest.created_at for manifest in manifests),
        files={},
    )


def _join_lexical(parts: Sequence[Part], papers: Mapping[str, Paper]) -> LexicalIndex:
    """The index that ``LexicalIndex.create`` would make of all that is shown.

    Only ``words`` differs: a word that one chunk alone holds in each of two parts is not told from
    one that no other chunk holds.
    """
    chunks = sorted(
        (chunk for part in parts for chunk in part.chunks.values()), key=lambda c: c.chunk_id
    )
    row_of = {chunk.chunk_id: row for row, chunk in enumerate(chunks)}
    postings, anew = [], []
    words: Counter[str] = Counter()
    for part in parts:
        lexical = part.index.lexical
        places = np.full(len(lexical.chunk_ids), -1, dtype=np.int64)
        for row, own in enumerate(lexical.chunk_ids):
            if (chunk := part.chunks.get(own)) is None:
                continue
            if part.has_same_terms(own):
                places[row] = row_of[chunk.chunk_id]
            else:
                anew.append(chunk)
        postings.append(lexical.postings().place(places, len(chunks)))
        words.update(lexical.words)
    counted = Postings.of(terms_of(papers[c.paper_id], c.text) or [""] for c in anew)
    places = np.array([row_of[chunk.chunk_id] for chunk in anew], dtype=np.int64)
    postings.append(counted.place(places, len(chunks)))
    bm25 = Postings.join(postings).scored()
    return LexicalIndex(bm25, list(row_of), [chunk.paper_id for chunk in chunks], words)
