"""Conversations that outlive the page: whose they are, what is lost, what happens to damage."""

import logging
import sqlite3
import subprocess
import sys
import threading
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from rag.answer import Answer
from rag.records import Citation, Paper, Passage, Query, Sentence, SentenceReady
from ui import shelf as shelves
from ui.conversation import Conversation
from ui.exchange import Exchange
from ui.shelf import DamagedError, Shelf

PAPER = Paper("wells", "Geospatial Wells", "Wells leak. Many are in Alberta.", ("Ann Lee",))
CITATION = Citation(3, PAPER, "Wells leak.", 0, 11)
ANNA, BERT = "a" * 32, "b" * 32
DAY_S = 86_400


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shelf(tmp_path: Path, clock: Clock) -> Shelf:
    return Shelf(tmp_path / "data" / "kept.sqlite", "wells", days=30, clock=clock)


def answered(turn: int, question: str) -> Exchange:
    sentence = Sentence("“Wells leak.”", (3,), 1.0)
    passages = (Passage(3, PAPER, PAPER.abstract, 0.5),)
    answer = Answer(question, question, "answered", (sentence,), (CITATION,), passages)
    return Exchange(
        turn,
        question,
        "finished",
        Query(question, question),
        passages,
        (SentenceReady(sentence, (CITATION,)),),
        answer,
    )


def asked(shelf: Shelf, owner: str, *questions: str) -> Conversation:
    conversation = Conversation(owner=owner)
    for turn, question in enumerate(questions, 1):
        conversation = shelf.keep(conversation.with_exchange(answered(turn, question)))
    return conversation


def titles(shelf: Shelf, owner: str) -> list[str]:
    return [title.text for title in shelf.titles(owner)]


def test_what_was_kept_comes_back_as_it_was(shelf: Shelf) -> None:
    kept = asked(shelf, ANNA, "Do wells leak?", "Where?")
    loaded = shelf.load(ANNA, kept.conversation_id)
    assert loaded == kept
    assert loaded is not None
    assert loaded.history()[-1].sources == ((3, "wells"),)


def test_the_last_used_comes_first_and_is_called_by_its_first_question(shelf: Shelf) -> None:
    first = asked(shelf, ANNA, "Do wells leak?", "Where?")
    asked(shelf, ANNA, "  How\nmany " + "wells " * 40)
    assert titles(shelf, ANNA) == ["How many " + "wells " * 10 + "wells…", "Do wells leak?"]
    shelf.keep(first.with_exchange(answered(3, "Why?")))
    assert titles(shelf, ANNA)[0] == "Do wells leak?"


def test_nobody_sees_or_changes_what_belongs_to_another_browser(shelf: Shelf) -> None:
    kept = asked(shelf, ANNA, "Do wells leak?")
    assert shelf.titles(BERT) == []
    assert shelf.titles("") == []
    assert shelf.load(BERT, kept.conversation_id) is None
    shelf.rename(BERT, kept.conversation_id, "Mine")
    shelf.delete(BERT, kept.conversation_id)
    stolen = replace(kept, owner=BERT).with_exchange(answered(2, "Where?"))
    assert shelf.keep(stolen).conversation_id != kept.conversation_id
    assert shelf.load(ANNA, kept.conversation_id) == kept
    assert titles(shelf, ANNA) == ["Do wells leak?"]


def test_what_has_no_owner_or_is_not_finished_is_not_kept(shelf: Shelf, tmp_path: Path) -> None:
    for conversation in (
        Conversation().with_exchange(answered(1, "Do wells leak?")),
        Conversation(owner=ANNA).with_exchange(Exchange(1, "Do wells leak?", "reading")),
        Conversation(owner=ANNA),
    ):
        assert shelf.keep(conversation) is conversation
    assert not (tmp_path / "data").exists()


def test_a_question_that_is_asked_again_takes_the_place_of_the_old_one(shelf: Shelf) -> None:
    kept = asked(shelf, ANNA, "Do wells leak?", "Where?", "Why?")
    edited = kept.without_latest().without_latest().with_exchange(answered(2, "When?"))
    shelf.keep(edited)
    loaded = shelf.load(ANNA, kept.conversation_id)
    assert loaded is not None
    assert [item.question for item in loaded.exchanges()] == ["Do wells leak?", "When?"]


def test_two_pages_that_go_on_with_one_conversation_lose_nothing(shelf: Shelf) -> None:
    kept = asked(shelf, ANNA, "Do wells leak?")
    here = shelf.keep(kept.with_exchange(answered(2, "Here?")))
    there = shelf.keep(kept.with_exchange(answered(2, "There?")))
    assert here.conversation_id != there.conversation_id
    found = [shelf.load(ANNA, title.conversation_id) for title in shelf.titles(ANNA)]
    asked_in = [[item.question for item in one.exchanges()] for one in found if one]
    assert sorted(asked_in) == [["Do wells leak?", "Here?"], ["Do wells leak?", "There?"]]
    again = shelf.keep(there.with_exchange(answered(3, "And there?")))
    assert again.conversation_id == there.conversation_id


def test_one_that_was_deleted_elsewhere_begins_anew(shelf: Shelf) -> None:
    kept = asked(shelf, ANNA, "Do wells leak?")
    shelf.delete(ANNA, kept.conversation_id)
    assert shelf.load(ANNA, kept.conversation_id) is None
    again = shelf.keep(kept.with_exchange(answered(2, "Where?")))
    loaded = shelf.load(ANNA, again.conversation_id)
    assert loaded is not None
    assert len(loaded.exchanges()) == 2


def test_a_deleted_one_leaves_no_word_in_the_file(shelf: Shelf, tmp_path: Path) -> None:
    kept = asked(shelf, ANNA, "Do purple wells leak?")
    asked(shelf, ANNA, "Another?")
    path = tmp_path / "data" / "kept.sqlite"
    assert b"purple" in path.read_bytes()
    shelf.delete(ANNA, kept.conversation_id)
    assert b"purple" not in path.read_bytes()
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT count(*) FROM exchanges").fetchone() == (1,)
    database.close()


def test_the_file_is_for_its_user_alone(shelf: Shelf, tmp_path: Path) -> None:
    asked(shelf, ANNA, "Do wells leak?")
    assert (tmp_path / "data" / "kept.sqlite").stat().st_mode & 0o077 == 0


def test_it_can_be_called_otherwise(shelf: Shelf) -> None:
    kept = asked(shelf, ANNA, "Do wells leak?")
    shelf.rename(ANNA, kept.conversation_id, "  Leaks\n of wells ")
    shelf.rename(ANNA, kept.conversation_id, " ")
    assert titles(shelf, ANNA) == ["Leaks of wells"]


def test_those_about_other_papers_are_not_listed(shelf: Shelf, tmp_path: Path) -> None:
    asked(shelf, ANNA, "Do wells leak?")
    others = Shelf(tmp_path / "data" / "kept.sqlite", "rivers", days=30)
    assert others.titles(ANNA) == []


def test_the_oldest_go_when_they_are_too_old_or_too_many(
    shelf: Shelf, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(shelf, ANNA, "Old?")
    clock.now += 31 * DAY_S
    assert shelf.titles(ANNA) == []
    monkeypatch.setattr(shelves, "MOST_KEPT", 2)
    for question in ("One?", "Two?", "Three?"):
        asked(shelf, ANNA, question)
    asked(shelf, BERT, "Mine?")
    assert titles(shelf, ANNA) == ["Three?", "Two?"]
    assert titles(shelf, BERT) == ["Mine?"]


def test_an_exchange_that_cannot_be_read_is_left_out_and_said(
    shelf: Shelf, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = asked(shelf, ANNA, "Do wells leak?", "Where?")
    with sqlite3.connect(tmp_path / "data" / "kept.sqlite") as database:
        database.execute("UPDATE exchanges SET content = x'00' WHERE turn = 1")
    database.close()
    with caplog.at_level(logging.WARNING):
        loaded = shelf.load(ANNA, kept.conversation_id)
    assert loaded is not None
    assert [item.question for item in loaded.exchanges()] == ["Where?"]
    assert loaded.trouble.startswith("One answer of this conversation could not be read")
    assert "cannot be read" in caplog.text


def test_a_quote_that_is_not_in_its_abstract_does_not_come_back(
    shelf: Shelf, tmp_path: Path
) -> None:
    kept = asked(shelf, ANNA, "Do wells leak?", "Where?")
    with sqlite3.connect(tmp_path / "data" / "kept.sqlite") as database:
        (content,) = database.execute("SELECT content FROM exchanges WHERE turn = 1").fetchone()
        was, turned = b'"quote":"Wells leak."', b'"quote":"Wells hold."'
        changed = zlib.decompress(content).replace(was, turned)
        database.execute(
            "UPDATE exchanges SET content = ? WHERE turn = 1", (zlib.compress(changed),)
        )
    database.close()
    loaded = shelf.load(ANNA, kept.conversation_id)
    assert loaded is not None
    assert [item.question for item in loaded.exchanges()] == ["Where?"]


def test_a_damaged_file_is_set_aside_and_a_new_one_begun(
    shelf: Shelf, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "data" / "kept.sqlite"
    asked(shelf, ANNA, "Do wells leak?")
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(OSError, match=r"kept\.sqlite"):
        shelf.titles(ANNA)
    assert "conversations were damaged" in caplog.text
    assert [item.name[:20] for item in path.parent.glob("*.damaged-*")] == ["kept.sqlite.damaged-"]
    asked(shelf, ANNA, "Where?")
    assert titles(shelf, ANNA) == ["Where?"]


def test_a_new_file_is_not_set_aside_for_the_damaged_one(shelf: Shelf, tmp_path: Path) -> None:
    path = tmp_path / "data" / "kept.sqlite"
    asked(shelf, ANNA, "Do wells leak?")
    sound = path.read_bytes()

    class Overtaken(Shelf):
        def _set_aside(self, inode: int, error: sqlite3.DatabaseError) -> None:
            # Another process was quicker.
            path.rename(path.with_suffix(".other"))
            path.write_bytes(sound)
            super()._set_aside(inode, error)

    path.write_bytes(b"no database" * 1000)
    with pytest.raises(DamagedError):
        Overtaken(path, "wells", days=30).titles(ANNA)
    assert list(path.parent.glob("*.damaged-*")) == []
    assert titles(shelf, ANNA) == ["Do wells leak?"]


def test_a_file_that_is_too_large_loses_what_was_not_used_for_longest(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelves, "_GOING", 2)
    for question in ("One?", "Two?", "Three?"):
        asked(shelf, ANNA, question)
    monkeypatch.setattr(shelves, "MOST_BYTES", 1)
    asked(shelf, BERT, "Four?")
    assert titles(shelf, ANNA) == ["Three?"]
    assert titles(shelf, BERT) == ["Four?"]


def test_a_folder_that_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    shelf = Shelf(tmp_path / "data" / "kept.sqlite", "wells", days=30)
    with pytest.raises(OSError, match="data"):
        asked(shelf, ANNA, "Do wells leak?")


def test_many_threads_keep_at_once(shelf: Shelf) -> None:
    owners = [f"{number:032d}" for number in range(8)]
    threads = [
        threading.Thread(target=asked, args=(shelf, owner, "One?", "Two?", "Three?"))
        for owner in owners
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for owner in owners:
        (title,) = shelf.titles(owner)
        loaded = shelf.load(owner, title.conversation_id)
        assert loaded is not None
        assert len(loaded.exchanges()) == 3


KILLED = """
import os, signal, sys
sys.path[:0] = sys.argv[2:]
from pathlib import Path
from test_shelf import ANNA, answered
from ui.conversation import Conversation
from ui.shelf import Shelf
shelf = Shelf(Path(sys.argv[1]), "wells", days=30)
conversation = shelf.keep(Conversation(owner=ANNA).with_exchange(answered(1, "Kept?")))
conversation.with_exchange(answered(2, "Lost?"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_kept_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    root = str(Path(__file__).parents[3])
    command = [sys.executable, "-c", KILLED, str(path), root, str(Path(__file__).parent)]
    assert subprocess.run(command, timeout=60, check=False).returncode == -9
    assert titles(Shelf(path, "wells", days=36_500), ANNA) == ["Kept?"]
