"""The papers of a conversation are found by what answers cite, else by what was asked."""

import pytest

from rag.answering.conversation import Conversation
from rag.answering.history import Exchange
from rag.answering.pointing import read_number
from rag.records import Paper
from rag.text import search_terms

LASER = Paper("laser", "LASER: Attention with Exponential Transformation", "LASER attends fast.")
BAX = Paper("bax", "BaxBench: Can LLMs Generate Secure Backends?", "BaxBench tests backends.")
WELLS = Paper("wells", "Counting Oil Wells from Orbit", "213,000 wells leak methane in Alberta.")
MUSIC = Paper("music", "Composing Melodies", "Rotary embeddings help to generate music.")
PAPERS = (LASER, BAX, WELLS, MUSIC)
CITED = "It attends fast. [1]"
LIST = "BaxBench tests backends. [1]\n\n213,000 wells leak methane. [2]"


class Resolver:
    """Finds the paper that shares the most terms, if only one does, and remembers the texts."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str) -> Paper | None:
        self.asked.append(text)
        shared = {
            p.paper_id: len(set(search_terms(text)) & set(search_terms(f"{p.title} {p.abstract}")))
            for p in PAPERS
        }
        best = max(shared.values())
        found = [paper for paper in PAPERS if shared[paper.paper_id] == best]
        return found[0] if best and len(found) == 1 else None


@pytest.fixture
def resolve() -> Resolver:
    return Resolver()


def ids(papers) -> list[str]:
    return [paper.paper_id for paper in papers]


def test_a_pronoun_stands_for_what_the_last_answer_cites(resolve) -> None:
    conversation = Conversation([Exchange("Which attention is fast?", CITED)], resolve)
    assert ids(conversation.subject("Does it scale?").things) == ["laser"]
    assert resolve.asked == ["It attends fast."]


def test_without_an_answer_the_question_says_what_it_is_about(resolve) -> None:
    conversation = Conversation([Exchange("What is LASER attention?")], resolve)
    assert ids(conversation.subject("Does it scale?").things) == ["laser"]


def test_a_question_about_one_paper_is_about_the_first_that_is_cited(resolve) -> None:
    conversation = Conversation([Exchange("How are backends tested?", LIST)], resolve)
    assert ids(conversation.subject("Does it scale?").things) == ["bax"]


def test_a_question_about_several_is_about_all_that_are_cited(resolve) -> None:
    conversation = Conversation([Exchange("Which papers count or test things?", LIST)], resolve)
    assert ids(conversation.subject("Does it scale?").things) == ["bax", "wells"]


def test_several_are_pointed_at_whatever_was_asked(resolve) -> None:
    conversation = Conversation([Exchange("How are backends tested?", LIST)], resolve)
    assert ids(conversation.subject("Which of them is newer?").things) == ["bax", "wells"]


def test_both_are_the_last_two_papers_where_no_answer_has_two(resolve) -> None:
    asked = [Exchange("What is BaxBench?"), Exchange("Do oil wells leak in Alberta?")]
    assert ids(Conversation(asked, resolve).subject("Do both have code?").things) == [
        "bax",
        "wells",
    ]


def test_the_sides_of_a_comparison_are_found_each(resolve) -> None:
    conversation = Conversation([Exchange("Compare LASER and Counting Oil Wells")], resolve)
    assert ids(conversation.subject("Which one is older?").things) == ["laser", "wells"]


def test_a_follow_up_between_keeps_the_papers(resolve) -> None:
    asked = [Exchange("What is LASER attention?"), Exchange("Does it scale?"), Exchange("why?")]
    assert ids(Conversation(asked, resolve).subject("And on CIFAR?").things) == ["laser"]


def test_a_sentence_that_fits_many_papers_is_read_after_its_question(resolve) -> None:
    exchange = Exchange("Do oil wells leak in Alberta?", "The code is public. [1]")
    assert ids(Conversation([exchange], resolve).subject("How much?").things) == ["wells"]


def test_without_a_clear_paper_the_topic_is_the_question_that_began_it() -> None:
    asked = [Exchange("What is the capital of France?"), Exchange("and its mayor?")]
    subject = Conversation(asked, lambda text: None).subject("why?")
    assert subject.things == ()
    assert subject.topic == "What is the capital of France?"


@pytest.mark.parametrize(
    ("words", "paper"),
    [
        ("the first one", "bax"),
        ("the second paper", "wells"),
        ("the latter", "wells"),
        ("the former", "bax"),
        ("[2]", "wells"),
        ("number 1", "bax"),
    ],
)
def test_places_count_in_the_latest_list(resolve, words, paper) -> None:
    asked = [Exchange("What is LASER attention?", CITED), Exchange("Which papers test?", LIST),
             Exchange("Does the first one scale?", "BaxBench tests backends. [1]")]  # fmt: skip
    conversation = Conversation(asked, resolve)
    pointer = read_number(f"{words}?")
    # A marker belongs to the answer before, a place to the latest list.
    if pointer.kind == "marker":
        conversation = Conversation(asked[:2], resolve)
    assert conversation.pointed(pointer).paper_id == paper


def test_the_other_one_is_the_one_that_was_not_spoken_of(resolve) -> None:
    asked = [Exchange("Which papers test?", LIST),
             Exchange("Does the first one scale?", "BaxBench tests backends. [1]")]  # fmt: skip
    pointer = read_number("And the other one?")
    assert Conversation(asked, resolve).pointed(pointer) is WELLS


def test_a_place_that_is_not_there_points_nowhere(resolve) -> None:
    conversation = Conversation([Exchange("Which papers test?", LIST)], resolve)
    assert conversation.pointed(read_number("And the third one?")) is None
    assert conversation.pointed(read_number("And [7]?")) is None


def test_the_first_we_talked_about_counts_from_the_beginning(resolve) -> None:
    asked = [Exchange("What is LASER attention?", CITED), Exchange("Which papers test?", LIST)]
    pointer = read_number("Does the first paper we talked about scale?")
    assert Conversation(asked, resolve).pointed(pointer) is LASER


def test_a_description_finds_a_paper_of_the_conversation(resolve) -> None:
    asked = [Exchange("What helps to generate music?"), Exchange("Which papers test?", LIST)]
    conversation = Conversation(asked, resolve)
    assert conversation.described("the music").things == (MUSIC,)
    assert conversation.described("oil wells").things == (WELLS,)
    assert conversation.described("oil wells", but=[WELLS]) is None
    assert conversation.described("graph neural") is None
    assert conversation.described("the paper") is None


def test_a_description_finds_a_question_whose_paper_is_not_clear() -> None:
    conversation = Conversation([Exchange("Who watches objects fall?")], lambda text: None)
    assert conversation.described("falling objects").topic == "Who watches objects fall?"


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("Do wells leak methane?", False),
        ("Is the methane counted?", False),
        ("Do neurons leak in spiking networks?", True),
        ("What is methane?", True),
        ("Which papers study methane?", True),
        ("Does BaxBench count methane?", True),
        ("How do language models reason about graphs?", True),
    ],
)
def test_a_few_words_that_were_all_said_before_lean(resolve, question, alone) -> None:
    asked = [Exchange("How many oil wells are there?", "213,000 wells leak methane. [1]")]
    assert Conversation(asked, resolve).stands_alone(question) is alone


def test_a_paper_is_called_as_the_user_called_it(resolve) -> None:
    conversation = Conversation([Exchange("What does BaxBench test?")], resolve)
    assert conversation.name_of(BAX) == "BaxBench"
    assert conversation.name_of(WELLS) == ""


def test_no_text_is_looked_up_twice(resolve) -> None:
    conversation = Conversation([Exchange("Which papers test?", LIST)] * 3, resolve)
    conversation.subject("Which of them is newer?")
    conversation.described("the music")
    assert len(resolve.asked) == len(set(resolve.asked))
