"""What there is, and what a misspelt value may stand for."""

import pytest

from rag.records import Cue, Filters, Paper
from rag.retrieval.vocabulary import Vocabulary


def paper(number: int, *authors: str, year: int = 2025) -> Paper:
    return Paper(f"p{number}", "t", "a", authors, venue="ICML 2025", year=year, presentation="oral")


VOCABULARY = Vocabulary(
    [
        paper(1, "J Zico Kolter", "Smith, Jon", "Yan Zhang"),
        paper(2, "Li Yan Zhang", "Jonas Smyth"),
        paper(3, "Zico Kolter", "Madonna", year=2024),
    ]
)


@pytest.mark.parametrize(
    ("name", "authors"),
    [
        ("zico kolter", ("Zico Kolter",)),
        ("j zico kolter", ("J Zico Kolter",)),
        ("j kolter", ("J Zico Kolter",)),
        ("z kolter", ("J Zico Kolter", "Zico Kolter")),
        ("yan zhang", ("Yan Zhang",)),
        ("jon smith", ("Smith, Jon",)),
        ("kolter", ()),
        ("kolter zico", ("Zico Kolter",)),
        ("zico", ()),
    ],
)
def test_a_name_stands_for_its_fullest_match(name: str, authors: tuple[str, ...]) -> None:
    assert VOCABULARY.authors_called(name.split()) == authors


def test_a_name_that_many_have_stands_for_none() -> None:
    crowd = Vocabulary(
        [
            paper(n, f"{first} Wang")
            for n, first in enumerate(("Ya", "Yb", "Yc", "Yd", "Ye", "Yf", "Yg"))
        ]
    )
    assert crowd.authors_called(("y", "wang")) == ()
    assert crowd.authors_called(("ya", "wang")) == ("Ya Wang",)


@pytest.mark.parametrize(
    ("field", "value", "is_there"),
    [
        ("authors", "zico kolter", True),
        ("authors", "Kolter", True),
        ("authors", "Kolter, Zico", True),
        ("authors", "Kolt", False),
        ("venues", "icml 2025", True),
        ("venues", "ICML", False),
        ("years", "2024", True),
        ("years", "2023", False),
        ("presentation", "ORAL", True),
        ("track", "main", False),
    ],
)
def test_has_compares_as_filters_do(field: str, value: str, is_there: bool) -> None:
    assert VOCABULARY.has(field, value) is is_there


@pytest.mark.parametrize(
    ("field", "value", "nearest"),
    [
        ("authors", "Zico Koltre", ("Zico Kolter", "J Zico Kolter")),
        ("authors", "Koltre", ("Kolter",)),
        ("authors", "Hans Kolterr", ("Kolter",)),
        ("authors", "Xylophon", ()),
        ("venues", "NeurIPS 2024", ("ICML 2025",)),
        ("years", "2020", ("2024", "2025")),
        ("track", "position", ()),
    ],
)
def test_the_nearest_values_are_offered(field: str, value: str, nearest: tuple[str, ...]) -> None:
    assert VOCABULARY.nearest(field, value) == nearest


def test_corrections_name_only_what_is_not_there() -> None:
    filters = Filters(authors=("Koltre", "Kolter"), presentation="oral", years=(2024,))
    assert VOCABULARY.corrections(filters) == (Cue("authors", "Kolter", "Koltre"),)
