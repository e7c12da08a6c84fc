"""The same paper under two ids."""

from dataclasses import replace

import pytest

from rag.records import Filters, Paper
from rag.retrieval.filters import matches
from rag.retrieval.twins import as_passing, find_twins, is_same, merge

ABSTRACT = "Abandoned wells leak methane. We count them from orbit with a detector of our own."
PAPER = Paper(
    "a", "Counting Wells from Orbit", ABSTRACT, ("Ann Example", "Bo Muster"), venue="ICML"
)
COPY = replace(PAPER, paper_id="b", title="Counting wells from orbit.", venue="NeurIPS")


@pytest.mark.parametrize(
    "other",
    [
        COPY,
        replace(COPY, authors=("A. Example", "B. Muster")),
        replace(COPY, abstract=""),
        replace(COPY, authors=()),
        replace(COPY, title="Wells, Counted", other_titles=(PAPER.title,)),
    ],
)
def test_one_paper_is_found_under_two_ids(other: Paper) -> None:
    assert find_twins([PAPER, other]) == [[PAPER, other]]


@pytest.mark.parametrize(
    "other",
    [
        replace(COPY, authors=("Cem Sample",)),
        replace(COPY, title="Counting Wells from Space"),
        replace(COPY, abstract="This year forty teams took part in the challenge; here they are."),
        replace(COPY, authors=(), abstract=""),
    ],
)
def test_two_papers_stay_two(other: Paper) -> None:
    assert find_twins([PAPER, other]) == []


def test_the_id_of_a_site_tells_a_renamed_paper() -> None:
    link = "https://openreview.net/forum?id=Xyz12"
    one = replace(PAPER, url=link)
    other = replace(COPY, title="Wells Seen from Above", pdf_url=link.replace("forum", "pdf"))
    assert find_twins([one, other]) == [[one, other]]


def test_without_authors_and_abstracts_the_ids_decide() -> None:
    bare = replace(PAPER, authors=(), abstract="")
    assert is_same(bare, bare)
    assert not is_same(bare, replace(bare, paper_id="b"))


def test_the_first_with_an_abstract_is_shown_and_names_the_others() -> None:
    empty = replace(PAPER, abstract="", title="An Earlier Name")
    merged = merge([empty, COPY])
    assert (merged.paper_id, merged.copies) == ("b", (empty,))
    assert merged.other_titles == ("An Earlier Name",)


def test_a_paper_passes_by_any_entry_and_is_told_by_that_one() -> None:
    merged = merge([PAPER, COPY])
    filters = Filters(venues=("neurips",))
    assert matches(merged, filters)
    shown = as_passing(merged, filters)
    assert (shown.paper_id, shown.venue, shown.abstract) == ("a", "NeurIPS", ABSTRACT)
    assert [copy.venue for copy in shown.copies] == ["ICML"]
    assert not matches(merged, Filters(venues=("ICLR",)))
