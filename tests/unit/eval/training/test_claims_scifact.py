"""SciFact's training claims become examples; its other claims do not."""

import json

import pytest

from eval.training.claims_scifact import scifact_examples

CORPUS = [
    {"doc_id": 1, "title": "Moss", "abstract": ["Moss grows slowly. ", "Rain helps moss.", "End."]},
    {"doc_id": 2, "title": "Fern", "abstract": ["Ferns grow.", "Nobody counts them."]},
]
CLAIMS = [
    {
        "claim": "Rain makes moss grow.",
        "evidence": {"1": [{"sentences": [1], "label": "SUPPORT"}]},
        "cited_doc_ids": [1, 2],
    },
    {
        "claim": "Moss grows fast.",
        "evidence": {"1": [{"sentences": [1, 0], "label": "CONTRADICT"}]},
        "cited_doc_ids": [1],
    },
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scifact").mkdir()
    for name, rows in (("corpus", CORPUS), ("claims_train", CLAIMS)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "scifact" / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def test_claims_stand_beside_their_rationales_and_beside_what_proves_nothing(folder):
    supported, *foreign, contradicted = scifact_examples(folder)
    assert (supported.question, supported.paper.abstract) == (
        "Rain makes moss grow.",
        "Rain helps moss.",
    )
    assert (supported.answered, supported.sentences) == (True, (0,))
    assert {example.paper.abstract for example in foreign} <= {
        "Ferns grow.",
        "Nobody counts them.",
        "Ferns grow. Nobody counts them.",
    }
    assert contradicted.paper.abstract == "Moss grows slowly. Rain helps moss."
    assert [(e.answered, e.sentences) for e in (*foreign, contradicted)] == [(False, ())] * 3
    assert all(example.about for example in (supported, *foreign, contradicted))


def test_a_title_stands_before_some(folder):
    titles = {e.paper.title for seed in range(8) for e in scifact_examples(folder, seed=seed)}
    assert titles == {"", "Moss", "Fern"}
