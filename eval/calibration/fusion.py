"""``python -m eval.calibration.fusion``: fit how the two legs of the search are added.

Tries pairs of values on training questions over their own papers and on judged collections, and
writes what each gives to ``fusion.json``. The means over all sets, each counted once, lie close
together around the best. ``rag/retrieval/fusion.py`` has a pair that is within ``PLATEAU`` of it,
as a test verifies; eval/DECISIONS.md says why that one.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

from eval.benchmarks.retrieval import Collection, load, ndcg, open_engine
from eval.benchmarks.retrieval_kinds import QUESTIONS as KINDS
from eval.benchmarks.retrieval_kinds import SPLITS
from eval.benchmarks.retrieval_kinds import load_questions as load_kinds
from eval.benchmarks.retrieval_methods import Searched, fused
from eval.training.examples import PAPERS, QUESTIONS, load_questions
from rag.corpus import load_corpus
from rag.embeddings.base import Embedder
from rag.embeddings.local import LocalEmbedder
from rag.retrieval.fusion import Scales

HERE = Path(__file__).parent
RESULT = HERE / "fusion.json"
LEXICAL_WEIGHTS = (0.6, 0.65, 0.7, 0.75, 0.8)
LENGTH_EXPONENTS = (0.0, 0.15, 0.3, 0.45)
PLATEAU = 0.002
_EVERY = 30
_DEPTH = 10
_log = logging.getLogger("eval.calibration.fusion")


def training_collection() -> Collection:
    """Some training questions, each about one of the training papers; none about judged ones."""
    papers = load_corpus(PAPERS).papers
    judged = {question.gold for split in SPLITS for question in load_kinds(KINDS, split=split)}
    questions = [q for q in load_questions(QUESTIONS)[::_EVERY] if q.paper_id not in judged]
    named = {str(number): question for number, question in enumerate(questions)}
    return Collection(
        papers,
        {number: question.text for number, question in named.items()},
        {number: {question.paper_id: 1} for number, question in named.items()},
    )


def every_second(collection: Collection) -> Collection:
    """Half of the queries, so that the other half can be looked at."""
    kept = dict(list(collection.queries.items())[::2])
    return Collection(collection.papers, kept, {name: collection.qrels[name] for name in kept})


def gains(
    collection: Collection, embedder: Embedder, cache: Path | None, pairs: Iterable[Scales]
) -> dict[Scales, float]:
    """Mean nDCG@10 of one collection for each way to add the legs."""
    engine = open_engine(collection.papers, embedder, cache)
    found: dict[str, Searched] = {
        name: engine.search(text, embedder.embed_query(text))
        for name, text in collection.queries.items()
    }
    return {
        scales: sum(
            ndcg(list(fused(searched, scales)), collection.qrels[name], _DEPTH)
            for name, searched in found.items()
        )
        / len(found)
        for scales in pairs
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Fit, and write ``fusion.json``."""
    parser = argparse.ArgumentParser(prog="python -m eval.calibration.fusion", description=__doc__)
    parser.add_argument(
        "--data",
        nargs="+",
        required=True,
        help="collections in BEIR layout: FOLDER[:split[:key=value]]",
    )
    parser.add_argument("--cache", type=Path, required=True, help="folder to keep vectors in")
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    pairs = [Scales(*values) for values in product(LEXICAL_WEIGHTS, LENGTH_EXPONENTS)]
    collections = {"training questions": training_collection()}
    collections |= {given: every_second(_load(given)) for given in arguments.data}
    by_set = {}
    for name, collection in collections.items():
        by_set[Path(name).name] = gains(collection, LocalEmbedder(), arguments.cache, pairs)
        _log.info("%s: done", name)
    rows = [
        {
            "lexical_weight": scales.lexical_weight,
            "length_exponent": scales.length_exponent,
            "mean": round(sum(of_set[scales] for of_set in by_set.values()) / len(by_set), 4),
            "sets": {name: round(of_set[scales], 4) for name, of_set in by_set.items()},
        }
        for scales in pairs
    ]
    RESULT.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    _log.info("Written: %s", RESULT)


def _load(given: str) -> Collection:
    folder, split, where = f"{given}::".split(":")[:3]
    return load(Path(folder), split=split or "test", where=where or None)


if __name__ == "__main__":
    main()
