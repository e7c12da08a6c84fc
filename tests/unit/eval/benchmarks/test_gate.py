"""The gate's benchmark: a model that keeps its pace, and a time for every sentence."""

import time

import pytest

from eval.benchmarks.gate import Played, Spent, _Reply, measure, summarise
from eval.planting import Claim
from rag.records import Paper
from rag.tokens import count_tokens

MOSS = Paper("moss", "Watching Moss", "Moss grows slowly. MossNet watches 120 plots of moss.")
FERN = Paper("fern", "Counting Ferns", "Ferns are counted. FrondFormer needs no labels.")
CLAIMS = [
    Claim("moss", "S", (0,), "-", "Moss is said to grow slowly."),
    Claim("moss", "C", (1,), "number", "MossNet watches 90 plots."),
    Claim("fern", "S", (1,), "-", "FrondFormer needs no labels."),
]


class Slow:
    """Takes its time, and supports all."""

    name = "slow"

    def score(self, claim, evidence):
        time.sleep(0.02)
        return [1.0] * len(evidence)


def test_every_sentence_has_its_time_and_every_reply_its_model() -> None:
    rate = 500.0
    played = measure(CLAIMS, {"moss": MOSS, "fern": FERN}, Slow(), tokens_per_s=rate)
    assert [len(reply.sentences) for reply in played] == [2, 1]
    assert [reply.n_dropped for reply in played] == [1, 0]
    assert all(sentence.wall_ms > 0 for sentence in played[0].sentences)
    assert played[1].sentences[0].wall_ms >= 20
    n_tokens = count_tokens("FrondFormer needs no labels [1].")
    assert played[1].model_ms == pytest.approx(1000 * n_tokens / rate, rel=0.3)
    assert played[1].sentences[0].due_ms == pytest.approx(played[1].model_ms)
    assert played[0].sentences[0].due_ms < played[0].sentences[1].due_ms


def test_words_that_are_due_do_not_wait_for_a_late_reader() -> None:
    reply = _Reply("one two three four", tokens_per_s=20.0)
    pieces = iter(reply)
    assert next(pieces) == "one"
    time.sleep(reply.duration_s)
    started = time.perf_counter()
    assert list(pieces) == [" two", " three", " four"]
    assert time.perf_counter() - started < reply.duration_s / 2
    assert reply.finish == "stop"


def test_shares_are_of_all_sentences_together() -> None:
    played = [
        Played((Spent(400, 30, 10), Spent(800, 50, 30)), model_ms=800, n_dropped=1),
        Played((Spent(400, 40, 20),), model_ms=400, n_dropped=0),
    ]
    summary = summarise(played)
    assert (summary.n_replies, summary.n_sentences, summary.n_dropped) == (2, 3, 1)
    assert (summary.model_ms, summary.gate_cpu_ms, summary.gate_wall_ms) == (400, 20, 40)
    assert summary.share_cpu == pytest.approx(0.05)
    assert summary.share_wall == pytest.approx(0.1)
    assert summary.delay_ms == 25


def test_a_gate_that_is_slower_than_the_model_falls_behind() -> None:
    sentences = (Spent(100, 0, 150), Spent(200, 0, 150), Spent(300, 0, 150))
    assert Played(sentences, model_ms=300, n_dropped=0).delay_ms == 250
    quick = (Spent(100, 0, 50), Spent(200, 0, 50))
    assert Played(quick, model_ms=300, n_dropped=0).delay_ms == 0
