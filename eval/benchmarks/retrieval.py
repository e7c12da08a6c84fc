"""How well the product's retrieval ranks, on any judged collection in BEIR layout.

    python -m eval.benchmarks.retrieval --data FOLDER [--out FILE] [--rerank 10 20 50 --every 5]

``FOLDER`` holds ``corpus.jsonl`` (or ``.gz``), ``queries.jsonl`` and ``qrels/<split>.tsv``. Each
document becomes a paper and goes the product's way: split, embedded, searched by both legs, fused.
Beside it stand the rankings of each leg and of both under fixed weights.
The dense leg is exact here, so that no figure depends on an approximate index.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.benchmarks.retrieval_methods import Engine, reranked
from eval.intervals import bootstrap_mean
from eval.machine import describe_machine
from eval.search import ExactLeg
from rag.chunking import embedding_text, split_paper
from rag.embeddings.base import Embedder, PairScorer
from rag.embeddings.local import LocalEmbedder, LocalPairScorer
from rag.records import Paper
from rag.store.lexical import LexicalIndex

_CHUNK_TOKENS = 448
_METRICS = ("nDCG@10", "R@10", "R@100")

Qrels = Mapping[str, Mapping[str, int]]
"""Query id -> id of a relevant document -> its grade, 1 or more."""


@dataclass(frozen=True, slots=True)
class Collection:
    """A judged collection."""

    papers: tuple[Paper, ...]
    queries: Mapping[str, str]
    """Query id -> text, for each query that has a relevant document."""
    qrels: Qrels


@dataclass(frozen=True, slots=True)
class Rerank:
    """What of a ranking a cross-encoder orders anew."""

    scorer: PairScorer
    depths: tuple[int, ...]
    every: int
    """Every how many queries; it takes seconds for each."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric of one method: the mean over queries and its 95 % interval."""

    method: str
    metric: str
    value: float
    low: float
    high: float


def load(folder: Path, *, split: str, where: str | None) -> Collection:
    """Read a collection.

    Args:
        folder: In BEIR layout.
        split: The name of the file in ``qrels/``.
        where: ``key=value``: only documents whose metadata say so; None for all.
    """
    key, _, value = (where or "").partition("=")
    papers = tuple(
        Paper(row["_id"], row.get("title") or "", row.get("text") or "")
        for row in _rows(folder / "corpus.jsonl")
        if not where or row.get("metadata", {}).get(key) == value
    )
    qrels: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels" / f"{split}.tsv").read_text("utf-8").splitlines()[1:]:
        query_id, paper_id, grade = line.split("\t")
        if int(grade) > 0:
            qrels.setdefault(query_id, {})[paper_id] = int(grade)
    texts = {row["_id"]: row["text"] for row in _rows(folder / "queries.jsonl")}
    return Collection(papers, {query_id: texts[query_id] for query_id in qrels}, qrels)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    packed = path.with_name(path.name + ".gz")
    with (
        gzip.open(packed, "rt", encoding="utf-8")
        if packed.exists()
        else path.open(encoding="utf-8") as file
    ):
        yield from map(json.loads, file)


def measure(
    collection: Collection, embedder: Embedder, cache: Path | None, rerank: Rerank | None = None
) -> list[Figure]:
    """Rank every query by each leg, under fixed weights, and as the product does.

    Args:
        collection: What to search and ask.
        embedder: Gives the vectors.
        cache: Folder that keeps the vectors; None to keep none.
        rerank: Which queries to rerank as well; then all figures are of these alone.
    """
    engine = open_engine(collection.papers, embedder, cache)
    scores: dict[tuple[str, str], list[float]] = {}
    asked = list(collection.queries.items())
    for query_id, text in asked[:: rerank.every] if rerank else asked:
        rankings = engine.rankings(text)
        if rerank:
            ranking = rankings["product"]
            rankings |= reranked(text, ranking, engine.papers, rerank.scorer, rerank.depths)
        for method, ranking in rankings.items():
            for metric, value in _judge(ranking, collection.qrels[query_id]).items():
                scores.setdefault((method, metric), []).append(value)
    return [_figure(method, metric, values) for (method, metric), values in scores.items()]


def open_engine(papers: Sequence[Paper], embedder: Embedder, cache: Path | None) -> Engine:
    """Index papers in memory.

    Args:
        papers: What to search.
        embedder: Gives the vectors.
        cache: Folder that keeps the vectors; None to keep none.
    """
    by_id = {paper.paper_id: paper for paper in papers}
    chunks = {
        chunk.chunk_id: chunk
        for paper in papers
        for chunk in split_paper(paper, max_tokens=_CHUNK_TOKENS)
    }
    texts = [embedding_text(by_id[chunk.paper_id], chunk) for chunk in chunks.values()]
    dense = ExactLeg(list(chunks.values()), _vectors(texts, embedder, cache))
    with TemporaryDirectory() as folder:
        LexicalIndex.create(Path(folder), by_id, chunks.values())
        lexical = LexicalIndex.open(Path(folder), chunks)
    return Engine(embedder, dense, lexical, by_id, chunks)


def _vectors(texts: Sequence[str], embedder: Embedder, cache: Path | None) -> NDArray[np.float32]:
    digest = hashlib.sha256(json.dumps([embedder.fingerprint, *texts]).encode()).hexdigest()
    path = cache / f"{digest[:32]}.npy" if cache else None
    if path is not None and path.exists():
        kept: NDArray[np.float32] = np.load(path)
        return kept
    vectors = embedder.embed_passages(texts, progress=lambda n: _say_progress(n, len(texts)))
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, vectors)
    return vectors


def _say_progress(n_done: int, n_texts: int) -> None:
    if n_done % 100 == 0 or n_done == n_texts:
        sys.stderr.write(f"\rembedded {n_done} of {n_texts}" + "\n" * (n_done == n_texts))


def _judge(ranking: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    recall = {
        f"R@{depth}": len(grades.keys() & set(ranking[:depth])) / len(grades) for depth in (10, 100)
    }
    return {"nDCG@10": ndcg(ranking, grades, 10), **recall}


def ndcg(ranking: Sequence[str], grades: Mapping[str, int], depth: int) -> float:
    """Normalised discounted cumulative gain, with the grade as gain (Järvelin and Kekäläinen)."""
    gains = [grades.get(paper_id, 0) for paper_id in ranking[:depth]]
    ideal = sorted(grades.values(), reverse=True)[:depth]
    return _discounted(gains) / _discounted(ideal)


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _figure(method: str, metric: str, values: Sequence[float]) -> Figure:
    interval = bootstrap_mean(values)
    return Figure(method, metric, sum(values) / len(values), interval.low, interval.high)


def to_markdown(figures: Sequence[Figure]) -> str:
    """A table with a row for each method: ``.745 [.700, .789]``."""
    cells = {
        (figure.method, figure.metric): f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
        for figure in figures
    }
    methods = dict.fromkeys(figure.method for figure in figures)
    rows = [[method, *(cells[method, metric] for metric in _METRICS)] for method in methods]
    lines = [["method", *_METRICS], ["---"] * (1 + len(_METRICS)), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure one collection, print the table, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="a folder in BEIR layout")
    parser.add_argument("--split", default="test", help="the judgements: qrels/<split>.tsv")
    parser.add_argument("--where", help="only documents with this in their metadata: key=value")
    parser.add_argument("--rerank", type=int, nargs="+", help="depths, for the cross-encoder")
    parser.add_argument("--every", type=int, default=1, help="rerank every so many queries only")
    parser.add_argument(
        "--out", type=Path, help="JSON file; vectors are kept in a folder beside it"
    )
    given = parser.parse_args(arguments)
    collection = load(given.data, split=given.split, where=given.where)
    cache = given.out.parent / "vectors" if given.out else None
    rerank = given.rerank and Rerank(LocalPairScorer(), tuple(given.rerank), given.every)
    figures = measure(collection, LocalEmbedder(), cache, rerank)
    sys.stdout.write(to_markdown(figures))
    if given.out:
        report = {
            "collection": given.data.name,
            "split": given.split,
            "where": given.where,
            "n_papers": len(collection.papers),
            "n_queries": len(list(collection.queries)[:: given.every if rerank else 1]),
            "figures": [asdict(figure) for figure in figures],
            "machine": describe_machine(),
        }
        given.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
