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
    asked = ask("What is BaxBench?", "How well does it do?", "And on o1?")
    assert asked == f"And on o1, {IN_BAX}"


def test_a_question_that_says_nothing_comes_after_what_was_asked() -> None:
    asked = ask("What is BaxBench?", "Is it a hard benchmark for models?", "And why?")
    assert asked == f"Is it a hard benchmark for models? And why, {IN_BAX}"


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
    asked = ask("What is LASER attention?", "How does it compare to BaxBench?")
    assert asked == "How does LASER compare to BaxBench?"


def test_where_no_name_was_said_both_sides_of_a_comparison_get_their_titles() -> None:
    asked = ask("Which paper has two oracles?", "How does it compare to BaxBench?")
    assert asked == (
        "How does “Ensemble Learned Bloom Filters” compare to BaxBench "
        "(“BaxBench: Can LLMs Generate Secure Backends?”)?"
    )


def test_without_a_clear_paper_the_earlier_question_is_put_before() -> None:
    asked = ask("What is the capital of France?", "and its population?")
    assert asked == "What is the capital of France? and its population?"


def test_after_a_question_about_several_papers_no_single_one_is_written_in() -> None:
    first = "Which papers deal with attention or filters?"
    assert ask(first, "which of them is newer?") == f"{first} which of them is newer?"


def test_thanks_and_greetings_are_no_topic() -> None:
    asked = ask("hello", "What is LASER attention?", "thanks!", "ok", "why?")
    assert asked == f"What is LASER attention? why, {IN_LASER}"


def test_a_conversation_of_small_talk_has_no_topic() -> None:
    assert ask("hi", "thanks", "why?") == "why?"


def test_a_long_history_is_looked_through_only_at_its_end() -> None:
    resolve = Resolver()
    asked = ask("What is LASER attention?", *["why?"] * 5000, resolve=resolve)
    assert len(resolve.asked) < 30
    assert asked.endswith("why?")


LIST = [
    "Which papers deal with attention or filters?",
    Turn("assistant", "LASER attends. [1]\n\nTwo oracles are better than one. [2]"),
]


@pytest.mark.parametrize(
    ("question", "condensed"),
    [
        ("How does the second one work?", "How does “Ensemble Learned Bloom Filters” work?"),
        ("Explain [1]", "Explain “LASER: Attention with Exponential Transformation”"),
        (
            "Which of them is newer?",
            "Which of the papers “LASER: Attention with Exponential Transformation” and "
            "“Ensemble Learned Bloom Filters” is newer?",
        ),
        ("no, I meant the second one", f"{LIST[0][:-1]}, in “Ensemble Learned Bloom Filters”?"),
        ("no, I meant the oracle one", f"{LIST[0][:-1]}, in “Ensemble Learned Bloom Filters”?"),
        ("no, I meant the music one", f"{LIST[0]} I mean the music one."),
        ("Back to the attention paper: is it fast?", f"is it fast, {IN_LASER}"),
        ("Has the oracle paper code?", "Has “Ensemble Learned Bloom Filters” code?"),
        ("In the oracle paper, is there code?",
         "In “Ensemble Learned Bloom Filters”, is there code?"),
        ("Has the music paper code?", "Has the music paper code?"),
    ],
)  # fmt: skip
def test_papers_of_an_answer_are_pointed_at(question, condensed) -> None:
    assert condense(question, as_turns(LIST), Resolver()) == condensed


@pytest.mark.parametrize(
    ("first", "correction", "condensed"),
    [
        ("How large is the audio model?", "no, I meant the music one",
         "How large is the audio model, the music one?"),
        ("How is the benchmark built?", "I meant the video benchmark",
         "How is the video benchmark built?"),
        ("What does the search paper do?", "no, the one about sorting",
         "What does the search paper about sorting do?"),
        ("What does the search paper do?", "I was looking for counterfactuals",
         "What does the paper on counterfactuals do?"),
        ("Which paper tests agents?", "I mean videos, not agents", "Which paper tests videos?"),
    ],
)  # fmt: skip
def test_a_correction_asks_again(first, correction, condensed) -> None:
    assert condense(correction, as_turns([first]), lambda text: None) == condensed


def test_a_comparison_that_lacks_a_side_gets_the_paper_before() -> None:
    asked = ask("Which paper has two oracles?", "Would BaxBench be cheaper?")
    assert asked == (
        "Would BaxBench (“BaxBench: Can LLMs Generate Secure Backends?”) be cheaper, "
        "compared with “Ensemble Learned Bloom Filters”?"
    )


def test_sides_that_are_no_clear_papers_keep_their_names() -> None:
    asked = condense("Do both scale?", as_turns(["Compare GEFA with BRACE"]), lambda text: None)
    assert asked == "Do the papers GEFA and BRACE both scale?"


def test_praise_between_does_not_end_the_topic() -> None:
    assert ask("What is LASER?", "you rock", "How fast is it?") == f"How fast is it, {IN_LASER}"


@pytest.mark.parametrize("question", ["bloom filters", "What about weather forecasts in general?"])
def test_words_that_have_nothing_of_the_topic_turn_to_another(question) -> None:
    other = Paper("w", "Weather Forecasts", "Forecasts of weather in general.")

    def resolve(text: str) -> Paper | None:
        return LASER if "LASER" in text else other

    assert ask("What is LASER?", question, resolve=resolve) == question


def test_a_pronoun_in_a_long_question_about_another_paper_is_its_own() -> None:
    question = "How many coloured wooden balls can it juggle at once with hands?"
    robots = Paper("r", "Juggling Robots", "Robots juggle wooden balls.")

    def resolve(text: str) -> Paper | None:
        return LASER if "LASER" in text else robots

    assert ask("What is LASER?", question, resolve=resolve) == question


def test_a_correction_ends_the_sentence_that_it_corrects() -> None:
    asked = ask("Tell me about alignment", "not LLMs, I meant vision")
    assert asked == "Tell me about alignment. I mean vision."


def test_pointing_without_anything_to_point_at_changes_nothing() -> None:
    question = "How does the second one work?"
    assert ask(question) == question


@pytest.mark.parametrize("question", ["Wie schnell ist es?", "et sur CIFAR ?", "它快吗？"])
def test_a_follow_up_in_another_language_gets_its_title(question) -> None:
    assert ask("What is LASER attention?", question) == f"{question.rstrip('？? ')}, {IN_LASER}"


@pytest.mark.parametrize("question", ["wich datsets does teh mehtod use", "hwo fast is tehy"])
def test_a_misspelt_follow_up_gets_its_title(question) -> None:
    assert ask("What is LASER attention?", question) == f"{question}, {IN_LASER}"


def test_condensing_the_same_twice_gives_the_same() -> None:
    turns = as_turns([*LIST, "Does the first one scale?", "and the other one?", "thanks"])
    first = [condense(question, turns, Resolver()) for question in ("why?", "Which is newer?")]
    again = [condense(question, turns, Resolver()) for question in ("why?", "Which is newer?")]
    assert first == again


def test_a_huge_earlier_question_is_cut() -> None:
    asked = ask("What is the capital of France? " * 5000, "and its population?")
    assert len(asked) < 2000


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


def test_a_paper_that_is_quoted_or_named_by_its_title_is_clear() -> None:
    quoted = Paper("q", "Quotes", "We say this in exactly these words, all of them. It is new.")
    hits = [hit(BAX, 0.9, 1, 2), hit(quoted, 0.89, 2, 1)]
    assert clear_paper(hits, "They do. We say this in exactly these words, all of them.") is quoted
    assert clear_paper(hits, "Li et al. (2025). Quotes. ICML") is quoted
    assert clear_paper(hits, "It is new.") is None


def test_a_single_hit_is_clear_and_no_hit_is_not() -> None:
    assert clear_paper([hit(LASER, 0.5, 3, None)]) is LASER
    assert clear_paper([]) is None


# Known sources

BY_ID = {paper.paper_id: paper for paper in PAPERS}
TWO = Turn(
    "assistant",
    "Two oracles beat one. [12] Models fail at it. [3]",
    ((3, "bax"), (12, "bloom"), (7, "maas")),
)
LATER = Turn("assistant", "It attends. [20]", ((20, "laser"),))


def follow(question: str, *turns: Turn) -> tuple[str, list[str]]:
    """The condensed question, and what was looked up for it."""
    resolve = Resolver()
    asked = [turn for told in turns for turn in (Turn("user", "Which are there?"), told)]
    return condense(question, asked, resolve, BY_ID), resolve.asked


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("How large is it?", BLOOM.title),
        ("How large is the second one?", BAX.title),
        ("How large is the latter?", BAX.title),
        ("How large is [3]?", BAX.title),
        ("How large is [12]?", BLOOM.title),
        ("How large is source 7?", MAAS.title),
    ],
)
def test_what_a_follow_up_means_is_read_off_the_sources(question, title) -> None:
    condensed, looked_up = follow(question, TWO)
    assert f"“{title}”" in condensed
    assert looked_up == []


def test_a_number_means_its_paper_however_long_ago_it_was_given() -> None:
    many = [LATER] * 30
    condensed, _ = follow("How large is [12]?", TWO, *many)
    assert condensed == f"How large is “{BLOOM.title}”?"


def test_of_one_number_for_two_papers_the_latest_is_meant() -> None:
    again = Turn("assistant", "It attends. [3]", ((3, "laser"),))
    condensed, _ = follow("How large is [3]?", TWO, again)
    assert condensed == f"How large is “{LASER.title}”?"


def test_a_paper_that_is_not_here_any_longer_is_no_source() -> None:
    gone = Turn("assistant", "It attends fast. [3]", ((3, "gone"),))
    for question in ("How large is it?", "How large is [3]?"):
        assert f"“{LASER.title}”" in follow(question, gone)[0]
