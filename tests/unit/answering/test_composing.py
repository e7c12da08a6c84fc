"""Composing: what passes the gate is shown in order, what fails is kept with its reason."""

from dataclasses import replace

import pytest

from rag.answering import composing
from rag.answering.citations import Draft, Quote
from rag.answering.clock import Clock
from rag.answering.composing import Composer
from rag.answering.generative import Ending
from rag.errors import ProviderError
from rag.records import DroppedSentence, Query, SentenceReady, Usage

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


class FixedWriter:
    """A language model whose drafts a test gives."""

    name = "test:model"
    usage = Usage()

    def __init__(self, items) -> None:
        self._items = items
        self.is_closed = False

    def write(self, query, passages):
        try:
            for item in self._items:
                if isinstance(item, Exception):
                    raise item
                yield item
        finally:
            self.is_closed = True


@pytest.fixture
def write_with_model(composer):
    """Lets a model draft these items, and gives the events."""

    def write_with_model(*items, quotes_otherwise=True) -> list[SentenceReady]:
        writer = FixedWriter(items)
        events = list(composer.write_with_model(writer, quotes_otherwise=quotes_otherwise))
        assert writer.is_closed
        return events

    return write_with_model


USAGE = Usage(100, 20, "provider")
WRITTEN = Ending("written", "stop", USAGE)
REFUSED = DroppedSentence("There are ten wells.", "the number ten is not in the source's words")


def test_a_model_passes_the_same_gate(write_with_model, composer) -> None:
    events = write_with_model(TRUE, REFUSED, FORGED, WRITTEN)
    answer = composer.finish(composer.status, "")
    assert [event.sentence.text for event in events] == [TRUE.text]
    assert [item.text for item in answer.dropped] == [REFUSED.text, FORGED.text]
    assert (answer.status, answer.notice, answer.model) == ("answered", "", "test:model")
    assert answer.usage == USAGE


def test_a_flag_is_kept(write_with_model, composer) -> None:
    (event,) = write_with_model(replace(TRUE, is_flagged=True), WRITTEN)
    assert event.sentence.is_flagged


def test_where_nothing_is_proven_the_notice_says_what_comes_instead(
    write_with_model, composer
) -> None:
    assert write_with_model(REFUSED, Ending("nothing_proven", "stop", USAGE)) == []
    assert composer.has_failed
    answer = composer.finish("answered", "")
    assert answer.model == "extractive"
    assert "could be proven, so the abstracts are quoted instead" in answer.notice
    assert answer.usage == USAGE
    assert answer.dropped == (REFUSED,)


def test_where_nothing_is_quoted_instead_nothing_is_promised(write_with_model, composer) -> None:
    write_with_model(Ending("nothing_proven", "stop", USAGE), quotes_otherwise=False)
    assert composer.finish("not_stated", "Not stated.").notice == "Not stated."


@pytest.mark.parametrize(
    ("finish", "words"),
    [("cut", "broke off"), ("content_filter", "declined"), ("length", "could be proven")],
)
def test_the_reason_for_falling_back_is_told(write_with_model, composer, finish, words) -> None:
    write_with_model(Ending("nothing_proven", finish, USAGE))
    assert words in composer.finish("answered", "").notice


@pytest.mark.parametrize("quotes_otherwise", [True, False])
def test_a_fault_of_the_provider_is_told_with_its_hint(
    write_with_model, composer, quotes_otherwise
) -> None:
    fault = ProviderError("The server refused the key.", hint="Set OPENAI_API_KEY.")
    assert write_with_model(fault, quotes_otherwise=quotes_otherwise) == []
    assert composer.has_failed
    answer = composer.finish("answered", "")
    assert answer.notice.startswith("The server refused the key. Set OPENAI_API_KEY.")
    assert ("quoted instead" in answer.notice) is quotes_otherwise
    assert (answer.model, answer.usage) == ("extractive", Usage())


@pytest.mark.parametrize(
    ("finish", "words"),
    [("cut", "broke off"), ("content_filter", "stopped its reply"), ("length", "greatest length")],
)
def test_a_cut_answer_says_so(write_with_model, composer, finish, words) -> None:
    write_with_model(TRUE, Ending("written", finish, USAGE))
    assert composer.status == "answered"
    assert words in composer.finish("answered", "").notice


def test_the_model_may_say_that_it_is_not_stated(write_with_model, composer) -> None:
    assert write_with_model(Ending("not_stated", "stop", USAGE)) == []
    assert not composer.has_failed
    answer = composer.finish(composer.status, "The abstracts do not state this.")
    assert (answer.status, answer.sentences, answer.model) == ("not_stated", (), "test:model")
    assert answer.notice == "The abstracts do not state this."


def test_gaps_and_papers_left_out_are_told(write_with_model, composer) -> None:
    gap = "The abstracts do not state the learning rate."
    write_with_model(TRUE, Ending("written", "stop", USAGE, gaps=(gap,), left_out=(2, 3)))
    answer = composer.finish("answered", "")
    assert (answer.notice, answer.left_out) == (gap, (2, 3))


def test_without_a_model_there_is_nothing_to_tell(write, composer) -> None:
    write(TRUE)
    answer = composer.finish(composer.status, "")
    assert (answer.status, answer.notice, answer.left_out) == ("answered", "", ())


def test_breaking_off_closes_the_model(composer) -> None:
    writer = FixedWriter([TRUE, ALSO_TRUE])
    events = composer.write_with_model(writer, quotes_otherwise=True)
    next(events)
    events.close()
    assert writer.is_closed
    assert composer.finish("answered", "").sentences[0].text == TRUE.text


def test_what_earlier_requests_used_is_added(composer) -> None:
    writer = FixedWriter([TRUE, WRITTEN])
    writer.usage = Usage(10, 5, "us")
    list(composer.write_with_model(writer, quotes_otherwise=True))
    assert composer.finish("answered", "").usage == Usage(110, 25, "us")
