"""Why a reply ended, and what it used, by the words of many providers."""

import pytest
from langchain_core.messages import AIMessageChunk

from rag.chat.base import Message
from rag.chat.tally import Prices, Tally, counted_here, finish_of
from rag.records import Usage


def chunk(text: str = "", usage: tuple[int, int] | None = None, **metadata: str) -> AIMessageChunk:
    counted = usage and {
        "input_tokens": usage[0],
        "output_tokens": usage[1],
        "total_tokens": sum(usage),
    }
    return AIMessageChunk(text, usage_metadata=counted, response_metadata=metadata)


def tally_of(*chunks: AIMessageChunk, repeats_usage: bool = False) -> Tally:
    tally = Tally(repeats_usage=repeats_usage)
    for item in chunks:
        tally.add(item)
    return tally


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("end_turn", "stop"),
        ("STOP", "stop"),
        ("COMPLETE", "stop"),
        ("length", "length"),
        ("max_tokens", "length"),
        ("MAX_TOKENS", "length"),
        ("content_filter", "content_filter"),
        ("SAFETY", "content_filter"),
        ("refusal", "content_filter"),
    ],
)
def test_reasons_of_many_providers(reason: str, finish: str) -> None:
    assert finish_of(reason) == finish


@pytest.mark.parametrize("key", ["finish_reason", "stop_reason", "done_reason", "stopReason"])
def test_the_reason_is_found_under_every_name(key: str) -> None:
    assert tally_of(chunk("Word", **{key: "length"})).finish == "length"


def test_no_reason_is_no_finish() -> None:
    assert tally_of(chunk("Word")).finish == ""


def test_parts_of_a_usage_are_added() -> None:
    tally = tally_of(chunk("One", (20, 0)), chunk(" two", (0, 9)))
    assert tally.usage(Prices()) == Usage(20, 9, "provider")


def test_totals_so_far_are_not_added() -> None:
    chunks = [chunk("One", (20, 1)), chunk(" two", (20, 2)), chunk("", (20, 2))]
    assert tally_of(*chunks, repeats_usage=True).usage(Prices()) == Usage(20, 2, "provider")


@pytest.mark.parametrize("usage", [None, (0, 0), (20, 0)])
def test_a_usage_that_cannot_be_is_none(usage: tuple[int, int] | None) -> None:
    assert tally_of(chunk("Word", usage)).usage(Prices()) is None


def test_text_in_blocks_is_text() -> None:
    blocks = [{"type": "text", "text": "One"}, {"type": "text", "text": " two"}]
    assert Tally(repeats_usage=False).add(AIMessageChunk(blocks)) == "One two"


def test_white_space_is_kept_after_the_first_word() -> None:
    tally = Tally(repeats_usage=False)
    assert [tally.add(chunk(text)) for text in ["\n", " ", " A", " ", "\n"]] == [
        "",
        "",
        "A",
        " ",
        "\n",
    ]


def test_half_a_character_at_the_end_is_dropped() -> None:
    tally = Tally(repeats_usage=False)
    assert [tally.add(chunk(text)) for text in ["A\ud83d", "B\udc00", "\ud83d"]] == ["A", "B", ""]


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        (Prices(1.0, 4.0), 6e-6),
        (Prices(0.0, 0.0), 0.0),
        (Prices(1.0, None), None),
        (Prices(), None),
    ],
)
def test_a_cost_needs_both_prices(prices: Prices, cost: float | None) -> None:
    assert prices.cost_usd(2, 1) == (cost if cost is None else pytest.approx(cost))


def test_counting_here_says_so() -> None:
    usage = counted_here(
        [Message("user", "hello world")], "hello", encoding="o200k_base", prices=Prices()
    )
    assert usage == Usage(6, 1, "us")
