"""All papers of ICML 2025: ready without embedding, complete, found by what they are called."""

import json
import time
from typing import Any

import pytest

from rag.assistant import Assistant
from rag.chunking import embedding_text, split_paper
from rag.corpus import load_corpus, seeds_folder
from rag.corpus.vectors import seed_vectors
from rag.embeddings.local import LocalEmbedder
from rag.errors import ModelFileError
from rag.factory import make_place
from rag.indexing.catalogue import last_report
from rag.settings import Settings

FOLDER = seeds_folder() / "icml2025"
EXAMPLES = json.loads((FOLDER / "examples.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(corpus="icml2025", data_dir=tmp_path_factory.mktemp("data"), _env_file=None)


@pytest.fixture(scope="module")
def assistant(settings: Settings):
    """Opened while the embedder cannot embed a passage."""
    with pytest.MonkeyPatch.context() as patch:

        def refuse(*_arguments: object, **_options: object) -> None:
            raise ModelFileError("no passage is to be embedded")

        patch.setattr(LocalEmbedder, "embed_passages", refuse)
        assistant = Assistant.open(settings)
    with assistant:
        yield assistant


def test_it_is_complete_and_embeds_nothing(assistant: Assistant, settings: Settings) -> None:
    papers = assistant.papers
    assert len(papers) == 3330
    forms = [paper.presentation for paper in papers]
    counts = [forms.count(form) for form in ("oral", "spotlight", "poster", None)]
    assert counts == [108, 211, 2935, 76]
    assert sum(not paper.abstract for paper in papers) == 587
    assert sum(bool(paper.other_titles) for paper in papers) == 371
    assert all(paper.authors and paper.url and paper.year == 2025 for paper in papers)
    report = last_report(make_place(settings), "icml2025")
    assert report is not None
    assert (report.n_read, report.n_added, len(report.rejected)) == (3330, 3330, 0)
    assert report.n_embedded == 0
    reasons = [row.reason for row in report.remarks]
    assert sum("no abstract" in reason for reason in reasons) == 587


def test_the_seed_papers_are_the_same_records(assistant: Assistant) -> None:
    papers = {paper.paper_id: paper for paper in assistant.papers}
    for paper in load_corpus("seeds").papers:
        assert papers[paper.paper_id] == paper


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["question"])
def test_the_examples_are_answered(assistant: Assistant, example: dict[str, Any]) -> None:
    answer = assistant.ask(example["question"])
    assert answer.status == "answered"
    assert {citation.paper.paper_id for citation in answer.citations} >= set(example["papers"])


def test_both_titles_of_a_renamed_paper_find_it(assistant: Assistant) -> None:
    renamed = [paper for paper in assistant.papers if paper.other_titles][::12]
    assert len(renamed) > 30
    first = 0
    for paper in renamed:
        for title in (paper.title, *paper.other_titles):
            found = [hit.paper.paper_id for hit in assistant.search(title, k=3)]
            assert paper.paper_id in found, title
            first += found[0] == paper.paper_id
    assert first >= 0.97 * 2 * len(renamed)


def test_a_paper_without_abstract_is_found_by_title_and_by_author(assistant: Assistant) -> None:
    without = [paper for paper in assistant.papers if not paper.abstract][::25]
    for paper in without:
        assert assistant.search(paper.title, k=1)[0].paper.paper_id == paper.paper_id
        by_author = assistant.search(f"{paper.authors[0]} {paper.title.split(':')[0]}", k=5)
        assert paper.paper_id in {hit.paper.paper_id for hit in by_author}


def test_the_second_start_reads_no_papers(
    assistant: Assistant, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise AssertionError("the papers were read")

    monkeypatch.setattr("rag.factory.read_source", refuse)
    started = time.process_time()
    Assistant.open(settings).close()
    assert time.process_time() - started < 3.0


def test_the_vectors_are_those_of_the_embedder(assistant: Assistant) -> None:
    embedder = LocalEmbedder()
    stored = seed_vectors("icml2025", embedder.fingerprint)
    papers = {paper.paper_id: paper for paper in assistant.papers}
    chunks = [chunk for paper in papers.values() for chunk in split_paper(paper, max_tokens=448)]
    assert {chunk.content_hash for chunk in chunks} == stored.keys()
    for chunk in chunks[::700]:
        made = embedder.embed_passages([embedding_text(papers[chunk.paper_id], chunk)])[0]
        # Processors differ a little in what the int8 model gives.
        assert float(made @ stored[chunk.content_hash]) > 0.99
