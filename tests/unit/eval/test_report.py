"""The report: figures, failures, and what is kept from sight."""

import json
from dataclasses import replace

import pytest

from eval.metrics import METRICS
from eval.report import ReportError, to_dict, write_report
from eval.results import Report
from eval.runner import run
from eval.summary import summarise
from eval.tables import to_markdown
from rag.records import Usage

METRIC = {metric.name: metric for metric in METRICS}


@pytest.fixture
def report(make_case, perfect, quoting):
    """Three perfect answers, one of the wrong paper, one that could not be judged."""
    cases = [
        make_case("a"),
        make_case("b"),
        make_case("c", kind="title", split="test", question="SECRET question?"),
        make_case("d", kind="not_stated", expected=("not_stated",), gold_quotes=(), gold_facts=()),
        make_case("e", kind="title"),
    ]
    answers = {case.question: perfect(case) for case in cases}
    answers[cases[1].question] = quoting(("caves", "Caves are deep."))
    answers[cases[2].question] = quoting(("caves", "Caves are dark."))

    class Assistant:
        mode = "extractive"

        def ask(self, question, *, history=()):
            if question == cases[4].question:
                raise ValueError("planted")
            return answers[question]

    return run(Assistant(), cases)


def test_a_summary_has_the_mean_of_what_applies(report):
    first = summarise(report, METRIC["gold_first"])
    assert first.n == 3
    assert first.value == pytest.approx(1 / 3)
    assert first.interval.low == pytest.approx(0.0615, abs=1e-4)
    assert first.interval.high == pytest.approx(0.7923, abs=1e-4)
    assert summarise(report, METRIC["gold_first"], kind="title").value == 0.0
    assert summarise(report, METRIC["gold_first"], kind="not_stated") is None
    assert summarise(report, METRIC["outcome"]).value == 1.0


def test_markdown_has_figures_kinds_failures_and_errors(report):
    text = to_markdown(report)
    assert "| gold_first | 33.3 % | 6.1–79.2 | 3 | ≥ 97 % |" in text
    assert "| fact | 2 | 50.0 %" in text
    assert "## Failures (2)" in text
    assert "### `b` (fact)" in text
    for piece in (
        "- question: How many wells does b have?",
        "- expected: answered",
        "- got: answered, papers caves",
        "- gold papers: wells",
        "- fault: gold_first: cites caves first",
        "> Caves are deep. [1]",
    ):
        assert piece in text
    assert "## Not judged, and in no figure (1)" in text
    assert "- `e` (title): ValueError: planted" in text


def test_a_failure_of_the_test_split_shows_id_and_kind_alone(report):
    for text in (to_markdown(report), json.dumps(to_dict(report))):
        assert "SECRET" not in text
        assert "Caves are dark." not in text
    assert "- `c` (title)" in to_markdown(report)


def test_test_failures_are_shown_on_request(report):
    for text in (
        to_markdown(report, show_test_failures=True),
        json.dumps(to_dict(report, show_test_failures=True)),
    ):
        assert "SECRET" in text
        assert "Caves are dark." in text


def test_files_hold_figures_and_circumstances(report, tmp_path):
    paths = write_report(report, tmp_path / "deep" / "out")
    assert [path.name for path in paths] == ["report.json", "report.md"]
    plain = json.loads(paths[0].read_text(encoding="utf-8"))
    assert plain["overall"]["gold_first"]["n"] == 3
    assert plain["by_kind"]["title"]["gold_first"]["value"] == 0.0
    assert "gold_first" not in plain["by_kind"]["not_stated"]
    assert [case["faults"] for case in plain["cases"]] == [
        [],
        ["gold_first", "gold_recall", "gold_fact"],
        ["gold_first", "gold_recall", "gold_fact"],
        [],
        [],
    ]
    about = plain["about"]
    assert (about["cases"], about["judged"], about["not_judged"]) == (5, 4, 1)
    assert (about["model"], about["index"]) == ("extractive", "f1")
    assert {"processor", "cores", "python", "symposia", "onnxruntime"} <= about["machine"].keys()
    assert len(about["code_sha256"]) == 64
    assert "NaN" not in paths[0].read_text(encoding="utf-8")
    assert paths[1].read_text(encoding="utf-8").startswith("# Evaluation of cases, split all\n")


def test_files_hold_what_a_model_used(make_case, perfect):
    cases = [make_case("a"), make_case("b"), make_case("c")]
    used = [Usage(1000, 20, "provider", 0.25), Usage(500, 10, "us", 0.125), Usage()]
    answers = {
        case.question: replace(perfect(case), usage=usage)
        for case, usage in zip(cases, used, strict=True)
    }

    class Assistant:
        mode = "openai:gpt-x"

        def ask(self, question, *, history=()):
            return answers[question]

    report = run(Assistant(), cases)
    plain = to_dict(report)
    assert plain["usage"] == {
        "input_tokens": 1500,
        "output_tokens": 30,
        "counted_by": "us",
        "cost_usd": 0.375,
        "answers_counted_by_provider": 1,
        "answers_counted_by_us": 1,
    }
    assert [case["usage"]["input_tokens"] for case in plain["cases"]] == [1000, 500, 0]
    text = to_markdown(report)
    assert "- usage: 1,500 tokens read, 30 written (counted here), about $0.38\n" in text
    assert "- tokens counted: by the provider in 1 answers, here in 1\n" in text


def test_a_report_without_a_model_speaks_of_no_tokens(report):
    assert "tokens" not in to_markdown(report)
    assert to_dict(report)["usage"]["input_tokens"] == 0
    assert [case["usage"] is None for case in to_dict(report)["cases"]] == [False] * 4 + [True]


def test_a_report_without_one_judged_case(make_case):
    class Broken:
        mode = "extractive"

        def ask(self, question, *, history=()):
            raise ValueError("planted")

    report = run(Broken(), [make_case()])
    assert to_dict(report)["overall"] == {}
    assert "## Not judged, and in no figure (1)" in to_markdown(report)


def test_an_empty_report_is_no_crash():
    assert "## Failures (0)\n\nNone." in to_markdown(Report(()))


def test_a_folder_that_cannot_be_written(report, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(ReportError, match="cannot be written"):
        write_report(report, tmp_path / "file")
