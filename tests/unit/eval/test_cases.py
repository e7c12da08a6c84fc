"""The loader of cases: what it reads and what it refuses, with file, line and field."""

import json

import pytest

from eval.cases import Case, DatasetError, GoldQuote, dataset_sha256, load_cases

ROW = {
    "case_id": "a",
    "split": "dev",
    "kind": "fact",
    "question": "How many wells?",
    "history": ["What is it about?"],
    "expected": ["answered"],
    "gold_papers": ["wells"],
    "gold_quotes": [{"paper_id": "wells", "quote": "There are 9 wells."}],
    "gold_facts": [["9", "nine"]],
}


@pytest.fixture
def write(tmp_path):
    def write(*rows):
        path = tmp_path / "cases.jsonl"
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


def test_every_field_is_read(write):
    (case,) = load_cases(write(ROW))
    assert case == Case(
        case_id="a",
        split="dev",
        kind="fact",
        question="How many wells?",
        history=("What is it about?",),
        expected=("answered",),
        gold_papers=("wells",),
        gold_quotes=(GoldQuote("wells", "There are 9 wells."),),
        gold_facts=(("9", "nine"),),
    )


def test_a_split_is_selected_in_order(write):
    path = write(ROW, ROW | {"case_id": "b", "split": "test"}, "", ROW | {"case_id": "c"})
    assert [case.case_id for case in load_cases(path)] == ["a", "b", "c"]
    assert [case.case_id for case in load_cases(path, split="dev")] == ["a", "c"]


def test_an_unknown_split_names_those_there_are(write):
    with pytest.raises(DatasetError, match=r"no cases of the split 'tset'.*dev, test"):
        load_cases(write(ROW, ROW | {"case_id": "b", "split": "test"}), split="tset")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("case_id", ""),
        ("split", 3),
        ("kind", "riddle"),
        ("question", "  "),
        ("history", "What is it about?"),
        ("history", [1]),
        ("expected", []),
        ("expected", ["refused"]),
        ("gold_papers", None),
        ("gold_papers", [""]),
        ("gold_quotes", ["There are 9 wells."]),
        ("gold_facts", ["9"]),
        ("gold_facts", [[]]),
        ("gold_facts", [[9]]),
    ],
)
def test_a_bad_field_is_named_with_file_and_line(write, field, value):
    path = write(ROW, ROW | {"case_id": "b"} | {field: value})
    with pytest.raises(DatasetError) as caught:
        load_cases(path)
    assert f"{path}:2: field {field!r}" in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("field", sorted(ROW))
def test_a_missing_field_is_named(write, field):
    row = {name: value for name, value in ROW.items() if name != field}
    with pytest.raises(DatasetError, match=f":1: field '{field}'"):
        load_cases(write(row))


@pytest.mark.parametrize("field", ["paper_id", "quote"])
def test_a_bad_quote_is_named(write, field):
    quote = {"paper_id": "wells", "quote": "There are 9 wells."} | {field: 4}
    with pytest.raises(DatasetError, match=f":1: field '{field}'"):
        load_cases(write(ROW | {"gold_quotes": [quote]}))


@pytest.mark.parametrize("line", ['{"case_id": "b", "spl', "[1]", '"text"'])
def test_a_line_that_is_no_object(write, line):
    with pytest.raises(DatasetError, match=":2: not"):
        load_cases(write(ROW, line))


def test_a_repeated_id(write):
    with pytest.raises(DatasetError, match="repeats 'a'"):
        load_cases(write(ROW, ROW))


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00", b""])
def test_a_file_without_cases(tmp_path, content):
    path = tmp_path / "cases.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DatasetError, match=r"cases\.jsonl"):
        load_cases(path)


def test_a_line_separator_inside_a_question_does_not_end_the_line(write):
    row = json.dumps(ROW | {"question": "one\u2028two"}, ensure_ascii=False)
    assert load_cases(write(row))[0].question == "one\u2028two"


def test_the_hash_follows_the_content(write):
    first = dataset_sha256(write(ROW))
    assert first == dataset_sha256(write(ROW))
    assert first != dataset_sha256(write(ROW | {"question": "Why?"}))
