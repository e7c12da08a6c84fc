"""The seed corpus: made from the documents, complete, and the same as what is committed."""

from __future__ import annotations

import hashlib
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from rag.corpus import example_questions, load_corpus, seeds_folder

SEEDS = Path(__file__).parents[2] / "seeds"
DOCUMENTS = {
    "000_77b00e999b514ad7.txt": "4c86870cd1f587bf58e4bc018e7732d0be418238d83d1b5d3d1682d34a0971c5",
    "001_4a18759b90d0777f.txt": "5634b81bb3e6024a79d238c49b9fd7c7430894a33a4148a3e3f7f4ba713fb456",
    "004_727a6259ede76cdf.txt": "695b4cd579c40e52ad77a68f9e8527d6f19c7e8f9913254d63d8addfb337236b",
}


@pytest.fixture(scope="module")
def papers():
    return {paper.paper_id: paper for paper in load_corpus("seeds").papers}


def test_the_script_makes_the_committed_file(tmp_path):
    copy = tmp_path / "seeds"
    (copy / "sources").mkdir(parents=True)
    for name in ("build.py", "sources/metadata.jsonl", *DOCUMENTS):
        (copy / name).write_bytes((SEEDS / name).read_bytes())
    subprocess.run([sys.executable, copy / "build.py"], check=True)
    assert (copy / "papers.jsonl").read_bytes() == (SEEDS / "papers.jsonl").read_bytes()


def test_the_script_refuses_an_abstract_that_nothing_is_known_of(tmp_path):
    (tmp_path / "sources").mkdir()
    (tmp_path / "a.txt").write_text("ICML 2025 Papers\n\nNobody knows this one.\n")
    (tmp_path / "sources" / "metadata.jsonl").write_text("")
    build = runpy.run_path(str(SEEDS / "build.py"))["build"]
    with pytest.raises(KeyError):
        build(tmp_path)


def test_every_abstract_of_the_documents_is_in_the_corpus_byte_for_byte(papers):
    abstracts = {paper.abstract for paper in papers.values()}
    for name in DOCUMENTS:
        blocks = (SEEDS / name).read_bytes().decode("utf-8").strip("\n").split("\n\n")
        assert blocks[0] == "ICML 2025 Papers"
        assert len(blocks) == 20
        assert set(blocks[1:]) <= abstracts
    assert len(abstracts) == len(papers) == 57


def test_every_paper_is_fully_described(papers):
    for paper in papers.values():
        assert paper.authors
        assert paper.title
        assert (paper.venue, paper.year) == ("ICML 2025", 2025)
        assert paper.url == f"https://openreview.net/forum?id={paper.paper_id}"
        assert paper.pdf_url is not None
        assert paper.track in {"main", "position"}
        assert paper.presentation in {"oral", "spotlight", "poster"} or paper.track == "position"
    forms = [paper.presentation for paper in papers.values()]
    assert [forms.count(form) for form in ("oral", "spotlight", "poster", None)] == [4, 3, 46, 4]


def test_a_paper_that_was_renamed_has_both_titles(papers):
    renamed = papers["zWArMedNuW"]
    assert renamed.title.startswith("STP: Self-play LLM Theorem Provers")
    assert renamed.other_titles == (
        "Beyond Limited Data: Self-play LLM Theorem Provers with Iterative Conjecturing and Proving",
    )
    assert sum(bool(paper.other_titles) for paper in papers.values()) == 4


def test_the_metadata_is_clean():
    for line in (SEEDS / "sources" / "metadata.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        assert "verified_by" not in entry
        assert len(entry["abstract_sha256"]) == 64
        assert (SEEDS / entry["seed_file"]).is_file()


def test_the_examples_name_papers_of_the_corpus(papers):
    examples = json.loads((SEEDS / "examples.json").read_text(encoding="utf-8"))
    assert example_questions() == tuple(example["question"] for example in examples)
    assert {"fact", "several", "comparison"} <= {example["kind"] for example in examples}
    for example in examples:
        assert set(example["papers"]) <= set(papers)


def test_the_folder_as_a_whole_gives_each_paper_once():
    corpus = load_corpus(seeds_folder())
    assert len(corpus.papers) == 57
    assert corpus.n_read == len(corpus.papers) + len(corpus.rejected)
    assert {paper.paper_id for paper in corpus.papers} == {
        paper.paper_id for paper in load_corpus("seeds").papers
    }


def test_the_documents_are_as_given():
    for name, digest in DOCUMENTS.items():
        assert hashlib.sha256((SEEDS / name).read_bytes()).hexdigest() == digest
