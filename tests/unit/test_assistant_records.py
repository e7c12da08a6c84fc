"""Cues and records in the main flow: what is filtered, shown, cited, and what can be undone."""

import asyncio

import pytest

from eval.metrics.citations import citation_validity
from rag.answer import Answer, Finished
from rag.records import Cue, Filters, Paper, Retrieved, SentenceReady
from rag.retrieval.filters import matches


def check_proof(answer: Answer) -> None:
    assert citation_validity(None, answer).value == 1.0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who wrote Counting Wells from Orbit?", "“Counting Wells from Orbit” is by Ann Example and Bo Muster."),
        ("Who are the authors of SparseBench?", "“SparseBench: Pruned Transformers Compared” is by Cem Sample and Ann Example."),
        ("Who is the last author of SparseBench?", "The last author of “SparseBench: Pruned Transformers Compared” is Ann Example."),
        ("How many authors does SparseBench have?", "“SparseBench: Pruned Transformers Compared” has 2 authors: Cem Sample and Ann Example."),
        ("Is SparseBench an oral?", "No, “SparseBench: Pruned Transformers Compared” is a poster."),
        ("Was Counting Wells from Orbit accepted as an oral?", "Yes, “Counting Wells from Orbit” is an oral."),
        ("Did Ann Example write SparseBench?", "Yes, “SparseBench: Pruned Transformers Compared” is by Cem Sample and Ann Example."),
        ("Is SparseBench by Dora Prueba?", "No, “SparseBench: Pruned Transformers Compared” is by Cem Sample and Ann Example."),
        ("Did Example Ann write SparseBench?", "Yes, “SparseBench: Pruned Transformers Compared” is by Cem Sample and Ann Example."),
        ("Did A. Example write SparseBench?", "“SparseBench: Pruned Transformers Compared” is by Cem Sample and Ann Example."),
        ("When was SparseBench published?", "“SparseBench: Pruned Transformers Compared” was published at ICML in 2025."),
        ("Give me the link to SparseBench", "“SparseBench: Pruned Transformers Compared” is at https://papers.example/sparse"),
    ],
)  # fmt: skip
def test_one_paper_s_record_answers(small_assistant, question, text) -> None:
    answer = small_assistant.ask(question)
    assert (answer.status, answer.text) == ("answered", f"{text} [1]")
    assert answer.citations[0].record
    assert (answer.filters, answer.cues) == (Filters(), ())
    check_proof(answer)


def test_bibtex_is_that_of_the_export(small_assistant) -> None:
    answer = small_assistant.ask("BibTeX for SparseBench?")
    assert " ".join(answer.to_bibtex().split()) in answer.text
    check_proof(answer)


def test_a_follow_up_asks_for_the_record_of_its_paper(small_assistant) -> None:
    first = small_assistant.ask("How many wells are in the Alberta dataset?")
    answer = small_assistant.ask("Who wrote it?", history=[first])
    assert answer.text.startswith("“Counting Wells from Orbit” is by Ann Example and Bo Muster.")


def test_what_the_record_lacks_is_not_stated(small_assistant) -> None:
    answer = small_assistant.ask("Who wrote Zeppelin Navigation by Starlight?")
    assert answer.status == "not_stated"
    assert (
        answer.notice
        == "The record of “Zeppelin Navigation by Starlight” does not say its authors."
    )
    assert [paper.paper_id for paper in answer.papers] == ["untold"]
    check_proof(answer)


def test_a_list_names_every_paper_with_its_proof(small_assistant) -> None:
    answer = small_assistant.ask("Which papers did Ann Example write?")
    lead, *entries = answer.sentences
    assert lead.text == "2 of the 6 papers of small are by Ann Example."
    assert lead.markers == (1, 2)
    assert [entry.text for entry in entries] == [
        "“Counting Wells from Orbit” is by Ann Example and Bo Muster.",
        "“SparseBench: Pruned Transformers Compared” is by Cem Sample and Ann Example.",
    ]
    assert answer.filters == Filters(authors=("Ann Example",))
    assert answer.cues == (Cue("authors", "Ann Example", "Ann Example"),)
    check_proof(answer)


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("How many papers are there?", "small has 6 papers; the first 5 of them follow."),
        ("How many orals are there?", "1 of the 6 papers of small is presented as oral."),
        ("How many oral or spotlight papers are there?", "2 of the 6 papers of small are presented as oral or spotlight."),
        ("List all posters by Ann Example", "1 of the 6 papers of small is by Ann Example, presented as poster."),
        ("Which papers are from 2024?", "1 of the 6 papers of small is from 2024."),
        ("papers by Cem Sample and Ann Example", "2 of the 6 papers of small are by Cem Sample or Ann Example, 1 of them by both."),
        ("How many papers did Ann Example and Bo Muster write?", "2 of the 6 papers of small are by Ann Example or Bo Muster, 1 of them by both."),
        ("papers by Muster", "2 of the 6 papers of small are by Muster."),
        ("Zoé Beispiel", "1 of the 6 papers of small is by Zoé Beispiel."),
    ],
)  # fmt: skip
def test_numbers_are_exact(small_assistant, question, lead) -> None:
    answer = small_assistant.ask(question)
    assert answer.sentences[0].text == lead
    assert all(matches(paper, answer.filters) for paper in answer.papers)
    check_proof(answer)


def test_given_filters_restrict_what_records_say(small_assistant) -> None:
    filters = Filters(years=(2024,))
    counted = small_assistant.ask("How many papers are there?", filters=filters)
    assert counted.sentences[0].text == "1 of the 6 papers of small is from 2024."
    other = small_assistant.ask("Who wrote SparseBench?", filters=filters)
    assert "Cem Sample" not in other.text


def test_a_long_list_says_how_to_get_all(tmp_path, open_small, index_papers) -> None:
    papers = [
        Paper(
            f"p{n:02}",
            f"Title Number {n}",
            f"We count to {n}.",
            ("Ann Example", f"Bo {n}"),
            year=2025,
        )
        for n in range(25)
    ]
    index_papers(tmp_path, papers)
    with open_small(tmp_path) as assistant:
        answer = assistant.ask("List all papers by Ann Example")
    assert answer.sentences[0].text == (
        "25 of the 25 papers of small are by Ann Example; the first 20 of them follow."
    )
    assert len(answer.papers) == 20
    assert answer.notice == (
        "These are the first 20 of 25 papers. "
        "To get all of them: `symposia export --corpus small --author 'Ann Example'`"
    )
    check_proof(answer)


def test_a_cue_restricts_an_ordinary_question_and_the_answer_says_so(small_assistant) -> None:
    question = "Which oral papers release a dataset of wells?"
    answer = small_assistant.ask(question)
    assert answer.standalone_question == question
    assert {passage.paper.paper_id for passage in answer.passages} == {"wells"}
    assert answer.filters == Filters(presentation=("oral",))
    assert answer.cues == (Cue("presentation", "oral", "oral papers"),)


def test_reading_cues_can_be_turned_off_everywhere(small_assistant) -> None:
    question = "Which oral papers speak of graphs?"

    async def ask_all() -> list[Answer]:
        events = [event async for event in small_assistant.astream(question, read_cues=False)]
        return [await small_assistant.aask(question, read_cues=False), events[-1].answer]

    streamed = list(small_assistant.stream(question, read_cues=False))[-1]
    answers = [
        small_assistant.ask(question, read_cues=False),
        streamed.answer,
        *asyncio.run(ask_all()),
    ]
    assert {(answer.filters, answer.cues) for answer in answers} == {(Filters(), ())}
    assert small_assistant.ask(question).filters == Filters(presentation=("oral",))


def test_given_filters_win_over_cues(small_assistant) -> None:
    answer = small_assistant.ask(
        "How many orals are there?", filters=Filters(presentation="poster")
    )
    assert answer.sentences[0].text == "3 of the 6 papers of small are presented as poster."
    assert answer.cues == ()


@pytest.mark.parametrize(
    ("question", "notice", "suggestions"),
    [
        ("papers by Ann Exampel",
         "No paper of small matches the filter author Ann Exampel. "
         "No author here is “Ann Exampel”; the nearest: Ann Example.",
         ("Ann Example",)),
        ("papers from 2019 on wells",
         "No paper of small matches the filter year 2019. No year here is “2019”; the nearest: 2024, 2025.",
         ("2024", "2025")),
        ("orals by Dora Prueba",
         "No paper of small matches the filter author Dora Prueba; presentation oral.", ()),
    ],
)  # fmt: skip
def test_a_filter_that_matches_nothing_offers_what_there_is(
    small_assistant, question, notice, suggestions
) -> None:
    answer = small_assistant.ask(question)
    assert (answer.status, answer.notice) == ("not_in_corpus", notice)
    assert tuple(cue.value for cue in answer.suggestions) == suggestions
    assert answer.to_dict()["suggestions"] == [
        {"field": cue.field, "value": cue.value, "text": cue.text} for cue in answer.suggestions
    ]


def test_the_same_for_a_given_filter(small_assistant) -> None:
    answer = small_assistant.ask("How many wells?", filters=Filters(authors=("Exampel",)))
    assert answer.notice.endswith("No author here is “Exampel”; the nearest: Example.")
    assert (answer.passages, answer.cues) == ((), ())


def test_records_stream_as_any_answer(small_assistant) -> None:
    retrieved, *sentences, finished = small_assistant.stream("Which papers did Ann Example write?")
    assert isinstance(retrieved, Retrieved)
    assert isinstance(finished, Finished)
    assert retrieved.query.cues == finished.answer.cues
    assert retrieved.passages == finished.answer.passages
    assert all(isinstance(event, SentenceReady) for event in sentences)
    assert tuple(event.sentence for event in sentences) == finished.answer.sentences


def test_questions_about_what_papers_say_go_on_to_the_search(small_assistant) -> None:
    for question in (
        "How many wells are in the Alberta dataset?",
        "What do the authors of SparseBench compare?",
        "Who checked the labels of the wells?",
        "Does SparseBench have code?",
    ):
        answer = small_assistant.ask(question)
        assert not any(citation.record for citation in answer.citations), question
        assert "dense" in answer.timings_ms, question
