"""Faults planted in honest claims, and how many of them a judge of support catches.

A claim is one sentence about a paper, in other words than its abstract, with the sentences that
prove it. Rules make it false in seven ways; claims that were written false by hand are measured
beside them. Rules are shallow: they show whether a judge is strict about numbers, names and
directions, and say little about the faults that a language model really makes, which is what the
written ones and the judged sets (``eval.benchmarks.support``) are for. A few planted claims stay
true, and kinds differ much in number, so look at each kind before the sum of all.
"""

from eval.planting.claims import Claim, load_claims
from eval.planting.measure import CatchRate, Trial, measure, measure_gate, to_markdown, trials
from eval.planting.neighbours import nearest_papers
from eval.planting.plant import KINDS, Planted, plant

__all__ = [
    "KINDS",
    "CatchRate",
    "Claim",
    "Planted",
    "Trial",
    "load_claims",
    "measure",
    "measure_gate",
    "nearest_papers",
    "plant",
    "to_markdown",
    "trials",
]
