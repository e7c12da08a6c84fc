"""The load script: what it counts as an error, as mixed up, and as slow."""

from dataclasses import replace

import pytest

from eval.benchmarks.load import N_QUESTIONS, Asked, Server, ask_at_once, questions_of, summarise

POOL = [f"Question {number}?" for number in range(7)]


class Echo(Server):
    """Answers each question with itself, but for those that are to be spoilt."""

    def __init__(self, spoilt: str = "") -> None:
        super().__init__("http://127.0.0.1:1", 0)
        self._spoilt = spoilt

    def ask(self, question: str, door: str) -> Asked:
        text = "Something else." if question == self._spoilt else question
        return Asked(question, door, 0.5, text)


def test_every_user_asks_over_one_door() -> None:
    for user in range(4):
        asked = questions_of(user, POOL)
        assert len(asked) == N_QUESTIONS
        assert {door for _, door in asked} == {("page", "completions")[user % 2]}


def test_an_answer_to_another_question_is_mixed_up() -> None:
    alone = {item: Echo().ask(*item) for user in range(2) for item in questions_of(user, POOL)}
    found = summarise(ask_at_once(Echo(), 2, POOL), alone, users=2, resident_mib=1.0)
    assert (found.n_answers, found.n_errors, found.n_mixed) == (10, 0, 0)
    assert (found.p50_s, found.p95_s) == (0.5, 0.5)
    spoilt = summarise(ask_at_once(Echo(POOL[3]), 2, POOL), alone, users=2, resident_mib=1.0)
    assert spoilt.n_mixed == 1


def test_an_error_is_not_counted_as_mixed_up() -> None:
    asked = Asked("Q?", "page", 1.0, "", "gone")
    alone = {("Q?", "page"): replace(asked, text="A.", error="")}
    found = summarise([asked], alone, users=1, resident_mib=1.0)
    assert (found.n_errors, found.n_mixed) == (1, 0)


@pytest.mark.parametrize("door", ["page", "completions"])
def test_a_server_that_is_not_there_is_an_error_of_each_question(door: str) -> None:
    asked = Server("http://127.0.0.1:9", 0).ask("Q?", door)
    assert asked.error
    assert not asked.text
