"""Contests: what is turned round is seen, other wordings and other contests are left alone."""

import pytest

from rag.answering.contests import turned_round


@pytest.mark.parametrize(
    ("claim", "evidence", "better"),
    [
        ("Wood beats stone.", "Stone beats wood.", "wood"),
        ("Wood is beaten by stone.", "We show that wood surpasses stone.", ""),
        ("Stone is outperformed by wood.", "Stone outperforms wood on roofs.", "wood"),
        (
            "Existing methods outperform the new one.",
            "Ours outperforms existing methods.",
            "existing",
        ),
        ("Baselines are better than MossNet.", "MossNet outperforms all baselines.", "baselines"),
        (
            "Long walks are faster than short rides.",
            "Short rides are faster than long walks.",
            "long",
        ),
        ("It treats stones as plants.", "It treats plants as stones.", "stones"),
        (
            "Stones yield better roofs than planks.",
            "Planks make roofs that outperform those of stones.",
            "stones",
        ),
    ],
)
def test_what_is_turned_round_is_told(claim, evidence, better) -> None:
    assert turned_round(claim, evidence, ["MossNet"]) == better


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Stone beats wood.", "Stone beats wood."),
        ("Wood is beaten by stone.", "Stone beats wood."),
        ("Wood is worse than stone.", "Stone beats wood."),
        ("On D4RL, MossNet is superior to others.", "MossNet outperforms others on D4RL."),
        ("MossNet needs fewer steps than others.", "MossNet outperforms others."),
        ("Wood is used as fuel.", "Wood is heavy as stone."),
        ("Wood beats stone.", "Both are old."),
        ("", ""),
    ],
)
def test_the_same_or_another_contest_is_left_alone(claim, evidence) -> None:
    assert turned_round(claim, evidence, ["MossNet"]) == ""
