"""The loaders read the layouts of the published files, here with a few lines of our own."""

import json
from pathlib import Path

import pytest

from eval.benchmarks.support_data import LOADERS
from eval.benchmarks.support_pairs import limited
from eval.cases import DatasetError


def write_rows(path: Path, rows) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")


def claim(number, text, cited, evidence=None):
    labels = {
        str(doc): [{"sentences": [0], "label": label}] for doc, label in (evidence or {}).items()
    }
    return {"id": number, "claim": text, "evidence": labels, "cited_doc_ids": cited}


@pytest.fixture
def scifact(tmp_path: Path) -> Path:
    corpus = [
        {"doc_id": 1, "title": "Salt", "abstract": ["Salt raises pressure.", "It is cheap."]},
        {"doc_id": 2, "title": "Salt again", "abstract": ["Salt and pressure were studied."]},
        {"doc_id": 3, "title": "Moss", "abstract": ["Moss grows slowly."]},
        {"doc_id": 4, "title": "Tea", "abstract": ["Tea cools."]},
    ]
    write_rows(tmp_path / "scifact" / "corpus.jsonl", corpus)
    train = [claim(1, "Moss grows fast.", [3], {3: "CONTRADICT"}), claim(2, "Tea cools.", [4])]
    dev = [
        claim(3, "Salt raises pressure.", [1, 4], {1: "SUPPORT"}),
        claim(4, "Tea warms.", [], {4: "CONTRADICT"}),
    ]
    write_rows(tmp_path / "scifact" / "claims_train.jsonl", train)
    write_rows(tmp_path / "scifact" / "claims_dev.jsonl", dev)
    return tmp_path


def test_scifact_pairs_each_claim_with_what_it_cites_or_rests_on(scifact):
    data = LOADERS["scifact"](scifact)
    rows = [(pair.part, pair.claim, pair.document, pair.kind) for pair in data.pairs]
    assert rows[:5] == [
        ("train", "Moss grows fast.", "3", "contradiction"),
        ("train", "Tea cools.", "4", "no evidence"),
        ("dev", "Salt raises pressure.", "1", "supported"),
        ("dev", "Salt raises pressure.", "4", "no evidence"),
        ("dev", "Tea warms.", "4", "contradiction"),
    ]
    assert data.pairs[2].evidence == ("Salt raises pressure.", "It is cheap.")
    assert data.calibrated_on == {"dev": "train"}


def test_scifact_moves_supported_claims_to_a_random_and_to_the_nearest_abstract(scifact):
    data = LOADERS["scifact"](scifact)
    made = {pair.kind: pair for pair in data.pairs if pair.kind in data.made}
    assert len(data.pairs) == 5 + 2, "one supported claim in dev"
    assert made["neighbour"].document == "2", "the nearest that the claim does not cite"
    assert made["random"].document in {"2", "3"}
    assert LOADERS["scifact"](scifact) == data


def test_ragtruth_counts_an_overlap_of_three_characters(tmp_path):
    text = "Ants dig. Bees fly high. Wasps sting."
    spans = [
        {"start": 7, "end": 12, "label_type": "Evident Conflict"},
        {"start": 10, "end": 19, "label_type": "Subtle Baseless Info"},
    ]
    rows = [
        {"d1": "passage 1:Ants dig.\n\npassage 2:Bees fly. Wasps sting.", "d2": text}
        | {"labels": labels, "id": f"r{number}", "source_id": source}
        for number, (labels, source) in enumerate([(spans, "a"), ([], "b"), (spans[:1], "a")])
    ]
    write_rows(tmp_path / "ragtruth_qa_test" / "ragtruth_test.json", rows)
    data = LOADERS["ragtruth_qa"](tmp_path)
    assert data.pairs[0].evidence == ("Ants dig.", "Bees fly.", "Wasps sting.")
    assert [pair.claim for pair in data.pairs[:3]] == [
        "Ants dig.",
        "Bees fly high.",
        "Wasps sting.",
    ]
    kinds = [pair.kind for pair in data.pairs]
    assert kinds[:3] == ["supported", "subtle baseless info", "supported"]
    assert kinds[3:] == ["supported"] * 6, "two characters are no overlap"
    assert [pair.part for pair in data.pairs[::3]] == ["even", "odd", "even"], "by question"
    assert [pair.response for pair in data.pairs[::3]] == ["r0", "r1", "r2"]


def test_qags_takes_the_majority(tmp_path):
    def judged(sentence, *votes):
        answers = [{"worker_id": n, "response": vote} for n, vote in enumerate(votes)]
        return {"sentence": sentence, "responses": answers}

    rows = [
        {"article": "One. Two.", "summary_sentences": [judged("One.", "yes", "no", "yes")]},
        {
            "article": "Three.",
            "summary_sentences": [judged("Four.", "no", "no", "yes"), judged("x", "yes")],
        },
    ]
    write_rows(tmp_path / "qags" / "data" / "mturk_xsum.jsonl", rows)
    data = LOADERS["qags_xsum"](tmp_path)
    assert [(pair.claim, pair.kind, pair.part) for pair in data.pairs] == [
        ("One.", "supported", "even"),
        ("Four.", "inconsistent", "odd"),
        ("x", "supported", "odd"),
    ]
    assert data.pairs[0].evidence == ("One.", "Two.")


@pytest.fixture
def scholarqa(tmp_path: Path) -> Path:
    def question(name, subject, output, *texts):
        contexts = [{"title": "t", "text": text} for text in texts]
        return {"id": name, "subject": subject, "output": output, "ctxs": contexts}

    rows = [
        question("q1", "bio", "Ants dig [0]. Bees fly [1, 2]. Nothing cited.", "A.", "B.", "C."),
        question("q2", "cs", "Bits flip [0,7].", "Bit one.", float("nan")),
        question("q3", "bio", "Moss grows [1]. Tea [2-3] cools.", "M1. M2.", "N.", "O."),
    ]
    path = tmp_path / "scholarqabench" / "data" / "scholarqa_multi" / "human_answers.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(rows), encoding="utf-8")
    return tmp_path


def test_scholarqa_takes_cited_sentences_without_their_markers(scholarqa):
    data = LOADERS["scholarqa"](scholarqa)
    own = {pair.claim: pair.evidence for pair in data.pairs if pair.supported}
    assert own["Ants dig."] == ("A.",)
    assert own["Bees fly."] == ("B.", "C.")
    assert own["Bits flip."] == ("Bit one.",), "there is no passage 7"
    assert "Nothing cited." not in own


def test_scholarqa_notices_an_answer_that_counts_from_one(scholarqa):
    own = {pair.claim: pair.evidence for pair in LOADERS["scholarqa"](scholarqa).pairs[::2]}
    assert own["Moss grows."] == ("M1.", "M2.")
    assert own["Tea cools."] == ("N.", "O.")


def test_scholarqa_takes_the_next_question_of_the_subject_for_foreign(scholarqa):
    data = LOADERS["scholarqa"](scholarqa)
    foreign = {pair.claim: pair.evidence for pair in data.pairs if not pair.supported}
    assert foreign["Bees fly."] == ("N.", "O.")
    assert foreign["Moss grows."] == ("A.",), "the last one is followed by the first"


def test_a_limit_keeps_documents_of_every_part_and_kind(scifact):
    data = LOADERS["scifact"](scifact)
    few = limited(data, 1)
    assert {(p.part, p.kind) for p in few.pairs} == {(p.part, p.kind) for p in data.pairs}
    assert limited(data, 100) == data


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DatasetError, match=r"mturk_cnndm\.jsonl cannot be read.*--data"):
        LOADERS["qags_cnndm"](tmp_path)
