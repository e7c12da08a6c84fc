"""BibTeX, whole and broken."""

from __future__ import annotations

import pytest

from rag.corpus.bibtex import BibtexLoader
from rag.corpus.records import RejectedRow, Row


def load(text):
    rows = list(BibtexLoader().rows(text, "x.bib"))
    good = [(row.line, row.fields) for row in rows if isinstance(row, Row)]
    return good, [str(row) for row in rows if isinstance(row, RejectedRow)]


def one(text):
    ((_, fields),), bad = load(text)
    assert bad == []
    return fields


def test_an_entry():
    fields = one(
        r"""
@InProceedings{sample25,
  Title = {Learning {BERT} with {$k$}-means \& {\"O}l},
  author = "Example, Ann and {The {Big} Team} and M{\o}ller, Jr., Bo and others",
  abstract = {One
     line.

     Two.},
  booktitle = icml # " 2025",
  year = 2025, pages = {1--9}, url = {https://a.org/x\_y}, keywords = {a, b},
}"""
        + "\n@string{icml = {ICML}}"
    )
    assert fields["paper_id"] == "sample25"
    assert fields["title"] == "Learning BERT with $k$-means & Öl"
    assert fields["authors"] == ["Ann Example", "The Big Team", "Bo Møller Jr."]
    assert fields["abstract"] == "One line.\n\nTwo."
    assert (fields["venue"], fields["year"], fields["pages"]) == ("ICML 2025", "2025", "1--9")
    assert fields["url"] == "https://a.org/x_y"


def test_line_numbers_and_what_is_no_row():
    good, bad = load(
        '% a remark\n@comment{@misc{x, title={no}}}\n@preamble{"x"}\n\n@misc{a, title={T}}\n'
        "\n@MISC(b, title={U})\n"
    )
    assert [(line, fields["paper_id"]) for line, fields in good] == [(5, "a"), (7, "b")]
    assert bad == []


def test_a_broken_entry_costs_itself_alone():
    good, bad = load("@misc{a, title={T}}\n@misc{b, title={broken\n@misc{c, title={U}}\n")
    assert [fields["paper_id"] for _, fields in good] == ["a", "c"]
    assert len(bad) == 1
    assert bad[0].startswith("x.bib:2: not valid BibTeX: ")


def test_a_key_or_a_field_that_comes_twice():
    good, bad = load("@misc{a, title={T}, title={other}}\n@misc{a, title={U}}\n")
    assert [fields["title"] for _, fields in good] == ["T", "U"]
    assert bad == []


def test_a_paper_has_its_venue_from_the_proceedings_it_names():
    good, _ = load(
        "@inproceedings{a, title={T}, crossref={v}}\n@article{b, title={U}, journal={J}}\n"
        "@proceedings{v, title={Proceedings of X}, year={2020}}\n@proceedings{w, title={Other}}\n"
    )
    assert [(fields["venue"], fields["year"]) for _, fields in good] == [
        ("Proceedings of X", "2020"),
        ("J", None),
    ]


def test_the_only_proceedings_of_a_file_are_those_of_all_its_papers():
    text = "@proceedings{v, booktitle={Proc}, shortname={ALT}, year={2025}}\n"
    fields = one(text + "@inproceedings{a, title={T}, openreview={abc}}\n")
    assert (fields["venue"], fields["year"]) == ("ALT 2025", "2025")
    assert fields["url"] == "https://openreview.net/forum?id=abc"


@pytest.mark.parametrize(
    ("value", "title"),
    [
        ("{a} # {b}", "ab"),
        ('"a" # "b"', "ab"),
        ("{a # b}", "a # b"),
        ('"G{\\"o}del # 1"', "Gödel # 1"),
        ('"An "unescaped" word"', 'An "unescaped" word'),
        ("unknown", "unknown"),
        ("1999", "1999"),
        ("{}", ""),
    ],
)
def test_values(value, title):
    assert one(f"@misc{{a, title = {value}, note={{x}}}}")["title"] == title


def test_an_arxiv_number_is_an_address():
    fields = one("@misc{a, title={T}, eprint={2401.00001}, archiveprefix={arXiv}}")
    assert fields["url"] == "https://arxiv.org/abs/2401.00001"


def test_recognition():
    assert BibtexLoader().recognises("% exported\n\n  @article{a,\n")
    assert BibtexLoader().recognises("@Comment(x)")
    assert not BibtexLoader().recognises("write to me@home.org {now}")
