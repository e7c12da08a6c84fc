"""The table of a census: what its rows say, what its files hold, and that hostile text is inert."""

import base64
import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

from rag.answer import Answer, Finished
from rag.census import Census, Member
from rag.export import papers_to_bibtex
from rag.records import Citation, Paper, Passage, Sentence, SentenceReady
from ui import view
from ui.exchange import Exchange
from ui.tables import table

WELLS = Paper(
    "wells",
    "Wells",
    "Wells leak.",
    authors=("Ann Example",),
    year=2025,
    url="https://example.org/w",
)
HOSTILE = Paper(
    "</td><script>",
    "=cmd() <img src=x onerror=alert(1)> ![x](http://evil.example/a.png)",
    'Say <script>alert(1)</script> [now](javascript:alert(1)).\n\n</table></div><b>" `x`',
    authors=('"><svg onload=alert(1)>',),
    url="javascript:alert(1)",
)


def member(paper: Paper, marker: int, confidence: float) -> Member:
    return Member(paper, marker, confidence, paper.abstract, 0, len(paper.abstract))


CENSUS = Census("wells", "By a quote.", 9, 2, (member(WELLS, 1, 0.97),), (member(HOSTILE, 2, 0.4),))
CITATION = Citation(1, WELLS, WELLS.abstract, 0, len(WELLS.abstract))
COUNT = Sentence("1 of 9 papers matches.", (1,), 0.97)
ROW = Sentence("Wells: “Wells leak.”", (1,), 1.0, starts_paragraph=True)
ANSWER = Answer(
    "Which?",
    "Which?",
    "answered",
    (COUNT, ROW),
    (CITATION,),
    (Passage(1, WELLS, WELLS.abstract, 1.0), Passage(2, HOSTILE, HOSTILE.abstract, 0.5)),
    census=CENSUS,
)


class Cells(HTMLParser):
    """The tags, attribute names, links and texts by row of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.hrefs: list[str | None] = []
        self.rows: list[list[str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self.hrefs += [value for name, value in attrs if name == "href"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def files(html: str) -> dict[str, str]:
    found = re.findall(r'class="file">(\w+)<code class="content">([^<]*)<', html)
    return {name: base64.b64decode(text).decode() for name, text in found}


def test_each_paper_has_a_row_members_first() -> None:
    heads, first, second = Cells(table(3, ANSWER)).rows
    assert heads == ["Paper", "Year", "Verdict", "Confidence", "Quote"]
    assert first == [
        "Wells Example, 2025",
        "2025",
        "member",
        "97% · very likely",
        "“Wells leak.” [1]",
    ]
    assert second[1:4] == ["", "borderline", "40% · possible"]
    assert Cells(table(3, ANSWER)).hrefs == ["https://example.org/w", "#s3-1", "#s3-2"]


def test_hostile_text_is_inert_and_the_table_is_one_line() -> None:
    html = table(1, ANSWER)
    seen = Cells(html)
    assert "\n" not in html
    assert seen.tags <= {
        "div",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
        "span",
        "p",
        "code",
    }
    assert seen.names <= {"class", "href", "target", "rel"}
    assert "<img src=x onerror=alert(1)>" in seen.rows[2][0]


def test_the_files_hold_the_list() -> None:
    held = files(table(1, ANSWER))
    rows = list(csv.DictReader(io.StringIO(held["CSV"])))
    assert [row["verdict"] for row in rows] == ["member", "borderline"]
    assert rows[1]["title"].startswith("'=cmd()"), "no formula for a spreadsheet"
    assert held["BibTeX"] == ANSWER.to_bibtex()
    assert held["Markdown"] == ANSWER.to_markdown()
    papers = json.loads(held["JSON"])["papers"]
    assert [paper["title"] for paper in papers] == [WELLS.title, HOSTILE.title]
    assert papers[0]["quote"] == WELLS.abstract


def test_every_card_carries_its_bibtex() -> None:
    exchange = Exchange(1, "Which?").followed_by(SentenceReady(COUNT, (CITATION,)))
    section = view.section(exchange.followed_by(Finished(ANSWER)), is_open=True)
    found = re.findall(r'class="copy">Copy BibTeX<code class="content">([^<]*)<', section)
    assert [base64.b64decode(text).decode() for text in found] == [
        papers_to_bibtex([WELLS]),
        papers_to_bibtex([HOSTILE]),
    ]


def test_without_a_list_there_is_no_table() -> None:
    assert table(1, replace(ANSWER, census=None)) == ""
    assert table(1, replace(ANSWER, census=replace(CENSUS, members=(), borderline=()))) == ""


def test_the_answer_counts_and_the_table_lists() -> None:
    exchange = Exchange(1, "Which?")
    for sentence in ANSWER.sentences:
        exchange = exchange.followed_by(SentenceReady(sentence, (CITATION,)))
    assert "Wells: “" in view.reply(exchange)
    listed = view.reply(exchange.followed_by(Finished(ANSWER)))
    assert "1 of 9 papers matches." in listed
    assert "Wells: “" not in listed
    assert table(1, ANSWER) in listed
