"""The chat in a real browser."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from eval.feedback import FILE, load_feedback
from rag.corpus import load_corpus

PAPERS = {paper.paper_id: paper for paper in load_corpus("seeds").papers}
WELLS = "How many wells are in the Alberta dataset?"
MAAS = "What share of handcrafted systems' inference cost does MaAS need?"


def visit(page: Page, url: str, *, theme: str = "light") -> Page:
    page.goto(f"{url}?__theme={theme}")
    expect(page.locator("#box textarea")).to_be_visible()
    # The last conversation is asked for first; nobody types a question in that time.
    page.wait_for_timeout(1500)
    return page


def ask(page: Page, question: str) -> None:
    page.fill("#box textarea", question)
    page.keyboard.press("Enter")


def answers(page: Page) -> "list[str]":
    return [text.strip() for text in page.locator("[data-testid=bot]").all_inner_texts()]


def ask_and_wait(page: Page, question: str) -> str:
    before = page.locator("[data-testid=bot]").count()
    ask(page, question)
    expect(page.locator("[data-testid=bot]")).to_have_count(before + 1)
    expect(page.locator(".outcome.working")).to_have_count(0)
    expect(page.locator("#box .submit-button")).to_be_visible()
    return answers(page)[-1]


def test_a_question_is_answered_with_a_marked_quote(page: Page, real_chat: str) -> None:
    visit(page, real_chat)
    answer = ask_and_wait(page, WELLS)
    assert answer.startswith("Answered · 1 paper quoted")
    assert "213,000 wells" in answer
    quote = page.locator("#chat a.cite").first.get_attribute("title")
    abstract = page.locator("#sources .cited .abstract").first
    assert abstract.locator("mark").first.inner_text() == quote
    assert abstract.inner_text() == PAPERS["zLHn677EMS"].abstract
    card = page.locator("#sources .cited article").first.inner_text()
    assert PAPERS["zLHn677EMS"].title in card
    assert PAPERS["zLHn677EMS"].authors[0] in card
    links = page.locator("#sources .cited .links a[target=_blank]")
    assert links.first.get_attribute("href") == PAPERS["zLHn677EMS"].url
    assert links.first.get_attribute("rel") == "noopener noreferrer"


def test_a_citation_leads_to_its_source_by_mouse_and_by_keyboard(
    page: Page, real_chat: str
) -> None:
    visit(page, real_chat)
    ask_and_wait(page, WELLS)
    page.locator("#chat a.cite").first.click()
    expect(page.locator("#s1-1")).to_be_focused()
    expect(page.locator("#s1-1")).to_be_in_viewport()
    page.locator("#s1-1 a.back").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#a1")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#chat a.cite").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#s1-1")).to_be_focused()
    assert "__theme=light" in page.url


def test_each_turn_keeps_its_own_anchors_and_each_paper_its_number(
    page: Page, real_chat: str
) -> None:
    visit(page, real_chat)
    ask_and_wait(page, WELLS)
    ask_and_wait(page, MAAS)
    card = page.locator("#sources .turn[open] .cited article").first
    assert card.locator("h4").inner_text().endswith(PAPERS["imcyVlzpXh"].title)
    assert card.get_attribute("id") != "s2-1"
    expect(page.locator("#s1-1")).to_be_hidden()
    page.locator("#chat a.cite[href='#s1-1']").first.click()
    expect(page.locator("#s1-1")).to_be_focused()
    assert PAPERS["zLHn677EMS"].title in page.locator("#s1-1 h4").inner_text()
    ask_and_wait(page, WELLS)
    expect(page.locator("#s3-1 h4")).to_be_in_viewport()
    assert PAPERS["zLHn677EMS"].title in page.locator("#s3-1 h4").inner_text()


def test_mathematics_is_typeset_and_prices_are_not(
    page: Page, real_chat: str, scripted_chat: str
) -> None:
    visit(page, real_chat)
    ask_and_wait(page, MAAS)
    expect(page.locator("#chat .katex").first).to_be_visible()
    expect(page.locator("#sources mark .katex").first).to_be_visible()
    assert page.locator(".katex-error").count() == 0
    visit(page, scripted_chat)
    answer = ask_and_wait(page, "wells")
    assert "They cost $5 or $10." in answer
    assert page.locator("#chat .katex").count() == 1
    assert page.locator("#chat p em").inner_text() == "never"


def test_what_is_not_in_the_corpus_is_not_answered(page: Page, real_chat: str) -> None:
    visit(page, real_chat)
    answer = ask_and_wait(page, "Who won the football world cup in 1998?")
    assert answer.startswith("Not in these papers")
    assert page.locator("#chat a.cite").count() == 0
    panel = page.locator("#sources")
    expect(panel.get_by_text("Nearest papers · not used as evidence")).to_be_visible()
    assert panel.locator(".nearest details.source").count() >= 1
    assert panel.locator("mark").count() == 0


def test_what_an_abstract_does_not_say_leads_to_that_paper(page: Page, scripted_chat: str) -> None:
    visit(page, scripted_chat)
    answer = ask_and_wait(page, "unsaid")
    assert answer.startswith("Not stated in the abstract")
    title = page.locator("#chat .notice a").first
    assert title.inner_text() == "Geospatial Wells"
    assert title.get_attribute("href") == "https://papers.example/wells"
    expect(page.locator("#sources").get_by_text("Looked in · does not say")).to_be_visible()
    assert page.locator("#sources mark").count() == 0
    page.locator("#chat a.cite").click()
    expect(page.locator("#s1-1")).to_be_focused()


def test_small_talk_has_no_sources(page: Page, real_chat: str) -> None:
    visit(page, real_chat)
    assert "Ask me about the 57 papers" in ask_and_wait(page, "hello")
    assert page.locator(".outcome").count() == 0
    assert page.locator("#sources .turn").count() == 0


def test_a_follow_up_is_understood(page: Page, real_chat: str) -> None:
    visit(page, real_chat)
    ask_and_wait(page, WELLS)
    assert "satellite" in ask_and_wait(page, "Which imagery does it use?").lower()


def test_an_example_fills_and_sends_and_then_makes_room(page: Page, real_chat: str) -> None:
    visit(page, real_chat)
    expect(page.get_by_text("57 papers")).to_be_visible()
    expect(page.get_by_text("Quotes only · no key needed")).to_be_visible()
    page.get_by_role("button", name=WELLS).click()
    expect(page.locator("[data-testid=user]")).to_have_text(WELLS)
    expect(page.locator(".outcome.answered")).to_be_visible()
    expect(page.locator("#examples .chip").first).to_be_hidden()
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".chip").first).to_be_visible()
    expect(page.locator("#sources .turn")).to_have_count(0)
    ask_and_wait(page, MAAS)
    assert len(answers(page)) == 1


def test_sentences_appear_one_by_one(page: Page, scripted_chat: str) -> None:
    visit(page, scripted_chat)
    ask(page, "slow wells")
    cites = page.locator("#chat a.cite")
    expect(cites).to_have_count(1)
    expect(page.locator(".outcome.working")).to_have_text("Reading 1 paper")
    expect(page.locator("#sources mark")).to_have_count(1)
    expect(cites).to_have_count(2)
    expect(page.locator(".outcome.answered")).to_be_visible()
    expect(cites).to_have_count(3)


def test_stopping_and_leaving_close_the_stream(
    browser: Browser, scripted_chat: str, closed_log: Path
) -> None:
    for leave in (lambda page: page.locator(".stop-button").click(), lambda page: page.close()):
        before = closed_log.read_text().count("slow for ever")
        context = browser.new_context()
        page = visit(context.new_page(), scripted_chat)
        ask(page, "slow for ever")
        expect(page.locator("#chat a.cite")).to_have_count(3)
        leave(page)
        deadline = time.monotonic() + 5
        while closed_log.read_text().count("slow for ever") == before:
            assert time.monotonic() < deadline, "the stream was not closed"
            time.sleep(0.05)
        if not page.is_closed():
            expect(page.locator(".outcome.stopped")).to_have_text("Stopped")
            assert "Wells leak." in ask_and_wait(page, "wells")
        context.close()


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_the_bibtex_of_a_paper_is_copied(
    page: Page, scripted_chat: str, has_clipboard: bool
) -> None:
    if not has_clipboard:
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.add_init_script(
        """window.copied = "";
        document.addEventListener("copy", () => { window.copied = String(document.activeElement.value); });
        if (navigator.clipboard) {
            navigator.clipboard.writeText = async text => { window.copied = text; };
        }"""
    )
    visit(page, scripted_chat)
    ask_and_wait(page, "wells")
    button = page.locator("#s1-1 .copy button")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_text("Copied")
    expect(button).to_be_focused()
    copied = page.evaluate("window.copied")
    assert copied.startswith("@inproceedings{")
    assert "title = {{Geospatial Wells}}" in copied
    expect(button).to_have_text("Copy BibTeX")


def test_a_list_is_a_table_that_sorts_and_downloads(page: Page, scripted_chat: str) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.add_init_script("window.pwned = 0; window.pwn = () => { window.pwned += 1; };")
    visit(page, scripted_chat)
    ask_and_wait(page, "list wells")
    rows = page.locator("#chat .census tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Geospatial Wells")
    head = page.locator("#chat .census th", has_text="Confidence")
    for order, first in (("ascending", "borderline"), ("descending", "member")):
        head.get_by_role("button").focus()
        page.keyboard.press("Enter")
        expect(head).to_have_attribute("aria-sort", order)
        expect(rows.first).to_have_class(first)
    for name, ending in {"CSV": "csv", "BibTeX": "bib", "Markdown": "md", "JSON": "json"}.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download {name}").click()
        assert download.value.suggested_filename == f"papers.{ending}"
        assert "Geospatial Wells" in Path(download.value.path()).read_text()
    page.locator("#chat .census a.cite").last.click()
    expect(page.locator("#s1-2")).to_be_focused()
    assert page.evaluate("window.pwned") == 0
    assert page.locator("#chat .census").locator("img, svg, iframe, script, style").count() == 0
    own = (scripted_chat, "data:", f"blob:{scripted_chat}")
    assert [url for url in requests if not url.startswith(own)] == []


def test_an_answer_is_rated_once_by_keyboard(
    page: Page, scripted_chat: str, closed_log: Path
) -> None:
    visit(page, scripted_chat)
    expect(page.locator("#feedback")).to_be_hidden()
    ask_and_wait(page, "fail")
    expect(page.locator("#feedback")).to_be_hidden()
    ask_and_wait(page, "wells")
    page.get_by_label("Comment on this answer").fill("Not <b>mine</b>")
    page.get_by_role("button", name="Wrong source").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").get_by_text("Thank you.")).to_be_visible()
    expect(page.locator("#feedback")).to_be_hidden()
    expect(page.locator("#box textarea")).to_be_focused()
    kept = load_feedback(closed_log.with_name(FILE))
    assert [(one.verdict, one.question, one.comment) for one in kept] == [
        ("wrong_source", "wells", "Not <b>mine</b>")
    ]
    ask_and_wait(page, "wells again")
    expect(page.locator(".thanks")).to_have_count(0)
    expect(page.get_by_label("Comment on this answer")).to_have_value("")


@pytest.mark.parametrize(
    ("question", "message"),
    [("fail", "The server is busy. Ask again."), ("break", "The answer could not be made.")],
)
def test_failures_are_said_in_words(
    page: Page, scripted_chat: str, question: str, message: str
) -> None:
    visit(page, scripted_chat)
    answer = ask_and_wait(page, question)
    assert answer.startswith("Something went wrong")
    assert message in answer
    assert "secret" not in page.content()
    assert "Wells leak." in ask_and_wait(page, "wells")


def test_a_hostile_paper_is_read_and_nothing_else(
    page: Page, scripted_chat: str, listener: tuple[str, Callable[[], int]]
) -> None:
    lure, reached = listener
    requests: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.add_init_script("window.pwned = 0; window.pwn = () => { window.pwned += 1; };")
    visit(page, scripted_chat)
    ask_and_wait(page, f"hostile {lure}")
    page.locator("#chat a.cite").first.click()
    page.wait_for_timeout(300)
    assert page.evaluate("window.pwned") == 0
    assert faults == []
    shown = page.locator("#chat [data-testid=bot], #sources")
    assert shown.locator("img, svg, iframe, script, style, link, pre, h1").count() == 0
    hrefs = [link.get_attribute("href") or "" for link in shown.locator("a").all()]
    assert {href[:2] for href in hrefs} <= {"#s", "#a"}
    assert [url for url in requests if not url.startswith((scripted_chat, "data:"))] == []
    assert reached() == 0
    for trick in ("![x](", "<script>pwn()</script>", "[go](javascript:pwn())", "</details>"):
        assert trick in page.locator("#sources .abstract").inner_text()


def test_the_browser_refuses_foreign_images_even_if_some_got_in(
    page: Page, scripted_chat: str, listener: tuple[str, Callable[[], int]]
) -> None:
    lure, reached = listener
    visit(page, scripted_chat)
    page.evaluate(
        """lure => {
            const image = document.createElement("img");
            image.src = lure;
            document.body.append(image);
            return new Promise(done => { image.onerror = done; });
        }""",
        lure,
    )
    assert reached() == 0


def test_sessions_do_not_see_each_other(browser: Browser, scripted_chat: str) -> None:
    contexts = [browser.new_context() for _ in range(2)]
    first, second = (visit(context.new_page(), scripted_chat) for context in contexts)
    ask_and_wait(first, "wells CANARY-ONE")
    ask_and_wait(second, "wells CANARY-TWO")
    ask_and_wait(first, "wells again")
    assert "CANARY-TWO" not in first.content()
    assert "CANARY-ONE" not in second.content()
    for context in contexts:
        context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_width_and_theme_is_readable(page: Page, scripted_chat: str, theme: str) -> None:
    visit(page, scripted_chat, theme=theme)
    ask_and_wait(page, "wells")
    for name in ("#chat [data-testid=bot] p", "#sources .abstract", "#sources mark", ".badge.mode"):
        assert contrast(page, name) >= 4.5, name
    for width in (1400, 900, 768, 390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        talk, evidence = (page.locator(name).bounding_box() for name in ("#talk", "#evidence"))
        assert talk is not None
        assert evidence is not None
        if width >= 900:
            assert evidence["x"] >= talk["x"] + talk["width"]
            assert evidence["y"] == talk["y"]
        else:
            assert evidence["y"] >= talk["y"] + talk["height"]


def test_the_newest_answer_can_be_read_to_its_end(page: Page, real_chat: str) -> None:
    page.set_viewport_size({"width": 390, "height": 700})
    visit(page, real_chat)
    ask_and_wait(page, "Which papers improve federated learning?")
    expect(page.locator("#chat a.cite").last).to_be_in_viewport()
    expect(page.locator("#box textarea")).to_be_in_viewport()


def contrast(page: Page, selector: str) -> float:
    """WCAG contrast ratio of an element's text against what lies behind it."""
    text, behind = page.locator(selector).first.evaluate(
        """element => {
            const color = getComputedStyle(element).color;
            for (let box = element; box; box = box.parentElement) {
                const fill = getComputedStyle(box).backgroundColor;
                if (!/, 0\\)$/.test(fill)) return [color, fill];
            }
            return [color, "rgb(255, 255, 255)"];
        }"""
    )
    bright, dim = sorted((luminance(text), luminance(behind)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def luminance(color: str) -> float:
    channels = [int(number) / 255 for number in re.findall(r"\d+", color)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
