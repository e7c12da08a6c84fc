"""What the gate adds to the time of a language model, sentence by sentence.

    python -m eval.benchmarks.gate [--limit N] [--out FILE]

A model is played that writes 50 tokens a second: claims about one paper, honest ones and false ones,
with the papers beside it as further sources. The gate judges them while the model writes on, as in
the product. Its time a sentence is given by wall and by processor time, the latter being what an
idle core needs, and as a share of the model's own time for the sentence. Claims that their source
contradicts or does not state are looked for in the others, too, so that a reply with three false
claims in five, as here, is harder than most.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from eval.machine import describe_machine
from eval.planting.claims import Claim, load_claims
from rag.answering import generative
from rag.answering.citations import Draft
from rag.answering.clock import Clock
from rag.answering.grounding import SupportThresholds
from rag.answering.support import SupportScorer
from rag.chat.base import Finish, Message
from rag.corpus import load_corpus
from rag.embeddings.judge import LocalJudge
from rag.records import Paper, Passage, Query, Usage
from rag.tokens import count_tokens

_DATA = Path(__file__).parents[1] / "datasets" / "calibration"
TOKENS_PER_S = 50.0
N_SOURCES = 6
_WINDOW = 100_000


@dataclass(frozen=True, slots=True)
class Spent:
    """What one sentence took; milliseconds."""

    due_ms: float
    """When the model had written what the gate needs, since its first token was due."""
    wall_ms: float
    cpu_ms: float


@dataclass(frozen=True, slots=True)
class Played:
    """One reply: its sentences before the gate, and the model's own time."""

    sentences: tuple[Spent, ...]
    model_ms: float
    """Of the whole reply."""
    n_dropped: int

    @property
    def delay_ms(self) -> float:
        """From the model's last token to the end of the answer, with an idle core for the gate."""
        done_ms = 0.0
        for sentence in self.sentences:
            done_ms = max(done_ms, sentence.due_ms) + sentence.cpu_ms
        return max(0.0, done_ms - self.model_ms)


@dataclass(frozen=True, slots=True)
class Summary:
    """All replies together; times in milliseconds, medians unless they are called otherwise."""

    n_replies: int
    n_sentences: int
    n_dropped: int
    tokens_per_s: float
    model_ms: float
    """The model's own time for a sentence, the mean of all."""
    gate_cpu_ms: float
    gate_cpu_ms_p90: float
    gate_wall_ms: float
    share_cpu: float
    """Processor time of the gate by the model's own time, over all sentences."""
    share_wall: float
    delay_ms: float
    """What a reader waits for the end of an answer beyond the model's last token, see ``Played``."""


def measure(
    claims: Sequence[Claim],
    papers: Mapping[str, Paper],
    scorer: SupportScorer,
    *,
    tokens_per_s: float = TOKENS_PER_S,
) -> list[Played]:
    """Play one reply for each paper; one that is not counted goes first, to load the judge."""
    by_paper = itertools.groupby(claims, key=lambda claim: claim.paper_id)
    replies = [(papers[paper_id], [*group]) for paper_id, group in by_paper]
    order = list(papers)
    played = []
    for paper, said in [replies[0], *replies]:
        start = order.index(paper.paper_id)
        sources = [papers[order[(start + n) % len(order)]] for n in range(N_SOURCES)]
        played.append(_play(said, sources, scorer, tokens_per_s))
    return played[1:]


def _play(
    claims: Sequence[Claim], sources: Sequence[Paper], scorer: SupportScorer, tokens_per_s: float
) -> Played:
    passages = [Passage(n, paper, paper.abstract, 1.0) for n, paper in enumerate(sources, 1)]
    text = " ".join(f"{claim.text.rstrip('. ')} [1]." for claim in claims)
    question = f"What is said in {sources[0].title}?"
    model = _Model(text, tokens_per_s)
    clock = _Stopwatch(model.reply)
    written = generative.write(
        model,
        Query(question, question),
        passages,
        scorer,
        SupportThresholds(),
        clock,
        timeout_s=600.0,
    )
    items = list(written)
    n_dropped = sum(not isinstance(item, Draft) for item in items[:-1])
    return Played(tuple(clock.gate), 1000 * model.reply.duration_s, n_dropped)


class _Stopwatch(Clock):
    """Also keeps each time before the gate for itself."""

    def __init__(self, reply: _Reply) -> None:
        super().__init__()
        self._reply = reply
        self.gate: list[Spent] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        with super().stage(name):
            yield
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if name == "gate":
            self.gate.append(Spent(1000 * self._reply.written_s, 1000 * wall, 1000 * cpu))


class _Reply:
    """Words that come when they are due, however late they are taken."""

    usage = Usage()

    def __init__(self, text: str, tokens_per_s: float) -> None:
        self._words = re.findall(r"\s*\S+", text)
        self._due_s = [count_tokens(word) / tokens_per_s for word in self._words]
        self.duration_s = sum(self._due_s)
        self.written_s = 0.0
        """When the last word that was taken was due, since the first token."""
        self.finish: Finish = ""

    def __iter__(self) -> Iterator[str]:
        started = time.perf_counter()
        for word, seconds in zip(self._words, self._due_s, strict=True):
            self.written_s += seconds
            time.sleep(max(0.0, started + self.written_s - time.perf_counter()))
            yield word
        self.finish = "stop"

    def close(self) -> None:
        """There is no connection."""


class _Model:
    name = "played:model"
    window = _WINDOW

    def __init__(self, text: str, tokens_per_s: float) -> None:
        self.reply = _Reply(text, tokens_per_s)

    def stream(self, messages: Sequence[Message], *, timeout_s: float) -> _Reply:  # noqa: ARG002
        return self.reply


def summarise(played: Sequence[Played]) -> Summary:
    """Add up all replies."""
    spent = [sentence for reply in played for sentence in reply.sentences]
    model_ms = sum(reply.model_ms for reply in played)
    by_cpu = sorted(sentence.cpu_ms for sentence in spent)
    return Summary(
        n_replies=len(played),
        n_sentences=len(spent),
        n_dropped=sum(reply.n_dropped for reply in played),
        tokens_per_s=TOKENS_PER_S,
        model_ms=model_ms / len(spent),
        gate_cpu_ms=statistics.median(by_cpu),
        gate_cpu_ms_p90=by_cpu[int(0.9 * (len(by_cpu) - 1))],
        gate_wall_ms=statistics.median(sentence.wall_ms for sentence in spent),
        share_cpu=sum(by_cpu) / model_ms,
        share_wall=sum(sentence.wall_ms for sentence in spent) / model_ms,
        delay_ms=statistics.median(reply.delay_ms for reply in played),
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Measure on the claims of the calibration set and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmarks.gate")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="how many papers")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the result here too")
    arguments = parser.parse_args(argv)
    papers = {paper.paper_id: paper for paper in load_corpus(_DATA / "papers.jsonl").papers}
    claims = load_claims(_DATA / "claims.jsonl", papers)
    chosen = set(list(papers)[: arguments.limit])
    claims = tuple(claim for claim in claims if claim.paper_id in chosen)
    report = asdict(summarise(measure(claims, papers, LocalJudge())))
    text = json.dumps(report | {"machine": describe_machine()}, indent=1) + "\n"
    sys.stdout.write(text)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
