"""Where the seed papers are: inside the installed package, or beside it in the source tree."""

from __future__ import annotations

import json
from pathlib import Path

from rag.errors import CorpusError

SEEDS = "seeds"
"""The name of the corpus that comes with Symposia."""


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


def example_questions() -> tuple[str, ...]:
    """Questions that the seed papers answer, to begin with."""
    text = (seeds_folder() / "examples.json").read_text(encoding="utf-8")
    return tuple(example["question"] for example in json.loads(text))
