"""Quantities: the same amount in other words is the same, another amount is another."""

import pytest

from rag.answering.amounts import missing_quantity
from rag.answering.quantities import quantities


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("213,000 wells", 213000, ""),
        ("81.5\\% of them", 81.5, "percent"),
        ("50 per cent", 50, "percent"),
        ("5 percentage points", 5, "percent"),
        ("half of it", 0.5, ""),
        ("1k", 1000, ""),
        ("a thousand", 1000, ""),
        ("twenty-one", 21, ""),
        ("3.5 million", 3.5e6, ""),
        ("7B parameters", 7e9, ""),
        ("2.5$\\times$", 2.5, "times"),
        ("ten-fold", 10, "times"),
        ("a factor of 10", 10, "times"),
        ("twice", 2, "times"),
        ("$10^{-3}$", 1e-3, ""),
        ("$3\\times 10^5$", 3e5, ""),
        ("1e-5", 1e-5, ""),
        ("1 minute", 60, "time"),
        ("20 ms", 0.02, "time"),
        ("16 GB", 16e9, "size"),
        ("4-bit", 4, "bit"),
        ("$O(n^2)$", 2, "power"),
    ],
)
def test_one_number_is_read_with_its_unit(text, value, unit) -> None:
    (quantity,) = quantities(text)
    assert quantity.value == pytest.approx(value)
    assert quantity.unit == unit


@pytest.mark.parametrize("text", ["GPT-4, CIFAR-10 and Llama-2", "3D", "the 2nd", "top-5", "x1"])
def test_digits_in_names_are_no_numbers(text) -> None:
    assert quantities(text) == []


def test_a_range_shares_its_unit() -> None:
    assert [(item.value, item.unit) for item in quantities("10-15%")] == [
        (10, "percent"),
        (15, "percent"),
    ]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("213,000 wells", "213000 wells"),
        ("1k images", "1,000 images"),
        ("a thousand images", "1k images"),
        ("50% of them", "0.5 of them"),
        ("a rate of 0.5", "50 % of them"),
        ("half of it", "50\\% of it"),
        ("60 seconds", "1 minute"),
        ("2x faster", "twice as fast"),
        ("a 2.5x speedup", "a speedup of 2.5"),
        ("fourteen methods", "14 methods"),
        ("over 200,000 wells", "213,000 wells"),
        ("nearly 90%", "89.7%"),
        ("about 210,000", "213,000"),
        ("95.2%", "95.23\\%"),
        ("two datasets", "CIFAR-10 and ImageNet"),
        ("one of them", "some of them"),
        ("10%", "10-15%"),
        ("no number", "also none"),
    ],
)
def test_the_same_amount_agrees(claim, evidence) -> None:
    assert missing_quantity(claim, evidence) is None


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("214,000 wells", "213,000 wells"),
        ("15 methods", "14 methods"),
        ("15 methods", "fourteen methods"),
        ("95%", "95 tasks"),
        ("95% of 14", "14 tasks"),
        ("5 ms", "5 s"),
        ("3x", "2x"),
        ("three datasets", "two datasets"),
        ("4-bit", "8-bit"),
        ("90%", "89.7%"),
        ("nearly 90%", "95%"),
        ("over 300,000", "213,000"),
        ("more than 37 tasks", "more than 40 tasks"),
        ("up to 91%", "up to 90%"),
        ("about 211,000", "213,000"),
        ("nearly 80%", "89.7%"),
        ("less than 40 tasks", "more than 40 tasks"),
        ("$10^{-3}$", "$10^{-4}$"),
        ("$O(n^3)$", "$O(n^2)$"),
        ("3.5 million", "3.5 billion"),
        ("7 wells", "no number"),
    ],
)
def test_another_amount_is_missed(claim, evidence) -> None:
    assert missing_quantity(claim, evidence) is not None


def test_the_first_missing_number_is_told() -> None:
    missing = missing_quantity("14 methods on 9 sets and 8 seeds", "14 methods")
    assert missing is not None
    assert missing.text == "9"


def test_known_values_need_no_evidence() -> None:
    assert missing_quantity("published in 2025", "published", [2025.0]) is None
    assert missing_quantity("published in 2024", "published", [2025.0]) is not None


@pytest.mark.parametrize(
    "text", ["9" * 400, "10^999999", "1e999", "9^99999", "0^-1", "٣ wells", "½"]
)
def test_odd_numbers_do_no_harm(text) -> None:
    quantities(text)
    missing_quantity(text, text)
