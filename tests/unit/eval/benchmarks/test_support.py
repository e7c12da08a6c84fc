"""A judge of support is compared with people, set by set."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from eval.benchmarks.support import METHODS, main, to_markdown
from eval.benchmarks.support_baselines import NearestRead, Similarity, TermRecall
from eval.benchmarks.support_figures import measure, singly, whole
from eval.benchmarks.support_pairs import FOLDS, SUPPORTED, Pair, SupportSet

ROOT = Path(__file__).parents[4]


class Table:
    """Gives each text the number that it ends with."""

    name = "table"

    def score(self, claim: str, evidence: Sequence[str]) -> list[float]:
        return [float(text.split()[-1]) for text in evidence]


def pair(value, kind=SUPPORTED, part="even", document="", response=""):
    evidence = (f"x {value}", "y 0.05")
    return Pair(f"c{value}", evidence, document or str(value), part, kind, response)


def figures_of(*sets, **options):
    found = measure(Table(), sets, **options)
    return {(figure.data, figure.metric): figure for figure in found}


@pytest.fixture
def two_halves() -> SupportSet:
    pairs = [pair(0.9), pair(0.7), pair(0.6, "wrong"), pair(0.2, "odd one")]
    pairs += [pair(0.5, part="odd"), pair(0.3, part="odd"), pair(0.1, "wrong", "odd")]
    return SupportSet("halves", tuple(pairs), FOLDS)


def test_auc_overall_and_against_each_kind(two_halves):
    figures = figures_of(two_halves)
    assert figures["halves", "AUC"].value == pytest.approx(10 / 12)
    assert figures["halves", "AUC against wrong"].value == pytest.approx(6 / 8)
    assert figures["halves", "AUC against odd one"].value == 1
    assert figures["halves", "AUC"].n_pairs == 7


def test_each_half_has_the_threshold_of_the_other(two_halves):
    # The even half is best at .65, where the odd one loses both that are supported; the odd half
    # is best at .2, where the even one catches neither fault.
    figure = figures_of(two_halves)["halves", "BAcc, own threshold"]
    assert figure.value == pytest.approx((2 / 4 + 1 / 3) / 2)


def test_what_passes_at_a_given_threshold(two_halves):
    figures = figures_of(two_halves, threshold=0.4)
    assert figures["halves", "false alarms, threshold 0.4"].value == 1 / 4
    assert figures["halves", "caught wrong, threshold 0.4"].value == 1 / 2
    assert figures["halves", "BAcc, threshold 0.4"].value == pytest.approx((3 / 4 + 2 / 3) / 2)


def test_the_threshold_of_scifact_is_tried_everywhere(two_halves):
    train = [pair(0.8, part="train"), pair(0.4, "contradiction", "train")]
    dev = [pair(0.9, part="dev"), pair(0.1, "contradiction", "dev"), pair(0.95, "random", "dev")]
    scifact = SupportSet("scifact", (*train, *dev), {"dev": "train"}, made=("random",))
    figures = figures_of(scifact, two_halves)
    assert figures["scifact", "AUC"].value == 1, "what nobody judged does not count"
    assert figures["scifact", "AUC against random"].value == 0
    assert figures["halves", "false alarms, threshold of SciFact"].value == 2 / 4


def test_a_response_is_as_good_as_its_worst_sentence():
    pairs = [
        pair(0.9, response="r1", document="d1"),
        pair(0.2, "bad", response="r1", document="d1"),
        pair(0.8, response="r2", document="d2"),
        pair(0.9, part="odd", response="r3", document="d3"),
        pair(0.1, "bad", "odd", response="r4", document="d4"),
    ]
    figures = figures_of(SupportSet("answers", tuple(pairs), FOLDS))
    whole_ones = figures["answers (responses)", "AUC"]
    assert (whole_ones.value, whole_ones.n_pairs) == (1, 4)


def test_a_text_is_as_good_as_its_best_part():
    pairs = tuple(
        Pair("c", evidence, f"{kind}{part}", part, kind)
        for evidence, kind in ((("a 0.2", "b 0.7", "c 0.1"), SUPPORTED), (("a 0.5",), "bad"))
        for part in FOLDS
    )
    data = SupportSet("parts", pairs, FOLDS)
    assert figures_of(data, parts=singly)["parts", "AUC"].value == 1
    assert figures_of(data, parts=whole)["parts", "AUC"].value == 0, "the whole ends with .1"


def test_evidence_of_nothing_supports_nothing():
    pairs = tuple(
        Pair(f"c{kind}", evidence, f"{kind}{part}", part, kind)
        for evidence, kind in ((("a 0.2",), SUPPORTED), ((), "bad"))
        for part in FOLDS
    )
    assert figures_of(SupportSet("empty", pairs, FOLDS))["empty", "AUC"].value == 1


def test_term_recall_weighs_rare_terms_more():
    scorer = TermRecall(["ants dig", "ants fly", "ants swim", "tea"])
    both, rare, common, none = scorer.score(
        "Ants dig.", ["Ants were digging.", "Digging.", "Ants.", ""]
    )
    assert both == 1
    assert 1 > rare > 0.75
    assert common == pytest.approx(1 - rare)
    assert none == 0
    assert scorer.score("And so on.", ["Ants."]) == [0]


def test_similarity_embeds_each_text_once(hash_embedder):
    seen = []

    class Counting:
        fingerprint = "hash/64"

        def embed_passages(self, texts):
            seen.extend(texts)
            return hash_embedder.embed_passages(texts)

    scorer = Similarity(Counting())
    assert scorer.name == "cosine, hash"
    same, other = scorer.score("moss grows", ["Moss grows.", "tea"])
    assert same == pytest.approx(1)
    assert 0 < other < same
    scorer.score("moss grows", ["tea"])
    assert seen == ["moss grows", "Moss grows.", "tea"]


def test_only_the_four_nearest_are_read(hash_embedder):
    class Reader:
        name = "reader"

        def score(self, query, texts):
            self.read = list(texts)
            return [2.0 if "slowly" in text else -50.0 for text in texts]

    reader = Reader()
    texts = ["tea", "moss", "moss grows", "stone", "moss grows slowly", "sand", "moss here"]
    scores = NearestRead(reader, Similarity(hash_embedder)).score("moss grows slowly", texts)
    assert reader.read[0] == "moss grows slowly"
    assert len(reader.read) == 4
    assert scores[4] == pytest.approx(0.881, abs=0.001)
    assert [score for place, score in enumerate(scores) if place != 4] == pytest.approx(
        [0] * 6, abs=1e-9
    )


def write_scifact(folder: Path) -> None:
    """Eleven claims, each about a paper of its own."""
    words = ["moss", "tea", "salt", "sand", "bees", "ants", "wasps", "bits", "ions", "ice", "ash"]
    papers = [
        {"doc_id": n, "title": word, "abstract": [f"The {word} grows.", f"No {word} was lost."]}
        for n, word in enumerate(words)
    ]
    labels = ("SUPPORT", "CONTRADICT", None)
    claims = [
        {"id": n, "claim": f"The {word} grows{' not' * (n % 3)} near {words[n - 1]}."}
        | {"cited_doc_ids": [n]}
        | {"evidence": {str(n): [{"sentences": [0], "label": labels[n % 3]}]} if n % 3 < 2 else {}}
        for n, word in enumerate(words)
    ]
    (folder / "scifact").mkdir()
    for name, rows in (
        ("corpus", papers),
        ("claims_train", claims[:6]),
        ("claims_dev", claims[6:]),
    ):
        lines = "\n".join(json.dumps(row) for row in rows)
        (folder / "scifact" / f"{name}.jsonl").write_text(lines, encoding="utf-8")


def test_table_and_file(tmp_path, capsys):
    write_scifact(tmp_path)
    out = tmp_path / "result.json"
    arguments = ["--data", str(tmp_path), "--sets", "scifact", "--methods"]
    main([*arguments, "recall,recall-sentence", "--threshold", "0.5", "--out", str(out)])
    table, progress = capsys.readouterr()
    assert "| scifact | idf recall | idf recall, best sentence |" in table
    assert "idf recall, scifact: 15 of 15" in progress
    report = json.loads(out.read_text())
    assert report["n_pairs"] == {"scifact": 15}
    metrics = {figure["metric"] for figure in report["figures"]}
    assert {"AUC", "AUC against neighbour", "false alarms, threshold 0.5"} <= metrics


def test_unknown_names_are_refused(capsys):
    with pytest.raises(SystemExit):
        main(["--data", ".", "--sets", "scifact,squad"])
    assert "squad: not among scifact, ragtruth_qa" in capsys.readouterr().err


def test_a_method_that_lacks_a_set_leaves_its_cell_empty(two_halves):
    figures = measure(Table(), [two_halves], name="one")
    figures += measure(Table(), [two_halves], name="two")[:1]
    lines = to_markdown(figures).splitlines()
    assert lines[0] == "| halves | one | two |"
    assert lines[2].count("0.833") == 2
    assert lines[3].endswith("| – |")


def test_results_do_not_depend_on_the_seed_of_hashes(tmp_path):
    write_scifact(tmp_path)
    command = [sys.executable, "-m", "eval.benchmarks.support", "--data", str(tmp_path)]
    command += ["--sets", "scifact", "--methods", "recall,recall-sentence,product"]
    tables = {
        subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(tables) == 1


def test_every_method_has_a_name_of_its_own():
    names = [make(["moss grows"]).name for make in METHODS.values()]
    assert len(set(names)) == len(METHODS) == 6
