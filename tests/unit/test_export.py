"""Papers as BibTeX and Markdown: what a reference manager or a note must be able to read."""

import csv
import io

import pytest

from rag.census import Member
from rag.export import (
    CSV_COLUMNS,
    members_to_csv,
    paper_to_markdown,
    papers_to_bibtex,
    usage_in_words,
)
from rag.records import Paper, Usage

FULL = Paper(
    paper_id="p1",
    title="The $\\ell_p$ Norms of R&D: 100% of #1 under_scores",
    abstract="An abstract.",
    authors=("Zoë Müller", "J Zico Kolter"),
    venue="ICML 2025",
    year=2025,
    url="https://openreview.net/forum?id=FCZ3jVzmTZ",
    pages="57854-57885",
)
BARE = Paper(paper_id="p2", title="Untitled note", abstract="")


def test_an_entry_has_every_known_field() -> None:
    assert papers_to_bibtex([FULL]) == (
        "@inproceedings{muller2025ell,\n"
        "  title = {{The $\\ell_p$ Norms of R\\&D: 100\\% of \\#1 under\\_scores}},\n"
        "  author = {Zoë Müller and J Zico Kolter},\n"
        "  booktitle = {ICML 2025},\n"
        "  year = {2025},\n"
        "  pages = {57854--57885},\n"
        "  url = {https://openreview.net/forum?id=FCZ3jVzmTZ},\n"
        "}\n"
    )


def test_unknown_fields_are_left_out() -> None:
    assert papers_to_bibtex([BARE]) == (
        "@inproceedings{anonuntitled,\n  title = {{Untitled note}},\n}\n"
    )


def test_no_papers_make_no_text() -> None:
    assert papers_to_bibtex([]) == ""


def test_keys_are_unique_within_one_result() -> None:
    text = papers_to_bibtex([FULL, FULL, FULL])
    keys = [line.split("{")[1] for line in text.splitlines() if line.startswith("@")]
    assert keys == ["muller2025ell,", "muller2025ell-2,", "muller2025ell-3,"]


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("On the Role of Attention", "role"),
        ("Position: A Case for Caution", "case"),
        ("Über-Modelle", "uber"),
        ("注意", "paper"),
    ],
)
def test_the_key_takes_the_first_telling_word_of_the_title(title: str, word: str) -> None:
    entry = papers_to_bibtex([Paper("p", title, "", authors=("Ann Example",), year=2024)])
    assert entry.startswith(f"@inproceedings{{example2024{word},")


def test_markdown_links_the_title_and_names_authors_and_venue() -> None:
    assert paper_to_markdown(FULL) == (
        "[The $\\ell_p$ Norms of R&D: 100% of #1 under_scores]"
        "(https://openreview.net/forum?id=FCZ3jVzmTZ). Zoë Müller, J Zico Kolter. ICML 2025."
    )


def test_markdown_of_a_bare_paper_is_its_title() -> None:
    assert paper_to_markdown(BARE) == "Untitled note."


def test_brackets_of_a_title_cannot_end_the_link() -> None:
    paper = Paper("p", "Masks [MASK] matter", "", url="https://example.org/p")
    assert paper_to_markdown(paper) == r"[Masks \[MASK\] matter](https://example.org/p)."


@pytest.mark.parametrize(
    ("venue", "year", "shown"),
    [("ICML 2025", 2025, "ICML 2025"), ("ICML", 2025, "ICML 2025"), (None, 2025, "2025")],
)
def test_the_year_is_said_once(venue: str | None, year: int, shown: str) -> None:
    assert paper_to_markdown(Paper("p", "Title", "", venue=venue, year=year)) == f"Title. {shown}."


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (
            Usage(1234, 210, "provider", 0.00122),
            "1,234 tokens read, 210 written (said by the provider), about $0.0012",
        ),
        (Usage(5, 1, "us"), "5 tokens read, 1 written (counted here)"),
        (Usage(5, 1, "us", 0.0), "5 tokens read, 1 written (counted here), about $0.00"),
        (Usage(5, 1, "us", 0.0000123), "5 tokens read, 1 written (counted here), about $0.000012"),
        (Usage(5, 1, "us", 1234.567), "5 tokens read, 1 written (counted here), about $1,234.57"),
    ],
    ids=["small", "no price", "free", "tiny", "large"],
)
def test_usage_is_said_with_who_counted_and_two_digits_of_the_cost(usage, words) -> None:
    assert usage_in_words(usage) == words


def rows_of(**fields: str) -> list[list[str]]:
    member = Member(
        Paper("p1", fields.get("title", "T"), "A.", tuple(fields.get("authors", "A B").split("|"))),
        1,
        0.876,
        fields.get("quote", "A."),
        0,
        2,
    )
    return list(csv.reader(io.StringIO(members_to_csv({"member": [member]}))))


def test_a_table_has_a_row_of_names_and_one_for_each_paper() -> None:
    names, row = rows_of(title='On "moss", and\nstones', authors="Ann Lee|Bo Sun")
    assert tuple(names) == CSV_COLUMNS
    assert row == [
        "p1",
        'On "moss", and stones',
        "Ann Lee; Bo Sun",
        "",
        "",
        "",
        "member",
        "0.88",
        "A.",
    ]


@pytest.mark.parametrize(
    "text", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\uff1d1", "\0=1"]
)
@pytest.mark.parametrize("field", ["title", "authors", "quote"])
def test_no_cell_of_a_table_is_a_formula(text: str, field: str) -> None:
    _, row = rows_of(**{field: text})
    assert not any(cell.strip().startswith(tuple("=+-@\uff1d")) for cell in row)
    assert any(cell.startswith("'") for cell in row)
