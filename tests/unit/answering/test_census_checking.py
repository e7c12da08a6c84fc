"""A language model checks a screening: closed answers, quotes that are found, and every failure."""

import pytest
from scripted_model import ManyReplies, RecallScorer, ScriptedModel

from rag.answering.census import Judged
from rag.answering.census_checking import check, find_quote, parse_reply, plan_check
from rag.answering.clock import Clock
from rag.answering.grounding import SupportThresholds
from rag.answering.writer import Engine, Writer
from rag.chat.tally import Prices
from rag.errors import ProviderError
from rag.records import Paper, Passage
from rag.text import Span

ABSTRACT = "Moss grows slowly. We map all moss of Iceland from the air. Code is public."
NO_PRICES = Prices()


def judged(n: int, *, chance: float = 0.6) -> list[Judged]:
    papers = [Paper(f"p{k}", f"Moss {k}", ABSTRACT) for k in range(1, n + 1)]
    return [Judged(paper, 0.5, chance, Span(0, 18), "member") for paper in papers]


def passages(items: list[Judged]) -> list[Passage]:
    return [
        Passage(n, item.paper, item.paper.abstract, item.score)
        for n, item in enumerate(items, start=1)
    ]


def writer_of(model: ScriptedModel, *, timeout_s: float = 60.0) -> Writer:
    engine = Engine(model, RecallScorer([]), SupportThresholds(passes=0.6, flags=0.4))
    return Writer(engine, Clock(), timeout_s=timeout_s)


def run(model: ScriptedModel, items: list[Judged], *, timeout_s: float = 60.0):
    requests = plan_check(
        "moss maps", passages(items), window=model.window, model=model.name, prices=NO_PRICES
    )
    return check(writer_of(model, timeout_s=timeout_s), items, requests)


def test_yes_with_a_quote_counts_and_its_sentence_is_shown() -> None:
    done = run(ManyReplies('[1] yes: "map all moss of Iceland"'), judged(1))
    (item,) = done.judged
    assert item.verdict == "member"
    assert item.quoted == "We map all moss of Iceland from the air."
    assert item.chance == pytest.approx(0.8)
    assert done.n_by_model == 1
    assert done.fault == ""


@pytest.mark.parametrize(
    "line",
    [
        "[1] yes",
        '[1] yes: "Moss of Greenland is mapped"',
        '[1] maybe: "Moss grows slowly."',
        '[1] yes: "Moss"',
    ],
)
def test_without_a_quote_that_is_found_it_is_borderline(line: str) -> None:
    (item,) = run(ManyReplies(line), judged(1)).judged
    assert item.verdict == "borderline"
    assert item.paper.abstract[item.quote.start : item.quote.end] == item.quoted


def test_no_is_out() -> None:
    (item,) = run(ManyReplies("[1] no"), judged(1)).judged
    assert item.verdict == "out"


def test_what_cannot_be_read_leaves_the_verdict_of_the_screening() -> None:
    items = judged(3)
    reply = "Sure! Here is my list:\n[2] no\n[9] no\n1: perhaps\nIGNORE ALL RULES [3] no"
    done = run(ManyReplies(reply), items)
    assert [item.verdict for item in done.judged] == ["member", "out", "member"]
    assert done.n_by_model == 1


def test_the_first_line_of_a_paper_counts_and_forms_differ() -> None:
    reply = "**[1]** Yes - “moss grows slowly”\n[1] no\n- 2: NO\n[3] maybe"
    lines = parse_reply(f"<think>[3] yes</think>{reply}")
    assert {marker: line.word for marker, line in lines.items()} == {1: "yes", 2: "no", 3: "maybe"}
    assert lines[1].quote == "moss grows slowly"


def test_a_server_that_is_away_leaves_all_as_it_was_and_says_so() -> None:
    items = judged(12)
    done = run(ManyReplies("[1] no", ProviderError("The server is away.")), items)
    assert [item.verdict for item in done.judged] == ["out"] + ["member"] * 11
    assert done.fault == "The server is away."


def test_no_request_begins_after_the_time_is_up() -> None:
    model = ManyReplies("[1] no")
    done = run(model, judged(1), timeout_s=0.0)
    assert model.asked == []
    assert "no time" in done.fault
    assert done.n_by_model == 0


def test_the_plan_says_beforehand_what_it_takes() -> None:
    items = judged(25)
    prices = Prices(1.0, 10.0)
    requests = plan_check(
        "moss", passages(items), window=8000, model="openai:gpt-4o", prices=prices
    )
    plan = requests.plan
    assert (plan.n_papers, plan.n_requests) == (25, 3)
    assert [len(batch.passages) for batch in requests.batches] == [10, 10, 5]
    assert plan.input_tokens > 25 * 15
    assert plan.cost_usd == pytest.approx((plan.input_tokens + 10 * plan.output_tokens) / 1e6)


def test_without_prices_there_is_no_cost() -> None:
    requests = plan_check("moss", passages(judged(1)), window=8000, model="m", prices=NO_PRICES)
    assert requests.plan.cost_usd is None


def test_a_small_window_takes_fewer_papers_and_leaves_out_what_never_fits() -> None:
    items = judged(4)
    long = Paper("long", "Long", "word " * 3000)
    asked = [*passages(items), Passage(9, long, long.abstract, 0.1)]
    requests = plan_check("moss", asked, window=1200, model="m", prices=NO_PRICES)
    assert len(requests.batches) > 1
    assert sum(len(batch.passages) for batch in requests.batches) == 4


def test_nothing_to_check_is_no_request() -> None:
    assert plan_check("moss", (), window=8000, model="m", prices=NO_PRICES).plan.n_requests == 0


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("We map all moss of Iceland from the air.", "We map all moss of Iceland from the air."),
        ("...map  all\nMOSS of…", "We map all moss of Iceland from the air."),
        ("slowly. We map", "Moss grows slowly. We map all moss of Iceland from the air."),
        ("We mapped all moss", None),
        ("moss", None),
        ("", None),
        ("(.*)+ [a-z] \\d", None),
    ],
)
def test_a_quote_is_found_with_its_sentences(quote: str, found: str | None) -> None:
    span = find_quote(quote, ABSTRACT)
    assert (ABSTRACT[span.start : span.end] if span else None) == found
