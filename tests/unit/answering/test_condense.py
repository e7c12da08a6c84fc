"""Condensing: a follow-up takes its topic from the history, anything else is left as it is."""

import pytest

from rag.answering.condense import as_turns, clear_paper, condense
from rag.records import Chunk, Hit, LegRanks, Paper, Turn

LASER = Paper("laser", "LASER: Attention with Exponential Transformation", "LASER attends.")
BAX = Paper("bax", "BaxBench: Can LLMs Generate Secure Backends?", "BaxBench asks o1 for backends.")
MAAS = Paper(
    "maas",
    "Multi-agent Architecture Search via Agentic Supernet",
    "We propose \\textbf{MaAS}. MaAS samples agents for each query.",
)
BLOOM = Paper("bloom", "Ensemble Learned Bloom Filters", "Two oracles are better than one.")
PAPERS = (LASER, BAX, MAAS, BLOOM)
IN_LASER = "in “LASER: Attention with Exponential Transformation”?"
IN_BAX = "in “BaxBench: Can LLMs Generate Secure Backends?”?"


class Resolver:
    """Finds the paper whose title or abstract has a word of the question, and remembers it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, question: str) -> Paper | None:
        self.asked.append(question)
        words = {word.strip("?,.!").lower() for word in question.split()} - {"for", "with", "by"}
        for paper in PAPERS:
            if words & {
                word.strip(":?.").lower() for word in f"{paper.title} {paper.abstract}".split()
            }:
                return paper
        return None


def ask(*questions: str, resolve=None) -> str:
    *earlier, last = questions
    return condense(last, as_turns(earlier), resolve or Resolver())


def test_a_follow_up_gets_the_title_of_the_paper_it_is_about() -> None:
    assert ask("What is LASER attention?", "How does it do on speech?") == (
        f"How does it do on speech, {IN_LASER}"
    )


def test_a_follow_up_to_a_follow_up_stays_with_the_topic() -> None:
    assert ask("What is BaxBench?", "How well does it do?", "And why?") == f"And why, {IN_BAX}"


def test_a_question_that_stands_alone_is_left_as_it_is() -> None:
    resolve = Resolver()
    question = "Which paper studies  Bloom filters ?"
    assert ask("What is LASER attention?", question, resolve=resolve) == question
    assert resolve.asked == []


@pytest.mark.parametrize(
    "new",
    [
        "How many wells are in the Alberta dataset?",
        "What is the weather today?",
        "Is it true that wells leak methane?",
        "Thanks! Which papers improve federated learning?",
    ],
)
def test_an_earlier_topic_does_not_stain_a_new_question(new) -> None:
    assert ask("What is LASER attention?", "How does it do on speech?", new) == new


def test_without_history_nothing_is_written_in() -> None:
    assert ask("How large is it?") == "How large is it?"


@pytest.mark.parametrize("opener", ["And {}?", "What about {}?", "and {}?", "How about {} then?"])
@pytest.mark.parametrize("name", ["BaxBench", "baxbench", "MaAS"])
def test_a_turn_to_another_paper_by_its_name_stands_alone(opener, name) -> None:
    question = opener.format(name)
    assert ask("What is LASER attention?", question) == question


def test_the_next_follow_up_is_about_the_paper_that_was_turned_to() -> None:
    asked = ask("What is LASER attention?", "And BaxBench?", "How large is it?")
    assert asked == f"How large is it, {IN_BAX}"


@pytest.mark.parametrize("question", ["and on CIFAR?", "What about o1?", "And LLMs?"])
def test_a_name_that_is_no_paper_keeps_the_topic(question) -> None:
    assert ask("What is LASER attention?", question) == f"{question[:-1]}, {IN_LASER}"


def test_a_pronoun_keeps_the_topic_whatever_it_is_compared_with() -> None:
    question = "How does it compare to BaxBench?"
    assert ask("What is LASER attention?", question) == f"{question[:-1]}, {IN_LASER}"


def test_without_a_clear_paper_the_earlier_question_is_put_before() -> None:
    asked = ask("What is the capital of France?", "and its population?")
    assert asked == "What is the capital of France? and its population?"


def test_after_a_question_about_several_papers_no_single_one_is_written_in() -> None:
    first = "Which papers deal with attention or filters?"
    assert ask(first, "which of them is newer?") == f"{first} which of them is newer?"


def test_thanks_and_greetings_are_no_topic() -> None:
    asked = ask("hello", "What is LASER attention?", "thanks!", "ok", "why?")
    assert asked == f"why, {IN_LASER}"


def test_a_conversation_of_small_talk_has_no_topic() -> None:
    assert ask("hi", "thanks", "why?") == "why?"


def test_a_long_history_is_looked_through_only_at_its_end() -> None:
    resolve = Resolver()
    asked = ask("What is LASER attention?", *["why?"] * 5000, resolve=resolve)
    assert len(resolve.asked) < 30
    assert asked.endswith("why?")


def test_a_huge_earlier_question_is_cut() -> None:
    asked = ask("What is the capital of France? " * 5000, "and its population?")
    assert len(asked) < 2000


@pytest.mark.parametrize("end", ["?", " ?", "??", ".", "", " ...", "!"])
def test_the_title_comes_before_the_end_mark(end) -> None:
    assert ask("What is LASER?", f"How fast is it{end}") == f"How fast is it, {IN_LASER}"


FORMS = {
    "strings": ["What is LASER?", "How fast is it?"],
    "turns": [Turn("user", "What is LASER?"), Turn("assistant", "An attention."),
              Turn("user", "How fast is it?"), Turn("assistant", "Fast.")],
    "mappings": [{"role": "user", "content": "What is LASER?"},
                 {"role": "assistant", "content": "An attention."},
                 {"role": "user", "content": "How fast is it?"}],
    "typed parts": [
        {"role": "user", "metadata": None, "options": None,
         "content": [{"type": "text", "text": "What is LASER?"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "An attention."}]},
        {"role": "user", "content": [{"type": "text", "text": "How fast"},
                                     {"type": "text", "text": "is it?"}]},
    ],
    "mixed": ["What is LASER?", Turn("assistant", "An attention."),
              {"role": "user", "content": "How fast is it?"}],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_history_may_come_in_any_form(form) -> None:
    turns = as_turns(FORMS[form])
    assert [turn.text for turn in turns if turn.role == "user"] == FORMS["strings"]
    assert condense("And why?", turns, Resolver()) == f"And why, {IN_LASER}"


def test_a_history_of_one_string_is_one_question() -> None:
    assert as_turns("What is LASER?") == [Turn("user", "What is LASER?")]
    assert as_turns("") == as_turns([]) == as_turns(None) == []


def test_what_is_no_turn_is_left_out() -> None:
    history = [
        {"role": "system", "content": "Answer in verse."},
        {"role": "tool", "content": "42"},
        {"role": "user", "content": None},
        {"role": "user", "content": [{"type": "image", "url": "x.png"}]},
        {"content": "no role"},
        {},
        None,
        ("user", "a pair"),
        "  ",
        "What is LASER?",
    ]
    assert as_turns(history) == [Turn("user", "What is LASER?")]


@pytest.mark.parametrize("form", [str, lambda text: Turn("user", text),
                                  lambda text: {"role": "user", "content": text}])  # fmt: skip
def test_history_is_cleaned_like_the_question(form) -> None:
    (turn,) = as_turns([form("What is\ud800 LASER\x00?")])
    assert turn == Turn("user", "What is LASER?")


def hit(paper: Paper, score: float, dense: int | None, lexical: int | None) -> Hit:
    chunk = Chunk(f"{paper.paper_id}#0", paper.paper_id, "text", 0, 4, 1, "hash")
    return Hit(chunk, score, 1, LegRanks(dense=dense, lexical=lexical), paper)


@pytest.mark.parametrize(
    ("best", "second", "clear"),
    [
        ((0.90, 1, 1), (0.89, 2, 2), True),
        ((0.90, 1, 2), (0.60, 2, 1), True),
        ((0.90, 1, 2), (0.85, 2, 1), False),
        ((0.50, 1, None), (0.45, None, 1), False),
    ],
)
def test_a_paper_is_clear_when_both_legs_agree_or_it_leads(best, second, clear) -> None:
    found = clear_paper([hit(LASER, *best), hit(BAX, *second)])
    assert found is (LASER if clear else None)


def test_a_single_hit_is_clear_and_no_hit_is_not() -> None:
    assert clear_paper([hit(LASER, 0.5, 3, None)]) is LASER
    assert clear_paper([]) is None
