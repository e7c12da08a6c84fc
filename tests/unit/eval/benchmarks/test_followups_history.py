"""Each form of a history says what it promises, and no more."""

import pytest

from eval.benchmarks.followups import PAPERS, load_conversations
from eval.benchmarks.followups_history import played, with_sources, without_sources
from eval.training.examples import load_papers
from rag.records import Paper, Turn

WELLS = Paper("wells", "Counting Wells from Orbit", "Abandoned wells leak methane. We count them.")
HEADS = Paper("heads", "Sparse Heads", "Few attention heads of a transformer matter.")
BY_ID = {paper.paper_id: paper for paper in (WELLS, HEADS)}


def told(answer: str) -> Turn:
    (turn,) = with_sources([Turn("assistant", answer)], BY_ID)
    return turn


@pytest.mark.parametrize(
    ("answer", "sources"),
    [
        ("Abandoned wells leak methane. [3]", ((3, "wells"),)),
        (
            "Few attention heads of a transformer matter. [2] Abandoned wells leak methane. [1]",
            ((2, "heads"), (1, "wells")),
        ),
        ("So it is. [1]\n\n[1] Counting Wells from Orbit.", ((1, "wells"),)),
        ("The closest paper is [Counting Wells from Orbit](https://x.example).", ((1, "wells"),)),
        ("Somebody said so. [1]", ()),
        ("Nothing on this among the 60 papers.", ()),
    ],
)
def test_the_source_is_the_paper_that_is_quoted(answer, sources) -> None:
    assert told(answer) == Turn("assistant", answer, sources)


def test_questions_have_no_sources() -> None:
    turns = [Turn("user", "Is it so that abandoned wells leak methane. [1]")]
    assert with_sources(turns, BY_ID) == tuple(turns)


def test_played_answers_follow_from_one_another(small_assistant) -> None:
    asked = []

    def ask(question, answers):
        asked.append((question, len(answers)))
        return small_assistant.ask(question, history=answers)

    turns = [Turn("user", "How many wells are in the Alberta dataset?"), Turn("assistant", "Ten."),
             Turn("user", "And who checked the labels?")]  # fmt: skip
    history = played(turns, ask)
    assert asked == [(turns[0].text, 0), (turns[2].text, 1)]
    assert [turn.role for turn in history] == ["user", "assistant"] * 2
    assert history[1].sources[0] == history[3].sources[0] == (1, "wells")
    words = without_sources(history)
    assert [turn.text for turn in words] == [turn.text for turn in history]
    assert not any(turn.sources for turn in words)


def test_nearly_every_answer_of_the_data_gets_its_sources() -> None:
    papers = load_papers(PAPERS)
    answers = [
        turn
        for conversation in load_conversations()
        for turn in with_sources(conversation.turns, papers)
        if turn.role == "assistant" and "[1]" in turn.text
    ]
    assert len(answers) > 300
    assert sum(bool(turn.sources) for turn in answers) / len(answers) > 0.99
