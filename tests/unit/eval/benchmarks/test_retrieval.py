"""The retrieval benchmark reads BEIR folders and judges rankings as trec_eval does."""

import gzip
import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from eval.benchmarks.retrieval import load, main, ndcg
from eval.benchmarks.retrieval_methods import reranked
from rag.records import Paper

DOCUMENTS = [
    {"_id": "wells", "title": "Oil", "text": "Wells in Alberta.", "metadata": {"subset": "core"}},
    {"_id": "heads", "title": "Attention", "text": "Sparse heads.", "metadata": {"subset": "core"}},
    {"_id": "folds", "title": "", "text": "Proteins fold.", "metadata": {"subset": "rest"}},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = "\n".join(json.dumps(document) for document in DOCUMENTS)
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    queries = [{"_id": "q1", "text": "Where are the wells?"}, {"_id": "q2", "text": "unjudged"}]
    (tmp_path / "queries.jsonl").write_text("\n".join(json.dumps(query) for query in queries))
    (tmp_path / "qrels").mkdir()
    judgements = "query-id\tcorpus-id\tscore\nq1\twells\t1\nq1\tfolds\t0\n"
    (tmp_path / "qrels" / "test.tsv").write_text(judgements)
    return tmp_path


def test_only_judged_queries_and_relevant_documents_are_kept(folder: Path) -> None:
    collection = load(folder, split="test", where=None)
    assert [paper.paper_id for paper in collection.papers] == ["wells", "heads", "folds"]
    assert collection.queries == {"q1": "Where are the wells?"}
    assert collection.qrels == {"q1": {"wells": 1}}


def test_where_picks_documents_by_their_metadata(folder: Path) -> None:
    collection = load(folder, split="test", where="subset=core")
    assert [paper.paper_id for paper in collection.papers] == ["wells", "heads"]


def test_ndcg_by_hand() -> None:
    grades = {"a": 2, "b": 1}
    assert ndcg(["a", "b"], grades, 10) == 1
    assert ndcg(["x", "y"], grades, 10) == 0
    ideal = 2 + 1 / math.log2(3)
    assert ndcg(["b", "x", "a"], grades, 10) == pytest.approx((1 + 2 / 2) / ideal)
    assert ndcg(["b", "x", "a"], grades, 2) == pytest.approx(1 / ideal)


def test_table_and_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "result.json"
    arguments = ["--data", str(folder), "--out", str(out)]
    main(arguments)
    table, progress = capsys.readouterr()
    assert "| product | 1.000 [1.000, 1.000] |" in table
    assert "embedded 3 of 3" in progress
    report = json.loads(out.read_text())
    assert report["n_papers"] == 3
    methods = {figure["method"] for figure in report["figures"]}
    assert {"BM25", "dense", "RRF", "convex, BM25 0.5", "same scale", "product"} <= methods
    main(arguments)
    repeated, progress = capsys.readouterr()
    assert repeated == table
    assert progress == "", "the second run takes its vectors from the folder"


def test_reranking_orders_the_first_anew_and_leaves_the_rest() -> None:
    papers = {name: Paper(name, name, "") for name in "abcd"}

    class Backwards:
        name = "backwards"

        def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.array([ord(text[0]) for text in texts], np.float32)

    found = reranked("?", list("abcd"), papers, Backwards(), (2, 3))
    assert found["product, first 2 reranked"] == list("bacd")
    assert found["product, first 3 reranked"] == list("cbad")
    # Half of the place and half of the cross-encoder: all are equal here, in the order of ids.
    assert found["product, first 3 reranked, blended"] == list("abcd")
