"""Conversations that survive the page and the program, in a real browser."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bibtexparser
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

SLOW = 60_000
# Gradio loads a page anew if a restart breaks one of its streams; without one it does not notice.
QUIET = 2_000


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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


def test_a_page_that_stays_open_over_a_restart_goes_on(
    context: BrowserContext, serve: Callable[..., Any], tmp_path: Path
) -> None:
    log, port = tmp_path / "closed", free_port()
    log.touch()
    with serve("scripted", log, port) as url:
        page = visit(context.new_page(), url)
        ask(page, "first wells")
        page.get_by_role("button", name="New conversation").click()
        expect(page.locator("[data-testid=bot]")).to_have_count(0)
        ask(page, "second wells")
        # Another page, as it is before the restart.
        other = visit(context.new_page(), url)
        unfold(other)
        page.wait_for_timeout(QUIET)
    with serve("scripted", log, port) as url:
        ask(page, "third wells")
        assert questions(page) == ["second wells", "third wells"]
        other.locator("#kept label", has_text="first wells").click()
        expect(other.locator("[data-testid=user] .question")).to_have_text(["first wells"])
        wait_for_list(other, "second wells", "first wells")
        visit(page, url)
        assert questions(page) == ["second wells", "third wells"]


def test_leaving_for_another_conversation_keeps_what_was_coming(
    page: Page, scripted_chat: str
) -> None:
    visit(page, scripted_chat)
    ask(page, "first wells")
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("[data-testid=bot]")).to_have_count(0)
    unfold(page)
    page.fill("#box textarea", "slow for ever")
    page.keyboard.press("Enter")
    expect(page.locator("#chat .cited, #chat a.cite").first).to_be_visible()
    page.locator("#kept label", has_text="first wells").click()
    expect(page.locator("[data-testid=user] .question")).to_have_text(["first wells"])
    expect(page.locator("#box .submit-button")).to_be_visible()
    wait_for_list(page, "slow for ever", "first wells")
    page.locator("#kept label", has_text="slow for ever").click()
    expect(page.locator("#chat .outcome.stopped")).to_have_count(1)


def test_the_list_is_worked_with_the_keyboard_and_asks_before_it_deletes(
    page: Page, scripted_chat: str
) -> None:
    visit(page, scripted_chat)
    ask(page, "first wells")
    unfold(page)
    page.get_by_role("button", name="Delete", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep it")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Delete for good")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Delete for good")).to_be_hidden()
    assert questions(page) == ["first wells"]
    page.get_by_role("button", name="Delete", exact=True).press("Enter")
    page.get_by_role("button", name="Delete for good").press("Enter")
    expect(page.locator("[data-testid=bot]")).to_have_count(0)
    expect(page.locator("#box textarea")).to_be_focused()


def test_on_a_narrow_screen_the_list_gives_way_to_what_was_chosen(
    page: Page, scripted_chat: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, scripted_chat)
    ask(page, "first wells")
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("[data-testid=bot]")).to_have_count(0)
    unfold(page)
    page.locator("#kept label", has_text="first wells").click()
    expect(page.locator("#kept")).to_be_hidden()
    expect(page.locator("[data-testid=user] .question")).to_have_text(["first wells"])


def test_where_nothing_can_be_kept_the_page_says_so_and_works(
    page: Page, serve: Callable[..., Any], tmp_path: Path
) -> None:
    log = tmp_path / "closed"
    log.touch()
    (tmp_path / "kept.sqlite").mkdir()
    with serve("scripted", log) as url:
        visit(page, url)
        expect(page.locator("#trouble")).to_contain_text("cannot be kept")
        ask(page, "first wells")
        ask(page, "second wells")
        assert questions(page) == ["first wells", "second wells"]
        expect(page.get_by_role("status").filter(has_text="cannot be kept")).to_be_visible()


def test_a_damaged_file_is_said_and_the_page_begins_anew(
    page: Page, serve: Callable[..., Any], tmp_path: Path
) -> None:
    log = tmp_path / "closed"
    log.touch()
    (tmp_path / "kept.sqlite").write_bytes(b"no database" * 1000)
    with serve("scripted", log) as url:
        visit(page, url)
        expect(page.locator("#trouble")).to_contain_text("set aside")
        ask(page, "first wells")
        expect(page.locator("#trouble")).to_have_text("")
        visit(page, url)
        assert questions(page) == ["first wells"]
    assert len(list(tmp_path.glob("kept.sqlite.damaged-*"))) == 1


def test_a_conversation_deleted_elsewhere_is_said_to_be_gone(
    context: BrowserContext, scripted_chat: str
) -> None:
    here = visit(context.new_page(), scripted_chat)
    ask(here, "first wells")
    there = visit(context.new_page(), scripted_chat)
    there.get_by_role("button", name="New conversation").click()
    expect(there.locator("[data-testid=bot]")).to_have_count(0)
    unfold(here)
    here.get_by_role("button", name="Delete", exact=True).click()
    here.get_by_role("button", name="Delete for good").click()
    expect(here.locator("[data-testid=bot]")).to_have_count(0)
    unfold(there)
    there.locator("#kept label", has_text="first wells").click()
    expect(there.locator("#trouble")).to_contain_text("not there any more")
    wait_for_list(there)
