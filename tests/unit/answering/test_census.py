"""Screening: what is counted, what is borderline, and when the reading stops."""

import pytest

from rag.answering.census import N_FIRST, N_LAST, Criteria, Judged, screen
from rag.embeddings.base import Reading
from rag.records import Chunk, Hit, LegRanks, Paper

CRITERIA = Criteria(about=1.0, constant=0.0, member=0.5, borderline=0.2)


class TitleReader:
    """Takes the number in a title for the log-odds of being about the topic."""

    name = "title"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def read(self, question, title, text, sentences) -> Reading:
        self.asked.append(question)
        scores = tuple(float(len(text[span.start : span.end])) for span in sentences)
        return Reading(scores, answerable=0.0, about=float(title))


def hits(*log_odds: float, abstract: str = "Moss grows. Moss grows on stones.") -> list[Hit]:
    found = []
    for rank, value in enumerate(log_odds, start=1):
        paper = Paper(f"p{rank}", str(value), abstract)
        chunk = Chunk(f"p{rank}#0", paper.paper_id, abstract, 0, len(abstract), 9, "hash")
        found.append(Hit(chunk, 1 / rank, rank, LegRanks(rank, rank), paper))
    return found


def verdicts(judged: list[Judged]) -> list[str]:
    return [item.verdict for item in judged]


def test_the_chance_decides() -> None:
    judged = screen(TitleReader(), "moss", hits(2, -1, -5, 0), CRITERIA)
    assert verdicts(judged) == ["member", "borderline", "out", "member"]
    assert [round(item.chance, 2) for item in judged] == [0.88, 0.27, 0.01, 0.5]


def test_the_best_sentence_is_quoted_from_its_place() -> None:
    (item,) = screen(TitleReader(), "moss", hits(3), CRITERIA)
    assert item.quoted == "Moss grows on stones."
    assert item.quote is not None
    assert item.paper.abstract[item.quote.start : item.quote.end] == item.quoted


def test_the_first_ones_are_read_whatever_they_are() -> None:
    assert len(screen(TitleReader(), "moss", hits(*[-9] * 200), CRITERIA)) == N_FIRST


def test_while_one_of_the_last_may_belong_more_are_read() -> None:
    log_odds = [-9.0] * 200
    log_odds[N_FIRST - 1] = log_odds[N_FIRST + 1] = 5.0
    reader = TitleReader()
    judged = screen(reader, "moss", hits(*log_odds), CRITERIA)
    assert len(judged) == len(reader.asked) == N_FIRST + 2 * N_LAST
    assert verdicts(judged).count("member") == 2


def test_all_are_read_where_none_is_clearly_out() -> None:
    assert len(screen(TitleReader(), "moss", hits(*[0] * 150), CRITERIA)) == 150
    assert screen(TitleReader(), "moss", [], CRITERIA) == []


def test_the_topic_is_what_the_reader_is_asked() -> None:
    reader = TitleReader()
    screen(reader, "moss on stones", hits(1), CRITERIA)
    assert reader.asked == ["moss on stones"]


@pytest.mark.parametrize(("log_odds", "verdict"), [(9, "borderline"), (-1, "out")])
def test_a_title_alone_counts_no_paper(log_odds: float, verdict: str) -> None:
    (item,) = screen(TitleReader(), "moss", hits(log_odds, abstract=""), CRITERIA)
    assert (item.verdict, item.quote, item.quoted) == (verdict, None, "")


def test_absurd_log_odds_are_no_error() -> None:
    judged = screen(TitleReader(), "moss", hits(1e9, -1e9), CRITERIA)
    assert [item.chance for item in judged] == pytest.approx([1.0, 0.0])
