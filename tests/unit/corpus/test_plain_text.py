"""Plain documents: a heading, then abstracts without titles."""

from __future__ import annotations

from rag.corpus import load_corpus
from rag.corpus.plain_text import PlainTextLoader


def load(text):
    return [(row.line, dict(row.fields)) for row in PlainTextLoader().rows(text, "x.txt")]


def test_heading_and_abstracts():
    rows = load("ICML 2025 Papers\n\nFirst one.\n\n\nSecond one,\nwrapped.  \n \t\nThird.\n")
    assert [(line, fields["abstract"]) for line, fields in rows] == [
        (3, "First one."),
        (6, "Second one,\nwrapped."),
        (9, "Third."),
    ]
    assert {(fields["venue"], fields["year"]) for _, fields in rows} == {("ICML 2025", "2025")}


def test_a_markdown_heading_and_one_without_a_year():
    ((_, fields),) = load("# Papers of the workshop!\n\nAn abstract.")
    assert set(fields) == {"id", "abstract"}
    ((_, fields),) = load("# NeurIPS 2024\n\nAn abstract.")
    assert fields["venue"] == "NeurIPS 2024"


def test_without_a_heading_every_block_is_an_abstract():
    assert [fields["abstract"] for _, fields in load("We study a.\n\nWe study b.")] == [
        "We study a.",
        "We study b.",
    ]
    assert [fields["abstract"] for _, fields in load("only one line")] == ["only one line"]
    assert load(" \n\n ") == []


def test_ids_come_from_the_content_alone(tmp_path):
    first = load("Heading\n\nOne.\n\nTwo.")
    moved = load("Two.\n\nZero.\n\nOne.")
    by_text = {fields["abstract"]: fields["id"] for _, fields in moved}
    assert {fields["abstract"]: fields["id"] for _, fields in first}.items() <= by_text.items()
    assert all(paper_id.startswith("txt-") and len(paper_id) == 16 for paper_id in by_text.values())


def test_the_seed_documents_give_the_abstracts_of_the_corpus():
    from rag.corpus import seeds_folder

    titled = {paper.abstract for paper in load_corpus("seeds").papers}
    raw = [
        paper
        for document in sorted(seeds_folder().glob("*.txt"))
        for paper in load_corpus(document).papers
    ]
    assert {paper.abstract for paper in raw} == titled
    assert len({paper.title for paper in raw}) == len({paper.paper_id for paper in raw}) == 57
    assert {(paper.venue, paper.year) for paper in raw} == {("ICML 2025", 2025)}
