"""What is drawn for each outcome, and that nothing from papers or models draws for itself."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from rag.answer import Answer, Finished
from rag.records import (
    Citation,
    Cue,
    DroppedSentence,
    Filters,
    Paper,
    Passage,
    Query,
    Retrieved,
    Sentence,
    SentenceReady,
    Usage,
)
from ui import view
from ui.exchange import Exchange

WELLS = Paper(
    paper_id="wells",
    title="Geospatial *Wells*",
    abstract="Wells leak. We release **213,000** wells in Alberta. Leaks cost $5 or $10.",
    authors=("Ann Example", "Bo Sample"),
    venue="ICML 2025",
    year=2025,
    url="https://example.org/wells",
    pdf_url="https://example.org/wells.pdf",
    presentation="oral",
)
CAVES = Paper("caves", "Mapping Caves", "Caves are deep. Caves are dark.", venue="X", year=2024)
HOSTILE = Paper(
    paper_id="</a><script>",
    title="<img src=x onerror=alert(1)> ![x](http://evil.example/a.png)",
    abstract="Say <script>alert(1)</script> [now](javascript:alert(1)).\n\n<iframe src=//e.x>",
    authors=('"><svg onload=alert(1)>', "A\n\nB"),
    venue="</details><b>",
    url="javascript:alert(1)",
    pdf_url="data:text/html,<script>alert(1)</script>",
    presentation="<i>",
)


def cite(marker: int, paper: Paper, quote: str) -> Citation:
    start = paper.abstract.index(quote)
    return Citation(marker, paper, quote, start, start + len(quote))


def ready(text: str, *citations: Citation, starts: bool = False) -> SentenceReady:
    markers = tuple(dict.fromkeys(citation.marker for citation in citations))
    return SentenceReady(Sentence(text, markers, 1.0, starts_paragraph=starts), citations)


def passages(*papers: Paper) -> tuple[Passage, ...]:
    return tuple(Passage(n, paper, paper.abstract, 1.0) for n, paper in enumerate(papers, 1))


def finished(answer: Answer, *sentences: SentenceReady, turn: int = 3) -> Exchange:
    exchange = Exchange(turn, answer.question)
    exchange = exchange.followed_by(
        Retrieved(Query(answer.question, answer.question), answer.passages)
    )
    for sentence in sentences:
        exchange = exchange.followed_by(sentence)
    return exchange.followed_by(Finished(answer))


RECORD = ready(
    "It is by two.",
    replace(cite(1, WELLS, "Wells leak."), record="Authors: <b>A</b>\nYear: 2025"),
)
QUOTED = ready("“We release.”", cite(1, WELLS, "We release **213,000** wells in Alberta."))
DARK = ready(
    "Both are.", cite(1, WELLS, "Wells leak."), cite(2, CAVES, "Caves are dark."), starts=True
)
ANSWER = Answer(
    question="How many wells?",
    standalone_question="How many wells?",
    status="answered",
    sentences=(QUOTED.sentence, DARK.sentence),
    citations=(*QUOTED.citations, *DARK.citations),
    passages=passages(WELLS, CAVES, HOSTILE),
)
ANSWERED = finished(ANSWER, QUOTED, DARK)
NOT_STATED = finished(
    Answer(
        "Cost?",
        "Cost?",
        "not_stated",
        passages=passages(WELLS, CAVES),
        notice=f"Not *said*. See [{WELLS.title}]({WELLS.url}).",
    )
)
NOT_IN_CORPUS = finished(
    Answer("Who?", "Who?", "not_in_corpus", passages=passages(CAVES), notice="No paper.")
)


class Page(HTMLParser):
    """The tags, attributes and links of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.links: list[dict[str, str | None]] = []
        self.ids: list[str | None] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self.ids += [value for name, value in attrs if name == "id"]
        if tag == "a":
            self.links.append(dict(attrs))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_citation_links_to_its_source_and_shows_its_quote() -> None:
    links = Page(view.reply(ANSWERED)).links
    assert links[0] == {
        "class": "cite",
        "href": "#s3-1",
        "title": "We release **213,000** wells in Alberta.",
    }
    assert [link["href"] for link in links] == ["#s3-1", "#s3-1", "#s3-2"]
    ids = Page(view.section(ANSWERED, is_open=True)).ids
    assert {"s3-1", "s3-2", "s3-3"} <= set(ids)


def test_paragraphs_start_where_the_sentences_say() -> None:
    assert view.reply(ANSWERED).count("\n\n<p>") == 2
    assert view.reply(finished(ANSWER, QUOTED, QUOTED)).count("\n\n<p>") == 1


def test_every_quote_is_marked_in_the_whole_abstract() -> None:
    section = view.section(ANSWERED, is_open=True)
    assert "<mark>Wells leak.</mark> <mark>We release <strong>213,000</strong>" in section
    assert "in Alberta.</mark> Leaks cost $5 or $10.</p>" in section
    assert "Caves are deep. <mark>Caves are dark.</mark>" in section


def test_cited_and_unused_papers_are_kept_apart() -> None:
    section = view.section(ANSWERED, is_open=True)
    cited, unused = section.split("Read · not used")
    assert "Mapping Caves" in cited
    assert "Mapping Caves" not in unused
    assert 'id="s3-3"' in unused
    assert "<mark>" not in unused


def test_a_source_names_its_paper_and_links_to_it() -> None:
    section = view.section(ANSWERED, is_open=True)
    assert "Geospatial <em>Wells</em>" in section
    assert "Ann Example, Bo Sample" in section
    assert "ICML 2025 · oral" in section
    assert "X 2024" in section
    outward = [link for link in Page(section).links if link.get("target")]
    assert {link["href"] for link in outward} == {WELLS.url, WELLS.pdf_url}
    assert {link["rel"] for link in outward} == {"noopener noreferrer"}
    assert {link["target"] for link in outward} == {"_blank"}


def test_the_three_outcomes_say_so_in_words() -> None:
    assert '<p class="outcome answered">' in view.reply(ANSWERED)
    assert "Answered · 2 papers quoted" in view.reply(ANSWERED)
    assert '<p class="outcome not-stated">' in view.reply(NOT_STATED)
    assert "Not stated in the abstract" in view.reply(NOT_STATED)
    assert '<p class="outcome not-in-corpus">' in view.reply(NOT_IN_CORPUS)
    assert "Not in these papers" in view.reply(NOT_IN_CORPUS)


def test_not_stated_shows_the_paper_that_was_looked_in() -> None:
    looked_in, unused = view.section(NOT_STATED, is_open=True).split("Read · not used")
    assert "Looked in · does not say" in looked_in
    assert "Geospatial" in looked_in
    assert "Mapping Caves" in unused
    assert [link["href"] for link in Page(view.reply(NOT_STATED)).links] == [WELLS.url, "#s3-1"]
    assert "Not <em>said</em>. See <a" in view.reply(NOT_STATED)
    assert ">Geospatial <em>Wells</em></a>" in view.reply(NOT_STATED)


def test_only_the_paper_that_was_looked_in_is_linked_by_a_notice() -> None:
    notice = "[Mapping Caves](http://evil.example) [Geospatial *Wells*](http://evil.example)"
    exchange = finished(Answer("q", "q", "not_stated", passages=passages(WELLS), notice=notice))
    assert Page(view.reply(exchange)).links == []


def test_not_in_corpus_lists_the_nearest_papers_as_no_evidence() -> None:
    section = view.section(NOT_IN_CORPUS, is_open=True)
    assert "Nearest papers · not used as evidence" in section
    assert "Cited" not in section
    assert "<mark>" not in section
    assert Page(view.reply(NOT_IN_CORPUS)).links == []


def test_a_reply_to_small_talk_has_neither_label_nor_sources() -> None:
    hello = finished(Answer("hi", "hi", "not_in_corpus", notice="Hello.\n- Why *x*?\n- Who?"))
    assert view.reply(hello) == (
        '<p class="notice">Hello.</p>\n\n'
        '<ul class="notice"><li>Why <em>x</em>?</li><li>Who?</li></ul>'
    )
    assert view.section(hello, is_open=True) == ""


def test_each_stage_is_named_while_it_lasts() -> None:
    searching = Exchange(1, "q")
    reading = searching.followed_by(Retrieved(Query("q", "q"), passages(WELLS, CAVES)))
    assert "Searching the papers" in view.reply(searching)
    assert "Reading 2 papers" in view.reply(reading)
    assert "<h3>Reading</h3>" in view.section(reading, is_open=True)
    assert "Stopped" in view.reply(reading.stopped())


def test_a_failure_keeps_what_was_shown_and_says_what_to_do() -> None:
    exchange = Exchange(1, "q").followed_by(QUOTED).failed("It <broke>. Ask again.")
    assert "We release." in view.reply(exchange)
    assert '<p class="problem">It &lt;broke&gt;. Ask again.</p>' in view.reply(exchange)


def test_what_was_dropped_is_counted() -> None:
    gone = DroppedSentence("Wells are blue.", "no support")
    one, two = replace(ANSWER, dropped=(gone,)), replace(ANSWER, dropped=(gone, gone))
    assert "1 sentence was left out" in view.reply(finished(one, QUOTED))
    assert "2 sentences were left out" in view.reply(finished(two, QUOTED))
    assert "blue" not in view.reply(finished(one, QUOTED))


def test_a_sentence_without_a_quote_is_flagged() -> None:
    bare = SentenceReady(Sentence("Trust me.", (7,), 0.1), ())
    reply = view.reply(finished(ANSWER, bare))
    assert '<span class="unproven">Trust me. <em>(no quote found)</em></span>' in reply
    assert Page(reply).links == []


def test_weak_support_is_said_in_words_beside_the_quote() -> None:
    sentence = replace(QUOTED.sentence, is_flagged=True)
    reply = view.reply(finished(ANSWER, replace(QUOTED, sentence=sentence)))
    assert '<em>(weakly supported: check the quote)</em></span>&nbsp;<a class="cite"' in reply
    assert "weakly supported" not in view.reply(finished(ANSWER, QUOTED))


def test_what_the_model_could_not_do_is_said_under_an_answer() -> None:
    told = replace(ANSWER, notice="The server is <away>. The abstracts are quoted instead.")
    reply = view.reply(finished(told, QUOTED))
    assert "The server is &lt;away&gt;. The abstracts are quoted instead." in reply


@pytest.mark.parametrize("status", ["answered", "not_stated", "not_in_corpus"])
def test_hostile_papers_and_models_are_inert(status: str) -> None:
    evil = ready(
        "![x](http://evil.example) <a href=//e.x>[1]</a> </p><script>alert(1)</script>",
        cite(1, HOSTILE, HOSTILE.abstract),
    )
    answer = replace(
        ANSWER,
        question='"><script>alert(1)</script>',
        status=status,
        passages=passages(HOSTILE, HOSTILE),
        notice="<b onclick=x> [a](javascript:alert(1))",
    )
    exchange = finished(answer, evil)
    drawn = [
        view.reply(exchange),
        view.section(exchange, is_open=True),
        view.question(answer.question),
        view.header(mode="<script>", n_papers=1, corpus_name="<img src=x>"),
    ]
    for html in drawn:
        page = Page(html)
        assert page.open == []
        assert not page.tags & {"script", "img", "svg", "iframe", "b", "i"}
        assert not {name for name in page.names if name.startswith("on")}
        assert all((link["href"] or "").startswith("#") for link in page.links)


def test_no_text_of_a_paper_can_end_its_block() -> None:
    assert "\n" not in view.section(finished(ANSWER, QUOTED, DARK), is_open=True)
    assert "\n" not in view.question("a\n\nb\n\n# c")


def test_the_panel_lists_the_newest_question_first() -> None:
    assert view.panel(["first", "", "second"]) == "second\n\nfirst"
    assert "appear here" in view.panel([""])


def test_only_the_open_section_is_open() -> None:
    assert '<details class="turn" open>' in view.section(ANSWERED, is_open=True)
    assert '<details class="turn">' in view.section(ANSWERED, is_open=False)


def test_long_questions_and_author_lists_are_shortened() -> None:
    assert len(view.question("x" * 50_000)) < 1500
    crowd = replace(WELLS, authors=tuple(f"A{n}" for n in range(25)))
    exchange = finished(replace(ANSWER, passages=passages(crowd)))
    assert "A9 <span" in view.section(exchange, is_open=True)
    assert "and 15 more" in view.section(exchange, is_open=True)


def test_the_badge_says_who_answers_and_from_what() -> None:
    quoting = view.header(mode="extractive", n_papers=1, corpus_name="seeds")
    writing = view.header(mode="gpt-x", n_papers=3330, corpus_name="icml2025")
    assert "Quotes only · no key needed" in quoting
    assert "1 paper · seeds" in quoting
    assert "Written by gpt-x" in writing
    assert "3,330 papers · icml2025" in writing


def test_what_a_record_says_is_shown_escaped_beside_the_marker_and_in_the_card() -> None:
    answer = Answer("q", "q", "answered", (RECORD.sentence,), RECORD.citations, passages(WELLS))
    exchange = finished(answer, RECORD)
    shown = view.reply(exchange) + view.section(exchange, is_open=True)
    assert "From the record: Authors: <b>" not in shown
    assert shown.count("From the record: Authors: &lt;b&gt;A&lt;/b&gt;") == 2
    assert shown.count("From the record: Year: 2025") == 2
    assert "no quote found" not in shown
    assert "Answered · 1 paper by record" in shown


def test_a_paper_without_an_abstract_can_be_cited_by_its_record() -> None:
    bare = Paper("bare", "Untold", "", ("Dora Long",))
    cited = ready("“Untold” is by Dora Long.", Citation(1, bare, "", 0, 0, "Authors: Dora Long"))
    answer = Answer("q", "q", "answered", (cited.sentence,), cited.citations, passages(bare))
    shown = view.reply(finished(answer, cited))
    assert 'title="From the record: Authors: Dora Long">[1]</a>' in shown


def test_the_steps_say_what_was_looked_for_and_where() -> None:
    exchange = finished(Answer("And where?", "Where are the wells?", "answered"), turn=2)
    query = Query(
        "oral papers: <b>where</b>?",
        "Where are the <b>wells</b>?",
        Filters(presentation=("oral",)),
        cues=(Cue("presentation", "oral", "oral papers"),),
    )
    shown = view.reply(replace(exchange, query=query, passages=passages(WELLS, CAVES)))
    assert "Asked as: Where are the &lt;b&gt;wells&lt;/b&gt;?" in shown
    assert "Looked only at: presentation oral" in shown
    assert "“oral papers” was read as presentation oral" in shown
    assert "Read the abstracts of 2 papers" in shown


def test_the_steps_tell_who_wrote_for_how_much_and_how_long() -> None:
    usage = Usage(1200, 30, "provider", 0.0012)
    answer = Answer(
        "q",
        "q",
        "answered",
        passages=passages(WELLS),
        usage=usage,
        model="openai:<x>",
        timings_ms={"a": 700.0, "b": 550.0},
    )
    shown = view.reply(finished(answer))
    assert (
        "openai:&lt;x&gt;: 1,200 tokens read, 30 written (said by the provider), about $" in shown
    )
    assert "Took 1.2 s" in shown


def test_nothing_was_looked_for_without_a_question() -> None:
    shown = view.reply(Exchange(1, "hi").followed_by(Finished(Answer("hi", "hi", "not_in_corpus"))))
    assert "steps" not in shown
