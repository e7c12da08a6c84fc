"""Filters compare as people do: without case, accents or word order of a name."""

import pytest

from rag.errors import QuestionError
from rag.records import Filters, Paper
from rag.retrieval.filters import as_filters, matches

PAPER = Paper(
    paper_id="p",
    title="t",
    abstract="a",
    authors=("Ann B. Müller", "Jan van der Berg", "Li Wei"),
    venue="ICML",
    year=2025,
    presentation="Oral",
    track="Position Paper",
    keywords=("Diffusion Models", "Théorie"),
)
BARE = Paper(paper_id="q", title="t", abstract="a")


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(authors=("Müller",)),
        Filters(authors=("muller",)),
        Filters(authors=("Mu\u0308ller",)),
        Filters(authors=("ann b. müller",)),
        Filters(authors=("Müller, Ann B.",)),
        Filters(authors=("van der Berg",)),
        Filters(authors=("Berg",)),
        Filters(authors=("Nobody", "Wei")),
        Filters(authors=(" ", "")),
        Filters(venues=("icml",)),
        Filters(venues=("NeurIPS", "ICML")),
        Filters(years=(2024, 2025)),
        Filters(years=("2025",)),  # type: ignore[arg-type]
        Filters(presentation="oral"),
        Filters(presentation=("spotlight", "oral")),
        Filters(track="position paper"),
        Filters(keywords=("theorie",)),
        Filters(authors=("Wei",), venues=("ICML",), years=(2025,), presentation="ORAL"),
    ],
)
def test_lets_through(filters: Filters) -> None:
    assert matches(PAPER, filters)


@pytest.mark.parametrize(
    "filters",
    [
        Filters(authors=("Ann",)),
        Filters(authors=("Ülle",)),
        Filters(authors=("Ann Müller",)),
        Filters(venues=("ICML 2025",)),
        Filters(years=(2024,)),
        Filters(presentation="poster"),
        Filters(track="position"),
        Filters(keywords=("Diffusion",)),
        Filters(authors=("Wei",), presentation="poster"),
    ],
)
def test_holds_back(filters: Filters) -> None:
    assert not matches(PAPER, filters)


@pytest.mark.parametrize(
    "filters",
    [
        Filters(authors=("Wei",)),
        Filters(venues=("ICML",)),
        Filters(years=(2025,)),
        Filters(presentation="oral"),
        Filters(track="main"),
        Filters(keywords=("x",)),
    ],
)
def test_a_paper_without_the_field_is_held_back(filters: Filters) -> None:
    assert not matches(BARE, filters)


def test_filters_name_each_field_in_use() -> None:
    filters = Filters(
        authors=("Müller", "Wei"),
        venues=("ICML",),
        years=(2024, 2025),
        presentation="oral",
        track=("main", "position"),
        keywords=("theory",),
    )
    assert str(filters) == (
        "author Müller or Wei; venue ICML; year 2024 or 2025; presentation oral; "
        "track main or position; keyword theory"
    )
    assert str(Filters()) == ""
    assert str(Filters(authors=(" ",), presentation="oral")) == "presentation oral"


@pytest.mark.parametrize(
    ("values", "filters"),
    [
        (None, Filters()),
        ({}, Filters()),
        (Filters(years=(2025,)), Filters(years=(2025,))),
        ({"years": 2025, "authors": "Ann Lee"}, Filters(years=(2025,), authors=("Ann Lee",))),
        ({"years": ["2024", 2025]}, Filters(years=(2024, 2025))),
        ({"presentation": None, "track": ""}, Filters(presentation=(), track=("",))),
    ],
)
def test_filters_come_in_several_forms(values, filters) -> None:
    assert as_filters(values) == filters


@pytest.mark.parametrize(
    "values", [{"author": "Lee"}, {"years": "soon"}, {"venues": [None]}, {3: "x"}, ["Lee"], "Lee"]
)
def test_what_is_no_filter_is_refused_with_the_fields_there_are(values) -> None:
    with pytest.raises(QuestionError, match=r"authors|years="):
        as_filters(values)
