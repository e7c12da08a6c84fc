"""Symposia inside a LangChain program."""

import dataclasses

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda

from rag.answer import Answer
from rag.records import Filters

QUESTION = "How many wells are in the Alberta dataset?"
FOLLOW_UP = "And who checked the labels?"


def untimed(answer: Answer) -> Answer:
    return dataclasses.replace(answer, timings_ms={})


@pytest.fixture
def runnable(small_assistant) -> Runnable:
    return small_assistant.as_runnable()


@pytest.fixture
def asked(small_assistant) -> Answer:
    return untimed(small_assistant.ask(QUESTION))


def test_a_question_gives_an_answer(runnable, asked) -> None:
    assert isinstance(runnable, Runnable)
    assert untimed(runnable.invoke(QUESTION)) == asked


async def test_asynchronously_it_gives_the_same(runnable, asked) -> None:
    assert untimed(await runnable.ainvoke(QUESTION)) == asked
    assert [untimed(answer) for answer in await runnable.abatch([QUESTION] * 2)] == [asked] * 2


def test_a_batch_gives_the_answers_in_order(runnable, small_assistant) -> None:
    questions = [QUESTION, "How is revenue made from bids?", "What is compared by SparseBench?"] * 3
    found = [untimed(answer) for answer in runnable.batch(questions)]
    assert found == [untimed(small_assistant.ask(question)) for question in questions]


def test_history_and_filters_come_in_a_mapping(runnable, small_assistant) -> None:
    filters = Filters(years=(2025,))
    given = {"question": FOLLOW_UP, "history": [QUESTION], "filters": filters}
    expected = untimed(small_assistant.ask(FOLLOW_UP, [QUESTION], filters))
    assert untimed(runnable.invoke(given)) == expected
    assert expected.papers[0].paper_id == "wells"


async def test_a_mapping_works_asynchronously_and_is_left_as_it_was(runnable) -> None:
    given = {"question": FOLLOW_UP, "history": [QUESTION]}
    answer = await runnable.ainvoke(given)
    assert "Counting Wells from Orbit" in answer.standalone_question
    assert given == {"question": FOLLOW_UP, "history": [QUESTION]}


def test_a_mapping_with_an_unknown_key_is_refused(runnable) -> None:
    with pytest.raises(TypeError, match="temperature"):
        runnable.invoke({"question": QUESTION, "temperature": 0})


def test_it_can_be_a_part_of_a_chain(runnable) -> None:
    chain = RunnableLambda(str.strip) | runnable | RunnableLambda(lambda answer: answer.text)
    assert "213,000 wells" in chain.invoke(f"  {QUESTION}\n")


def test_the_retriever_gives_one_document_a_paper(small_assistant, small_papers) -> None:
    retriever = small_assistant.as_retriever(k=3)
    assert isinstance(retriever, BaseRetriever)
    documents = retriever.invoke("wells in Alberta")
    assert [document.metadata["rank"] for document in documents] == [1, 2, 3]
    best, paper = documents[0], small_papers["wells"]
    assert best == Document(
        id="wells",
        page_content=paper.abstract,
        metadata={
            "paper_id": "wells",
            "title": paper.title,
            "authors": ["Ann Example", "Bo Muster"],
            "venue": "ICML",
            "year": 2025,
            "url": "https://papers.example/wells",
            "score": best.metadata["score"],
            "rank": 1,
        },
    )


async def test_the_retriever_works_asynchronously(small_assistant) -> None:
    retriever = small_assistant.as_retriever(k=2)
    assert await retriever.ainvoke("wells") == retriever.invoke("wells")


def test_the_retriever_finds_what_search_finds(small_assistant) -> None:
    documents = small_assistant.as_retriever().invoke("pruning")
    hits = small_assistant.search("pruning")
    assert [document.id for document in documents] == [hit.paper.paper_id for hit in hits]
    assert [document.metadata["score"] for document in documents] == [hit.score for hit in hits]


def test_the_retriever_keeps_its_filters(small_assistant) -> None:
    retriever = small_assistant.as_retriever(filters=Filters(authors=("Muster",)))
    assert {document.id for document in retriever.invoke("pruning")} == {"wells", "graphs"}
