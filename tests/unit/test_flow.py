"""The flow over a conversation: numbers that stay, offers that are taken up, topics that change."""

import json
import re
from dataclasses import asdict

import pytest
from scripted_model import RecallScorer, ScriptedModel

from rag.answer import Answer
from rag.answering.grounding import SupportThresholds
from rag.answering.history import as_turns
from rag.answering.writer import Engine
from rag.records import Turn
from rag.tokens import count_tokens

WELLS = "How many wells are in the Alberta dataset?"
TOPICS = (
    WELLS,
    "How do auctions make the truth the best bid?",
    "Which pruning methods does SparseBench compare?",
    "What does compression halve in federated learning on graphs?",
    "How fast does the world model IRIS train?",
)
WRITTEN = "The data set holds 213,000 wells in Alberta"
OFFER = "Experts checked every label. [3] Would you like to know what the detector finds?"

FORMS = {
    "answers": list,
    "plain answers": lambda answers: json.loads(
        json.dumps([answer.to_dict() for answer in answers])
    ),
    "turns": lambda answers: json.loads(json.dumps([asdict(turn) for turn in as_turns(answers)])),
    "messages": lambda answers: json.loads(
        json.dumps(
            [
                message
                for answer in answers
                for message in (
                    {"role": "user", "content": answer.question},
                    {"role": "assistant", "content": answer.text, "sources": answer.sources},
                )
            ]
        )
    ),
}


class Talker:
    """A model with one reply for each request."""

    name = "scripted:model"
    window = 8000

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.asked: list[str] = []

    def stream(self, messages, *, timeout_s):
        self.asked.append("\n\n".join(message.text for message in messages))
        return ScriptedModel(self.replies.pop(0)).reply


@pytest.fixture
def assistant(open_small, small_index):
    """Reads two papers a question, so that each turn meets new ones."""
    with open_small(small_index, max_passages=2) as assistant:
        yield assistant


@pytest.fixture
def open_with(open_small, small_index, small_papers):
    """Opens an assistant whose model gives these replies, one for each request."""

    def open_with(*replies: str, **settings):
        model = Talker(*replies)
        scorer = RecallScorer(list(small_papers.values()))
        engine = Engine(model, scorer, SupportThresholds(passes=0.4, flags=0.2))
        return open_small(small_index, engine=engine, **settings), model

    return open_with


def converse(assistant, questions, form=list) -> list[Answer]:
    answers: list[Answer] = []
    for question in questions:
        answers.append(assistant.ask(question, history=form(answers)))
    return answers


def check_numbers(answers: list[Answer]) -> dict[int, str]:
    """Every marker means one paper in all answers, in whatever form they are given out."""
    meant: dict[int, str] = {}
    for answer in answers:
        papers = {passage.marker: passage.paper for passage in answer.passages}
        assert len(papers) == len(answer.passages)
        for marker, paper in papers.items():
            assert meant.setdefault(marker, paper.paper_id) == paper.paper_id
        assert all(papers[one.marker] is one.paper for one in answer.citations)
        shown = {int(number) for number in re.findall(r"\[(\d+)\]", answer.text)}
        assert shown == {one.marker for one in answer.citations}
        plain = json.loads(answer.to_json())
        assert dict(map(tuple, plain["sources"])) == {m: p.paper_id for m, p in papers.items()}
        for marker in shown:
            title = papers[marker].title
            assert re.search(
                rf"^\[{marker}\] \[?{re.escape(title)}", answer.to_markdown(), re.MULTILINE
            )
    assert len(set(meant.values())) == len(meant)
    return meant


# Numbers


@pytest.mark.parametrize("form", FORMS)
def test_a_marker_means_one_paper_from_the_first_turn_to_the_tenth(assistant, form) -> None:
    answers = converse(assistant, TOPICS * 2, FORMS[form])
    meant = check_numbers(answers)
    assert {answer.status for answer in answers} == {"answered"}
    assert len(meant) > 2
    assert sorted(meant) == list(range(1, len(meant) + 1))
    for early, late in zip(answers[:5], answers[5:], strict=True):
        assert early.sources == late.sources
        assert early.to_bibtex() == late.to_bibtex()


def test_every_form_of_history_gives_the_same(assistant) -> None:
    texts = [
        [answer.text for answer in converse(assistant, TOPICS, form)] for form in FORMS.values()
    ]
    assert all(text == texts[0] for text in texts)


def test_passages_stay_in_order_of_relevance_whatever_their_numbers(assistant) -> None:
    for later, question in zip(converse(assistant, TOPICS * 2), TOPICS * 2, strict=True):
        fresh = assistant.ask(question)
        assert [item.paper for item in later.passages] == [item.paper for item in fresh.passages]
        assert [item.marker for item in fresh.passages] == [1, 2]
        assert later.papers == fresh.papers


def test_answers_of_which_only_the_text_came_back_keep_the_numbers_that_it_lists(
    assistant,
) -> None:
    history: list[Turn] = []
    meant: dict[int, str] = {}
    for question in TOPICS * 2:
        answer = assistant.ask(question, history=history)
        for one in answer.citations:
            assert meant.setdefault(one.marker, one.paper.paper_id) == one.paper.paper_id
        history += [Turn("user", question), Turn("assistant", answer.to_markdown())]
    assert len(meant) == len(set(meant.values())) >= 4


def test_earlier_questions_alone_have_given_no_numbers(assistant) -> None:
    for history in ([WELLS], [Turn("user", WELLS), Turn("assistant", "213,000 wells. [1]")]):
        answer = assistant.ask(TOPICS[1], history=history)
        assert [passage.marker for passage in answer.passages] == [1, 2]


def test_answers_that_knew_nothing_of_each_other_lose_what_they_disagree_on(assistant) -> None:
    history = [assistant.ask(WELLS), assistant.ask(TOPICS[1])]
    later = assistant.ask(WELLS, history=history)
    numbers = {marker for answer in history for marker, _ in answer.sources}
    assert later.papers == history[0].papers
    assert not numbers & {one.marker for one in later.citations}


def test_a_number_is_not_given_again_when_its_turn_is_too_old_to_be_read(assistant) -> None:
    first, *rest = converse(assistant, TOPICS)
    history = [first, *rest * 125]
    again = assistant.ask(WELLS, history=history)
    assert again.text == first.text
    check_numbers([*history[:5], again])
    assert assistant.ask("And [1]?", history=history).papers == first.papers


def test_not_stated_looks_in_the_paper_by_its_number(assistant) -> None:
    history = converse(assistant, TOPICS)
    answer = assistant.ask("Where does Zeppelin Navigation by Starlight lead?", history=history)
    assert answer.status == "not_stated"
    (marker,) = (item.marker for item in answer.passages if item.paper is answer.papers[0])
    assert f"[{marker}] Zeppelin" in answer.to_markdown()
    follow_up = assistant.ask("And who wrote it?", history=[*history, answer])
    assert "Zeppelin" in follow_up.standalone_question
    check_numbers([*history, answer, follow_up])


def test_a_model_is_given_the_numbers_of_the_conversation(open_with) -> None:
    earlier = Turn("assistant", "So it is. [4]", ((1, "sparse"), (4, "wells"), (901, "iris")))
    replies = (WELLS, f"{WRITTEN} [4]. Experts checked every label twice [1].")
    assistant, model = open_with(*replies, max_passages=3)
    with assistant:
        answer = assistant.ask(WELLS, history=[earlier])
    prompt = model.asked[-1]
    assert "source [4] ===\nTitle: Counting Wells from Orbit" in prompt
    numbers = [passage.marker for passage in answer.passages]
    assert f"The numbers of your sources are {', '.join(map(str, numbers))}." in prompt
    assert numbers[0] == 4
    assert all(number in (1, 901) or number > 901 for number in numbers[1:])
    assert {one.marker for one in answer.citations} == {4}
    check_numbers([answer])


def test_a_copied_example_number_is_never_a_paper_of_the_prompt(open_with) -> None:
    earlier = Turn("assistant", "So it is. [901]", ((901, "wells"), (902, "sparse")))
    assistant, model = open_with(WELLS, f"{WRITTEN} [903].")
    with assistant:
        answer = assistant.ask(WELLS, history=[earlier])
    rules, _, request = model.asked[-1].partition("The numbers of your sources are")
    examples = {int(number) for number in re.findall(r"\[(\d+)\]", rules)}
    assert examples
    assert not examples & {passage.marker for passage in answer.passages}
    assert "source [901] ===\nTitle: Counting Wells" in request
    assert {one.marker for one in answer.citations} <= {901}


def test_five_hundred_turns_keep_the_prompts_bounded(open_with, assistant) -> None:
    history = converse(assistant, TOPICS) * 100
    talker, model = open_with(WELLS, f"{WRITTEN} [1].")
    with talker:
        answer = talker.ask("And how many?", history=history)
    assert len(model.asked) == 2
    assert max(map(count_tokens, model.asked)) < model.window
    check_numbers([*history[:5], answer])


# Offers


@pytest.mark.parametrize("yes", ["yes", "Yes, please!", "ok", "go ahead"])
def test_yes_to_an_offer_goes_on_with_the_sources_of_the_offer(assistant, yes) -> None:
    history = [Turn("user", "Who checked the labels?"), Turn("assistant", OFFER, ((3, "wells"),))]
    answer = assistant.ask(yes, history=history)
    assert answer.standalone_question == (
        "what the detector finds, in “Counting Wells from Orbit”?"
    )
    assert [paper.paper_id for paper in answer.papers] == ["wells"]
    assert {one.marker for one in answer.citations} == {3}
    further = assistant.ask("And who checked them?", history=[*history, answer])
    assert [paper.paper_id for paper in further.papers] == ["wells"]


def test_yes_to_an_offer_of_a_named_paper_goes_to_that_paper(assistant) -> None:
    offer = "So it is. [1] Would you like to know what SparseBench says about speech?"
    answer = assistant.ask("yes", history=[WELLS, Turn("assistant", offer, ((1, "wells"),))])
    assert [paper.paper_id for paper in answer.papers] == ["sparse"]
    assert {one.marker for one in answer.citations}.isdisjoint({1})


def test_yes_to_nothing_is_small_talk(assistant) -> None:
    for history in ([], [WELLS], [assistant.ask(WELLS)]):
        answer = assistant.ask("yes", history=history)
        assert "Ask me about" in answer.text
        assert answer.passages == ()


def test_a_model_may_take_the_offer_up(open_with) -> None:
    assistant, model = open_with("What does the detector find?", "NOT_STATED")
    history = [Turn("user", "Who checked?"), Turn("assistant", OFFER, ((3, "wells"),))]
    with assistant:
        answer = assistant.ask("yes", history=history)
    assert answer.standalone_question == "What does the detector find?"
    assert "Would you like to know" in model.asked[0]
    assert (3, "wells") in answer.sources


# Topics


@pytest.mark.parametrize("question", TOPICS[1:])
def test_a_new_topic_has_its_own_sources_alone(assistant, question) -> None:
    history = converse(assistant, [WELLS, "And who checked the labels?"])
    fresh, later = assistant.ask(question), assistant.ask(question, history=history)
    assert later.standalone_question == question
    assert later.papers == fresh.papers
    assert [one.quote for one in later.citations] == [one.quote for one in fresh.citations]
    assert {one.marker for one in later.citations}.isdisjoint(
        {one.marker for answer in history for one in answer.citations}
    )
