"""How many planted and written faults a judge catches, and how many honest claims it loses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.benchmarks.support_figures import Parts, singly
from eval.benchmarks.support_statistics import Flags, Values, auc, losing, rank
from eval.intervals import wilson
from eval.planting.claims import Claim
from eval.planting.gates import Outcome
from eval.planting.plant import Planted
from rag.answering.support import SupportScorer
from rag.records import Paper
from rag.text import split_sentences

HONEST = "honest"
LOST = 0.05
"""The share of honest claims that may be lost."""

Gate = Callable[[str, Paper], Outcome]
"""What becomes of a sentence that cites a paper."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A sentence that cites a paper."""

    kind: str
    """``HONEST``, a kind of ``eval.planting.KINDS``, or ``written`` and a kind of the file."""
    text: str
    paper: Paper


@dataclass(frozen=True, slots=True)
class CatchRate:
    """What a judge makes of all trials of one kind."""

    judge: str
    kind: str
    n: int
    n_flagged: int
    """How many do not pass: false alarms where the kind is ``HONEST``, catches elsewhere."""
    low: float
    """The 95 % Wilson interval of the share; claims of one paper count as independent."""
    high: float
    auc: float | None
    """ROC-AUC of the honest against this kind; None for a gate, and for the honest."""

    @property
    def share(self) -> float:
        """The share that does not pass, from 0 to 1."""
        return self.n_flagged / self.n


def trials(
    claims: Sequence[Claim], planted: Sequence[Planted], papers: Mapping[str, Paper]
) -> list[Trial]:
    """Everything that is put before a judge: what is honest, planted, and written false.

    Args:
        claims: Honest ones and others.
        planted: From the honest ones.
        papers: By id.
    """
    honest = [Trial(HONEST, c.text, papers[c.paper_id]) for c in claims if c.honest]
    by_rule = [Trial(fault.kind, fault.text, papers[fault.paper_id]) for fault in planted]
    written = [
        Trial(f"written {c.kind}", c.text, papers[c.paper_id]) for c in claims if not c.honest
    ]
    return [*honest, *by_rule, *written]


def measure(
    put: Sequence[Trial],
    scorer: SupportScorer,
    *,
    threshold: float | None = None,
    parts: Parts = singly,
    name: str | None = None,
) -> list[CatchRate]:
    """Put sentences before a scorer.

    Args:
        put: See ``trials``.
        scorer: Scores a sentence by the best of the parts of the abstract.
        threshold: From which on a sentence passes; None for the highest that loses no more than
            ``LOST`` of the honest ones here, which flatters a little.
        parts: What the scorer is shown of the sentences of an abstract.
        name: For the report; None for the scorer's own name.
    """
    scores = np.array([_score(scorer, trial, parts) for trial in put])
    honest = np.array([trial.kind == HONEST for trial in put])
    if threshold is None:
        threshold = losing(scores[honest], LOST)
    return list(_rates(name or scorer.name, put, scores < threshold, scores))


def measure_gate(put: Sequence[Trial], gate: Gate) -> list[CatchRate]:
    """Put sentences before a whole gate: how many are dropped, and how many at least warned of."""
    outcomes = np.array([gate(trial.text, trial.paper) for trial in put])
    return [
        *_rates("gate: dropped", put, outcomes == "dropped", None),
        *_rates("gate: dropped or warned of", put, outcomes != "shown", None),
    ]


def _score(scorer: SupportScorer, trial: Trial, parts: Parts) -> float:
    abstract = trial.paper.abstract
    sentences = [abstract[span.start : span.end] for span in split_sentences(abstract)]
    return max(scorer.score(trial.text, parts(sentences)), default=0.0)


def _rates(
    judge: str, put: Sequence[Trial], flagged: Flags, scores: Values | None
) -> Iterator[CatchRate]:
    kinds = np.array([trial.kind for trial in put])
    honest = kinds == HONEST
    written = np.char.startswith(kinds, "written ")
    groups: dict[str, Flags] = {kind: kinds == kind for kind in dict.fromkeys(kinds.tolist())}
    groups |= {"all planted": ~honest & ~written, "all written": written}
    for kind, members in groups.items():
        n, n_flagged = int(members.sum()), int(flagged[members].sum())
        if n == 0:
            continue
        interval = wilson(n_flagged, n)
        area = None if scores is None or kind == HONEST else _area(scores, honest, members)
        yield CatchRate(judge, kind, n, n_flagged, interval.low, interval.high, area)


def _area(scores: Values, honest: Flags, members: Flags) -> float:
    both = honest | members
    return auc(rank(scores[both]), honest[both])


def to_markdown(rates: Iterable[CatchRate]) -> str:
    """A row for each judge and kind."""
    lines = [["judge", "kind", "n", "flagged", "AUC"], ["---"] * 5]
    lines += [
        [
            rate.judge,
            rate.kind,
            str(rate.n),
            f"{rate.share:.1%} [{rate.low:.1%}, {rate.high:.1%}]",
            "–" if rate.auc is None else f"{rate.auc:.3f}",
        ]
        for rate in rates
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
