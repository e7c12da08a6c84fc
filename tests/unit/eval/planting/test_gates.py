"""The whole gate as planted faults meet it."""

import pytest

from eval.planting.gates import ProductGate
from rag.answering.grounding import SupportThresholds
from rag.records import Paper

WELLS = Paper("wells", "Counting Wells", "Wells leak methane. We count 213,000 wells in Alberta.")
CLAIM = "The authors count wells in Alberta."


class Fixed:
    """Finds the same support everywhere."""

    name = "fixed"

    def __init__(self, support: float) -> None:
        self.support = support

    def score(self, claim, evidence):
        return [self.support] * len(evidence)


@pytest.mark.parametrize(("support", "outcome"), [(1, "shown"), (0.5, "warned"), (0, "dropped")])
def test_support_decides_what_becomes_of_it(support, outcome) -> None:
    gate = ProductGate(Fixed(support), SupportThresholds(passes=0.7, flags=0.3))
    assert gate(CLAIM, WELLS) == outcome


def test_it_takes_the_thresholds_of_the_product() -> None:
    assert ProductGate(Fixed(1))(CLAIM, WELLS) == "shown"
    assert ProductGate(Fixed(0))(CLAIM, WELLS) == "dropped"


def test_a_number_that_is_not_there_is_not_shown_whatever_the_support() -> None:
    claim = "The authors count 13,000 wells in Alberta."
    assert ProductGate(Fixed(1.0))(claim, WELLS) == "dropped"
