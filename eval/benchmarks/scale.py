"""How search time and the cost of an index grow with the number of papers.

    python -m eval.benchmarks.scale --pool FILE [--sizes 3330 50000] [--url URL] [--out FILE]

The first papers are those of ICML 2025, then those of the pool; if that is not enough, real halves
of two abstracts are joined to further ones. Questions go through the product's own search, and
each stage is timed where it is called. Every size is built and searched in processes of its own,
whose peak memory is reported. Processor time is given beside wall time, because the latter also
measures whatever else the machine does; that of a server is not in it.

What a vector means does not change how long it takes to find, and to embed 50,000 abstracts takes
an hour. So without ``--embed`` only ICML 2025 has its real vectors, and every other text has the
real vector of one of those papers, turned by seeded noise; the question's vector is always real.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from eval.benchmarks.scale_papers import TurnedEmbedder, make_papers, make_questions
from eval.benchmarks.scale_timing import Latency, Spent, Timed
from eval.machine import describe_machine
from rag.corpus import Corpus, load_corpus
from rag.corpus.vectors import seed_vectors
from rag.embeddings.base import Embedder
from rag.embeddings.local import LocalEmbedder
from rag.factory import make_place
from rag.indexing import sync_index
from rag.library import Library
from rag.records import Filters, Paper
from rag.retrieval.hybrid import HybridRetriever
from rag.settings import Settings

STAGES = ("embed", "dense", "lexical", "fuse", "total")
_BASE = "icml2025"
_NAME = "scale"
_CHUNK_TOKENS = 448
_DEPTH = 200
_N_WARM_UP = 20
_ORAL = Filters(presentation="oral")
# The unit in which Linux reports peak memory.
_MIB_PER_UNIT = 1 / 1024


@dataclass(frozen=True, slots=True)
class Built:
    """What it cost to index."""

    n_papers: int
    wall_s: float
    timings_ms: dict[str, float]
    peak_mib: float
    """Of the process that indexes."""
    children_peak_mib: float
    """Of the largest process that it starts, to verify; never below what it shares at its start."""


@dataclass(frozen=True, slots=True)
class Searched:
    """How long searches took."""

    n_papers: int
    n_questions: int
    open_s: float
    stages: dict[str, Latency]
    filtered: dict[str, Latency]
    """The same with a filter that few papers pass."""
    peak_mib: float


def build(papers: Sequence[Paper], settings: Settings, embedder: Embedder) -> Built:
    """Index papers from nothing, in this process."""
    started = time.perf_counter()
    report = sync_index(
        Corpus(_NAME, tuple(papers), (), len(papers)),
        name=_NAME,
        data_dir=settings.data_dir,
        store=make_place(settings).store(_NAME),
        embedder=embedder,
        chunk_tokens=_CHUNK_TOKENS,
        prune=True,
    )
    return Built(
        len(papers),
        round(time.perf_counter() - started, 1),
        {stage: round(spent) for stage, spent in report.timings_ms.items()},
        _peak_mib(resource.RUSAGE_SELF),
        _peak_mib(resource.RUSAGE_CHILDREN),
    )


def search(questions: Sequence[str], settings: Settings, embedder: Embedder) -> Searched:
    """Open the index that ``build`` made, and time every stage of every question."""
    spent: dict[str, Spent] = {}
    started = time.perf_counter()
    library = Library.of(make_place(settings).store(_NAME), embedder, depth=_DEPTH)
    index = library.view().index
    open_s = time.perf_counter() - started
    retriever = HybridRetriever(
        Timed(embedder, "embed_query", "embed", spent),  # type: ignore[arg-type]
        Timed(index.dense, "search", "dense", spent),  # type: ignore[arg-type]
        Timed(index.lexical, "search", "lexical", spent),  # type: ignore[arg-type]
        index.papers,
        index.chunks,
        depth=_DEPTH,
    )
    for question in questions[:_N_WARM_UP]:
        retriever.search(question, k=10, filters=Filters())
    stages, filtered = (_time(retriever, questions, which, spent) for which in (Filters(), _ORAL))
    n_papers = len(index.papers)
    library.close()
    peak_mib = _peak_mib(resource.RUSAGE_SELF)
    return Searched(n_papers, len(questions), round(open_s, 2), stages, filtered, peak_mib)


def _time(
    retriever: HybridRetriever,
    questions: Sequence[str],
    filters: Filters,
    spent: dict[str, Spent],
) -> dict[str, Latency]:
    found: dict[str, list[Spent]] = {stage: [] for stage in STAGES}
    for question in questions:
        spent.clear()
        started = Spent.now()
        retriever.search(question, k=10, filters=filters)
        total = Spent.now() - started
        fuse = total - sum(spent.values(), Spent())
        for stage, value in {**spent, "fuse": fuse, "total": total}.items():
            found[stage].append(value)
    return {stage: Latency.of(values) for stage, values in found.items()}


def _peak_mib(who: int) -> float:
    return round(resource.getrusage(who).ru_maxrss * _MIB_PER_UNIT, 1)


@dataclass(frozen=True, slots=True)
class Plan:
    """One size: what to build and to ask, and where."""

    n_papers: int
    n_questions: int
    pool: str
    data_dir: str
    url: str | None
    embed: bool

    def build(self) -> Built:
        """Read the papers and index them."""
        base = load_corpus(_BASE).papers
        pool = load_corpus(self.pool).papers if self.n_papers > len(base) else ()
        papers = make_papers(base, pool, self.n_papers)
        return build(papers, self._settings(), self._embedder())

    def search(self) -> Searched:
        """Ask the questions."""
        questions = make_questions(load_corpus(_BASE).papers, self.n_questions)
        return search(questions, self._settings(), self._embedder())

    def _settings(self) -> Settings:
        return Settings(data_dir=Path(self.data_dir), chroma_url=self.url)

    def _embedder(self) -> Embedder:
        model = LocalEmbedder()
        if self.embed:
            return model
        return TurnedEmbedder(model, seed_vectors(_BASE, model.fingerprint))


def measure(plan: Plan) -> tuple[Built, Searched]:
    """Build and search, each in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as processes:
        built = processes.apply(plan.build)
        sys.stderr.write(f"{built}\n")
        searched = processes.apply(plan.search)
        sys.stderr.write(f"{searched}\n")
    return built, searched


def growth(small: Searched, large: Searched) -> dict[str, dict[str, float]]:
    """By how much the 95th percentile of each stage grows, by wall and by processor time."""
    return {
        clock: {
            stage: round(getattr(large.stages[stage], p95) / getattr(small.stages[stage], p95), 2)
            for stage in STAGES
            if getattr(small.stages[stage], p95)
        }
        for clock, p95 in (("wall", "p95_ms"), ("cpu", "cpu_p95_ms"))
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every size, and write the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--pool", required=True, help="a file of further papers")
    parser.add_argument("--sizes", type=int, nargs="+", default=[3330, 50_000])
    parser.add_argument("--questions", type=int, default=300, help="how many are asked")
    parser.add_argument("--url", help="of a Chroma server that holds the index")
    parser.add_argument("--embed", action="store_true", help="embed every text for real")
    parser.add_argument("--out", type=Path, help="JSON file")
    given = parser.parse_args(arguments)
    results = []
    for size in sorted(given.sizes):
        with TemporaryDirectory() as folder:
            plan = Plan(size, given.questions, given.pool, folder, given.url, given.embed)
            results.append(measure(plan))
    text = json.dumps(_report(results, given.embed, given.url), indent=2) + "\n"
    sys.stdout.write(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")


def _report(
    results: Sequence[tuple[Built, Searched]], embed: bool, url: str | None
) -> dict[str, object]:
    vectors = "of every text" if embed else f"of {_BASE}; those of other texts are turned copies"
    return {
        "store": "a Chroma server on this machine" if url else "embedded",
        "vectors": f"real ones {vectors}",
        "sizes": [{"index": asdict(built), "search": asdict(found)} for built, found in results],
        "p95_growth": growth(results[0][1], results[-1][1]),
        "machine": describe_machine(),
    }


if __name__ == "__main__":
    main()
