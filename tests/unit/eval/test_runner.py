"""A run: what it records, how it survives failures, and how it resumes."""

import dataclasses
import itertools
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from eval.cases import DatasetError, load_cases
from eval.journal import JournalError
from eval.runner import run, run_eval
from rag.records import Usage

ROOT = Path(__file__).parents[3]


class Scripted:
    """Answers each question with what ``answers`` says; an exception is raised."""

    def __init__(self, answers, mode="extractive"):
        self.answers = answers
        self.mode = mode
        self.asked = []

    def ask(self, question, *, history=()):
        self.asked.append((question, history))
        answer = self.answers[question]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def cases(make_case, not_stated):
    return [
        make_case("a"),
        make_case("b", kind="follow_up", history=("What is it about?",)),
        make_case("c", kind="not_stated", expected=("not_stated",), gold_quotes=(), gold_facts=()),
        make_case("d", kind="title"),
    ]


@pytest.fixture
def answers(cases, perfect):
    return {case.question: perfect(case) for case in cases}


def test_each_case_is_asked_once_with_its_history(cases, answers):
    assistant = Scripted(answers)
    seen = []
    report = run(assistant, cases, progress=lambda done, n, result: seen.append((done, n, result)))
    assert assistant.asked == [(case.question, case.history) for case in cases]
    assert [result.case for result in report.results] == cases
    assert seen == [(i, 4, result) for i, result in enumerate(report.results, 1)]
    assert report.failures == report.errors == ()
    assert report.models == ("extractive",)
    assert report.index_fingerprints == ("f1",)


def test_a_failing_case_is_listed_and_counts_in_no_figure(cases, answers):
    answers[cases[1].question] = ValueError("no such thing")
    report = run(Scripted(answers), cases)
    (error,) = report.errors
    assert (error.case.case_id, error.error) == ("b", "ValueError: no such thing")
    assert error.scores == {}
    assert len(report.judged) == 3
    assert report.failures == ()


def test_a_hanging_case_ends_with_the_time_limit(cases, answers):
    release = threading.Event()

    class Hanging(Scripted):
        def ask(self, question, *, history=()):
            if question == cases[1].question:
                release.wait()
            return super().ask(question, history=history)

    report = run(Hanging(answers), cases, timeout_s=0.2)
    release.set()
    assert [result.error for result in report.errors] == ["no answer within 0.2 s"]
    assert len(report.judged) == 3


def test_resuming_asks_only_the_rest(cases, answers, tmp_path):
    journal = tmp_path / "new" / "journal.jsonl"

    class Killed(BaseException):
        pass

    def die_after_two(done, n, result):
        if done == 3:
            raise Killed

    with pytest.raises(Killed):
        run(Scripted(answers), cases, journal=journal, progress=die_after_two)
    assistant = Scripted(answers)
    report = run(assistant, cases, journal=journal)
    # The first case is asked again, to learn which index answers.
    assert [question for question, _ in assistant.asked] == [cases[0].question, cases[3].question]
    whole = run(Scripted(answers), cases)
    assert [(r.case, r.shown, r.scores) for r in report.results] == [
        (r.case, r.shown, r.scores) for r in whole.results
    ]


def test_what_a_model_used_is_added_up_and_kept(cases, answers, tmp_path):
    """A model is not asked for every case, and fails at some: the others keep their results."""
    journal = tmp_path / "journal.jsonl"
    used = {
        cases[1].question: Usage(100, 20, "provider", 0.001),
        cases[2].question: Usage(50, 10, "us", 0.0005),
    }
    for question, usage in used.items():
        answers[question] = dataclasses.replace(answers[question], model="a:b", usage=usage)
    first = run(Scripted(answers, mode="a:b"), cases, journal=journal)
    assert first.usage == Usage(150, 30, "us", pytest.approx(0.0015))
    assert (first.n_counted_by("provider"), first.n_counted_by("us")) == (1, 1)
    assistant = Scripted(answers, mode="a:b")
    again = run(assistant, cases, journal=journal)
    assert [question for question, _ in assistant.asked] == [cases[0].question]
    assert again.usage == first.usage
    assert [result.shown for result in again.results] == [result.shown for result in first.results]


def test_a_case_that_failed_is_tried_again(cases, answers, tmp_path):
    journal = tmp_path / "journal.jsonl"
    broken = answers | {cases[2].question: ValueError("once")}
    run(Scripted(broken), cases, journal=journal)
    assistant = Scripted(answers)
    report = run(assistant, cases, journal=journal)
    assert [question for question, _ in assistant.asked] == [cases[0].question, cases[2].question]
    assert report.errors == ()


@pytest.mark.parametrize("change", ["mode", "index_fingerprint", "case", "code"])
def test_an_entry_of_other_circumstances_is_not_used(
    cases, answers, tmp_path, make_case, monkeypatch, change
):
    journal = tmp_path / "journal.jsonl"
    run(Scripted(answers), cases, journal=journal)
    if change == "case":
        cases = [dataclasses.replace(case, gold_facts=(("x",),)) for case in cases]
    elif change == "code":
        monkeypatch.setattr("eval.journal.code_sha256", lambda: "other")
    elif change == "index_fingerprint":
        answers = {q: dataclasses.replace(a, **{change: "other"}) for q, a in answers.items()}
    assistant = Scripted(answers, mode="other" if change == "mode" else "extractive")
    run(assistant, cases, journal=journal)
    assert len(assistant.asked) == len(cases)


def test_a_line_that_was_cut_off_is_no_loss_of_the_others(cases, answers, tmp_path):
    journal = tmp_path / "journal.jsonl"
    run(Scripted(answers), cases[:3], journal=journal)
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-20])
    run(Scripted(answers), cases, journal=journal)
    assistant = Scripted(answers)
    run(assistant, cases, journal=journal)
    assert [question for question, _ in assistant.asked] == [cases[0].question]


def test_a_journal_that_cannot_be_written(cases, answers, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(JournalError, match="journal"):
        run(Scripted(answers), cases, journal=tmp_path / "file" / "journal.jsonl")


# The child answers each question from a refusal, slowly, and is killed with SIGKILL in between.
CHILD = """
    import sys, time
    from pathlib import Path
    from eval.runner import run_eval
    from rag.answer import Answer

    class Slow:
        mode = "extractive"

        def ask(self, question, *, history=()):
            time.sleep(0.01)
            print("asked", flush=True)
            return Answer(question, question, "not_in_corpus", notice="No.", index_fingerprint="f")

    run_eval(Slow(), split="dev", out=Path(sys.argv[1]))
"""


def test_a_killed_process_loses_at_most_the_case_in_hand(tmp_path):
    command = [sys.executable, "-c", textwrap.dedent(CHILD), str(tmp_path)]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    list(itertools.islice(child.stdout, 12))
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert not (tmp_path / "report.json").exists()
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    n = len(load_cases(split="dev"))
    # Of the twelve asked, the last may not be on disk yet; the first is asked again.
    assert again.stdout.count("asked") <= n - 11 + 1
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["about"]["judged"] == n
    assert not (tmp_path / "journal.jsonl").exists()


# ---- run_eval -------------------------------------------------------------------------------


class Refusing:
    mode = "extractive"

    def __init__(self, refusal, broken=False):
        self.refusal, self.broken = refusal, broken

    def ask(self, question, *, history=()):
        if self.broken:
            raise RuntimeError("broken")
        return self.refusal("not_in_corpus")


def test_run_eval_names_what_it_measured(refusal, tmp_path):
    report = run_eval(Refusing(refusal), split="dev", out=tmp_path)
    assert report.split == "dev"
    assert report.dataset == "seeds.jsonl"
    assert len(report.dataset_sha256) == 64
    assert {result.case.split for result in report.results} == {"dev"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.json", "report.md"]


def test_run_eval_asks_the_first_cases_only(refusal):
    report = run_eval(Refusing(refusal), split="dev", limit=3)
    assert [result.case for result in report.results] == list(load_cases(split="dev")[:3])


def test_run_eval_takes_another_data_set_and_all_its_splits(refusal, tmp_path):
    path = tmp_path / "mine.jsonl"
    row = {
        "case_id": "a",
        "split": "x",
        "kind": "not_in_corpus",
        "question": "Soup?",
        "history": [],
        "expected": ["not_in_corpus"],
        "gold_papers": [],
        "gold_quotes": [],
        "gold_facts": [],
    }
    path.write_text(json.dumps(row), encoding="utf-8")
    report = run_eval(Refusing(refusal), split=None, dataset=path)
    assert (report.split, report.dataset, len(report.judged)) == ("all", "mine.jsonl", 1)
    with pytest.raises(DatasetError):
        run_eval(Refusing(refusal), split="dev", dataset=path)


def test_run_eval_keeps_the_journal_when_cases_could_not_be_judged(refusal, tmp_path):
    class Once(Refusing):
        def ask(self, question, *, history=()):
            answer = super().ask(question, history=history)
            self.broken = True
            return answer

    report = run_eval(Once(refusal), split="dev", out=tmp_path)
    assert len(report.judged) == 1
    assert (tmp_path / "journal.jsonl").exists()
