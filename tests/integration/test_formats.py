"""What comes out of files as people have them; where they are from is said beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rag.corpus import Corpus, load_corpus
from rag.errors import CorpusError
from rag.records import Paper

FORMATS = Path(__file__).parent / "formats"
NO_ABSTRACT = "it has no abstract; it is found by its title and authors"


def load(name: str) -> Corpus:
    corpus = load_corpus(FORMATS / name)
    assert corpus.n_read == len(corpus.papers) + len(corpus.rejected)
    return corpus


def by_id(corpus: Corpus) -> dict[str, Paper]:
    return {paper.paper_id: paper for paper in corpus.papers}


def test_bibtex_of_pmlr() -> None:
    corpus = load("alt25.bib")
    papers = by_id(corpus)
    assert list(papers) == ["kamath25", "abeles25", "hogsgaard25", "kizildag25", "warmuth25"]
    assert {(paper.venue, paper.year) for paper in corpus.papers} == {("ALT 2025", 2025)}
    assert papers["abeles25"].authors[0] == "Baptiste Abélès"
    assert papers["hogsgaard25"].authors == ("Mikael Høgsgaard Møller",)
    assert papers["kizildag25"].authors == ("Eren C. Kızıldağ",)
    assert papers["warmuth25"].authors[1] == "Wojciech Kotłowski"
    assert "online-to-PAC conversions" in papers["abeles25"].title
    assert papers["abeles25"].abstract.startswith("We study the generalization error")
    assert papers["abeles25"].pages == "23-40"
    assert [(remark.line, remark.reason) for remark in corpus.remarks] == [
        (16, NO_ABSTRACT),
        (22, "its abstract and its pages stood in each other's place"),
    ]


def test_posts_of_pmlr(tmp_path: Path) -> None:
    for post in FORMATS.glob("2025-*.md"):
        (tmp_path / post.name).write_bytes(post.read_bytes())
    corpus = load_corpus(tmp_path)
    papers = by_id(corpus)
    assert list(papers) == ["abeles25a", "kamath25a"]
    assert papers["abeles25a"].authors[0] == "Baptiste Abélès"
    assert papers["abeles25a"].url == "https://openreview.net/forum?id=FsI3wb6lG0"
    # What follows was lost when the proceedings were made from the BibTeX.
    beginning, _, _ = papers["abeles25a"].abstract.partition("trade-")
    assert len(beginning) > 600
    assert by_id(load("alt25.bib"))["abeles25"].abstract.startswith(beginning)
    assert papers["kamath25a"].abstract == ""
    assert [str(remark) for remark in corpus.remarks] == [
        f"2025-02-17-kamath25a.md:1: {NO_ABSTRACT}"
    ]


def test_acl_anthology() -> None:
    corpus = load("2022.bigscience.xml")
    paper = by_id(corpus)["2022.bigscience-1.2"]
    assert len(corpus.papers) == 2
    assert paper.title == "Using ASR-Generated Text for Spoken Language Modeling"
    assert (paper.authors[0], paper.pages, paper.year) == ("Nicolas Hervé", "17-25", 2022)
    assert paper.venue is not None
    assert "Challenges & Perspectives" in paper.venue


def test_arxiv_says_the_same_in_both_its_formats() -> None:
    feed, snapshot = load("arxiv_query.atom.xml"), load("arxiv_snapshot.jsonl")
    assert by_id(feed) == by_id(snapshot)
    paper = by_id(feed)["2405.13786"]
    assert paper.authors == ("Aurora Ramírez", "Mario Berrios", "José Raúl Romero", "Robert Feldt")
    assert paper.title.endswith("Learning-to-Rank Models")
    assert "\n" not in paper.abstract
    assert paper.year == 2024
    for corpus in (feed, snapshot):
        (note,) = corpus.notes
        assert note.endswith("UTF-8 that had been encoded twice; decoded twice")


def test_an_error_of_arxiv_is_said() -> None:
    with pytest.raises(CorpusError, match="incorrect id format for abc"):
        load("arxiv_error.atom.xml")


def test_notes_of_openreview() -> None:
    corpus = load("icml2025_notes.json")
    assert [(paper.presentation, paper.track) for paper in corpus.papers] == [
        ("spotlight", None),
        ("poster", "Position Paper Track"),
        ("oral", None),
        ("poster", None),
    ]
    assert {(paper.venue, paper.year) for paper in corpus.papers} == {("ICML 2025", 2025)}
    assert all(paper.authors and paper.url and paper.pdf_url for paper in corpus.papers)
    lines = (FORMATS / "icml2025_notes.json").read_text(encoding="utf-8").splitlines()
    without = [paper for paper in corpus.papers if not paper.abstract]
    assert [paper.track for paper in without] == ["Position Paper Track", None]
    assert {remark.reason for remark in corpus.remarks} == {NO_ABSTRACT}
    for paper, remark in zip(without, corpus.remarks, strict=True):
        assert paper.paper_id in lines[remark.line]


def test_notes_of_version_1_and_on_one_line(tmp_path: Path) -> None:
    document = json.loads((FORMATS / "icml2025_notes.json").read_text(encoding="utf-8"))
    for note in document["notes"]:
        note["invitation"] = note.pop("invitations")[0]
        note["content"] = {name: item["value"] for name, item in note["content"].items()}
    file = tmp_path / "icml2025_notes.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert load_corpus(file).papers == load("icml2025_notes.json").papers


def test_zotero() -> None:
    (paper,) = load("zotero.ris").papers
    assert paper.authors[:2] == ("Rens van de Schoot", "Jonathan de Bruin")
    assert paper.paper_id == "10.1038/s42256-020-00287-7"
    assert paper.url == "https://doi.org/10.1038/s42256-020-00287-7"
    assert (paper.venue, paper.year) == ("Nature Machine Intelligence", 2021)
    assert paper.pages == "125-133"
    assert paper.abstract.startswith("To help researchers conduct a systematic review")


def test_ris_with_values_on_several_lines() -> None:
    papers = load("keywords_on_lines.txt").papers
    assert len(papers) == 2
    assert papers[0].keywords[:3] == (
        "Health Facility Administration",
        "Joint Commission",
        "Standards",
    )
    assert "Professional Practice, Evidence-Based" in papers[1].keywords


def test_ris_with_every_tag_there_is() -> None:
    (paper,) = load("tag_and_field_definitions.ris").papers
    assert (paper.title, paper.abstract, paper.venue) == ("Title", "Abstract", "Secondary Title")
    assert paper.authors == ("Authors", "First Authors")


def test_ris_with_empty_values() -> None:
    corpus = load("empty_values.ris")
    assert [paper.title for paper in corpus.papers] == [
        "Title of reference",
        "Lorem ipsum dolor sit amet, consectetuer adipiscing elit",
    ]
    assert [str(row) for row in corpus.rejected] == [
        "empty_values.ris:13: the same record as empty_values.ris:1",
        "empty_values.ris:18: the same record as empty_values.ris:7",
    ]


def test_a_table_of_zotero(tmp_path: Path) -> None:
    file = tmp_path / "My Library.csv"
    file.write_text(
        '"Key","Item Type","Publication Year","Author","Title","Publication Title","ISBN","DOI",'
        '"Url","Abstract Note","Date","Pages","Manual Tags","Automatic Tags","Conference Name"\n'
        '"AB12CD34","conferencePaper","2025","Example, Ann B.; van der Sample, Bo",'
        '"On Tables","Proc. of ICML","","10.1000/xyz","https://a.org/1","We read them.",'
        '"2025-07-13","12-19","tables; Zotero","","ICML 2025"\n'
        '"EF56GH78","note","","","","","","","","","","","","",""\n',
        encoding="utf-8-sig",
    )
    corpus = load_corpus(file)
    assert corpus.papers == (
        Paper(
            paper_id="AB12CD34",
            title="On Tables",
            abstract="We read them.",
            authors=("Ann B. Example", "Bo van der Sample"),
            venue="ICML 2025",
            year=2025,
            url="https://a.org/1",
            keywords=("tables", "Zotero"),
            pages="12-19",
        ),
    )
    assert [row.line for row in corpus.rejected] == [3]


TABLE = (FORMATS / "generic.csv").read_text(encoding="utf-8")


def test_a_table_with_lists_in_its_cells_and_an_id_that_is_none() -> None:
    corpus = load("generic.csv")
    assert [paper.authors for paper in corpus.papers] == [
        ("Karl Marx", "Astrid Lindgren"),
        ("Karlus Marxus", "Astrid Lindgren"),
    ]
    assert corpus.papers[0].keywords == ("Pippi", "Nordwind", "Piraten")
    assert [paper.year for paper in corpus.papers] == [2014, 2006]
    assert corpus.notes == ("generic.csv: all rows have the id '12345', so it is none",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=ascii)
def test_a_table_in_any_encoding(tmp_path: Path, encoding: str, line_end: str) -> None:
    text = TABLE.replace("Karl Marx", "Jürgen Mäßig").replace("Lindgren", "Gómez")
    plain = tmp_path / "plain" / "x.csv"
    plain.parent.mkdir()
    plain.write_text(text, encoding="utf-8")
    encoded = tmp_path / "x.csv"
    encoded.write_bytes(text.replace("\n", line_end).encode(encoding))
    corpus = load_corpus(encoded)
    assert corpus.papers == load_corpus(plain).papers
    assert "Astrid Gómez" in corpus.papers[0].authors


def test_all_of_them_in_one_folder() -> None:
    corpus = load_corpus(FORMATS)
    assert corpus.name == "formats"
    # arXiv's two papers are there twice; one table row and two RIS records repeat others.
    assert len(corpus.papers) == 5 + 2 + 2 + 2 + 4 + 1 + 2 + 1 + 2 + 2
    assert not [note for note in corpus.notes if "left aside" in note]
    places = {str(row) for row in corpus.rejected}
    assert "arxiv_snapshot.jsonl:1: the same record as arxiv_query.atom.xml:10" in places
