"""Who says yes to an offer asks for what was offered."""

import pytest

from rag.answering.offers import accepted_offer
from rag.records import Turn

OFFER = "Experts checked every label. [1] Would you like to know how the labels were checked?"


def accept(yes: str, said: str = OFFER) -> str:
    return accepted_offer(yes, [Turn("user", "Who checked?"), Turn("assistant", said)])


@pytest.mark.parametrize(
    "yes",
    ["yes", "Yes!", "yes, please", "Sure.", "ok", "go ahead", "please do", "yeah, go on", "of course",
     "Yes, I would.", "that would be great, thanks"],
)  # fmt: skip
def test_assent_takes_the_offer_up(yes) -> None:
    assert accept(yes) == "how the labels were checked?"


@pytest.mark.parametrize(
    "other", ["no", "no, thanks", "thanks", "thank you!", "", "why?", "Is that true?", "hello",
              "yes, but who paid for it?"]
)  # fmt: skip
def test_all_else_does_not(other) -> None:
    assert accept(other) == ""


@pytest.mark.parametrize(
    ("said", "offered"),
    [
        ("So it is. Shall I compare it with SparseBench?", "compare it with SparseBench?"),
        ("So it is.\n\nDo you want me to explain the detector?", "explain the detector?"),
        ("So it is. [2] Should I tell you about its code?", "about its code?"),
        ("If you like, I can summarise the paper.", "summarise the paper?"),
        ("Would you like more details?", "more details?"),
    ],
)
def test_offers_are_known_by_their_form(said, offered) -> None:
    assert accept("yes", said) == offered


@pytest.mark.parametrize(
    "said",
    ["It was checked twice. [1]", "Would you like to know more? I cannot say.", "",
     "Ask me about the 6 papers:\n- How many wells are there?", "Is it new?",
     "It was checked. [1] May I ask which one you mean?", "Can I help you with anything else?"],
)  # fmt: skip
def test_where_nothing_was_offered_there_is_nothing_to_take_up(said) -> None:
    assert accept("yes", said) == ""


def test_only_the_latest_turn_offers() -> None:
    assert accepted_offer("yes", []) == ""
    assert accepted_offer("yes", [Turn("assistant", OFFER), Turn("user", "hm")]) == ""
