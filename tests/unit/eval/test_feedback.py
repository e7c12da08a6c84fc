"""What readers say is kept, read back, and asked again."""

import json
import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest

from eval.cases import DatasetError, load_cases
from eval.feedback import (
    SPLIT,
    Feedback,
    append_feedback,
    feedback_on,
    import_feedback,
    load_feedback,
    to_case,
)
from eval.metrics import score_all
from rag.answer import Answer
from rag.records import Citation, Paper, Sentence

WELLS = Paper("wells", "Counting Wells", "Wells leak. We count 213,000 wells.")
GRAPHS = Paper("graphs", "Federated Graphs", "Hospitals cannot share graphs.")
CITED = Citation(1, WELLS, "We count 213,000 wells.", 12, 35)
ANSWER = Answer(
    "How many wells?",
    "How many wells?",
    "answered",
    (Sentence("“We count 213,000 wells.”", (1,), 1.0),),
    (CITED,),
    index_fingerprint="0123",
)


def given(verdict: str = "helpful", **more: str) -> Feedback:
    return feedback_on(ANSWER, verdict, corpus="small", **more)  # type: ignore[arg-type]


def test_what_was_said_is_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "data" / "feedback.jsonl"
    said = [given(), given("not_helpful", comment="Ich wollte die Fläche wissen 🙂")]
    for feedback in said:
        append_feedback(path, feedback)
    assert load_feedback(path) == said


def test_no_feedback_is_none(tmp_path: Path) -> None:
    assert load_feedback(tmp_path / "feedback.jsonl") == []


def test_comments_are_cleaned_and_shortened() -> None:
    feedback = given(comment=" a\x00b \ud800" + "x" * 5000)
    assert feedback.comment.startswith("ab")
    assert len(feedback.comment) == 2000


def test_an_unknown_verdict_is_refused() -> None:
    with pytest.raises(ValueError, match="wonderful"):
        given("wonderful")


def test_a_line_that_was_cut_off_loses_itself_alone(tmp_path: Path) -> None:
    path = tmp_path / "feedback.jsonl"
    append_feedback(path, given())
    with path.open("a") as file:
        file.write('{"at": "2026')
    assert load_feedback(path) == load_feedback(path)[:1]
    path.write_text("{}\n" + path.read_text())
    with pytest.raises(DatasetError, match=r"feedback\.jsonl:1"):
        load_feedback(path)


def _say(path: Path, number: int) -> None:
    for count in range(20):
        append_feedback(path, given(comment=f"{number} {count} " + "x" * 1500))


def test_several_processes_write_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "feedback.jsonl"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_say, args=(path, number)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
        assert writer.exitcode == 0
    comments = {feedback.comment.split(" x")[0] for feedback in load_feedback(path)}
    assert comments == {f"{number} {count}" for number in range(3) for count in range(20)}


def as_loaded(feedback: Feedback, folder: Path):
    path = folder / "cases.jsonl"
    path.write_text(json.dumps(to_case(feedback)) + "\n", encoding="utf-8")
    (case,) = load_cases(path, split=SPLIT)
    return case


def test_a_helpful_answer_is_what_the_next_is_measured_by(tmp_path: Path) -> None:
    case = as_loaded(given(), tmp_path)
    assert (case.expected, case.gold_papers) == (("answered",), ("wells",))
    assert case.gold_quotes[0].quote == CITED.quote
    scores = score_all(case, ANSWER)
    assert (scores["outcome"].value, scores["gold_first"].value) == (1.0, 1.0)
    refusal = Answer("How many wells?", "How many wells?", "not_in_corpus", notice="Nothing.")
    scores = score_all(case, refusal)
    assert (scores["outcome"].value, scores["gold_first"].value) == (0.0, 0.0)


def test_a_wrong_source_must_not_be_cited_again(tmp_path: Path) -> None:
    case = as_loaded(given("wrong_source"), tmp_path)
    assert score_all(case, ANSWER)["wrong_source"].value == 0.0
    better = replace(ANSWER, citations=(replace(CITED, paper=GRAPHS),))
    assert score_all(case, better)["wrong_source"].value == 1.0
    assert score_all(case, ANSWER)["gold_first"].value is None


def test_the_paper_that_was_meant_is_the_wrong_one() -> None:
    assert to_case(given("wrong_source", wrong_paper="graphs"))["wrong_papers"] == ["graphs"]


def test_of_what_did_not_help_nobody_knows_what_would_have(tmp_path: Path) -> None:
    case = as_loaded(given("not_helpful", comment="too long"), tmp_path)
    assert len(case.expected) == 3
    assert score_all(case, ANSWER)["wrong_source"].value is None
    raw = to_case(given("not_helpful", comment="too long"))
    assert (raw["to_check"], raw["comment"]) == (True, "too long")


def test_importing_again_adds_what_is_new_and_keeps_what_was_corrected(tmp_path: Path) -> None:
    source, target = tmp_path / "feedback.jsonl", tmp_path / "cases.jsonl"
    append_feedback(source, given())
    assert import_feedback(source, target) == (1, 0)
    corrected = target.read_text(encoding="utf-8").replace(
        '"gold_facts": []', '"gold_facts": [["213"]]'
    )
    target.write_text(corrected, encoding="utf-8")
    append_feedback(source, given("wrong_source"))
    assert import_feedback(source, target) == (1, 1)
    assert import_feedback(source, target) == (0, 2)
    assert target.read_text(encoding="utf-8").startswith(corrected)
    assert len(load_cases(target)) == 2


def test_a_target_that_is_no_file_of_cases_is_left_alone(tmp_path: Path) -> None:
    source, target = tmp_path / "feedback.jsonl", tmp_path / "notes.txt"
    append_feedback(source, given())
    target.write_text("my notes", encoding="utf-8")
    with pytest.raises(DatasetError, match="no file of cases"):
        import_feedback(source, target)
    assert target.read_text(encoding="utf-8") == "my notes"
