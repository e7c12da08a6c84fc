"""``python -m eval.calibration``: read all development questions, fit, and write the curve.

What it finds is copied into ``rag/answering/outcome.py`` by hand; a test compares the two.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.calibration import evidence, fit
from eval.calibration.baseline import SentenceReader
from eval.cases import SEED_CASES, Case, load_cases
from rag.embeddings.base import Reader
from rag.embeddings.local import LocalPairScorer
from rag.factory import make_embedder, make_reader, open_library
from rag.settings import Settings

HERE = Path(__file__).parent
CALIBRATION = SEED_CASES.parent / "calibration"
CURVE = HERE / "curve.json"
_log = logging.getLogger("eval.calibration")


def main(argv: Sequence[str] | None = None) -> None:
    """Collect what is not collected yet, fit, and write ``curve.json``."""
    parser = argparse.ArgumentParser(prog="python -m eval.calibration", description=__doc__)
    parser.add_argument("--evidence", type=Path, required=True, help="folder to keep readings in")
    parser.add_argument(
        "--baseline",
        action="store_true",
        help="read with the cross-encoder as it comes, say what that gives, and write nothing",
    )
    arguments = parser.parse_args(argv)
    folder: Path = arguments.evidence
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    folder.mkdir(parents=True, exist_ok=True)
    dev = load_cases(SEED_CASES, split="dev")
    more = load_cases(CALIBRATION / "cases.jsonl")
    reader = SentenceReader(LocalPairScorer()) if arguments.baseline else make_reader(Settings())
    judged = _judged("seeds", dev, reader, folder / "dev.jsonl")
    judged += _judged(str(CALIBRATION / "papers.jsonl"), more, reader, folder / "calibration.jsonl")
    result = json.dumps(_fitted(judged), indent=1) + "\n"
    if arguments.baseline:
        _log.info("%s", result)
    else:
        CURVE.write_text(result, encoding="utf-8")
        _log.info("Written: %s", CURVE)


def _judged(corpus: str, cases: Sequence[Case], reader: Reader, path: Path) -> list[fit.Judged]:
    if not path.exists():
        settings = Settings(corpus=corpus)
        library = open_library(settings, make_embedder(settings))
        readings = evidence.collect(library, reader, cases, _say_how_far)
        library.close()
        evidence.save(readings, path)
    return fit.judge(cases, evidence.load(path))


def _say_how_far(n_done: int) -> None:
    if n_done % 50 == 0:
        _log.info("%d questions read", n_done)


def _fitted(judged: Sequence[fit.Judged]) -> dict[str, object]:
    order = fit.fit_order(judged)
    answer = fit.fit_answer(judged, order)
    about = fit.fit_about(judged, order)
    return {
        "n_questions": len(judged),
        "features": fit.FEATURES,
        "order": _rounded(order),
        "answer": _rounded(answer),
        "about": _rounded(about),
        "gold_first": fit.gold_first(judged, order),
        "curve": [asdict(point) for point in fit.curve(judged, order, answer)],
        "about_curve": [asdict(point) for point in fit.about_curve(judged, order, about)],
    }


def _rounded(weights: NDArray[np.float64]) -> list[float]:
    return [round(float(weight), 3) for weight in weights]


if __name__ == "__main__":
    main()
