"""Fusion is deterministic, scaled, and blind to the units of each leg."""

import pytest

from rag.retrieval.fusion import convex_fusion

DENSE = {"a": 0.9, "b": 0.8, "c": 0.5}
LEXICAL = {"c": 12.0, "b": 9.0, "d": 2.0}
HALF = (0.5, 0.5)


def test_scores_by_hand() -> None:
    fused = convex_fusion([DENSE, LEXICAL], HALF)
    assert fused == pytest.approx(
        {"b": (0.75 + 0.7) / 2, "a": 0.5, "c": 0.5, "d": 0.0},
    )
    assert list(fused) == ["b", "a", "c", "d"]


def test_equal_scores_come_in_the_order_of_their_ids() -> None:
    for names in ("xyz", "zyx", "yxz"):
        assert list(convex_fusion([dict.fromkeys(names, 0.3)], [1.0])) == ["x", "y", "z"]


def test_first_in_both_legs_scores_one() -> None:
    assert convex_fusion([DENSE, {"a": 3.0, "b": 1.0}], HALF)["a"] == pytest.approx(1)


def test_the_units_of_a_leg_do_not_matter() -> None:
    stretched = {name: 40 * score - 7 for name, score in DENSE.items()}
    assert convex_fusion([stretched, LEXICAL], HALF) == pytest.approx(
        convex_fusion([DENSE, LEXICAL], HALF)
    )


def test_an_empty_leg_leaves_the_order_of_the_other() -> None:
    assert list(convex_fusion([DENSE, {}], HALF)) == ["a", "b", "c"]
    assert convex_fusion([{}, {}], HALF) == {}


def test_a_single_candidate_is_the_best_of_its_leg() -> None:
    assert convex_fusion([{"a": 0.1}, {}], HALF) == {"a": 0.5}


def test_a_weight_moves_the_blend() -> None:
    assert next(iter(convex_fusion([DENSE, LEXICAL], (1.0, 0.0)))) == "a"
    assert next(iter(convex_fusion([DENSE, LEXICAL], (0.0, 1.0)))) == "c"


def test_a_weight_for_each_leg_is_required() -> None:
    with pytest.raises(ValueError, match="shorter"):
        convex_fusion([DENSE, LEXICAL], [1.0])
