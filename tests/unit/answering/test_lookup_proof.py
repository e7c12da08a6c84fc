"""The gate for sentences from records: what the record does not say is not shown."""

import pytest

from rag.answering.citations import Proven
from rag.answering.lookup_proof import (
    Fact,
    RecordDraft,
    is_in_record,
    prove_record,
    record_line,
)
from rag.records import DroppedSentence, Paper, Passage

PAPER = Paper(
    "p",
    "A Title of 2025",
    "Wells leak. In this work we introduce a map of 213 wells. It helps.",
    ("Ann Lee", "Bo Sun", "Cy Park"),
    venue="ICML 2025",
    year=2025,
    presentation="oral",
    url="https://papers.example/p",
)
BARE = Paper("bare", "Untold", "", ("Dora Long",))
PASSAGES = {3: Passage(3, PAPER, PAPER.abstract, 1.0), 5: Passage(5, BARE, "", 1.0)}


def prove(text: str, *facts: Fact, counted: tuple[frozenset[str], ...] = ()):
    return prove_record(RecordDraft(text, facts, counted), PASSAGES)


def test_what_the_record_says_is_shown_with_its_line_and_an_introduction() -> None:
    said = "Ann Lee, Bo Sun and Cy Park"
    proven = prove(f"“A Title of 2025” is by {said}.", Fact(PAPER, "Authors", said))
    assert isinstance(proven, Proven)
    assert (proven.sentence.markers, proven.sentence.support) == ((3,), 1.0)
    (citation,) = proven.citations
    assert citation.record == "Authors: Ann Lee, Bo Sun, Cy Park"
    assert citation.quote == "In this work we introduce a map of 213 wells."
    assert PAPER.abstract[citation.start : citation.end] == citation.quote


def test_a_paper_without_an_abstract_has_its_record_alone() -> None:
    proven = prove("“Untold” is by Dora Long.", Fact(BARE, "Authors", "Dora Long"))
    assert isinstance(proven, Proven)
    assert [(c.quote, c.start, c.end) for c in proven.citations] == [("", 0, 0)]


@pytest.mark.parametrize(
    ("text", "label", "said"),
    [
        ("It is by Ann Lee and Bo Sun.", "Authors", "Ann Lee and Bo Sun"),
        ("It is by Bo Sun, Ann Lee and Cy Park.", "Authors", "Bo Sun, Ann Lee and Cy Park"),
        ("It is by Ann Lee and 3 others.", "Authors", "Ann Lee and 3 others"),
        ("It is by Dora Long.", "Authors", "Dora Long"),
        ("It has 4 authors.", "Authors", "4"),
        ("The first author is Bo Sun.", "First author", "Bo Sun"),
        ("The last author is Ann Lee.", "Last author", "Ann Lee"),
        ("It is a poster.", "Presentation", "poster"),
        ("It is in the track “main”.", "Track", "main"),
        ("It was published at ICML 2024.", "Venue", "ICML 2024"),
        ("It is by somebody.", "Authors", "Ann Lee, Bo Sun and Cy Park"),
        ("It has 3 authors and 12 figures.", "Authors", "3"),
        ("It is by nobody.", "Colour", ""),
    ],
)
def test_what_the_record_does_not_say_is_dropped(text, label, said) -> None:
    assert isinstance(prove(text, Fact(PAPER, label, said)), DroppedSentence)


def test_a_paper_that_was_not_read_cannot_be_cited() -> None:
    other = Paper("other", "Other", "x", ("Eve Fox",))
    assert isinstance(
        prove("It is by Eve Fox.", Fact(other, "Authors", "Eve Fox")), DroppedSentence
    )


def test_the_record_is_that_of_the_paper_that_was_read() -> None:
    forged = Paper("p", "A Title of 2025", PAPER.abstract, ("Eve Fox",))
    assert isinstance(
        prove("It is by Eve Fox.", Fact(forged, "Authors", "Eve Fox")), DroppedSentence
    )


def test_a_count_must_be_that_of_the_papers() -> None:
    facts = (Fact(PAPER, "Presentation"),)
    ids = frozenset({"p", "x", "y"})
    assert isinstance(prove("3 papers are orals.", *facts, counted=(ids,)), Proven)
    assert isinstance(prove("3 of 2 papers are orals.", *facts, counted=(ids,)), DroppedSentence)
    assert isinstance(prove("4 papers are orals.", *facts, counted=(ids,)), DroppedSentence)
    assert isinstance(prove("Papers are orals.", *facts, counted=(ids,)), DroppedSentence)
    assert isinstance(prove("3 papers are orals.", *facts), DroppedSentence)
    assert isinstance(prove("Nothing is proven."), DroppedSentence)


def test_the_lines_of_a_record() -> None:
    assert record_line(PAPER, "Year") == "Year: 2025"
    assert record_line(PAPER, "Track") == record_line(PAPER, "Colour") == ""
    assert is_in_record(PAPER, "Authors: Ann Lee, Bo Sun, Cy Park\nPresentation: oral")
    assert is_in_record(PAPER, "Page: https://papers.example/p")
    for wrong in (
        "",
        "Authors: Ann Lee",
        "Presentation: poster",
        "oral",
        "Presentation: oral\n",
        "Track: ",
    ):
        assert not is_in_record(PAPER, wrong)
