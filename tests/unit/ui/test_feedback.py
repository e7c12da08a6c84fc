"""What a reader may say, of which answer, and what is kept of it."""

from dataclasses import replace

import pytest

from eval.feedback import Feedback, Verdict
from rag.answer import Answer, Finished
from rag.records import Citation, Paper, Passage, Query, Retrieved, Sentence, SentenceReady
from ui.conversation import Conversation
from ui.exchange import Exchange
from ui.feedback import VERDICTS, ratable, rate

PAPER = Paper("wells", "Wells", "Wells leak.")
PASSAGES = (Passage(1, PAPER, PAPER.abstract, 1.0),)
SENTENCE = Sentence("“Wells leak.”", (1,), 1.0)
CITATION = Citation(1, PAPER, PAPER.abstract, 0, len(PAPER.abstract))
ANSWER = Answer("Leak?", "Leak?", "answered", (SENTENCE,), (CITATION,), PASSAGES)
READING = (
    Exchange(1, "Leak?")
    .followed_by(Retrieved(Query("Leak?", "Leak?"), PASSAGES))
    .followed_by(SentenceReady(SENTENCE, (CITATION,)))
)
TALK = Conversation().with_exchange(READING.followed_by(Finished(ANSWER)))


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_word_is_kept_with_what_is_needed_to_ask_again(verdict: Verdict) -> None:
    kept: list[Feedback] = []
    later = replace(READING, turn=2).followed_by(Finished(replace(ANSWER, question="And now?")))
    assert "Thank you" in rate(kept.append, "ours", verdict, " so so ", TALK.with_exchange(later))
    assert [(one.verdict, one.comment, one.corpus) for one in kept] == [(verdict, "so so", "ours")]
    assert (kept[0].question, kept[0].history) == ("And now?", ("Leak?",))
    assert kept[0].quotes == (("wells", "Wells leak."),)


@pytest.mark.parametrize(
    "conversation",
    [
        Conversation(),
        Conversation().with_exchange(READING),
        Conversation().with_exchange(READING.stopped()),
        Conversation().with_exchange(READING.failed("no")),
        Conversation().with_exchange(
            Exchange(1, "hi").followed_by(Finished(Answer("hi", "hi", "not_in_corpus")))
        ),
    ],
)
def test_only_a_finished_answer_about_papers_can_be_rated(conversation: Conversation) -> None:
    kept: list[Feedback] = []
    assert ratable(conversation) is None
    assert rate(kept.append, "ours", "helpful", "x", conversation) == ""
    assert kept == []


@pytest.mark.parametrize(
    ("comment", "expected"),
    [(None, ""), ({"a": 1}, ""), ("x" * 9999, "x" * 2000), ("a\ud800b", "a?b")],
)
def test_a_comment_is_text_of_bounded_length(comment: object, expected: str) -> None:
    kept: list[Feedback] = []
    rate(kept.append, "ours", "helpful", comment, TALK)
    assert kept[0].comment == expected


def test_a_word_that_cannot_be_kept_is_not_thanked_for(caplog: pytest.LogCaptureFixture) -> None:
    def full(_: Feedback) -> None:
        raise OSError("disk full")

    words = rate(full, "ours", "helpful", "", TALK)
    assert "could not be kept" in words
    assert "disk full" not in words
    assert "disk full" in caplog.text
