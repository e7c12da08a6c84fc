"""A small corpus, a fast embedder and a fast reader, for tests of the flow that need no model."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import chroma_server as chroma
import numpy as np
import openai_server as played
import pytest
from numpy.typing import NDArray

from rag.assistant import Assistant
from rag.corpus import Corpus
from rag.embeddings.base import Reading
from rag.indexing import sync_index
from rag.library import Library
from rag.records import Paper
from rag.settings import Settings
from rag.store.folder import FolderStore
from rag.text import Span, search_terms

PAPERS = (
    Paper(
        paper_id="wells",
        title="Counting Wells from Orbit",
        abstract=(
            "Abandoned oil wells leak methane into the air. We release a dataset of 213,000 wells "
            "in Alberta, seen by satellites. Experts checked every label of the wells twice. "
            "A detector trained on our images finds 81.5\\% of them."
        ),
        authors=("Ann Example", "Bo Muster"),
        venue="ICML",
        year=2025,
        url="https://papers.example/wells",
        presentation="oral",
    ),
    Paper(
        paper_id="iris",
        title="$\\Delta$-IRIS: World Models with Context",
        abstract=(
            "World models let agents learn in imagination. We present $\\Delta$-IRIS, whose "
            "tokens encode only what changes between frames (cf. video codecs). It reaches human "
            "scores in Crafter, and trains ten times faster than before."
        ),
        authors=("Zoé Beispiel",),
        venue="ICML",
        year=2024,
        presentation="poster",
    ),
    Paper(
        paper_id="sparse",
        title="SparseBench: Pruned Transformers Compared",
        abstract=(
            "Transformers can be pruned before training. SparseBench compares 14 pruning methods "
            "at equal cost. On CIFAR-10 magnitude pruning is best; on speech no method helps. "
            "SparseBench and its code are public."
        ),
        authors=("Cem Sample", "Ann Example"),
        venue="ICML",
        year=2025,
        url="https://papers.example/sparse",
        presentation="poster",
    ),
    Paper(
        paper_id="auctions",
        title="Auctions that Nobody Can Rig",
        abstract=(
            "Bidders misreport what they would pay. We design auctions in which the truth is the "
            "best bid, whatever the others do. The revenue is at least one half of the optimum."
        ),
        authors=("Dora Prueba",),
        venue="ICML",
        year=2025,
        presentation="spotlight",
    ),
    Paper(
        paper_id="graphs",
        title="Federated Learning on Graphs",
        abstract=(
            "Hospitals cannot share their graphs of patients. Federated learning trains one model "
            "on all of them. Our compression halves the traffic without loss of accuracy."
        ),
        authors=("Eva Muster",),
        venue="ICML",
        year=2025,
        presentation="poster",
    ),
    Paper(paper_id="untold", title="Zeppelin Navigation by Starlight", abstract=""),
)


class HashEmbedder:
    """Adds up one fixed random vector a word: texts that share words are near."""

    dimension = 64
    fingerprint = "hash/64"

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        return np.array([self.embed_query(text) for text in texts], dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        total = np.zeros(self.dimension)
        for term in search_terms(text) or [""]:
            seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "big")
            total += np.random.default_rng(seed).normal(size=self.dimension)
        return (total / np.linalg.norm(total)).astype(np.float32)


class OverlapReader:
    """Takes shared terms for log-odds: 4 for each, and far below 0 where there is none."""

    name = "overlap"

    def read(self, question: str, title: str, text: str, sentences: Sequence[Span]) -> Reading:
        asked = set(search_terms(question))
        scores = tuple(_shared(asked, text[span.start : span.end]) for span in sentences)
        return Reading(
            scores,
            answerable=max(scores, default=-20.0),
            about=_shared(asked, f"{title}. {text}"),
        )


def _shared(asked: set[str], text: str) -> float:
    return 4.0 * len(asked & set(search_terms(text))) or -20.0


@pytest.fixture(scope="session")
def small_papers() -> dict[str, Paper]:
    return {paper.paper_id: paper for paper in PAPERS}


@pytest.fixture(scope="session")
def hash_embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture(scope="session")
def overlap_reader() -> OverlapReader:
    return OverlapReader()


@pytest.fixture(scope="session")
def index_papers(hash_embedder) -> Callable[[Path, Sequence[Paper]], None]:
    """Builds or updates the index ``small`` under a folder."""

    def index(data_dir: Path, papers: Sequence[Paper] = PAPERS) -> None:
        corpus = Corpus("small", tuple(papers), (), len(papers), ())
        sync_index(
            corpus, name="small", data_dir=data_dir, embedder=hash_embedder, chunk_tokens=448
        )

    return index


@pytest.fixture(scope="session")
def small_index(tmp_path_factory, index_papers) -> Path:
    """The folder of an index of the small corpus; not to be changed."""
    data_dir = tmp_path_factory.mktemp("small")
    index_papers(data_dir)
    return data_dir


@pytest.fixture(scope="session")
def open_small(hash_embedder, overlap_reader) -> Callable[..., Assistant]:
    """Opens an assistant on the index ``small`` of a folder."""

    def open_small(data_dir: Path, reader=overlap_reader, engine=None, **settings) -> Assistant:
        settings = Settings(corpus="small", data_dir=data_dir, _env_file=None, **settings)
        library = Library.of(FolderStore(data_dir, "small"), hash_embedder, depth=100)
        return Assistant(library, reader, settings, engine=engine)

    return open_small


@pytest.fixture(scope="session")
def small_assistant(open_small, small_index):
    """An assistant on the small corpus that tests may share, for it keeps no state."""
    with open_small(small_index) as assistant:
        yield assistant


@pytest.fixture
def openai_server() -> Iterator[played.OpenAIServer]:
    """A server of its own for a test, which speaks the OpenAI protocol; see ``openai_server.py``."""
    with played.running() as server:
        yield server


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory) -> Iterator[chroma.ChromaServer]:
    """A real Chroma server that tests share; each uses index names of its own."""
    with chroma.running(tmp_path_factory.mktemp("chroma-server")) as server:
        yield server
