"""The topics of the census keep the promises of their README, and its figures mean what they say."""

import gzip
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from eval.benchmarks.census import (
    RESULT,
    Outcome,
    RecordedReader,
    Topic,
    fit,
    judge,
    load_topics,
    summarise,
)
from rag.answering.census import Criteria, Judged
from rag.answering.census_topic import census_topic
from rag.embeddings.base import Reading
from rag.records import Chunk, Hit, LegRanks, Paper
from rag.text import Span

ROOT = Path(__file__).parents[4]
TOPICS = load_topics()


@pytest.fixture(scope="module")
def has_abstract() -> dict[str, bool]:
    with gzip.open(ROOT / "seeds" / "icml2025" / "papers.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return {row["paper_id"]: bool(row.get("abstract")) for row in rows}


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.topic_id)
def test_each_paper_is_there_and_judged_once(topic: Topic, has_abstract) -> None:
    groups = (topic.yes, topic.borderline, topic.by_title, topic.no)
    assert len(frozenset().union(*groups)) == sum(map(len, groups)) >= 40
    assert frozenset().union(*groups) <= has_abstract.keys()
    assert all(has_abstract[paper_id] for paper_id in topic.yes | topic.borderline)
    assert not any(has_abstract[paper_id] for paper_id in topic.by_title)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.topic_id)
def test_each_question_is_a_census_of_its_topic(topic: Topic) -> None:
    assert census_topic(topic.question) == topic.topic


def test_topics_are_parted_and_of_every_size() -> None:
    assert len({topic.topic_id for topic in TOPICS}) == len(TOPICS) == 36
    for split in ("dev", "test"):
        sizes = sorted(len(topic.yes) for topic in TOPICS if topic.split == split)
        assert len(sizes) == 18
        assert sizes[:2] == [0, 0]
        assert sizes.count(1) >= 2
        assert sizes[-1] > 10


def test_the_code_has_the_measured_criteria() -> None:
    measured = json.loads(RESULT.read_text(encoding="utf-8"))
    assert measured["criteria"] == asdict(Criteria())


def judged(paper_id: str, verdict: str) -> Judged:
    return Judged(Paper(paper_id, "T", "A."), 0.5, 0.5, Span(0, 2), verdict)  # type: ignore[arg-type]


def test_a_census_is_compared_with_the_judgments() -> None:
    topic = Topic(
        "t", "dev", "q", "t", frozenset("abc"), frozenset("d"), frozenset("e"), frozenset("fg")
    )
    made = [
        judged("a", "member"),
        judged("b", "borderline"),
        judged("d", "member"),
        judged("f", "member"),
        judged("x", "member"),
        judged("g", "out"),
    ]
    assert judge(topic, made) == Outcome("t", 3, 4, 1, 1, 1, 1, 1, 6)


def test_the_summary_counts_papers_and_topics() -> None:
    full = Outcome("full", 4, 3, 3, 0, 0, 1, 0, 40)
    empty = Outcome("empty", 0, 1, 0, 1, 0, 0, 0, 40)
    summary = summarise([full, empty])
    assert summary["precision"] == 0.75
    assert summary["recall"] == 0.75
    assert summary["recall_with_borderline"] == 1.0
    assert summary["precision_mean_of_topics"] == 0.5
    assert summary["count_error_mean"] == 1.0
    assert summary["counted_there"] == 1


class CountingReader:
    name = "counting"

    def __init__(self) -> None:
        self.n_read = 0

    def read(self, question, title, text, sentences) -> Reading:
        self.n_read += 1
        return Reading((1.0,) * len(sentences), 0.5, float(title))


def test_what_was_read_once_is_remembered(tmp_path) -> None:
    spans = [Span(0, 2)]
    inner = CountingReader()
    first = RecordedReader(inner, tmp_path / "readings").read("q", "3", "A.", spans)
    again = RecordedReader(inner, tmp_path / "readings").read("q", "3", "A.", spans)
    assert first == again
    assert inner.n_read == 1


def test_the_fit_finds_where_members_begin() -> None:
    papers = [Paper(f"p{n}", str(n - 20), "A.") for n in range(40)]
    hits = [
        Hit(Chunk(p.paper_id, p.paper_id, "A.", 0, 2, 1, "h"), 0.5, 1, LegRanks(), p)
        for p in papers
    ]
    members = frozenset(p.paper_id for p in papers if int(p.title) > 3)
    others = frozenset(p.paper_id for p in papers) - members
    topic = Topic("t", "dev", "q", "t", members, frozenset(), frozenset(), others)
    found = fit([topic], {"t": hits[::-1]}, CountingReader())
    assert found.chance(8) > 0.5 > found.chance(0)
