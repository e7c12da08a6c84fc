"""Composing: what passes the gate is shown in order, what fails is kept with its reason."""

import pytest

from rag.answering import composing
from rag.answering.citations import Draft, Quote
from rag.answering.clock import Clock
from rag.answering.composing import Composer
from rag.records import Query, SentenceReady

TRUE = Draft("Wells leak.", (Quote(1, "Abandoned oil wells leak methane into the air."),), 1.0)
ALSO_TRUE = Draft("Pruning was compared.", (Quote(3, "SparseBench compares 14"),), 0.8, True)
FORGED = Draft("There are ten wells.", (Quote(1, "ten wells"),), 1.0)
UNKNOWN = Draft("Somebody said so.", (Quote(7, "Alberta"),), 1.0)
EMPTY = Draft("This is certain.", (), 1.0)


@pytest.fixture
def composer(passages) -> Composer:
    query = Query("and wells?", "What of the wells?")
    return Composer(query, tuple(passages.values()), Clock(), fingerprint="f00")


@pytest.fixture
def write(monkeypatch, composer, passages, read_paper):
    """Lets a writer draft these sentences, and gives the events."""

    def write(*drafts: Draft) -> list[SentenceReady]:
        monkeypatch.setattr(composing.extractive, "write", lambda *_, **__: iter(drafts))
        return list(
            composer.write(
                [read_paper(passage.paper) for passage in passages.values()], several=False
            )
        )

    return write


def test_every_draft_is_either_shown_or_dropped_with_its_reason(write, composer) -> None:
    events = write(FORGED, TRUE, UNKNOWN, ALSO_TRUE, EMPTY)
    answer = composer.finish("answered", "")
    assert [event.sentence.text for event in events] == [TRUE.text, ALSO_TRUE.text]
    assert answer.sentences == tuple(event.sentence for event in events)
    assert answer.citations == tuple(one for event in events for one in event.citations)
    assert {item.text: item.reason for item in answer.dropped} == {
        FORGED.text: "source [1] does not say what it quotes",
        UNKNOWN.text: "there is no source [7]",
        EMPTY.text: "it quotes nothing",
    }


def test_dropped_sentences_are_not_in_the_text(write, composer) -> None:
    write(FORGED, TRUE, EMPTY)
    text = composer.finish("answered", "").text
    assert text == "Wells leak. [1]"


def test_the_answer_carries_query_passages_and_index(write, composer, passages) -> None:
    write(TRUE)
    answer = composer.finish("answered", "")
    assert (answer.question, answer.standalone_question) == ("and wells?", "What of the wells?")
    assert answer.passages == tuple(passages.values())
    assert answer.index_fingerprint == "f00"
    assert answer.timings_ms.keys() == {"write", "gate"}


def test_an_answer_broken_off_has_what_was_shown(
    composer, passages, read_paper, monkeypatch
) -> None:
    monkeypatch.setattr(composing.extractive, "write", lambda *_, **__: iter([TRUE, ALSO_TRUE]))
    events = composer.write(
        [read_paper(passage.paper) for passage in passages.values()], several=False
    )
    first = next(events)
    assert composer.finish("answered", "").sentences == (first.sentence,)


def test_a_refusal_has_no_sentences(composer) -> None:
    answer = composer.finish("not_in_corpus", "Nothing on this.")
    assert (answer.sentences, answer.citations, answer.dropped) == ((), (), ())
    assert answer.text == "Nothing on this."
