"""The evaluation over the real engine: seeds, real store, real local models."""

import json

import pytest

import rag
from eval.cases import load_cases
from eval.metrics import METRICS
from eval.runner import run, run_eval
from eval.summary import summarise

METRIC = {metric.name: metric for metric in METRICS}


@pytest.fixture(scope="module")
def assistant(tmp_path_factory):
    settings = rag.Settings(corpus="seeds", data_dir=tmp_path_factory.mktemp("data"))
    with rag.Assistant.open(settings) as assistant:
        yield assistant


@pytest.fixture(scope="module")
def one_of_each_kind():
    return list({case.kind: case for case in load_cases(split="dev")}.values())


def test_every_citation_of_every_kind_of_question_is_valid(assistant, one_of_each_kind):
    report = run(assistant, one_of_each_kind)
    assert report.errors == ()
    validity = summarise(report, METRIC["citation_validity"])
    assert (validity.value, validity.n) == (1.0, len(one_of_each_kind))
    assert any(result.shown.status == "answered" for result in report.results)
    assert len(report.index_fingerprints) == 1
    assert report.index_fingerprints[0]
    assert report.models == ("extractive",)


def test_the_report_of_a_short_run_names_index_and_model(assistant, tmp_path):
    run_eval(assistant, split="dev", limit=3, out=tmp_path)
    about = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["about"]
    assert about["judged"] == 3
    assert about["index"]
    assert about["model"] == "extractive"
