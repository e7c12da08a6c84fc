"""The corpora that come with Symposia: in the installed package, or beside it in the source tree."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from rag.errors import CorpusError

SEEDS = "seeds"
"""The corpus that is used unless another one is named."""


@dataclass(frozen=True, slots=True)
class SeedCorpus:
    """A corpus that comes with Symposia; its files are named from the folder of the seeds."""

    name: str
    description: str
    papers: str
    examples: str
    """Questions to begin with."""
    vectors: str = ""
    """Embeddings made beforehand; empty without."""


SEED_CORPORA = {
    corpus.name: corpus
    for corpus in (
        SeedCorpus(SEEDS, "57 papers of ICML 2025, to try", "papers.jsonl", "examples.json"),
        SeedCorpus(
            "icml2025",
            "all 3,330 papers of ICML 2025 (PMLR 267)",
            "icml2025/papers.jsonl.gz",
            "icml2025/examples.json",
            "icml2025/vectors.npz",
        ),
    )
}
"""By name."""


def is_seed_corpus(source: str | Path) -> bool:
    """Whether this is the name of a corpus that comes with Symposia."""
    return isinstance(source, str) and source in SEED_CORPORA


def seeds_folder() -> Path:
    """The folder of the seed papers.

    Raises:
        CorpusError: If it is in neither place.
    """
    package = Path(__file__).parent
    for folder in (package / "_seeds", package.parents[1] / "seeds"):
        if (folder / "papers.jsonl").is_file():
            return folder
    raise CorpusError(
        "The seed papers are missing from this installation.", hint="Install symposia again."
    )


def example_questions(name: str = SEEDS) -> tuple[str, ...]:
    """Questions that the papers of a corpus answer, to begin with; none where none are known."""
    if name not in SEED_CORPORA:
        return ()
    text = (seeds_folder() / SEED_CORPORA[name].examples).read_text(encoding="utf-8")
    return tuple(example["question"] for example in json.loads(text))
