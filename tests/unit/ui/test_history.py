"""A conversation as files that parse."""

import base64
import json
import re

import bibtexparser
import pytest

from rag.answer import Answer
from rag.records import Citation, Paper, Passage, Sentence
from ui import history
from ui.conversation import Conversation
from ui.exchange import Exchange

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
