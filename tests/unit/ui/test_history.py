"""A conversation as files that parse."""

import base64
import json
import re
from pathlib import Path
from types import SimpleNamespace

import bibtexparser
import gradio as gr
import pytest

from rag.answer import Answer
from rag.records import Citation, Paper, Passage, Sentence
from ui import history
from ui.archive import Archive
from ui.conversation import Conversation
from ui.exchange import Exchange
from ui.shelf import Shelf
from ui.visitor import COOKIE

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


def exported(conversation: Conversation) -> dict[str, str]:
    html = history.files(conversation)
    found = re.findall(r'class="file">(\w+)<code class="content">([^<]*)<', html)
    return {name: base64.b64decode(text).decode() for name, text in found}


def test_a_conversation_is_exported_in_three_forms(conversation: Conversation) -> None:
    files = exported(conversation)
    assert list(files) == ["Markdown", "JSON", "BibTeX"]
    assert files["Markdown"].count("## ") >= 2
    assert "> Wells leak." in files["Markdown"]
    answers = json.loads(files["JSON"])["answers"]
    assert [item["question"] for item in answers] == ["Do wells leak?", "Wo ist <b>Öl</b>?"]
    assert answers[0]["sources"] == [[3, PAPER.paper_id]]
    entries = bibtexparser.parse_string(files["BibTeX"]).entries
    assert [entry["author"] for entry in entries] == ["Ann Lee"]


def test_an_empty_conversation_is_exported_as_nothing() -> None:
    files = exported(Conversation())
    assert (files["Markdown"], files["BibTeX"]) == ("", "")
    assert json.loads(files["JSON"]) == {"answers": []}


@pytest.mark.parametrize("is_in_use", [True, False])
def test_the_last_conversation_is_not_drawn_over_an_answer_that_came_first(
    tmp_path: Path, conversation: Conversation, *, is_in_use: bool
) -> None:
    archive = Archive(Shelf(tmp_path / "kept.sqlite", "wells", days=30))
    archive.keep(conversation)
    drawn: list[Conversation] = []

    def fill(shown: Conversation) -> tuple[str, ...]:
        drawn.append(shown)
        return ("messages", "state")

    place = history.Shown((), fill, lambda request: is_in_use)
    given = history.Side(archive, place).restore(SimpleNamespace(cookies={COOKIE: ANNA}))
    assert [shown.owner for shown in drawn] == [ANNA]
    assert (given[:2] == ("messages", "state")) is not is_in_use
    if is_in_use:
        assert set(map(str, given)) == {str(gr.skip())}
