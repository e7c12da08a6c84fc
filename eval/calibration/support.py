"""Fit what shared words are worth beside the judge's log-odds, and show what thresholds do.

    python -m eval.calibration.support --data FOLDER --readings FILE [--pairs N]

Uses training data alone: SciFact's training claims (``FOLDER/scifact``) and
``eval/training/claims_more.jsonl``, true and false, on which the judge was not trained. Writes ``support.json``; what it finds is copied into ``rag/embeddings/judge.py`` and
``rag/answering/grounding.py`` by hand, and a test compares them.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from eval.benchmarks.support_scifact import load_scifact_train
from eval.benchmarks.support_statistics import Flags, Values, auc, rank
from eval.calibration.support_readings import Readings, Seen
from eval.planting import Trial, load_claims, trials
from eval.planting.gates import ProductGate
from eval.training.claims import MORE_CLAIMS
from eval.training.examples import load_papers
from rag.answering.grounding import SupportThresholds
from rag.records import Paper

CURVE = Path(__file__).with_name("support.json")
_ENOUGH = (0.4, 0.5, 0.6)
_LOST = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0)
_LIMITS = ((0.5, 0.05), (0.5, 0.1))
"""Pairs of thresholds that are tried: from which on a claim passes, and is flagged."""
_log = logging.getLogger("eval.calibration")


@dataclass(frozen=True, slots=True)
class Shortfall:
    """How much a text loses that has few of a claim's terms, and how well that tells."""

    enough: float
    """The share of the terms from which on nothing is lost."""
    lost: float
    """In log-odds, for all terms missing to ``enough``."""
    scifact_auc: float
    claims_auc: float

    @property
    def worth(self) -> float:
        """The mean of both, to three digits: smaller differences are none."""
        return round((self.scifact_auc + self.claims_auc) / 2, 3)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What two thresholds do: shares of all claims of one kind, from 0 to 1."""

    passes: float
    flags: float
    honest_dropped: float
    honest_warned: float
    caught: Mapping[str, float]
    """For each kind of fault, how much is dropped or shown with a warning."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the judge saw for each pair, and whether it is supported."""

    seen: Sequence[Sequence[Seen]]
    supported: Flags


def fit_shortfall(scifact: Labelled, claims: Labelled) -> list[Shortfall]:
    """Every form of the loss with its AUC on both sets, the best first; of equals the mildest."""
    found = [
        Shortfall(enough, lost, _auc(scifact, enough, lost), _auc(claims, enough, lost))
        for enough in _ENOUGH
        for lost in _LOST
    ]
    return sorted(found, key=lambda item: (-item.worth, item.lost, item.enough))


def _auc(pairs: Labelled, enough: float, lost: float) -> float:
    scores: Values = np.array(
        [max(item.odds - lost * max(0.0, enough - item.shared) for item in s) for s in pairs.seen]
    )
    return round(auc(rank(scores), pairs.supported), 4)


def curve(put: Sequence[Trial], readings: Readings) -> Iterator[CurvePoint]:
    """What becomes of all trials under each pair of thresholds."""
    for passes, flags in _LIMITS:
        gate = ProductGate(readings, SupportThresholds(passes=passes, flags=flags))
        outcomes: dict[str, list[str]] = {}
        for trial in put:
            outcomes.setdefault(trial.kind, []).append(gate(trial.text, trial.paper))
        honest = outcomes.pop("honest")
        yield CurvePoint(
            passes,
            flags,
            honest_dropped=_share(honest, {"dropped"}),
            honest_warned=_share(honest, {"warned"}),
            caught={k: _share(v, {"dropped", "warned"}) for k, v in outcomes.items()},
        )


def _share(outcomes: Sequence[str], some: set[str]) -> float:
    return round(sum(outcome in some for outcome in outcomes) / len(outcomes), 4)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read what is not read yet, fit, and write ``support.json``."""
    given = _parse(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    papers = load_papers()
    claims = load_claims(MORE_CLAIMS, papers)
    readings = Readings(given.readings)
    train = load_scifact_train(given.data)[: given.pairs]
    pairs = [(pair.claim, Paper(pair.document, "", " ".join(pair.evidence))) for pair in train]
    fitted = fit_shortfall(
        Labelled(_read(readings, pairs), np.array([pair.supported for pair in train], dtype=bool)),
        Labelled(
            _read(readings, ((claim.text, papers[claim.paper_id]) for claim in claims)),
            np.array([claim.honest for claim in claims], dtype=bool),
        ),
    )
    put = trials(claims, (), papers)
    result = {
        "n_scifact": len(pairs),
        "n_claims": len(claims),
        "shortfall": [asdict(item) for item in fitted],
        "thresholds": [asdict(point) for point in curve(put, readings)],
    }
    CURVE.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    _log.info("Written: %s", CURVE)


def _read(readings: Readings, pairs: Iterable[tuple[str, Paper]]) -> list[Sequence[Seen]]:
    found: list[Sequence[Seen]] = []
    for number, (claim, paper) in enumerate(pairs, 1):
        found.append(readings.see(claim, paper))
        if number % 100 == 0:
            _log.info("%d pairs read", number)
    return found


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m eval.calibration.support")
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds scifact/")
    parser.add_argument("--readings", type=Path, required=True, help="keeps what has been read")
    parser.add_argument("--pairs", type=int, metavar="N", help="only the first N pairs of SciFact")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
