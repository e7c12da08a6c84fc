"""Fusion is deterministic, and weighs each leg by what its scores mean."""

from statistics import NormalDist

import pytest

from rag.retrieval.fusion import SCALES, deviations, fuse, put_first

N = 1000
WEIGHT = SCALES.lexical_weight
NEAREST = {
    f"p{rank:03}": 0.6 + 0.05 * NormalDist().inv_cdf(1 - (rank - 0.375) / (N + 0.25))
    for rank in range(1, 201)
}


def fused(lexical: dict[str, float], *, n_terms: int = 10) -> dict[str, float]:
    return fuse(NEAREST, lexical, n_searched=N, n_terms=n_terms, ceiling=40.0)


def test_deviations_of_normal_scores_are_found_again() -> None:
    found = deviations(NEAREST, N)
    for name, score in NEAREST.items():
        assert found[name] == pytest.approx((score - 0.6) / 0.05)


def test_neither_unit_nor_offset_of_the_dense_leg_matters() -> None:
    stretched = {name: 40 * score - 7 for name, score in NEAREST.items()}
    assert deviations(stretched, N) == pytest.approx(deviations(NEAREST, N))


def test_all_papers_are_told_from_their_better_half() -> None:
    """With every paper returned the last ones say nothing about those that are found."""
    half = dict(list(NEAREST.items())[:100])
    worst = {f"w{rank}": -5.0 - rank for rank in range(100)}
    assert deviations(half | worst, 200)["p001"] == deviations(half, 200)["p001"]


def test_what_passes_a_filter_deviates_as_it_does_among_all() -> None:
    few = {name: NEAREST[name] for name in ("p003", "p150")}
    everywhere = deviations(NEAREST, N)
    assert deviations(few, N, among=NEAREST) == {name: everywhere[name] for name in few}
    alone = fuse(
        {"p001": NEAREST["p001"]}, {}, everywhere=NEAREST, n_searched=N, n_terms=3, ceiling=4.0
    )
    assert alone["p001"] == fused({})["p001"]


@pytest.mark.parametrize("scores", [{}, {"a": 0.4}, {"a": 0.4, "b": 0.4}])
def test_scores_that_tell_nothing_deviate_by_nothing(scores: dict[str, float]) -> None:
    assert deviations(scores, 3) == dict.fromkeys(scores, 0.0)
    assert deviations(dict.fromkeys(NEAREST, 0.4), N) == dict.fromkeys(NEAREST, 0.0)


def test_scores_by_hand() -> None:
    found = fused({"p001": 20.0, "other": 10.0})
    best, last = (deviations(NEAREST, N)[name] for name in ("p001", "p200"))
    assert found["p001"] == pytest.approx((1 - WEIGHT) * best / 6 + WEIGHT * 0.5)
    # Without a dense score it counts as the last of that leg.
    assert found["other"] == pytest.approx((1 - WEIGHT) * last / 6 + WEIGHT * 0.25)
    assert found["p002"] < found["other"]
    assert all(0 <= score <= 1 for score in found.values())


def test_the_first_by_words_comes_first_only_if_it_holds_much_of_the_question() -> None:
    assert next(iter(fused({"other": 4.0, "another": 2.0}))) == "p001"
    assert next(iter(fused({"other": 20.0, "another": 2.0}))) == "other"


def test_what_a_cut_list_lacks_is_no_better_than_its_last() -> None:
    many = {f"w{rank:03}": 30.0 - rank / 10 for rank in range(200)}
    floor = WEIGHT * min(many.values()) / 40
    assert fused(many)["p001"] == pytest.approx(fused({"w000": 30.0})["p001"] + floor)


def test_of_a_long_question_no_paper_holds_all() -> None:
    lexical = {"other": 8.0}
    assert fused(lexical, n_terms=40)["other"] > fused(lexical, n_terms=10)["other"]
    assert fused({"other": 40.0}, n_terms=40)["other"] <= 1


def test_an_empty_leg_leaves_the_order_of_the_other() -> None:
    assert list(fused({})) == list(NEAREST)
    found = fuse({}, {"b": 1.0, "a": 2.0}, n_searched=9, n_terms=2, ceiling=4.0)
    assert list(found) == ["a", "b"]
    assert fuse({}, {}, n_searched=0, n_terms=0, ceiling=0.0) == {}


def test_equal_scores_come_in_the_order_of_their_ids() -> None:
    for names in ("xyz", "zyx", "yxz"):
        lexical = dict.fromkeys(names, 3.0)
        assert list(fuse({}, lexical, n_searched=9, n_terms=2, ceiling=4.0)) == ["x", "y", "z"]


def test_what_is_named_comes_first_whatever_its_score() -> None:
    found = put_first({"a": 1.0, "b": 0.4, "c": 0.0, "d": 0.3}, frozenset({"c", "d"}))
    assert list(found) == ["d", "c", "a", "b"]
    assert all(0 <= score <= 1 for score in found.values())


def test_where_nothing_is_named_nothing_changes() -> None:
    assert put_first({"a": 0.9, "b": 0.4}, frozenset()) == {"a": 0.9, "b": 0.4}
