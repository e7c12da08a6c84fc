"""XML of the ACL Anthology, and XML that is broken, hostile or something else."""

from __future__ import annotations

import pytest

from rag.corpus.records import RejectedRow, Row
from rag.corpus.xml_rows import XmlLoader
from rag.errors import CorpusError

VOLUME = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="2024.x">
  <volume id="1">
    <meta><booktitle>Proceedings of <fixed-case>X</fixed-case> &amp; Y</booktitle><year>2024</year></meta>
    <frontmatter><url>2024.x-1.0</url></frontmatter>
    <paper id="1">
      <title>Using <fixed-case>ASR</fixed-case> for <tex-math>O(n)</tex-math> Speech</title>
      <author><first>Ann</first><last>Example</last></author>
      <author><last>Mononym</last></author>
      <pages>1–9</pages>
      <abstract>We use <i>it</i>: <tex-math>k &lt; 3</tex-math>.</abstract>
      <url hash="0">2024.x-1.1</url>
      <bibkey>example-2024-using</bibkey>
      <doi>10.1000/xyz</doi>
    </paper>
    <paper id="2"><title>Gone</title><retracted date="2024-01-01">Wrong data.</retracted></paper>
  </volume>
  <volume id="2">
    <meta><booktitle>Another</booktitle><year>2025</year></meta>
    <paper id="1"><title>Elsewhere</title><url>https://a.org/x.pdf</url></paper>
  </volume>
</collection>
"""


def load(text):
    return list(XmlLoader().rows(text, "x.xml"))


def test_volumes_of_the_anthology():
    first, gone, elsewhere = load(VOLUME)
    assert first == Row(
        6,
        {
            "venue": "Proceedings of X & Y",
            "year": "2024",
            "url": "https://aclanthology.org/2024.x-1.1/",
            "pdf_url": "https://aclanthology.org/2024.x-1.1.pdf",
            "title": "Using ASR for $O(n)$ Speech",
            "abstract": "We use it: $k < 3$.",
            "authors": ["Ann Example", "Mononym"],
            "pages": "1–9",
            "doi": "10.1000/xyz",
            "key": "example-2024-using",
            "paper_id": "2024.x-1.1",
        },
    )
    assert str(gone) == "x.xml:16: it was retracted: Wrong data."
    assert (elsewhere.fields["venue"], elsewhere.fields["year"]) == ("Another", "2025")
    assert (elsewhere.fields["url"], elsewhere.fields["paper_id"]) == ("https://a.org/x.pdf", "")


def test_a_truncated_file_keeps_what_was_whole():
    first, broken = load(VOLUME[: VOLUME.index("Gone")])
    assert isinstance(first, Row)
    assert isinstance(broken, RejectedRow)
    assert str(broken).startswith("x.xml:16: not valid XML: ")
    assert broken.reason.endswith("the rest of the file is lost")


@pytest.mark.parametrize("text", ["<svg/>", "<html><title>x</title></html>"])
def test_other_xml_is_refused(text):
    with pytest.raises(CorpusError, match="XML of no known kind"):
        load('<?xml version="1.0"?>' + text)


def test_entities_that_unfold_without_end_are_refused():
    bomb = '<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><feed>&b;</feed>'
    with pytest.raises(CorpusError, match="declares the XML entity 'a'"):
        load('<?xml version="1.0"?>' + bomb)


def test_deep_nesting_is_no_trouble():
    n = 20_000
    text = f"<feed><entry><title>{'<b>' * n}T{'</b>' * n}</title></entry></feed>"
    (row,) = load(text)
    assert isinstance(row, Row)


def test_recognition():
    assert XmlLoader().recognises(VOLUME)
    assert XmlLoader().recognises('\n<feed xmlns="x">')
    assert not XmlLoader().recognises("<p>An abstract</p>")
