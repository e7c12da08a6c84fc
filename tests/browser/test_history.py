"""Conversations that survive the page and the program, in a real browser."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bibtexparser
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

SLOW = 60_000


def visit(page: Page, url: str) -> Page:
    page.goto(f"{url}?__theme=light")
    expect(page.locator("#box textarea")).to_be_visible()
    # The page asks for the last conversation once it is there; its answer fills the list.
    page.wait_for_timeout(1500)
    return page


def ask(page: Page, question: str) -> None:
    before = page.locator("[data-testid=bot]").count()
    page.fill("#box textarea", question)
    page.keyboard.press("Enter")
    expect(page.locator("[data-testid=bot]")).to_have_count(before + 1)
    expect(page.locator(".outcome.working")).to_have_count(0)
    expect(page.locator("#box .submit-button")).to_be_visible()


def questions(page: Page) -> list[str]:
    return page.locator("[data-testid=user] .question").all_inner_texts()


def unfold(page: Page) -> None:
    expect(page.locator("#kept")).to_be_hidden()
    page.locator("#shelf .toggle-button").click()
    expect(page.locator("#kept")).to_be_visible()


def wait_for_list(page: Page, *titles: str) -> None:
    expect(page.locator("#kept label")).to_have_text(list(titles))


def test_a_conversation_survives_a_reload_and_a_restart(
    context: BrowserContext, serve: Callable[[str, Path], Any], tmp_path: Path
) -> None:
    log = tmp_path / "closed"
    log.touch()
    with serve("scripted", log) as url:
        page = visit(context.new_page(), url)
        ask(page, "where are the wells")
        ask(page, "and why")
        before = page.locator("#chat").inner_text()
        visit(page, url)
        assert questions(page) == ["where are the wells", "and why"]
        assert page.locator("#chat").inner_text() == before
        page.close()
    with serve("scripted", log) as url:
        page = visit(context.new_page(), url)
        assert questions(page) == ["where are the wells", "and why"]
        assert page.locator("#sources .turn").count() == 2
        ask(page, "a third")
        # The same paper has its number still.
        markers = set(page.locator("#chat a.cite").all_inner_texts())
        assert markers == {"[1]"}
        unfold(page)
        wait_for_list(page, "where are the wells")


def test_conversations_are_opened_renamed_exported_and_deleted(
    page: Page, scripted_chat: str
) -> None:
    visit(page, scripted_chat)
    ask(page, "first wells")
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("[data-testid=bot]")).to_have_count(0)
    ask(page, "second wells")
    unfold(page)
    wait_for_list(page, "second wells", "first wells")
    page.locator("#kept label", has_text="first wells").click()
    expect(page.locator("[data-testid=user] .question")).to_have_text(["first wells"])

    page.locator("#title :is(input, textarea)").fill("Leaks")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator("#kept label", has_text="Leaks")).to_have_count(1)

    page.get_by_role("button", name="Export").click()
    texts = {}
    for name in ("Markdown", "JSON", "BibTeX"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download {name}").click()
        assert download.value.suggested_filename.startswith("conversation.")
        texts[name] = Path(download.value.path()).read_text(encoding="utf-8")
    assert json.loads(texts["JSON"])["answers"][0]["question"] == "first wells"
    assert "## first wells" in texts["Markdown"]
    (entry,) = bibtexparser.parse_string(texts["BibTeX"]).entries
    assert entry["title"].strip("{}") == "Geospatial Wells"

    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete for good").click()
    wait_for_list(page, "second wells")
    expect(page.locator("[data-testid=bot]")).to_have_count(0)
    visit(page, scripted_chat)
    assert questions(page) == ["second wells"]


def test_a_question_is_asked_again_and_edited(page: Page, scripted_chat: str) -> None:
    visit(page, scripted_chat)
    ask(page, "first wells")
    ask(page, "second wells")
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".outcome.working")).to_have_count(0)
    expect(page.locator("[data-testid=bot]")).to_have_count(2)
    assert questions(page) == ["first wells", "second wells"]
    page.get_by_role("button", name="Edit the question").click()
    expect(page.locator("#box textarea")).to_have_value("second wells")
    expect(page.locator("[data-testid=bot]")).to_have_count(1)
    ask(page, "other wells")
    visit(page, scripted_chat)
    assert questions(page) == ["first wells", "other wells"]


def test_two_browsers_never_see_one_anothers_conversations(
    browser: Browser, scripted_chat: str
) -> None:
    anna, bert = browser.new_context(), browser.new_context()
    try:
        page, other = visit(anna.new_page(), scripted_chat), visit(bert.new_page(), scripted_chat)
        page.fill("#box textarea", "slow secret of anna")
        page.keyboard.press("Enter")
        ask(other, "wells of bert")
        expect(page.locator("#box .submit-button")).to_be_visible(timeout=SLOW)
        for mine, theirs, shown in (("anna", "bert", page), ("bert", "anna", other)):
            unfold(shown)
            assert mine in shown.content()
            assert theirs not in shown.content()
            visit(shown, scripted_chat)
            assert mine in shown.content()
            assert theirs not in shown.content()
            assert mine not in str(shown.context.cookies())
    finally:
        anna.close()
        bert.close()


@pytest.mark.parametrize("deleted", [False, True])
def test_two_pages_of_one_browser_lose_nothing(
    context: BrowserContext, scripted_chat: str, *, deleted: bool
) -> None:
    here = visit(context.new_page(), scripted_chat)
    ask(here, f"both wells {deleted}")
    there = visit(context.new_page(), scripted_chat)
    assert questions(there) == [f"both wells {deleted}"]
    if deleted:
        unfold(here)
        here.get_by_role("button", name="Delete", exact=True).click()
        here.get_by_role("button", name="Delete for good").click()
        expect(here.locator("[data-testid=bot]")).to_have_count(0)
    else:
        ask(here, "here")
    ask(there, "there")
    unfold(there)
    wait_for_list(there, *[f"both wells {deleted}"] * (1 if deleted else 2))
    assert questions(there) == [f"both wells {deleted}", "there"]
