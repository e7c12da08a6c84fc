"""Two toy papers with claims about them."""

import pytest

from eval.planting import Claim
from rag.records import Paper


@pytest.fixture
def papers() -> dict[str, Paper]:
    moss = Paper(
        paper_id="moss",
        title="MossNet: Watching Moss",
        abstract=(
            "Moss grows slowly. MossNet (Moss Network) watches 120 green plots of CIFAR-10 moss. "
            "It outperforms FernNet by 12\\%. We also train on GreenBench."
        ),
    )
    fern = Paper(
        paper_id="fern",
        title="FrondFormer: Counting Ferns",
        abstract=(
            "Ferns are counted by FrondFormer. It needs no labels, while halving the cost of "
            "annotated forest photographs. FrondFormer runs on a JetsonNano."
        ),
    )
    return {paper.paper_id: paper for paper in (moss, fern)}


@pytest.fixture
def claims() -> list[Claim]:
    return [
        Claim("moss", "S", (1,), "-", "MossNet watches 120 green plots."),
        Claim("moss", "S", (2,), "-", "FernNet is beaten on moss by a wide margin of 12%."),
        Claim("moss", "C", (0,), "direction", "Moss is found to grow fast."),
        Claim("moss", "N", (1,), "addition", "MossNet watches 120 green plots in Norway."),
        Claim("fern", "S", (1,), "-", "FrondFormer needs no labels."),
    ]


@pytest.fixture
def nearest(papers, claims):
    other = {"moss": "fern", "fern": "moss"}
    return {claim.text: (papers[other[claim.paper_id]],) for claim in claims}
