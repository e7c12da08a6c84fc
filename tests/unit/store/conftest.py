"""Papers, chunks and vectors that are small, real enough and the same in every run."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rag.chunking import embedding_text, split_paper
from rag.records import Chunk, Paper
from rag.store.build import Content, write_generation
from rag.store.generation import IndexFolder

PAPERS = (
    Paper(
        paper_id="p1",
        title="Counting Wells from Orbit",
        abstract="We count abandoned oil wells in satellite images. 213,000 wells are labelled.",
        authors=("Ann Example", "Bo Muster"),
        venue="ICML",
        year=2025,
        other_titles=("The Alberta Wells Dataset",),
    ),
    Paper(
        paper_id="p2",
        title="$\\Delta$-IRIS: World Models with Context",
        abstract="A world model with discrete tokens learns Crafter quickly. It plays well.",
        authors=("Zoé Beispiel",),
        keywords=("world models", "reinforcement learning"),
    ),
    Paper(
        paper_id="p3",
        title="Sparse Training of Transformers",
        abstract="Pruned transformers train as well as dense ones, at half the cost.",
    ),
    Paper(paper_id="p4", title="A Title without an Abstract", abstract=""),
)


class HashEmbedder:
    """Adds up one fixed random vector a word: texts that share words are near."""

    dimension = 32

    def __init__(self, fingerprint: str = "hash/32") -> None:
        self.fingerprint = fingerprint

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        return np.array([self.embed_query(text) for text in texts], dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        total = np.zeros(self.dimension)
        for word in text.lower().split() or [""]:
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
            total += np.random.default_rng(seed).normal(size=self.dimension)
        return (total / np.linalg.norm(total)).astype(np.float32)


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def papers() -> dict[str, Paper]:
    return {paper.paper_id: paper for paper in PAPERS}


@pytest.fixture
def chunks() -> dict[str, Chunk]:
    split = [chunk for paper in PAPERS for chunk in split_paper(paper, max_tokens=448)]
    return {chunk.chunk_id: chunk for chunk in split}


@pytest.fixture
def folder(tmp_path: Path) -> IndexFolder:
    return IndexFolder.of(tmp_path, "papers")


@pytest.fixture
def build(folder: IndexFolder, embedder: HashEmbedder) -> Callable[[Sequence[Paper]], Path]:
    """Writes a generation of some papers, points to it and gives its folder."""

    def build(papers: Sequence[Paper] = PAPERS) -> Path:
        chunks = [chunk for paper in papers for chunk in split_paper(paper, max_tokens=448)]
        content = Content.of("papers.jsonl", papers, chunks, embedder)
        texts = [
            embedding_text(content.papers[chunk.paper_id], chunk)
            for chunk in content.chunks.values()
        ]
        path = folder.new_generation(content.manifest().fingerprint)
        write_generation(path, content, embedder.embed_passages(texts))
        folder.switch(path.name)
        return path

    return build
