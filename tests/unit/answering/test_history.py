"""History in any form becomes turns; the newest exchanges are kept, small talk is left out."""

import json
from dataclasses import asdict

import pytest

from rag.answer import Answer
from rag.answering.history import Exchange, as_turns, exchanges
from rag.records import Citation, Paper, Passage, Sentence, Turn

LASER = Paper("laser", "LASER", "An attention.")
ANSWER = Answer(
    "What is LASER?",
    "What is LASER?",
    "answered",
    (Sentence("An attention.", (7,), 1.0),),
    (Citation(7, LASER, "An attention.", 0, 13),),
    (Passage(7, LASER, "An attention.", 0.5),),
)
TOLD = [
    Turn("user", "What is LASER?"),
    Turn("assistant", "An attention. [7]", ((7, "laser"),)),
]

FORMS = {
    "strings": ["What is LASER?", "How fast is it?"],
    "turns": [Turn("user", "What is LASER?"), Turn("assistant", "An attention."),
              Turn("user", "How fast is it?"), Turn("assistant", "Fast.")],
    "mappings": [{"role": "user", "content": "What is LASER?"},
                 {"role": "assistant", "content": "An attention."},
                 {"role": "user", "content": "How fast is it?"}],
    "typed parts": [
        {"role": "user", "metadata": None, "options": None,
         "content": [{"type": "text", "text": "What is LASER?"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "An attention."}]},
        {"role": "user", "content": [{"type": "text", "text": "How fast"},
                                     {"type": "text", "text": "is it?"}]},
    ],
    "mixed": ["What is LASER?", Turn("assistant", "An attention."),
              {"role": "user", "content": "How fast is it?"}],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_history_may_come_in_any_form(form) -> None:
    turns = as_turns(FORMS[form])
    assert [turn.text for turn in turns if turn.role == "user"] == FORMS["strings"]


def test_a_history_of_one_string_is_one_question() -> None:
    assert as_turns("What is LASER?") == [Turn("user", "What is LASER?")]
    assert as_turns("") == as_turns([]) == as_turns(None) == []


def test_what_is_no_turn_is_left_out() -> None:
    history = [
        {"role": "system", "content": "Answer in verse."},
        {"role": "tool", "content": "42"},
        {"role": "user", "content": None},
        {"role": "user", "content": [{"type": "image", "url": "x.png"}]},
        {"content": "no role"},
        {},
        None,
        ("user", "a pair"),
        "  ",
        "What is LASER?",
    ]
    assert as_turns(history) == [Turn("user", "What is LASER?")]


@pytest.mark.parametrize(
    "history",
    [
        ANSWER,
        [ANSWER],
        TOLD,
        [
            "What is LASER?",
            {"role": "assistant", "content": ANSWER.text, "sources": ANSWER.sources},
        ],
        [ANSWER.to_dict()],
        json.loads(f"[{ANSWER.to_json()}]"),
        json.loads(json.dumps([asdict(turn) for turn in TOLD])),
    ],
    ids=["answer", "answers", "turns", "messages", "plain answers", "JSON", "JSON of turns"],
)
def test_an_answer_brings_its_question_and_its_sources(history) -> None:
    assert as_turns(history) == TOLD


@pytest.mark.parametrize(
    "sources",
    [None, "laser", 7, {"7": "laser"}, [7, "laser"], [["7", "laser"]], [[7]], [[7, None]], [[0, "laser"]],
     [[-1, "laser"]], [[10**9, "laser"]], [[1.0, "laser"]], [None], [[7, "laser", 1]]],
)  # fmt: skip
def test_what_is_no_source_is_left_out(sources) -> None:
    message = {"role": "assistant", "content": "An attention.", "sources": sources}
    assert as_turns([message]) == [Turn("assistant", "An attention.")]


def test_the_numbers_of_an_answer_that_was_broken_off_are_kept() -> None:
    history = ["What is LASER?", Turn("assistant", "", ((7, "laser"),)), Turn("assistant", " ")]
    turns = as_turns(history)
    assert turns[1:] == [Turn("assistant", "", ((7, "laser"),))]
    assert exchanges(turns) == [Exchange("What is LASER?", "", ((7, "laser"),))]


def test_an_exchange_has_the_sources_of_all_its_replies() -> None:
    turns = [*TOLD, Turn("assistant", "It is fast. [8]", ((8, "bax"),))]
    (exchange,) = exchanges(turns)
    assert exchange.sources == ((7, "laser"), (8, "bax"))


def test_a_yes_that_papers_answer_is_no_small_talk() -> None:
    turns = [*TOLD, Turn("user", "yes, please"), Turn("assistant", "It is fast. [7]")]
    assert [exchange.question for exchange in exchanges(turns)] == ["What is LASER?", "yes, please"]


@pytest.mark.parametrize("form", [str, lambda text: Turn("user", text),
                                  lambda text: {"role": "user", "content": text}])  # fmt: skip
def test_history_is_cleaned_like_the_question(form) -> None:
    (turn,) = as_turns([form("What is\ud800 LASER\x00?")])
    assert turn == Turn("user", "What is LASER?")


def test_questions_are_paired_with_what_was_replied() -> None:
    turns = as_turns(FORMS["mappings"])
    assert exchanges(turns) == [
        Exchange("What is LASER?", "An attention."),
        Exchange("How fast is it?"),
    ]


def test_replies_in_parts_are_one_answer_and_one_without_a_question_is_dropped() -> None:
    turns = [Turn("assistant", "Welcome!"), Turn("user", "What is LASER?"),
             Turn("assistant", "An"), Turn("assistant", "attention.")]  # fmt: skip
    assert exchanges(turns) == [Exchange("What is LASER?", "An\nattention.")]


def test_small_talk_is_left_out_with_its_reply() -> None:
    turns = [Turn("user", "hi"), Turn("assistant", "Ask me about papers."),
             Turn("user", "What is LASER?"), Turn("user", "thanks!")]  # fmt: skip
    assert exchanges(turns) == [Exchange("What is LASER?")]


def test_the_newest_turns_are_kept_within_the_tokens() -> None:
    turns = [Turn("user", f"What about paper {n}?") for n in range(6)]
    kept = exchanges(turns, max_tokens=15)
    assert 1 <= len(kept) < 6
    assert kept[-1].question == "What about paper 5?"


def test_the_newest_turn_is_kept_however_long() -> None:
    long = "attention heads " * 2000
    (kept,) = exchanges([Turn("user", "What is LASER?"), Turn("user", long)], max_tokens=5)
    assert kept.question
    assert kept.question == long[: len(kept.question)]
    assert len(kept.question) <= 1000


def test_a_long_history_costs_little() -> None:
    turns = [Turn("user", "why?"), Turn("assistant", "x" * 100_000)] * 5000
    assert 0 < len(exchanges(turns)) <= 10
