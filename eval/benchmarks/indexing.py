"""How much of the time of indexing is embedding, the part that cannot be saved.

    python -m eval.benchmarks.indexing --corpus FILE [--limit N] [--out FILE]

Two things are timed in turn, on the same texts: the bare embedding model, and a whole first
indexing run with an empty cache, from the papers to the verified index. The ratio of their
throughputs is 1 if everything but embedding is free. Processor time is given beside wall time,
because the latter also measures whatever else the machine does.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from eval.machine import describe_machine
from rag.chunking import embedding_text, split_paper
from rag.corpus import Corpus, load_corpus
from rag.embeddings.base import Embedder
from rag.embeddings.local import LocalEmbedder
from rag.indexing import sync_index

_CHUNK_TOKENS = 448
_BARE, _INDEX = "bare model", "index"
# Each goes first once, so that a machine that grows slower or faster favours neither.
_ORDER = (_BARE, _INDEX, _INDEX, _BARE)


@dataclass(frozen=True, slots=True)
class Timing:
    """One pass over all papers."""

    what: str
    wall_s: float
    cpu_s: float
    """Of this process and its children, user and system."""


@dataclass(frozen=True, slots=True)
class Throughput:
    """What the passes give together."""

    n_papers: int
    n_texts: int
    timings: tuple[Timing, ...]

    def papers_per_s(self, what: str) -> float:
        """Papers a second of wall time."""
        return self.n_papers / _mean([t.wall_s for t in self.timings if t.what == what])

    @property
    def wall_ratio(self) -> float:
        """Throughput of indexing over that of the bare model, by wall time."""
        return self.papers_per_s(_INDEX) / self.papers_per_s(_BARE)

    @property
    def cpu_ratio(self) -> float:
        """The same by processor time."""
        bare, index = (
            _mean([t.cpu_s for t in self.timings if t.what == what]) for what in (_BARE, _INDEX)
        )
        return bare / index


def measure(corpus: Corpus, embedder: Embedder) -> Throughput:
    """Time the bare model and indexing in turn.

    Args:
        corpus: What to embed and to index.
        embedder: The model; it is loaded before the clock starts.
    """
    texts = [
        embedding_text(paper, chunk)
        for paper in corpus.papers
        for chunk in split_paper(paper, max_tokens=_CHUNK_TOKENS)
    ]
    embedder.embed_query("warm up")

    def index() -> None:
        with TemporaryDirectory() as folder:
            sync_index(
                corpus,
                name="benchmark",
                data_dir=Path(folder),
                embedder=embedder,
                chunk_tokens=_CHUNK_TOKENS,
            )

    passes: dict[str, Callable[[], object]] = {
        _BARE: lambda: embedder.embed_passages(texts),
        _INDEX: index,
    }
    timings = [_time(what, passes[what]) for what in _ORDER]
    return Throughput(len(corpus.papers), len(texts), tuple(timings))


def _time(what: str, work: Callable[[], object]) -> Timing:
    wall, cpu = time.perf_counter(), _cpu_s()
    work()
    timing = Timing(what, time.perf_counter() - wall, _cpu_s() - cpu)
    sys.stderr.write(f"{what}: {timing.wall_s:.1f} s, {timing.cpu_s:.1f} s of processor time\n")
    return timing


def _cpu_s() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure one corpus, print the ratios, and write them as JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--corpus", required=True, help="a corpus name, a file or a folder")
    parser.add_argument("--limit", type=int, help="only so many papers")
    parser.add_argument("--out", type=Path, help="JSON file")
    given = parser.parse_args(arguments)
    whole = load_corpus(given.corpus)
    papers = whole.papers[: given.limit]
    found = measure(Corpus(whole.name, papers, (), len(papers)), LocalEmbedder())
    report = {
        "corpus": whole.name,
        "n_papers": found.n_papers,
        "n_texts": found.n_texts,
        "papers_per_s": {what: round(found.papers_per_s(what), 2) for what in (_BARE, _INDEX)},
        "wall_ratio": round(found.wall_ratio, 3),
        "cpu_ratio": round(found.cpu_ratio, 3),
        "timings": [asdict(timing) for timing in found.timings],
        "machine": describe_machine(),
    }
    text = json.dumps(report, indent=2) + "\n"
    sys.stdout.write(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
