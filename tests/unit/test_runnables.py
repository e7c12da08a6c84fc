"""Symposia inside a LangChain program."""

import dataclasses

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough

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


def test_history_may_be_messages_of_langchain(runnable, small_assistant) -> None:
    messages = [SystemMessage("Be brief."), HumanMessage(QUESTION), AIMessage("213,000 [1].")]
    roles = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": "213,000 [1]."},
    ]
    answer = runnable.invoke({"question": FOLLOW_UP, "history": messages})
    assert untimed(answer) == untimed(small_assistant.ask(FOLLOW_UP, roles))
    assert "Counting Wells from Orbit" in answer.standalone_question


async def test_a_mapping_works_asynchronously_and_is_left_as_it_was(runnable) -> None:
    given = {"question": FOLLOW_UP, "history": [QUESTION]}
    answer = await runnable.ainvoke(given)
    assert "Counting Wells from Orbit" in answer.standalone_question
    assert given == {"question": FOLLOW_UP, "history": [QUESTION]}


def test_a_mapping_with_an_unknown_key_is_refused(runnable) -> None:
    with pytest.raises(TypeError, match="temperature"):
        runnable.invoke({"question": QUESTION, "temperature": 0})


def test_a_stream_grows_to_what_invoke_gives(runnable) -> None:
    several = "Which papers speak of wells or of pruning?"
    *growing, whole = runnable.stream(several)
    assert untimed(whole) == untimed(runnable.invoke(several))
    assert [len(answer.sentences) for answer in growing] == [
        number + 1 for number in range(len(whole.sentences))
    ]
    assert all(whole.text.startswith(answer.text) for answer in growing)
    assert all(answer.citations for answer in growing)
    assert all(answer.filters == whole.filters for answer in growing)


@pytest.mark.parametrize("question", ["Qui a peint Guernica?", "hello"])
def test_a_stream_without_an_answer_is_one_refusal(runnable, question) -> None:
    (answer,) = runnable.stream(question)
    assert (answer.status, answer.sentences) == ("not_in_corpus", ())
    assert answer.notice


def test_it_describes_itself(runnable) -> None:
    assert runnable.get_name() == "symposia"
    assert {"type": "string"} in runnable.get_input_jsonschema()["anyOf"]
    assert "standalone_question" in str(runnable.get_output_jsonschema())
    assert len(runnable.get_graph().nodes) == 3


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


def test_a_mapping_may_keep_cues_from_being_read(runnable) -> None:
    question = "Which oral papers are there?"
    assert runnable.invoke(question).filters == Filters(presentation=("oral",))
    assert runnable.invoke({"question": question, "read_cues": False}).filters == Filters()


def test_the_retriever_keeps_its_filters(small_assistant) -> None:
    retriever = small_assistant.as_retriever(filters=Filters(authors=("Muster",)))
    assert {document.id for document in retriever.invoke("pruning")} == {"wells", "graphs"}


def test_the_retriever_feeds_a_chain_with_a_model(small_assistant) -> None:
    asked: list[str] = []

    def note(prompt):
        asked.append(prompt.to_string())
        return prompt

    def in_text(documents: list[Document]) -> str:
        return "; ".join(document.metadata["title"] for document in documents)

    retriever = small_assistant.as_retriever(k=2, filters=Filters(years=(2025,)))
    parts = {"context": retriever | in_text, "question": RunnablePassthrough()}
    prompt = ChatPromptTemplate.from_template("Use {context}. {question}")
    chain = parts | prompt | note | FakeListChatModel(responses=["Yes."]) | StrOutputParser()
    questions = ["Are wells counted?", "Is anything pruned?"]
    assert chain.batch(questions) == ["Yes.", "Yes."]
    assert "".join(chain.stream(questions[0])) == "Yes."
    assert len(asked) == 3
    assert sum("Use Counting Wells from Orbit; " in text for text in asked) == 2
    assert sum("Use SparseBench: Pruned Transformers Compared; " in text for text in asked) == 1
    assert not any("IRIS" in text for text in asked)
