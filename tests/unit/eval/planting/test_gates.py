"""The whole gate as planted faults meet it."""

import pytest

from eval.planting.gates import ProductGate
from rag.records import Paper

WELLS = Paper("wells", "Counting Wells", "Wells leak methane. We count 213,000 wells in Alberta.")


class Fixed:
    """Finds the same support everywhere."""

    name = "fixed"

    def __init__(self, support: float) -> None:
        self.support = support

    def score(self, claim, evidence):
        return [self.support] * len(evidence)


@pytest.mark.parametrize(
    ("support", "plainly", "at_all"), [(0.9, True, True), (0.3, False, True), (0.0, False, False)]
)
def test_support_decides_whether_it_is_shown(support, plainly, at_all) -> None:
    claim = "The authors count wells in Alberta."
    assert ProductGate(Fixed(support), with_warning=False)(claim, WELLS) is plainly
    assert ProductGate(Fixed(support), with_warning=True)(claim, WELLS) is at_all


def test_a_number_that_is_not_there_is_not_shown_whatever_the_support() -> None:
    claim = "The authors count 13,000 wells in Alberta."
    assert not ProductGate(Fixed(1.0), with_warning=True)(claim, WELLS)
