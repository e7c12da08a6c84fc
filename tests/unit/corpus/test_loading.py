"""Corpora from files and folders: what is read, what is turned down, and what is said."""

from __future__ import annotations

import json
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.corpus import corpus_name, load_corpus, seeds_folder
from rag.errors import CorpusError


def write(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def reasons(corpus):
    return [str(row) for row in corpus.rejected]


def test_a_file_by_its_path(tmp_path):
    file = write(tmp_path / "my papers.jsonl", {"id": "a", "title": "T", "abstract": "A."})
    corpus = load_corpus(str(file))
    assert [paper.paper_id for paper in corpus.papers] == ["a"]
    assert (corpus.name, corpus.n_read, corpus.rejected, corpus.notes) == ("my papers", 1, (), ())
    assert load_corpus(file) == corpus


def test_a_folder_reads_the_known_files_in_order_and_says_what_it_left(tmp_path):
    write(tmp_path / "b.jsonl", {"id": "b", "title": "B"})
    (tmp_path / "a.csv").write_text("id,title\na,A\n")
    (tmp_path / "README.md").write_text("# About\n\nThis is no abstract.\n")
    (tmp_path / "paper.pdf").write_bytes(b"%PDF")
    (tmp_path / ".hidden.csv").write_text("id,title\nh,H\n")
    (tmp_path / "broken.csv").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.csv").mkdir()
    corpus = load_corpus(tmp_path)
    assert [paper.title for paper in corpus.papers] == ["A", "B"]
    assert corpus.notes == ("paper.pdf: left aside, its format is not known",)
    (rejected,) = corpus.rejected
    assert rejected.file == "broken.csv"
    assert "UTF-16" in rejected.reason
    assert corpus.n_read == 3


def test_repeated_ids(tmp_path):
    file = write(
        tmp_path / "papers.jsonl",
        {"id": "a", "title": "One", "abstract": "A."},
        {"id": "b", "title": "Two", "abstract": "B."},
        {"id": "a", "title": "One", "abstract": "A."},
        {"id": "a", "title": "Another", "abstract": "C."},
    )
    corpus = load_corpus(file)
    assert [paper.title for paper in corpus.papers] == ["One", "Two"]
    assert reasons(corpus) == [
        "papers.jsonl:3: the same record as papers.jsonl:1",
        "papers.jsonl:4: another paper has the id 'a': papers.jsonl:1 and papers.jsonl:4 differ",
    ]


def test_the_same_abstract_under_two_titles_is_two_papers(tmp_path):
    file = write(
        tmp_path / "papers.jsonl",
        {"title": "At a workshop", "abstract": "Same."},
        {"title": "At a conference", "abstract": "Same."},
    )
    assert len(load_corpus(file).papers) == 2


def test_an_untitled_text_gives_way_to_the_record_with_its_title(tmp_path):
    (tmp_path / "a.txt").write_text("ICML 2025 Papers\n\nSame text.\n\nOther text.\n")
    write(tmp_path / "b.jsonl", {"id": "b", "title": "Titled", "abstract": "Same text."})
    corpus = load_corpus(tmp_path)
    assert [paper.title for paper in corpus.papers] == ["Other text", "Titled"]
    assert reasons(corpus) == ["a.txt:3: the same abstract as b.jsonl:1, which has its title"]


def test_rows_without_title_and_abstract(tmp_path):
    file = write(
        tmp_path / "papers.jsonl",
        {"id": "a", "title": " ", "abstract": "N/A"},
        {"id": "b", "abstract": "We study graphs. It works."},
        {"id": "c", "title": "Only a title", "abstract": "No abstract available."},
    )
    corpus = load_corpus(file)
    assert [(paper.title, paper.abstract) for paper in corpus.papers] == [
        ("We study graphs", "We study graphs. It works."),
        ("Only a title", ""),
    ]
    assert reasons(corpus) == ["papers.jsonl:1: it has neither a title nor an abstract"]


def test_an_abstract_of_fifty_thousand_characters(tmp_path):
    abstract = "We study long abstracts. " * 2000
    file = write(tmp_path / "papers.jsonl", {"id": "a", "abstract": abstract})
    (paper,) = load_corpus(file).papers
    assert paper.abstract == abstract
    assert paper.title == "We study long abstracts"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.jsonl", b"", "empty.jsonl is empty"),
        ("blank.csv", b" \n\n", "blank.csv is empty"),
        ("mark.txt", b"\xef\xbb\xbf", "Not one paper could be read"),
        ("x.pdf", b"%PDF", "no known format"),
        ("x.jsonl", b"{\n", "x.jsonl:1: not valid JSON"),
        ("x.json", b"[]", "Not one paper could be read"),
        ("x.csv", b"id,title\n", "Not one paper could be read"),
        ("x.csv", b"name,size\na,b\n", "no column named title or abstract"),
        ("x.jsonl", b'{"id": 1}\n' * 5, "rejected rows: 5: x.jsonl:1: .*; and 2 more"),
    ],
)
def test_nothing_to_read_is_an_error_that_says_why(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=message) as caught:
        load_corpus(tmp_path / name)
    assert caught.value.hint


def test_an_unknown_format_is_an_error_that_lists_what_is_read(tmp_path):
    (tmp_path / "x.pdf").write_bytes(b"%PDF-1.7\n\xff\xfe\x00\x80")
    with pytest.raises(CorpusError, match="no known format") as caught:
        load_corpus(tmp_path / "x.pdf")
    for known in ("JSON (.jsonl", "tables (.csv", "BibTeX (.bib)", "RIS (.ris)", "Atom", ".txt"):
        assert known in caught.value.hint


def test_the_content_tells_the_format_not_the_name(tmp_path):
    contents = {
        "a.txt": "TY  - JOUR\nTI  - From RIS\nER  -\n",
        "b.csv": '{"title": "From JSON"}\n',
        "c": "title;abstract\nFrom a table;Text\n",
        "d.json": "@misc{k, title = {From BibTeX}}\n",
        "e.export": "<feed><entry><title>From XML</title></entry></feed>",
        "f.txt": "---\ntitle: From a post\n---\n",
        "g.txt": "ICML 2025\n\nAn abstract.\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    assert [paper.title for paper in load_corpus(tmp_path).papers] == [
        "From RIS",
        "From JSON",
        "From a table",
        "From BibTeX",
        "From XML",
        "From a post",
        "An abstract",
    ]


def test_columns_can_be_named(tmp_path):
    file = tmp_path / "talks.csv"
    file.write_text("Talk;What;id\nT;A.;1\nU;B.;1\n")
    columns = {"title": "talk", "abstract": "What", "paper_id": ""}
    papers = load_corpus(file, columns=columns).papers
    assert [(paper.title, paper.abstract) for paper in papers] == [("T", "A."), ("U", "B.")]
    assert all(paper.paper_id.startswith("paper-") for paper in papers)


def test_a_named_column_that_is_not_there(tmp_path):
    file = write(tmp_path / "talks.jsonl", {"title": "T", "speaker": "A B"})
    with pytest.raises(CorpusError, match="no column 'speakers' for the authors") as caught:
        load_corpus(file, columns={"authors": "speakers"})
    assert caught.value.hint == "There are: title, speaker."
    with pytest.raises(CorpusError, match="no field 'speaker'") as caught:
        load_corpus(file, columns={"speaker": "speaker"})
    assert "authors" in caught.value.hint


def test_a_guessed_column_is_said(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text("Talk title,Abstract,Source title\nT,A.,J\n")
    corpus = load_corpus(file)
    assert corpus.papers[0].title == "T"
    assert corpus.notes == ("x.csv: 'Talk title' was taken for the title of a paper",)


def test_what_is_withdrawn_or_rejected_is_reported_and_left_out(tmp_path):
    file = write(
        tmp_path / "papers.jsonl",
        {"title": "One", "status": "Withdraw"},
        {"title": "Two", "decision": "Reject"},
        {"title": "Three", "status": "Accept (after being rejected once)"},
        {"title": "RETRACTED: Four"},
        {"title": "Five", "venue": "ICLR 2024 Conference Withdrawn Submission"},
        {"title": "Rejected samples in MCMC", "status": "Poster"},
    )
    corpus = load_corpus(file)
    assert [paper.title for paper in corpus.papers] == ["Three", "Rejected samples in MCMC"]
    assert reasons(corpus) == [
        "papers.jsonl:1: its status is 'Withdraw': no paper of the conference",
        "papers.jsonl:2: its status is 'Reject': no paper of the conference",
        "papers.jsonl:4: its title says that it was withdrawn",
        "papers.jsonl:5: its venue is 'ICLR 2024 Conference Withdrawn Submission': "
        "no paper of the conference",
    ]


def test_what_is_odd_is_remarked(tmp_path):
    file = write(
        tmp_path / "papers.jsonl",
        {
            "id": 1,
            "title": "On Graphs",
            "authors": ["A B"],
            "abstract": "We study graphs and more.",
        },
        {
            "id": 2,
            "title": "On graphs.",
            "authors": ["A B"],
            "abstract": "An extended version of it.",
        },
        {"id": 3, "title": "On Graphs", "authors": ["C D"], "abstract": ""},
        {"id": 4, "title": "Another", "abstract": "We study graphs and more."},
        {"id": 5, "title": "Short", "abstract": "We"},
        {"id": 6, "title": "Long", "abstract": "x" * 10_001},
        {"id": 7, "title": "y" * 501, "abstract": "Its title is an abstract."},
        {"id": 8, "title": "Fine", "abstract": "Nothing is odd about this one."},
    )
    assert [str(remark) for remark in load_corpus(file).remarks] == [
        "papers.jsonl:2: it has the title of papers.jsonl:1, by the same authors",
        "papers.jsonl:3: it has no abstract; it is found by its title and authors",
        "papers.jsonl:3: it has the title of papers.jsonl:1, by other authors",
        "papers.jsonl:4: it has the abstract of papers.jsonl:1 under another title",
        "papers.jsonl:5: its abstract has only 2 characters",
        "papers.jsonl:6: its abstract has 10001 characters, more than abstracts have",
        "papers.jsonl:7: its title has 501 characters, more than titles have",
    ]


def test_rows_without_ids_that_say_the_same(tmp_path):
    file = write(
        tmp_path / "papers.jsonl",
        {"title": "T", "abstract": "A.", "year": 2024},
        {"title": "T", "abstract": "A.", "year": 2025},
    )
    assert reasons(load_corpus(file)) == [
        "papers.jsonl:2: the same title and abstract as papers.jsonl:1"
    ]


def test_an_id_that_all_rows_of_a_table_share_is_none(tmp_path):
    (tmp_path / "x.csv").write_text("id,title\n12345,T\n12345,U\n12345,T\n")
    corpus = load_corpus(tmp_path / "x.csv")
    assert [paper.title for paper in corpus.papers] == ["T", "U"]
    assert corpus.notes == ("x.csv: all rows have the id '12345', so it is none",)
    assert reasons(corpus) == ["x.csv:4: the same record as x.csv:2"]


def test_a_missing_source_and_an_empty_folder(tmp_path):
    with pytest.raises(CorpusError, match="no corpus, file or folder 'nowhere'") as caught:
        load_corpus("nowhere")
    assert "seeds, icml2025" in caught.value.hint
    with pytest.raises(CorpusError, match="Not one paper could be read"):
        load_corpus(tmp_path)


def test_the_name_of_a_corpus(tmp_path):
    assert corpus_name("seeds") == "seeds"
    assert corpus_name("some/where/icml2025.jsonl") == "icml2025"
    assert corpus_name("icml2025.jsonl.gz") == "icml2025"
    assert corpus_name("my.library.bib") == "my.library"
    assert corpus_name(tmp_path / "v1.5") == "v1.5"
    assert corpus_name(tmp_path / ".." / tmp_path.name) == tmp_path.name


def test_the_seeds_of_an_installed_package(tmp_path, monkeypatch):
    package = tmp_path / "rag" / "corpus"
    shutil.copytree(seeds_folder(), package / "_seeds")
    monkeypatch.setattr("rag.corpus.seeds.__file__", str(package / "seeds.py"))
    assert seeds_folder() == package / "_seeds"
    assert len(load_corpus("seeds").papers) == 57
    shutil.rmtree(package / "_seeds")
    with pytest.raises(CorpusError, match="missing from this installation"):
        load_corpus("seeds")


def test_reading_twice_gives_the_same_ids_in_any_order(tmp_path):
    records = [{"title": f"T{n}", "abstract": f"Abstract {n}."} for n in range(5)]
    one = load_corpus(write(tmp_path / "one.jsonl", *records))
    two = load_corpus(write(tmp_path / "two.jsonl", *reversed(records)))
    assert set(one.papers) == set(two.papers)
    assert len({paper.paper_id for paper in one.papers}) == 5


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
RECORDS = st.dictionaries(
    st.sampled_from(["id", "title", "abstract", "authors", "year", "keywords", "url", "x"]),
    VALUES
    | st.lists(VALUES, max_size=3)
    | st.dictionaries(st.text(max_size=3), VALUES, max_size=2),
)


@settings(max_examples=100)
@given(st.lists(RECORDS | VALUES, max_size=12))
def test_any_json_is_read_or_rejected_and_the_counts_add_up(tmp_path_factory, records):
    file = tmp_path_factory.mktemp("corpus") / "papers.jsonl"
    write(file, {"id": "sure", "title": "One paper at least"}, *records)
    corpus = load_corpus(file)
    assert corpus.n_read == len(corpus.papers) + len(corpus.rejected) == len(records) + 1
    for paper in corpus.papers:
        json.dumps([paper.title, paper.abstract, *paper.authors]).encode("utf-8")
        assert paper.paper_id
        assert paper.title
