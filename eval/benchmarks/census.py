"""How well a census finds the papers on a topic among all of ICML 2025, and its weights.

    python -m eval.benchmarks.census --readings FILE [--corpus NAME] [--fit]

The topics of ``eval/datasets/census.jsonl`` are asked as the product asks them without a language
model. ``--readings`` keeps what the reader says of each paper, so that a second run need not read
again. Written to ``census.json``. ``--fit`` chooses the weights anew, on the development topics,
and says them; they are copied into ``rag/answering/census.py`` by hand.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from eval.calibration.fit import logistic
from rag.answering.census import N_FIRST, N_LAST, Criteria, Judged, screen
from rag.answering.reading import read_papers
from rag.embeddings.base import Reader, Reading
from rag.factory import make_embedder, make_reader, open_library
from rag.records import Filters, Hit
from rag.retrieval.hybrid import HybridRetriever
from rag.settings import Settings
from rag.text import Span

TOPICS = Path(__file__).parents[1] / "datasets" / "census.jsonl"
RESULT = Path(__file__).with_suffix(".json")
_log = logging.getLogger("eval.benchmarks.census")


@dataclass(frozen=True, slots=True)
class Topic:
    """A question for all papers of a kind, and which ones are."""

    topic_id: str
    split: str
    question: str
    topic: str
    yes: frozenset[str]
    borderline: frozenset[str]
    by_title: frozenset[str]
    """Those whose title says that they belong, and whose abstract is not in the collection."""
    no: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a census made of one topic. Borderline papers by hand count neither way."""

    topic_id: str
    n_yes: int
    n_counted: int
    n_right: int
    n_wrong: int
    """Counted, and no member by hand."""
    n_unjudged: int
    """Counted, and judged by nobody: they were not in the pool."""
    n_yes_borderline: int
    """Members by hand that are named as borderline."""
    n_yes_unread: int
    """Members by hand that were not read."""
    n_considered: int


class RecordedReader:
    """A reader that remembers what it said.

    Args:
        reader: Is asked what is not recorded.
        path: One JSON list a line: question, title, about, answerable, sentences.
    """

    def __init__(self, reader: Reader, path: Path) -> None:
        self.name = reader.name
        self._reader = reader
        self._path = path
        self._known: dict[tuple[str, str], Reading] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            question, title, about, answerable, sentences = json.loads(line)
            self._known[question, title] = Reading(tuple(sentences), answerable, about)
        self.read_ms: list[float] = []
        """How long each paper took that was read now."""

    def read(self, question: str, title: str, text: str, sentences: Sequence[Span]) -> Reading:
        """Read one text; see ``Reader``."""
        known = self._known.get((question, title))
        if known is not None and len(known.sentences) == len(sentences):
            return known
        started = time.process_time()
        reading = self._reader.read(question, title, text, sentences)
        self.read_ms.append(1000 * (time.process_time() - started))
        row = [question, title, reading.about, reading.answerable, list(reading.sentences)]
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        return reading


def load_topics(path: Path = TOPICS) -> list[Topic]:
    """The topics in the order of the file."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Topic(
            row["topic_id"],
            row["split"],
            row["question"],
            row["topic"],
            *(frozenset(row[name]) for name in ("yes", "borderline", "by_title", "no")),
        )
        for row in rows
    ]


def judge(topic: Topic, judged: Sequence[Judged]) -> Outcome:
    """Compare a census with what was judged by hand."""
    counted = {item.paper.paper_id for item in judged if item.verdict == "member"}
    apart = {item.paper.paper_id for item in judged if item.verdict == "borderline"}
    read = {item.paper.paper_id for item in judged}
    known = topic.yes | topic.borderline | topic.by_title | topic.no
    return Outcome(
        topic.topic_id,
        len(topic.yes),
        len(counted),
        len(counted & topic.yes),
        len(counted & topic.no),
        len(counted - known),
        len(apart & topic.yes),
        len(topic.yes - read),
        len(judged),
    )


def summarise(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Precision and recall over all papers and as means over topics, and how far counts are off."""
    right = sum(one.n_right for one in outcomes)
    wrong = sum(one.n_wrong + one.n_unjudged for one in outcomes)
    n_yes = sum(one.n_yes for one in outcomes)
    precisions = [
        one.n_right / (one.n_right + one.n_wrong + one.n_unjudged)
        for one in outcomes
        if one.n_right + one.n_wrong + one.n_unjudged
    ]
    off = [abs(one.n_counted - one.n_yes) for one in outcomes]
    empty = [one for one in outcomes if not one.n_yes]
    return {
        "topics": len(outcomes),
        "members": n_yes,
        "precision": round(right / max(1, right + wrong), 3),
        "recall": round(right / max(1, n_yes), 3),
        "recall_with_borderline": round(
            (right + sum(one.n_yes_borderline for one in outcomes)) / max(1, n_yes), 3
        ),
        "precision_mean_of_topics": round(float(np.mean(precisions)), 3),
        "recall_mean_of_topics": round(
            float(np.mean([one.n_right / one.n_yes for one in outcomes if one.n_yes])), 3
        ),
        "count_error_mean": round(float(np.mean(off)), 2),
        "count_error_median": float(np.median(off)),
        "topics_without_members": len(empty),
        "counted_there": sum(one.n_counted for one in empty),
        "papers_read_mean": round(float(np.mean([one.n_considered for one in outcomes])), 1),
    }


def fit(topics: Sequence[Topic], found: Mapping[str, Sequence[Hit]], reader: Reader) -> Criteria:
    """Weights under which the judged papers among the nearest are told apart best."""
    rows, labels = [], []
    for topic in topics:
        for item in read_papers(reader, topic.topic, found[topic.topic_id]):
            paper = item.hit.paper
            if paper.abstract and paper.paper_id in topic.yes | topic.no:
                rows.append([item.reading.about])
                labels.append(float(paper.paper_id in topic.yes))
    about, constant = logistic(np.array(rows), np.array(labels))
    return Criteria(about=round(float(about), 2), constant=round(float(constant), 2))


def search(
    retriever: HybridRetriever, topics: Sequence[Topic], depth: int
) -> dict[str, Sequence[Hit]]:
    """By topic id the nearest papers, as the product searches for them."""
    return {
        topic.topic_id: retriever.search(topic.topic, k=depth, filters=Filters()).hits
        for topic in topics
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Ask all topics, and write what came of it."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmarks.census", description=__doc__)
    parser.add_argument("--corpus", default="icml2025", help="name or path of all ICML 2025 papers")
    parser.add_argument("--readings", type=Path, required=True, help="file to keep readings in")
    parser.add_argument("--fit", action="store_true", help="choose the weights, write nothing")
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    settings = Settings(corpus=arguments.corpus)
    library = open_library(settings, make_embedder(settings))
    reader = RecordedReader(make_reader(settings), arguments.readings)
    topics = load_topics()
    dev = [topic for topic in topics if topic.split == "dev"]
    retriever = library.view().retriever
    if arguments.fit:
        found = search(retriever, dev, N_FIRST + N_LAST)
        _log.info("%s", fit(dev, found, reader))
        return
    found = search(retriever, topics, settings.census_papers)
    outcomes = {
        topic.topic_id: judge(topic, screen(reader, topic.topic, found[topic.topic_id]))
        for topic in topics
    }
    result: dict[str, object] = {"criteria": asdict(Criteria())}
    for split in ("dev", "test"):
        mine = [outcomes[topic.topic_id] for topic in topics if topic.split == split]
        result[split] = summarise(mine)
    # Of single topics only those that were tuned on are listed.
    result["dev_topics"] = [asdict(outcomes[topic.topic_id]) for topic in dev]
    if reader.read_ms:
        result["read_cpu_ms_median"] = round(float(np.median(reader.read_ms)), 1)
    RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    _log.info("%s", json.dumps(result, indent=1))
    library.close()


if __name__ == "__main__":
    main()
