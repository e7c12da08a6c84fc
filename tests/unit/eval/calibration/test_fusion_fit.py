"""How the legs are added is what was fitted."""

import json
from pathlib import Path

from eval.benchmarks.retrieval import Collection
from eval.calibration.fusion import PLATEAU, RESULT, every_second, gains, training_collection
from rag.embeddings.local import LocalEmbedder
from rag.records import Paper
from rag.retrieval.fusion import SCALES, Scales


def test_the_code_has_fitted_values() -> None:
    rows = json.loads(RESULT.read_text("utf-8"))
    means = {Scales(row["lexical_weight"], row["length_exponent"]): row["mean"] for row in rows}
    assert means[SCALES] >= max(means.values()) - PLATEAU


def test_half_of_the_queries_are_kept_for_looking() -> None:
    queries = {name: name for name in "abcde"}
    half = every_second(Collection((), queries, {name: {"p": 1} for name in queries}))
    assert list(half.queries) == list(half.qrels) == ["a", "c", "e"]


def test_gains_follow_the_weights(tmp_path: Path) -> None:
    papers = (
        Paper("words", "Zebra", "zebra crossing of streets"),
        Paper("meaning", "Quagga", "striped animals of the savannah"),
        *(Paper(f"other{n}", f"Cooking {n}", f"recipes of soup {n}") for n in range(8)),
    )
    collection = Collection(papers, {"q": "zebra"}, {"q": {"words": 1}})
    found = gains(collection, LocalEmbedder(), tmp_path, [Scales(0.9, 0.0)])
    assert found == {Scales(0.9, 0.0): 1.0}


def test_training_questions_are_about_training_papers() -> None:
    collection = training_collection()
    known = {paper.paper_id for paper in collection.papers}
    assert all(set(grades) <= known for grades in collection.qrels.values())
