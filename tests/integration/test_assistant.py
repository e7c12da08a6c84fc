"""The assistant over the seed papers with the real store and the real local models."""

import dataclasses
import json
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

import rag
import rag.assistant
from rag.corpus.seeds import seeds_folder

WELLS = "How many wells are in the Alberta dataset?"
EXAMPLES = json.loads((seeds_folder() / "examples.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def assistant(data_dir):
    with rag.Assistant.open(rag.Settings(corpus="seeds", data_dir=data_dir)) as assistant:
        yield assistant


def untimed(answer: rag.Answer) -> rag.Answer:
    return dataclasses.replace(answer, timings_ms={})


def check_proof(answer: rag.Answer) -> None:
    cited = {citation.marker for citation in answer.citations}
    for citation in answer.citations:
        assert citation.paper.abstract[citation.start : citation.end] == citation.quote
        assert citation.quote.strip()
    for sentence in answer.sentences:
        assert sentence.markers
        assert set(sentence.markers) <= cited
    assert bool(answer.sentences) == bool(answer.citations) == (answer.status == "answered")


def test_a_fact_is_in_the_first_sentence(assistant) -> None:
    answer = assistant.ask(WELLS)
    assert answer.status == "answered"
    assert "213,000" in answer.sentences[0].text
    assert "Alberta Wells Dataset" in answer.papers[0].title
    check_proof(answer)


@pytest.mark.parametrize(
    "example",
    [item for item in EXAMPLES if item["kind"] in ("fact", "finding", "method")],
    ids=lambda item: item["question"][:30],
)
def test_the_examples_are_answered_from_their_paper(assistant, example) -> None:
    answer = assistant.ask(example["question"])
    assert answer.status == "answered"
    assert answer.papers[0].paper_id in example["papers"]
    check_proof(answer)


def test_a_question_from_elsewhere_is_not_in_the_corpus(assistant) -> None:
    answer = assistant.ask("How long must risotto simmer before it is creamy?")
    assert answer.status == "not_in_corpus"
    assert "57 papers of seeds" in answer.text
    check_proof(answer)


@pytest.mark.parametrize("question", [WELLS, "Which benchmark tests secure backends?"])
def test_what_follows_an_answer_is_answered_too(assistant, question) -> None:
    answer = assistant.ask(question)
    offered = assistant.follow_ups(answer)
    assert 1 <= len(offered) <= 3
    assert question not in offered
    for follow_up in offered:
        found = assistant.ask(follow_up, history=[answer])
        assert found.status == "answered", follow_up
        assert found.papers[0] in {passage.paper for passage in answer.passages}


def test_nothing_follows_where_nothing_is_here(assistant) -> None:
    assert assistant.follow_ups(assistant.ask("Who painted Guernica?")) == ()


def test_a_follow_up_is_read_in_its_paper(assistant) -> None:
    answer = assistant.ask(
        "and which framework types make it harder for the models?",
        history=["What does BaxBench measure?", "How well does o1 do on it?"],
    )
    assert answer.standalone_question.endswith(
        "in “BaxBench: Can LLMs Generate Correct and Secure Backends?”?"
    )
    assert answer.passages[0].paper.title.startswith("BaxBench")
    check_proof(answer)


async def test_every_way_of_asking_gives_the_same_answer(assistant) -> None:
    expected = untimed(assistant.ask(WELLS))
    assert untimed(await assistant.aask(WELLS)) == expected
    *_, last = assistant.stream(WELLS)
    assert untimed(last.answer) == expected
    events = [event async for event in assistant.astream(WELLS)]
    assert untimed(events[-1].answer) == expected
    assert untimed(assistant.as_runnable().invoke(WELLS)) == expected


def test_questions_asked_at_once_get_their_own_answers(assistant) -> None:
    questions = [item["question"] for item in EXAMPLES[:4]]
    expected = [untimed(assistant.ask(question)) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        found = [untimed(answer) for answer in pool.map(assistant.ask, questions * 2)]
    assert found == expected * 2


def test_opening_it_again_embeds_nothing_and_answers_the_same(assistant, data_dir) -> None:
    progress = []
    settings = rag.Settings(corpus="seeds", data_dir=data_dir)
    with rag.Assistant.open(settings, progress=progress.append) as again:
        assert progress == []
        assert untimed(again.ask(WELLS)) == untimed(assistant.ask(WELLS))


def test_the_one_line_call_answers_from_the_seeds(assistant, data_dir, monkeypatch) -> None:
    monkeypatch.setenv("SYMPOSIA_DATA_DIR", str(data_dir))
    monkeypatch.delenv("SYMPOSIA_CORPUS", raising=False)
    rag.assistant._default_assistant.cache_clear()
    try:
        assert untimed(rag.ask(WELLS)) == untimed(assistant.ask(WELLS))
    finally:
        rag.assistant._default_assistant(()).close()
        rag.assistant._default_assistant.cache_clear()


def test_any_words_of_the_corpus_give_exact_quotes(assistant) -> None:
    words = [
        word for paper in assistant.papers for word in f"{paper.title} {paper.abstract}".split()
    ]
    choice = random.Random(57)  # noqa: S311 - no secret
    for _ in range(60):
        check_proof(assistant.ask(" ".join(choice.choices(words, k=choice.randint(1, 12))) + "?"))
