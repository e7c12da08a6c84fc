"""What the page asks of the shelf: the page works on without it, and says what is wrong."""

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from rag.answer import Answer
from rag.records import Citation, Paper, Passage, Sentence
from ui.archive import Archive
from ui.conversation import Conversation
from ui.exchange import Exchange
from ui.shelf import Shelf

PAPER = Paper("wells", "Geospatial Wells", "Wells leak. Many are in Alberta.", ("Ann Lee",))
ANNA = "a" * 32


def answered(turn: int, question: str) -> Exchange:
    sentence = Sentence("“Wells leak.”", (3,), 1.0)
    passages = (Passage(3, PAPER, PAPER.abstract, 0.5),)
    citation = Citation(3, PAPER, "Wells leak.", 0, 11)
    answer = Answer(question, question, "answered", (sentence,), (citation,), passages)
    return Exchange(turn, question, "finished", None, passages, (), answer)


@pytest.fixture
def conversation() -> Conversation:
    talk = Conversation(owner=ANNA)
    for turn, question in enumerate(("Do wells leak?", "Wo ist <b>Öl</b>?"), 1):
        talk = talk.with_exchange(answered(turn, question))
    return talk.with_exchange(Exchange(3, "Why?", "stopped"))


def test_the_last_conversation_is_opened(tmp_path: Path, conversation: Conversation) -> None:
    archive = Archive(Shelf(tmp_path / "kept.sqlite", "wells", days=30))
    assert archive.last(ANNA) == Conversation(owner=ANNA)
    kept = archive.keep(conversation)
    assert archive.last(ANNA) == kept
    gone = archive.open(ANNA, "of another time")
    assert gone.latest is None
    assert "not there any more" in gone.trouble
    archive.rename(kept, {"no": "text"})
    archive.rename(kept, "x" * 1000)
    assert len(archive.titles(ANNA)[0].text) <= 200
    assert archive.delete(kept) == Conversation(owner=ANNA)
    assert archive.titles(ANNA) == []


def test_without_a_place_to_write_the_page_works_on(
    tmp_path: Path, conversation: Conversation, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    archive = Archive(Shelf(tmp_path / "data" / "kept.sqlite", "wells", days=30))
    with caplog.at_level(logging.ERROR):
        kept = archive.keep(conversation)
        assert replace(kept, trouble="") == conversation
        assert "cannot be kept" in kept.trouble
        assert archive.last(ANNA) == Conversation(owner=ANNA)
        for left in (archive.rename(conversation, "Leaks"), archive.delete(conversation)):
            assert left.latest == conversation.latest
            assert "could not be done" in left.trouble
    assert "cannot be kept" in caplog.text
    archive = Archive(Shelf(tmp_path / "kept.sqlite", "wells", days=30))
    assert archive.keep(kept).trouble == ""


def test_a_damaged_file_costs_no_answer_and_is_said(
    tmp_path: Path, conversation: Conversation
) -> None:
    path = tmp_path / "kept.sqlite"
    archive = Archive(Shelf(path, "wells", days=30))
    kept = archive.keep(conversation)
    path.write_bytes(b"no database" * 1000)
    again = archive.keep(kept.with_exchange(answered(4, "Still?")))
    assert "set aside" in again.trouble
    assert archive.last(ANNA) == replace(again, trouble="")
    path.write_bytes(b"no database" * 1000)
    for trouble in ("set aside", ""):
        found = archive.last(ANNA)
        assert found.latest is None
        assert trouble in found.trouble
    assert found.trouble == ""


def test_a_page_outlives_its_session(tmp_path: Path, conversation: Conversation) -> None:
    archive = Archive(Shelf(tmp_path / "kept.sqlite", "wells", days=30))
    kept = archive.keep(conversation)
    forgotten = Conversation()
    assert archive.resumed(forgotten, kept.conversation_id, ANNA) == kept
    assert archive.resumed(forgotten, "", ANNA) == Conversation(owner=ANNA)
    assert archive.resumed(forgotten, ["no", "id"], ANNA) == Conversation(owner=ANNA)
    assert archive.resumed(kept.fresh(), kept.conversation_id, ANNA) == Conversation(owner=ANNA)
    nameless = Conversation().with_exchange(answered(1, "Who am I?"))
    assert archive.resumed(nameless, kept.conversation_id, ANNA) is nameless


@pytest.mark.parametrize("owner", ["b" * 32, ""])
def test_an_id_opens_nothing_without_the_token_of_its_browser(
    tmp_path: Path, conversation: Conversation, owner: str
) -> None:
    archive = Archive(Shelf(tmp_path / "kept.sqlite", "wells", days=30))
    kept = archive.keep(conversation)
    found = archive.resumed(Conversation(), kept.conversation_id, owner)
    assert (found.owner, found.latest) == (owner, None)
