"""The main flow over a small corpus: real store and search, a fast embedder and reader."""

import asyncio
import dataclasses
import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing

import pytest

import rag.assistant
from rag.answer import Answer, Finished
from rag.answering.citations import Draft, Quote
from rag.assistant import ask
from rag.embeddings.base import Reading
from rag.errors import IndexingError, QuestionError
from rag.flow import Flow
from rag.records import Filters, Retrieved, SentenceReady, Turn

ANSWERED = "How many wells are in the Alberta dataset?"
SEVERAL = "Which papers speak of wells or of pruning?"
NOT_STATED = "Where does Zeppelin Navigation by Starlight lead?"
NOWHERE = "Qui a peint Guernica?"
TALK = "hello!"
QUESTIONS = (ANSWERED, SEVERAL, NOT_STATED, NOWHERE, TALK, "x" * 5000)


class FixedReader:
    """Judges every paper by its title."""

    name = "fixed"

    def __init__(self, otherwise: Reading | None = None, **readings: Reading) -> None:
        self.readings = readings
        self.otherwise = otherwise
        self.n_reads = 0

    def read(self, question, title, text, sentences) -> Reading:
        self.n_reads += 1
        low = Reading((-20.0,) * len(sentences), answerable=-20.0, about=-20.0)
        reading = self.readings.get(title.split()[0], self.otherwise) or low
        return dataclasses.replace(reading, sentences=reading.sentences[: len(sentences)])


class WaitingReader(FixedReader):
    """Reads only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun = threading.Event()
        self.may_go_on = threading.Event()

    def read(self, question, title, text, sentences) -> Reading:
        self.has_begun.set()
        assert self.may_go_on.wait(60)
        return super().read(question, title, text, sentences)


def untimed(answer: Answer) -> Answer:
    return dataclasses.replace(answer, timings_ms={})


def check_proof(answer: Answer) -> None:
    """Every citation is exact, and every marker of every sentence has one."""
    for citation in answer.citations:
        assert citation.paper.abstract[citation.start : citation.end] == citation.quote
        assert citation.quote.strip()
    passages = {passage.marker: passage.paper for passage in answer.passages}
    cited = {citation.marker for citation in answer.citations}
    for sentence in answer.sentences:
        assert sentence.markers
        assert set(sentence.markers) <= cited
    assert all(passages[citation.marker] is citation.paper for citation in answer.citations)
    if answer.status != "answered":
        assert answer.sentences == ()
        assert answer.citations == ()
        assert answer.notice


# The three outcomes


def test_a_fact_is_answered_with_the_sentence_that_states_it(small_assistant) -> None:
    answer = small_assistant.ask(ANSWERED)
    assert answer.status == "answered"
    assert answer.papers[0].paper_id == "wells"
    assert "213,000 wells in Alberta" in answer.citations[0].quote
    assert answer.notice == ""
    check_proof(answer)


def test_passages_are_whole_abstracts_best_first(small_assistant) -> None:
    answer = small_assistant.ask(ANSWERED)
    assert [passage.marker for passage in answer.passages] == [1, 2, 3, 4, 5, 6]
    assert answer.passages[0].paper.paper_id == "wells"
    assert all(passage.text == passage.paper.abstract for passage in answer.passages)


def test_not_stated_names_and_links_the_first_paper(open_small, small_index) -> None:
    on_topic = Reading((-20.0,) * 9, answerable=-20.0, about=8.0)
    with open_small(small_index, FixedReader(Counting=on_topic)) as assistant:
        answer = assistant.ask("What did the wells cost?")
    assert answer.status == "not_stated"
    assert [paper.paper_id for paper in answer.papers] == ["wells"]
    assert answer.passages[0].paper is answer.papers[0]
    assert "[Counting Wells from Orbit](https://papers.example/wells)" in answer.text
    check_proof(answer)


def test_not_in_corpus_lists_the_nearest_papers_as_unused(open_small, small_index) -> None:
    with open_small(small_index, FixedReader()) as assistant:
        answer = assistant.ask("What did the wells cost?")
    assert answer.status == "not_in_corpus"
    assert answer.papers == ()
    assert len(answer.passages) == len(answer.unused_passages) == 6
    assert "6 papers of small" in answer.text
    check_proof(answer)


def test_a_paper_without_an_abstract_is_no_answer(open_small, small_index) -> None:
    sure = Reading((), answerable=9.0, about=9.0)
    with open_small(small_index, FixedReader(Zeppelin=sure)) as assistant:
        answer = assistant.ask("Where does Zeppelin Navigation by Starlight lead?")
    assert answer.status == "not_stated"
    assert [paper.paper_id for paper in answer.papers] == ["untold"]
    assert "its abstract is not in this collection" in answer.text
    check_proof(answer)


def test_an_answer_of_which_nothing_is_proven_is_none(small_assistant, monkeypatch) -> None:
    forged = Draft("There are ten wells.", (Quote(1, "ten wells"),), 1.0)
    monkeypatch.setattr("rag.answering.extractive.write", lambda *_, **__: iter([forged]))
    answer = small_assistant.ask(ANSWERED)
    assert answer.status == "not_stated"
    assert [item.text for item in answer.dropped] == ["There are ten wells."]
    assert "does not say what it quotes" in answer.dropped[0].reason
    check_proof(answer)


def test_what_was_not_selected_decides_nothing(
    open_small, index_papers, small_papers, tmp_path
) -> None:
    long = [
        dataclasses.replace(paper, abstract=f"{paper.abstract} {'Much was done. ' * 90}")
        for paper in (small_papers["wells"], small_papers["auctions"])
    ]
    index_papers(tmp_path, long)
    about = Reading((-20.0,) * 9, answerable=-20.0, about=80.0)
    answers = Reading((9.0,) * 9, answerable=9.0, about=1.0)
    reader = FixedReader(Auctions=about, Counting=answers)
    with open_small(tmp_path, reader, token_budget=500) as assistant:
        answer = assistant.ask("What do wells and bidders have in common?")
    assert reader.n_reads > 1
    assert [passage.paper.paper_id for passage in answer.passages] == ["auctions"]
    assert answer.status == "not_stated"


# What is no question


@pytest.mark.parametrize("text", ["", "  \n", "hi", "Thank you!", "👋", "?!", "\x00\x07", "\ud800"])
def test_small_talk_gets_a_reply_that_says_what_can_be_asked(small_assistant, text) -> None:
    answer = small_assistant.ask(text)
    assert "Ask me about the 6 papers of small" in answer.text
    assert (answer.status, answer.passages) == ("not_in_corpus", ())
    check_proof(answer)
    answer.to_json().encode()


def test_a_question_that_is_too_long_is_turned_down_with_the_limit(open_small, small_index) -> None:
    with open_small(small_index, max_question_chars=100) as assistant:
        assert "101 characters" in assistant.ask("w" * 101).text
        assert "please ask it in 100" in assistant.ask("w" * 101).text
        assert assistant.ask("wells " * 16).passages


def test_small_talk_is_not_searched_for(open_small, small_index) -> None:
    reader = FixedReader()
    with open_small(small_index, reader) as assistant:
        assert [type(event) for event in assistant.stream("hello")] == [Finished]
    assert reader.n_reads == 0


# One answer, however it is asked for


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda text: text[:20])
async def test_every_way_of_asking_gives_the_same_answer(small_assistant, question) -> None:
    expected = untimed(small_assistant.ask(question))
    assert untimed(await small_assistant.aask(question)) == expected
    streamed = list(small_assistant.stream(question))
    assert untimed(streamed[-1].answer) == expected
    in_async = [event async for event in small_assistant.astream(question)]
    assert untimed(in_async[-1].answer) == expected
    assert streamed[:-1] == in_async[:-1]


@pytest.mark.parametrize("question", [ANSWERED, SEVERAL, NOT_STATED, NOWHERE])
def test_a_stream_announces_proves_and_finishes(small_assistant, question) -> None:
    first, *sentences, last = small_assistant.stream(question)
    assert isinstance(first, Retrieved)
    assert isinstance(last, Finished)
    assert all(isinstance(event, SentenceReady) for event in sentences)
    answer = last.answer
    assert first.passages == answer.passages
    assert first.query.standalone == answer.standalone_question
    assert tuple(event.sentence for event in sentences) == answer.sentences
    assert tuple(one for event in sentences for one in event.citations) == answer.citations


def test_passages_are_announced_before_anything_is_written(small_assistant, monkeypatch) -> None:
    written = []
    monkeypatch.setattr("rag.answering.extractive.write", lambda *_, **__: written.append(1) or [])
    with closing(small_assistant.stream(ANSWERED)) as stream:
        assert isinstance(next(stream), Retrieved)
        assert written == []


def test_stages_are_timed(small_assistant) -> None:
    stages = small_assistant.ask(ANSWERED).timings_ms
    assert {"condense", "dense", "lexical", "rerank", "write", "gate"} <= stages.keys()
    assert all(elapsed_ms >= 0 for elapsed_ms in stages.values())


def test_concurrent_questions_do_not_mix(small_assistant) -> None:
    questions = [ANSWERED, SEVERAL, NOT_STATED, "How is revenue made from bids?"] * 8
    expected = [untimed(small_assistant.ask(question)) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        found = [untimed(answer) for answer in pool.map(small_assistant.ask, questions)]
    assert found == expected


async def test_concurrent_streams_do_not_mix(small_assistant) -> None:
    questions = [ANSWERED, SEVERAL, NOT_STATED] * 4
    expected = [untimed(small_assistant.ask(question)) for question in questions]

    async def drain(question: str) -> Answer:
        return [event async for event in small_assistant.astream(question)][-1].answer

    found = await asyncio.gather(*(drain(question) for question in questions))
    assert [untimed(answer) for answer in found] == expected


# Streams that are broken off


@pytest.mark.parametrize("n_events", [0, 1, 2])
def test_a_stream_may_be_closed_at_any_point(small_assistant, n_events) -> None:
    stream = small_assistant.stream(ANSWERED)
    for _ in range(n_events):
        next(stream)
    stream.close()
    assert next(stream, None) is None
    assert small_assistant.ask(ANSWERED).status == "answered"


@pytest.fixture
def opened_streams(monkeypatch):
    """The synchronous streams that were opened."""
    opened = []
    stream = Flow.run

    def spy(*args):
        opened.append(stream(*args))
        return opened[-1]

    monkeypatch.setattr(Flow, "run", spy)
    return opened


@pytest.mark.parametrize("n_events", [1, 2])
async def test_leaving_an_async_stream_closes_what_it_reads_from(
    small_assistant, opened_streams, n_events
) -> None:
    async with aclosing(small_assistant.astream(ANSWERED)) as stream:
        for _ in range(n_events):
            await anext(stream)
    (events,) = opened_streams
    assert events.gi_frame is None


async def test_a_cancelled_async_stream_leaves_nothing_running(
    open_small, small_index, opened_streams
) -> None:
    reader = WaitingReader()
    with open_small(small_index, reader) as assistant:

        async def drain() -> None:
            async for _ in assistant.astream(ANSWERED):
                pass

        task = asyncio.create_task(drain())
        assert await asyncio.to_thread(reader.has_begun.wait, 60)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=0.05)
        assert not done, "the step under way in its thread is awaited"
        reader.may_go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        (events,) = opened_streams
        assert events.gi_frame is None
        n_reads = reader.n_reads
        assert assistant.ask(ANSWERED).status == "not_in_corpus"
        assert reader.n_reads == 2 * n_reads


async def test_an_error_of_a_part_reaches_the_caller(open_small, small_index) -> None:
    class BrokenReader(FixedReader):
        def read(self, question, title, text, sentences) -> Reading:
            raise IndexingError("The reader is broken.", hint="Mend it.")

    with open_small(small_index, BrokenReader()) as assistant:
        with pytest.raises(IndexingError, match="Mend it"):
            assistant.ask(ANSWERED)
        with pytest.raises(IndexingError, match="Mend it"):
            await assistant.aask(ANSWERED)
        with pytest.raises(IndexingError, match="Mend it"):
            _ = [event async for event in assistant.astream(ANSWERED)]


# History


HISTORIES = {
    "strings": [ANSWERED],
    "turns": [Turn("user", ANSWERED), Turn("assistant", "213,000.")],
    "mappings": [
        {"role": "user", "content": ANSWERED},
        {"role": "assistant", "content": "213,000."},
    ],
    "typed parts": [
        {"role": "user", "content": [{"type": "text", "text": ANSWERED}], "options": None},
        {"role": "assistant", "content": [{"type": "text", "text": "213,000."}]},
    ],
}


@pytest.mark.parametrize("form", HISTORIES)
def test_a_follow_up_is_answered_from_the_paper_in_question(small_assistant, form) -> None:
    answer = small_assistant.ask("And who checked the labels?", history=HISTORIES[form])
    assert answer.question == "And who checked the labels?"
    assert answer.standalone_question == (
        "And who checked the labels, in “Counting Wells from Orbit”?"
    )
    assert answer.papers[0].paper_id == "wells"
    assert answer.citations[0].quote.startswith("Experts checked every label")
    assert untimed(answer) == untimed(small_assistant.ask(answer.question, [ANSWERED]))


def test_an_earlier_topic_does_not_stain_a_new_question(small_assistant) -> None:
    question = "How do auctions make the truth the best bid?"
    fresh = small_assistant.ask(question)
    later = small_assistant.ask(question, history=[ANSWERED, "And who checked the labels?"])
    assert untimed(later) == untimed(fresh)
    assert [paper.paper_id for paper in later.papers] == ["auctions"]


def test_a_turn_to_another_paper_leaves_the_first(small_assistant) -> None:
    answer = small_assistant.ask("What about SparseBench?", history=[ANSWERED])
    assert answer.standalone_question == "What about SparseBench?"
    assert answer.papers[0].paper_id == "sparse"


def test_a_hostile_history_does_no_harm(small_assistant) -> None:
    history = ["\ud800\x00", "x" * 100_000, {"role": "user", "content": None}, {}, ANSWERED]
    answer = small_assistant.ask("And who checked the labels?", history=history)
    assert answer.papers[0].paper_id == "wells"
    answer.to_json().encode()


# Filters


@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        (Filters(authors=("Ann Example",)), {"wells", "sparse"}),
        (Filters(authors=("muster",)), {"wells", "graphs"}),
        (Filters(years=(2024,)), {"iris"}),
        (Filters(presentation="oral"), {"wells"}),
        (Filters(years=(2025,), presentation=("poster",)), {"sparse", "graphs"}),
    ],
)
def test_filters_decide_which_papers_are_read(small_assistant, filters, allowed) -> None:
    for question in (ANSWERED, SEVERAL, NOWHERE):
        answer = small_assistant.ask(question, filters=filters)
        found = {passage.paper.paper_id for passage in answer.passages}
        assert found <= allowed if answer.census else found == allowed
        check_proof(answer)
    assert {
        hit.paper.paper_id for hit in small_assistant.search("wells", filters=filters)
    } == allowed


@pytest.mark.parametrize("question", [None, 7, b"How many?", ["How many?"]])
def test_what_is_no_text_is_refused_with_what_to_do(small_assistant, question) -> None:
    with pytest.raises(QuestionError, match="as a string"):
        small_assistant.ask(question)


def test_filters_may_be_a_mapping(small_assistant) -> None:
    hits = small_assistant.search("wells", filters={"authors": "Nobody"})
    assert hits == []
    assert small_assistant.ask(ANSWERED, filters={"authors": ["Nobody"]}).status == "not_in_corpus"


def test_a_filter_that_matches_nothing_says_so(small_assistant) -> None:
    answer = small_assistant.ask(ANSWERED, filters=Filters(authors=("Nobody Known",)))
    assert (answer.status, answer.passages) == ("not_in_corpus", ())
    assert "No paper of small matches the filter author Nobody Known" in answer.text


def test_filters_hold_for_what_a_follow_up_takes_from_history(small_assistant) -> None:
    filters = Filters(presentation="poster")
    answer = small_assistant.ask("And who checked it?", history=[ANSWERED], filters=filters)
    assert "Counting Wells" not in answer.standalone_question


# Search


def test_search_lists_one_hit_a_paper_best_first(small_assistant) -> None:
    hits = small_assistant.search("wells in Alberta", k=3)
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert hits[0].paper.paper_id == "wells"
    assert len({hit.paper.paper_id for hit in hits}) == 3


@pytest.mark.parametrize("query", ["", "\x00", "\ud800", "😀", "x" * 20_000, "(", "**"])
def test_search_takes_any_text(small_assistant, query) -> None:
    assert len(small_assistant.search(query, k=2)) == 2


def test_search_for_none_finds_none(small_assistant) -> None:
    assert small_assistant.search("wells", k=0) == []
    assert small_assistant.search("wells", k=-1) == []


# The library behind it


def test_a_newer_index_is_used_from_the_next_question_on(
    tmp_path, open_small, index_papers, small_papers
) -> None:
    old = [small_papers["wells"], small_papers["iris"]]
    index_papers(tmp_path, old)
    with open_small(tmp_path) as assistant:
        before = assistant.ask("How is revenue made from bids?")
        assert "auctions" not in {passage.paper.paper_id for passage in before.passages}
        under_way = assistant.stream(ANSWERED)
        next(under_way)
        index_papers(tmp_path, [*old, small_papers["auctions"]])
        after = assistant.ask("How much revenue do the auctions make?")
        assert after.papers[0].paper_id == "auctions"
        assert assistant.n_papers == 3
        assert after.index_fingerprint != before.index_fingerprint
        *_, last = under_way
        assert last.answer.index_fingerprint == before.index_fingerprint
        check_proof(last.answer)


def test_it_tells_what_it_holds(small_assistant, small_papers) -> None:
    assert small_assistant.n_papers == len(small_papers)
    assert small_assistant.papers == tuple(small_papers.values())
    assert small_assistant.corpus_name == "small"
    assert small_assistant.examples == ()
    assert small_assistant.mode == "extractive"


def test_two_assistants_share_an_index_and_one_may_close(open_small, small_index) -> None:
    first, second = open_small(small_index), open_small(small_index)
    expected = untimed(first.ask(ANSWERED))
    first.close()
    assert untimed(second.ask(ANSWERED)) == expected
    second.close()


def test_a_closed_assistant_says_so_and_may_be_closed_again(open_small, small_index) -> None:
    with open_small(small_index) as assistant:
        pass
    with pytest.raises(IndexingError, match="was closed"):
        assistant.ask(ANSWERED)
    assistant.close()


# The default assistant


@pytest.fixture
def opened(monkeypatch, small_assistant):
    """How often the default assistant was opened."""
    opened = []

    def open_slowly(*_args, **_kwargs):
        opened.append(threading.current_thread())
        threading.Event().wait(0.05)
        return small_assistant

    monkeypatch.setattr(rag.assistant.Assistant, "open", open_slowly)
    rag.assistant._default_assistant.cache_clear()
    yield opened
    rag.assistant._default_assistant.cache_clear()


def test_the_default_assistant_is_opened_once_a_process(opened) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, [ANSWERED] * 8))
    assert len(opened) == 1
    assert {answer.text for answer in answers} == {answers[0].text}


def test_the_one_line_call_passes_history_and_filters_on(opened, small_assistant) -> None:
    filters = Filters(years=(2025,))
    found = rag.ask("And who checked the labels?", history=[ANSWERED], filters=filters)
    expected = small_assistant.ask("And who checked the labels?", [ANSWERED], filters)
    assert untimed(found) == untimed(expected)


# What holds for whatever is asked


def test_any_words_of_the_corpus_give_a_proven_answer(small_assistant, small_papers) -> None:
    words = [
        word
        for paper in small_papers.values()
        for word in f"{paper.title} {paper.abstract}".split()
    ]
    choice = random.Random(57)  # noqa: S311 - no secret
    seen = set()
    for _ in range(500):
        question = " ".join(choice.choices(words, k=choice.randint(1, 14)))
        answer = small_assistant.ask(question + choice.choice(["?", "", " papers?"]))
        check_proof(answer)
        seen.add(answer.status)
        assert re.fullmatch(r"(\[\d\])+", answer.text.rpartition(" ")[2]) or answer.notice
    assert "answered" in seen
