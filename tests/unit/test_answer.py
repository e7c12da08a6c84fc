"""The one result object in all its forms, for each of the three outcomes."""

import dataclasses
import json

import pytest

import rag
from rag.answer import Answer
from rag.records import Citation, Cue, DroppedSentence, Filters, Paper, Passage, Sentence

WELLS = Paper(
    paper_id="wells",
    title="Geospatial Wells",
    abstract="Wells leak. We release data on 213,000 wells in Alberta.",
    authors=("Ann Example", "Bo Sample"),
    venue="ICML 2025",
    year=2025,
    url="https://example.org/wells",
)
CAVES = Paper(paper_id="caves", title="Mapping Caves", abstract="Caves are deep. Caves are dark.")


def cite(marker: int, paper: Paper, quote: str) -> Citation:
    start = paper.abstract.index(quote)
    return Citation(marker, paper, quote, start, start + len(quote))


def read(marker: int, paper: Paper) -> Passage:
    return Passage(marker, paper, paper.abstract, score=1.0 / marker)


ANSWERED = Answer(
    question="How many\nwells?",
    standalone_question="How many wells?",
    status="answered",
    sentences=(
        Sentence("There are 213,000 wells.", (1,), support=0.9),
        Sentence("Both are deep.", (1, 2), support=0.8),
        Sentence("Caves are dark.", (2,), support=1.0, starts_paragraph=True),
    ),
    citations=(
        cite(1, WELLS, "We release data on 213,000 wells in Alberta."),
        cite(2, CAVES, "Caves are deep."),
        cite(2, CAVES, "Caves are dark."),
    ),
    passages=(read(1, WELLS), read(2, CAVES), read(3, Paper("other", "Other", "Other."))),
    dropped=(DroppedSentence("Wells are blue.", "no support"),),
    timings_ms={"write": 1.5},
    index_fingerprint="abc",
)
NOT_STATED = Answer(
    question="How much did the wells cost?",
    standalone_question="How much did the wells cost?",
    status="not_stated",
    passages=(read(1, WELLS), read(2, CAVES)),
    notice="The abstract of “Geospatial Wells” does not say it.",
)
NOT_IN_CORPUS = Answer(
    question="Who won?",
    standalone_question="Who won?",
    status="not_in_corpus",
    passages=(read(1, WELLS), read(2, CAVES)),
    notice="No paper here is about this.",
)


def test_the_text_carries_a_marker_after_every_sentence() -> None:
    assert ANSWERED.text == (
        "There are 213,000 wells. [1] Both are deep. [1][2]\n\nCaves are dark. [2]"
    )
    assert str(ANSWERED) == ANSWERED.text


@pytest.mark.parametrize("refusal", [NOT_STATED, NOT_IN_CORPUS])
def test_the_text_of_a_refusal_is_its_notice_without_markers(refusal: Answer) -> None:
    assert refusal.text == refusal.notice
    assert "[1]" not in refusal.text


def test_weak_support_is_said_after_the_markers() -> None:
    weak = dataclasses.replace(ANSWERED.sentences[0], is_flagged=True)
    text = dataclasses.replace(ANSWERED, sentences=(weak,)).text
    assert text == "There are 213,000 wells. [1] *(weakly supported: check the quote)*"


def test_what_the_reader_should_know_of_an_answer_stands_under_it() -> None:
    told = dataclasses.replace(ANSWERED, notice="The reply broke off.")
    assert "Caves are dark. [2]\n\nThe reply broke off.\n\n### Sources" in told.to_markdown()
    assert "broke off" not in told.text


def test_papers_are_those_cited_the_first_one_first() -> None:
    assert ANSWERED.papers == (WELLS, CAVES)
    later = dataclasses.replace(
        ANSWERED, citations=(cite(7, WELLS, "Wells leak."), cite(2, CAVES, "Caves are deep."))
    )
    assert later.papers == (WELLS, CAVES)
    assert [passage.marker for passage in ANSWERED.unused_passages] == [3]


def test_the_paper_that_was_looked_in_belongs_to_not_stated_and_none_to_not_in_corpus() -> None:
    assert NOT_STATED.papers == (WELLS,)
    assert NOT_IN_CORPUS.papers == ()


def test_json_gives_back_every_field() -> None:
    plain = json.loads(ANSWERED.to_json())
    assert plain == json.loads(json.dumps(ANSWERED.to_dict()))
    added = {"text", "papers", "sources"}
    assert set(plain) == {field.name for field in dataclasses.fields(Answer)} | added
    assert plain["papers"] == ["wells", "caves"]
    assert plain["sources"] == [[1, "wells"], [2, "caves"], [3, "other"]]
    for citation in plain["citations"]:
        abstract = citation["paper"]["abstract"]
        assert abstract[citation["start"] : citation["end"]] == citation["quote"]


def test_filters_and_cues_are_said_in_every_form() -> None:
    cue = Cue("presentation", "oral", "oral papers")
    read = dataclasses.replace(
        ANSWERED, filters=Filters(presentation="oral", years=(2025,)), cues=(cue,)
    )
    plain = read.to_dict()
    assert plain["filters"]["presentation"] == ["oral"]
    assert plain["filters"]["years"] == ["2025"]
    assert plain["filters"]["authors"] == []
    assert plain["cues"] == [{"field": "presentation", "value": "oral", "text": "oral papers"}]
    assert "\n\nLooked only at: year 2025; presentation oral\n\n" in read.to_markdown()
    assert "Looked only at" not in ANSWERED.to_markdown()


def test_markdown_shows_what_a_record_says_instead_of_the_introduction() -> None:
    citation = dataclasses.replace(
        cite(1, WELLS, "Wells leak."), record="Authors: Ann Example, Bo Sample\nYear: 2025"
    )
    shown = dataclasses.replace(ANSWERED, citations=(citation,)).to_markdown()
    assert (
        "> From the record: Authors: Ann Example, Bo Sample\n> From the record: Year: 2025" in shown
    )
    assert "> Wells leak." not in shown


def test_json_keeps_other_scripts_readable() -> None:
    assert "“Geospatial Wells”" in NOT_STATED.to_json()


def test_json_can_be_one_line() -> None:
    assert "\n" not in ANSWERED.to_json(indent=None)


def test_markdown_has_question_answer_and_quotes() -> None:
    assert ANSWERED.to_markdown() == (
        "## How many wells?\n\n"
        "There are 213,000 wells. [1] Both are deep. [1][2]\n\nCaves are dark. [2]\n\n"
        "### Sources\n\n"
        "[1] [Geospatial Wells](https://example.org/wells). Ann Example, Bo Sample. ICML 2025.\n"
        "> We release data on 213,000 wells in Alberta.\n\n"
        "[2] Mapping Caves.\n> Caves are deep.\n> Caves are dark.\n"
    )


def test_markdown_of_not_stated_names_the_one_paper_without_a_quote() -> None:
    text = NOT_STATED.to_markdown()
    assert "### Sources\n\n[1] [Geospatial Wells]" in text
    assert "Mapping Caves" not in text
    assert "\n>" not in text


def test_markdown_of_not_in_corpus_sets_the_nearest_papers_apart() -> None:
    text = NOT_IN_CORPUS.to_markdown()
    assert "### Sources" not in text
    assert "### Nearest papers (not used as evidence)\n\n- [Geospatial Wells]" in text


def test_bibtex_holds_the_papers_it_speaks_of() -> None:
    assert ANSWERED.to_bibtex().count("@inproceedings") == 2
    assert NOT_STATED.to_bibtex().count("@inproceedings") == 1
    assert NOT_IN_CORPUS.to_bibtex() == ""


def test_a_notebook_shows_the_markdown() -> None:
    assert ANSWERED._repr_markdown_() == ANSWERED.to_markdown()


def test_an_answer_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        ANSWERED.status = "not_stated"  # type: ignore[misc]


def test_it_is_the_public_answer() -> None:
    assert rag.Answer is Answer
