"""The answer to a census: a count that equals the list, each paper with its proof."""

from dataclasses import replace

import pytest
from scripted_model import RecallScorer, ScriptedModel, ScriptedReply

from rag.answer import Answer, Finished
from rag.answering.census_answer import Survey, take_census
from rag.answering.clock import Clock
from rag.answering.grounding import SupportThresholds
from rag.answering.numbering import Numbering
from rag.answering.writer import Engine, Writer
from rag.chat.tally import Prices
from rag.embeddings.base import Reading
from rag.records import Chunk, Filters, Hit, LegRanks, Paper, Query, Retrieved, SentenceReady

QUESTION = "Which papers map moss?"
COUNTED, UNSURE, OUT = 9.0, 2.5, -9.0


class TitleReader:
    """Takes the number that a title ends with for the log-odds of being about the topic."""

    name = "title"

    def read(self, question, title, text, sentences) -> Reading:
        scores = tuple(float(span.start) for span in sentences)
        return Reading(scores, answerable=0.0, about=float(title.split()[-1]))


class OneReply(ScriptedModel):
    def stream(self, messages, *, timeout_s):
        self.asked.append(tuple(messages))
        return ScriptedReply([self.text], "stop")

    def __init__(self, text: str) -> None:
        super().__init__("")
        self.text = text


def hit(rank: int, about: float, abstract: str = "Moss is old. We map it from above.") -> Hit:
    paper = Paper(f"p{rank}", f"Moss {rank} {about}", abstract, ("Ann Lee",), year=2025)
    chunk = Chunk(f"p{rank}#0", paper.paper_id, abstract, 0, len(abstract), 9, "hash")
    return Hit(chunk, 1 / rank, rank, LegRanks(rank, rank), paper)


def survey(*abouts: float, filters: Filters | None = None, n_screened: int = 3330) -> Survey:
    hits = tuple(hit(rank, about) for rank, about in enumerate(abouts, start=1))
    query = Query(QUESTION, QUESTION, filters or Filters())
    return Survey(query, "map moss", hits, n_screened, "icml", Numbering.of(()), "print")


def events_of(asked: Survey, writer: Writer | None = None) -> list[object]:
    return list(take_census(asked, TitleReader(), Clock(), writer, Prices(1.0, 1.0)))


def answer_of(asked: Survey, writer: Writer | None = None) -> Answer:
    last = events_of(asked, writer)[-1]
    assert isinstance(last, Finished)
    return last.answer


def writer_of(model: ScriptedModel) -> Writer:
    engine = Engine(model, RecallScorer([]), SupportThresholds(passes=0.6, flags=0.4))
    return Writer(engine, Clock(), timeout_s=60.0)


def test_the_count_equals_the_list() -> None:
    answer = answer_of(survey(COUNTED, OUT, COUNTED, UNSURE, COUNTED))
    assert answer.census is not None
    assert answer.census.count == len(answer.papers) == len(answer.sentences) - 1 == 3
    assert answer.text.startswith("3 of the 3,330 papers of icml match “map moss”. [1][2][3]\n\n")
    assert answer.sentences[0].markers == (1, 2, 3)


def test_every_member_has_a_verbatim_quote() -> None:
    answer = answer_of(survey(COUNTED, COUNTED, UNSURE))
    assert answer.census is not None
    for one in (*answer.census.members, *answer.census.borderline):
        assert one.quote == "We map it from above."
        assert one.paper.abstract[one.start : one.end] == one.quote
        assert 0 <= one.confidence <= 1
    for sentence in answer.sentences[1:]:
        assert "“We map it from above.”" in sentence.text
        assert sentence.starts_paragraph


def test_the_surest_come_first_and_the_unsure_are_apart() -> None:
    answer = answer_of(survey(5.0, COUNTED, UNSURE))
    assert answer.census is not None
    assert [one.paper.paper_id for one in answer.census.members] == ["p2", "p1"]
    assert [one.paper.paper_id for one in answer.census.borderline] == ["p3"]
    assert "Moss 3" not in answer.text
    assert "1 paper is borderline and not counted: “Moss 3 2.5”." in answer.notice
    assert answer.census.rule in answer.notice
    assert [paper.paper_id for paper in answer.papers] == ["p2", "p1"]


def test_the_events_come_in_order_and_repeat() -> None:
    events = events_of(survey(COUNTED, UNSURE, COUNTED))
    assert isinstance(events[0], Retrieved)
    assert events[0].plan is None
    assert all(isinstance(event, SentenceReady) for event in events[1:-1])
    assert isinstance(events[-1], Finished)
    assert events[-1].answer.passages == events[0].passages
    assert [event.sentence for event in events[1:-1]] == list(events[-1].answer.sentences)


def test_none_is_said_to_be_none() -> None:
    answer = answer_of(survey(OUT, OUT, OUT))
    assert answer.status == "not_in_corpus"
    assert (answer.sentences, answer.citations, answer.papers) == ((), (), ())
    assert answer.notice.startswith("None of the 3,330 papers of icml clearly matches “map moss”.")
    assert [one.paper.paper_id for one in answer.passages] == ["p1", "p2", "p3"]
    assert answer.census is not None
    assert answer.census.count == 0


DESCRIPTION = "existing tests of creative abilities in language models miss what matters"


@pytest.mark.parametrize(
    ("question", "abouts", "taken"),
    [
        (f"Which papers say that {DESCRIPTION}?", (OUT, UNSURE), False),
        (f"Which papers say that {DESCRIPTION}?", (OUT, COUNTED), True),
        (f"How many papers say that {DESCRIPTION}?", (OUT, UNSURE), True),
    ],
)
def test_a_description_that_no_paper_meets_is_left_to_quotation(question, abouts, taken) -> None:
    found = survey(*abouts)
    asked = replace(found, query=Query(question, question), topic=DESCRIPTION)
    assert bool(events_of(asked)) == taken


def test_a_filter_is_named_and_one_that_lets_nothing_through_too() -> None:
    filters = Filters(presentation="oral")
    some = answer_of(survey(COUNTED, filters=filters, n_screened=108))
    assert some.text.startswith("1 of the 108 papers of icml with presentation oral matches")
    nothing = answer_of(survey(filters=filters, n_screened=0))
    assert nothing.notice == "No paper of icml matches the filter presentation oral."


def test_a_paper_keeps_its_number_of_the_conversation() -> None:
    asked = survey(COUNTED, COUNTED)
    numbering = Numbering({7: "p2"}, {"p2": 7})
    kept = Survey(asked.query, asked.topic, asked.hits, 2, "icml", numbering, "print")
    answer = answer_of(kept)
    assert {one.paper.paper_id: one.marker for one in answer.passages} == {"p1": 8, "p2": 7}


def test_a_model_is_announced_with_its_cost_and_then_decides() -> None:
    model = OneReply('[1] no\n[2] yes: "We map it from above."\n[3] yes: "We sell it from above."')
    events = events_of(survey(COUNTED, COUNTED, UNSURE, OUT), writer_of(model))
    assert isinstance(events[0], Retrieved)
    assert events[0].plan is not None
    assert (events[0].plan.n_papers, events[0].plan.n_requests) == (3, 1)
    assert events[0].plan.cost_usd == pytest.approx(
        (events[0].plan.input_tokens + events[0].plan.output_tokens) / 1e6
    )
    answer = events[-1].answer
    assert [one.paper.paper_id for one in answer.census.members] == ["p2"]
    assert [one.paper.paper_id for one in answer.census.borderline] == ["p3"]
    assert answer.model == "scripted:model"
    assert "scripted:model" in answer.census.rule
    assert answer.usage.input_tokens == 100


def test_a_model_that_says_nothing_useful_leaves_the_list_of_the_reader() -> None:
    answer = answer_of(survey(COUNTED, UNSURE), writer_of(OneReply("I cannot help with that.")))
    assert answer.census is not None
    assert [one.paper.paper_id for one in answer.census.members] == ["p1"]
    assert answer.model == "extractive"
    assert "local reader" in answer.census.rule


def test_the_table_has_all_papers_with_their_verdicts() -> None:
    rows = answer_of(survey(COUNTED, UNSURE)).to_csv().splitlines()
    assert rows[0] == "paper_id,title,authors,venue,year,url,verdict,confidence,quote"
    assert rows[1].startswith("p1,Moss 1 9.0,Ann Lee,,2025,,member,")
    assert rows[2].startswith("p2,Moss 2 2.5,Ann Lee,,2025,,borderline,")
    assert len(rows) == 3


def test_markdown_lists_the_borderline_papers_apart() -> None:
    text = answer_of(survey(COUNTED, UNSURE)).to_markdown()
    assert (
        "### Borderline papers (not counted)\n\n- Moss 2 2.5. Ann Lee. 2025.\n> We map it from above."
        in text
    )
    assert text.index("### Sources") < text.index("### Borderline")
    assert "@inproceedings" in answer_of(survey(COUNTED)).to_bibtex()
