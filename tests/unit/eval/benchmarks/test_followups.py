"""The follow-up benchmark asks each way over the same index; its data keep their promises."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from eval.benchmarks.followups import (
    CONVERSATIONS,
    KINDS,
    PAPERS,
    SPLITS,
    WAYS,
    Conversation,
    Finding,
    Outcome,
    load_conversations,
    measure,
    summarise,
    to_markdown,
)
from eval.cases import DatasetError
from eval.search import open_retriever
from rag.records import Paper, Turn
from rag.retrieval.hybrid import HybridRetriever
from rag.text import search_terms


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


# The data


def test_there_are_conversations_of_every_kind_in_every_split() -> None:
    for split in SPLITS:
        kinds = Counter(c.kind for c in load_conversations(split=split))
        assert set(kinds) == set(KINDS)
        assert min(kinds.values()) >= (8 if split in ("dev", "held") else 4)


def test_ids_and_last_questions_with_their_history_are_unique() -> None:
    conversations = load_conversations()
    assert len({c.case_id for c in conversations}) == len(conversations)
    assert len({(c.question, c.turns) for c in conversations}) == len(conversations)


def test_histories_come_in_every_form_and_length() -> None:
    assert {row["form"] for row in rows(CONVERSATIONS)} == {"questions", "turns", "messages"}
    lengths = Counter(sum(turn.role == "user" for turn in c.turns) for c in load_conversations())
    assert set(lengths) == {1, 2, 3, 4, 5}


def test_dev_and_held_share_no_paper_not_even_one_spoken_of() -> None:
    papers = rows(PAPERS)
    halves = {row["paper_id"]: ("held", "dev")[n % 2] for n, row in enumerate(papers, 1)}
    titles = {row["title"]: row["paper_id"] for row in papers}
    sentences = {row["abstract"]: row["paper_id"] for row in papers}
    wrong = []
    for conversation in (*load_conversations(split="dev"), *load_conversations(split="held")):
        spoken_of = set(conversation.gold_papers)
        for turn in conversation.turns:
            spoken_of |= {i for title, i in titles.items() if title in turn.text}
            quotes = [q.strip() for q in turn.text.replace("\n\n", " [").split(" [")]
            spoken_of |= {
                i for text, i in sentences.items() if any(len(q) > 60 and q in text for q in quotes)
            }
        if {halves[paper] for paper in spoken_of} != {conversation.split}:
            wrong.append(conversation.case_id)
    assert wrong == []


def test_only_a_change_of_topic_is_asked_as_it_stands_alone() -> None:
    same = {c.kind for c in load_conversations() if c.question == c.standalone}
    assert same == {"topic_change"}


# The benchmark

WELLS = Paper("wells", "Counting Oil Wells from Orbit", "Wells leak methane in Alberta.")
HEADS = Paper("heads", "Sparse Attention Heads", "Few heads of a transformer matter.")
MUSIC = Paper("music", "Composing Melodies", "Rotary embeddings help music.")


class WordEmbedder:
    """A vector that counts the terms of a small vocabulary."""

    fingerprint = "words"

    def __init__(self, papers) -> None:
        terms = {t for p in papers for t in search_terms(f"{p.title} {p.abstract}")}
        self.vocabulary = sorted(terms)

    def embed_passages(self, texts, *, progress=None):
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text):
        counts = Counter(search_terms(text))
        vector = np.array([counts[term] for term in self.vocabulary], dtype=np.float32)
        return vector / max(float(np.linalg.norm(vector)), 1e-9)


@pytest.fixture
def retriever() -> HybridRetriever:
    papers = {paper.paper_id: paper for paper in (WELLS, HEADS, MUSIC)}
    return open_retriever(papers, WordEmbedder(papers.values()))


def conversation(question: str, standalone: str, gold: str) -> Conversation:
    turns = (Turn("user", "Do oil wells leak methane?"), Turn("assistant", "Wells leak. [1]"))
    return Conversation("c", "dev", "pronoun", turns, question, standalone, (gold,))


def test_each_wording_is_searched_for(retriever) -> None:
    (outcome,) = measure([conversation("Are they old?", "Are oil wells old?", "wells")], retriever)
    assert outcome.condensed == "Are they old, in “Counting Oil Wells from Orbit”?"
    assert set(outcome.findings) == set(WAYS)
    assert outcome.findings["condensed"] == outcome.findings["standalone"] == Finding(1, 1)
    assert outcome.findings["raw"].first == 0
    assert outcome.n_lookups >= 1


def test_known_sources_are_not_looked_up(retriever) -> None:
    asked = conversation("Are they old?", "Are oil wells old?", "heads")
    turns = (asked.turns[0], Turn("assistant", "Wells leak. [4]", ((4, "heads"),)))
    (outcome,) = measure([replace(asked, turns=turns)], retriever, {"heads": HEADS})
    assert outcome.condensed == "Are they old, in “Sparse Attention Heads”?"
    assert outcome.n_lookups == 0


def outcome(kind: str, condensed: float, standalone: float) -> Outcome:
    findings = {
        "condensed": Finding(condensed, condensed),
        "standalone": Finding(standalone, standalone),
        "raw": Finding(0, 0),
    }
    return Outcome("c", kind, "", findings, condense_ms=1, n_lookups=1)


def test_what_is_lost_is_the_difference_to_the_standalone_wording() -> None:
    figures = summarise([outcome("typo", 1, 1), outcome("typo", 0.5, 1)])
    assert figures["condensed recall"].value == 0.75
    assert figures["lost"].value == 0.25
    assert figures["lost"].low <= 0.25 <= figures["lost"].high


def test_the_table_has_a_row_for_each_kind_and_one_for_all() -> None:
    table = to_markdown([outcome("typo", 1, 1), outcome("short", 0, 1)])
    assert "| short | 1 | 0.000 | 1.000 |" in table
    assert "| typo | 1 | 1.000 | 1.000 |" in table
    assert "| all | 2 | 0.500 [0.000, 1.000] |" in table


def test_a_broken_line_is_named(tmp_path) -> None:
    path = tmp_path / "conversations.jsonl"
    path.write_text('{"case_id": "a"}\n')
    with pytest.raises(DatasetError, match=r"conversations.jsonl:1"):
        load_conversations(path)
    with pytest.raises(DatasetError, match="has no conversations"):
        load_conversations(split="test")
