"""Questions for all papers of a kind, through the main flow."""

from contextlib import closing

import pytest
from scripted_model import ManyReplies, RecallScorer

from rag.answering.grounding import SupportThresholds
from rag.answering.writer import Engine
from rag.errors import ProviderError
from rag.records import Filters, Retrieved

QUESTION = "Which papers speak of wells or of pruning?"


@pytest.fixture
def ask_with(open_small, small_index, small_papers):
    """Asks a question of an assistant whose model gives these replies."""

    def ask_with(question, *replies):
        scorer = RecallScorer(list(small_papers.values()))
        model = ManyReplies(*replies)
        engine = Engine(model, scorer, SupportThresholds(passes=0.4, flags=0.2))
        with open_small(small_index, engine=engine) as assistant:
            return list(assistant.stream(question)), model

    return ask_with


def test_a_census_lists_and_counts(small_assistant) -> None:
    answer = small_assistant.ask(QUESTION)
    assert answer.census is not None
    assert {one.paper.paper_id for one in answer.census.members} == {"wells", "sparse"}
    assert answer.text.startswith("2 of the 6 papers of small match “wells or of pruning”. [1][2]")
    assert answer.census.n_screened == 6


def test_a_census_keeps_to_the_filters(small_assistant) -> None:
    answer = small_assistant.ask(QUESTION, filters=Filters(presentation=("oral",)))
    assert answer.census is not None
    assert [one.paper.paper_id for one in answer.census.members] == ["wells"]
    assert answer.census.n_screened == 1


def test_no_paper_is_an_honest_zero(small_assistant) -> None:
    answer = small_assistant.ask("How many papers study volcanoes?")
    assert answer.status == "not_in_corpus"
    assert answer.census is not None
    assert answer.census.count == 0
    assert answer.notice.startswith("None of the 6 papers of small clearly matches “volcanoes”.")


@pytest.mark.parametrize(
    "question", ["How many wells are in the Alberta dataset?", "hello", "Who wrote SparseBench?"]
)
def test_other_questions_take_no_census(small_assistant, question) -> None:
    assert small_assistant.ask(question).census is None


def test_no_more_papers_are_read_than_the_setting_says(open_small, small_index) -> None:
    with open_small(small_index, census_papers=1) as assistant:
        census = assistant.ask(QUESTION).census
    assert (census.n_screened, census.n_considered) == (6, 1)


def test_a_model_checks_what_was_found(ask_with) -> None:
    quote = "We release a dataset of 213,000 wells in Alberta"
    reply = "\n".join(f'[{n}] yes: "{quote}"' for n in range(1, 7))
    events, model = ask_with(QUESTION, reply)
    assert isinstance(events[0], Retrieved)
    assert events[0].plan.n_requests == len(model.asked) == 1
    answer = events[-1].answer
    assert answer.model == "scripted:model"
    assert [one.paper.paper_id for one in answer.census.members] == ["wells"]
    assert "sparse" in {one.paper.paper_id for one in answer.census.borderline}
    (wells,) = answer.census.members
    assert wells.paper.abstract[wells.start : wells.end] == wells.quote
    assert wells.quote.startswith(quote)


def test_where_nothing_comes_near_the_model_is_not_asked(ask_with) -> None:
    events, model = ask_with("How many papers study volcanoes?")
    assert model.asked == []
    assert events[0].plan is None
    assert events[-1].answer.status == "not_in_corpus"


def test_a_model_that_is_away_leaves_the_readers_list_and_says_so(ask_with) -> None:
    events, _ = ask_with(QUESTION, ProviderError("The server is away."))
    answer = events[-1].answer
    assert len(answer.census.members) == 2
    assert answer.notice.endswith("The server is away.")
    assert answer.model == "extractive"


def test_a_census_may_be_broken_off(small_assistant) -> None:
    with closing(small_assistant.stream(QUESTION)) as events:
        assert isinstance(next(events), Retrieved)
