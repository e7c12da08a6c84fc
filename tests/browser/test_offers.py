"""What is offered under an answer: follow-up questions, the question without its filters, examples."""

import re

import pytest
from playwright.sync_api import Page, expect

ORALS = "Which oral papers deal with benchmarks?"


def visit(page: Page, url: str) -> None:
    page.goto(f"{url}?__theme=light")
    expect(page.locator("#box textarea")).to_be_visible()
    page.wait_for_timeout(1500)


def ask(page: Page, question: str) -> None:
    before = page.locator("[data-testid=bot]").count()
    page.fill("#box textarea", question)
    page.keyboard.press("Enter")
    settle(page, before + 1)


def settle(page: Page, n_answers: int) -> None:
    expect(page.locator("[data-testid=bot]")).to_have_count(n_answers)
    expect(page.locator(".outcome.working")).to_have_count(0, timeout=60_000)
    expect(page.locator("#box .submit-button")).to_be_visible()


def test_a_follow_up_is_offered_and_asked_by_a_click(page: Page, scripted_chat: str) -> None:
    visit(page, scripted_chat)
    offers = page.locator("#offers .chip")
    expect(offers).to_have_count(0)
    ask(page, "where are the wells")
    expect(offers).to_have_text(["what after where are the wells"])
    offers.first.focus()
    page.keyboard.press("Enter")
    settle(page, 2)
    asked = page.locator("[data-testid=user] .question")
    expect(asked.last).to_have_text("what after where are the wells")
    ask(page, "weak")
    expect(offers).to_have_count(0)


def test_what_is_offered_is_answered(page: Page, real_chat: str) -> None:
    visit(page, real_chat)
    ask(page, "How many wells are in the Alberta dataset?")
    offers = page.locator("#offers .chip")
    expect(offers.first).to_be_visible(timeout=30_000)
    for number in range(offers.count()):
        assert offers.nth(number).inner_text().strip().endswith("?")
    offers.first.click()
    settle(page, 2)
    expect(page.locator(".outcome").last).to_contain_text("Answered")


def test_a_filter_that_was_read_is_taken_back(page: Page, real_chat: str) -> None:
    visit(page, real_chat)
    ask(page, ORALS)
    removal = page.locator("#unfiltered")
    expect(removal).to_have_text("✕ Without the filter: presentation oral")
    expect(page.locator("#chat .steps").last).to_contain_text("presentation oral")
    removal.focus()
    page.keyboard.press("Enter")
    settle(page, 1)
    expect(page.locator("#chat .steps").last).not_to_contain_text("presentation oral")
    expect(page.locator("#unfiltered")).to_be_hidden()
    expect(page.locator("[data-testid=user] .question")).to_have_text([ORALS])


def test_a_card_asks_about_its_paper(page: Page, real_chat: str) -> None:
    visit(page, real_chat)
    ask(page, "How many wells are in the Alberta dataset?")
    card = page.locator("#sources details.source").first
    card.locator("summary").click()
    page.fill("#box textarea", "what is proposed?")
    card.get_by_role("button", name="Ask about this paper").focus()
    page.keyboard.press("Enter")
    box = page.locator("#box textarea")
    expect(box).to_be_focused()
    asked = box.input_value()
    title = re.fullmatch("In “(.+)”, what is proposed\\?", asked)
    assert title is not None
    assert title[1] in card.inner_text()
    page.keyboard.press("Enter")
    settle(page, 2)
    expect(page.locator("[data-testid=bot]").last).to_contain_text(title[1])


def test_where_nothing_is_here_examples_are_offered(page: Page, scripted_chat: str) -> None:
    visit(page, scripted_chat)
    ask(page, "nothing")
    expect(page.locator("#examples .chip").first).to_be_visible()
    ask(page, "weak")
    expect(page.locator("#examples .chip").first).to_be_hidden()


@pytest.mark.parametrize("width", [1400, 390])
def test_a_marker_shows_its_paper_and_quote_under_the_pointer_and_with_the_focus(
    page: Page, scripted_chat: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    visit(page, scripted_chat)
    ask(page, "where are the wells")
    tip, marker = page.locator("#tip"), page.locator("#chat a.cite").first
    marker.hover()
    expect(tip.locator(".title")).to_have_text("Geospatial Wells")
    expect(tip.locator(".who")).to_have_text("Ann Example · ICML 2025")
    expect(tip.locator(".quote")).to_have_text("“Wells leak.”")
    box = tip.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    marker.focus()
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
