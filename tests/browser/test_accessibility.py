"""What axe-core finds on the page in every state, in light and in dark, and on a narrow screen."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

THEMES = ("light", "dark")
STATES = {
    "empty": "",
    "answer": "where are the wells",
    "doubtful answer": "weak",
    "not stated": "unsaid",
    "not here": "nothing",
    "table": "list wells",
    "error": "fail",
}


def open_state(page: Page, url: str, theme: str, question: str) -> None:
    page.goto(f"{url}?__theme={theme}")
    expect(page.locator("#box textarea")).to_be_visible()
    # The last conversation is asked for first; nobody types a question in that time.
    page.wait_for_timeout(1500)
    if question:
        page.fill("#box textarea", question)
        page.keyboard.press("Enter")
        expect(page.locator("[data-testid=bot]")).to_have_count(1)
        expect(page.locator(".outcome.working")).to_have_count(0)
        expect(page.locator("#box .submit-button")).to_be_visible()


def findings(page: Page) -> list[str]:
    """The serious and critical ones that stay: what is moving into view is faint for a moment."""
    for _ in range(4):
        if not (found := findings_now(page)):
            break
        page.wait_for_timeout(1000)
    return found


def findings_now(page: Page) -> list[str]:
    """Rule, and elements."""
    found = Axe().run(page).response["violations"]
    return [
        f"{item['id']}: {node['html'][:160]} ({node.get('failureSummary', '')[:200]})"
        for item in found
        if item["impact"] in ("serious", "critical")
        for node in item["nodes"]
    ]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("state", STATES)
def test_no_serious_finding(page: Page, scripted_chat: str, state: str, theme: str) -> None:
    open_state(page, scripted_chat, theme, STATES[state])
    assert findings(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_no_serious_finding_in_the_list_of_conversations(
    page: Page, scripted_chat: str, theme: str
) -> None:
    open_state(page, scripted_chat, theme, "where are the wells")
    page.locator("#shelf .toggle-button").click()
    expect(page.locator("#kept label")).to_have_count(1)
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    assert findings(page) == []


@pytest.mark.parametrize("state", ["empty", "answer", "table"])
def test_no_serious_finding_on_a_narrow_screen(page: Page, scripted_chat: str, state: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    open_state(page, scripted_chat, "light", STATES[state])
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) window.shifts.push([entry.value, entry.sources.map((source) =>
        (source.node?.className ?? "") + "#" + (source.node?.id ?? "")).join(" ")]);
    }
  }).observe({ type: "layout-shift", buffered: false });
}"""
GOOD_SHIFT = 0.1
"""The limit of web.dev's Cumulative Layout Shift for a good page."""


@pytest.mark.parametrize("question", ["slow wells", "Which papers introduce a benchmark?"])
@pytest.mark.parametrize("width", [1400, 390])
def test_nothing_jumps_while_an_answer_comes(
    page: Page, scripted_chat: str, real_chat: str, question: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    url = scripted_chat if question.startswith("slow") else real_chat
    open_state(page, url, "light", "")
    page.evaluate(SHIFTS)
    page.fill("#box textarea", question)
    page.keyboard.press("Enter")
    expect(page.locator("[data-testid=bot]")).to_have_count(1)
    expect(page.locator("#box .submit-button")).to_be_visible(timeout=60_000)
    page.wait_for_timeout(800)
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) <= GOOD_SHIFT, shifts


def test_all_of_it_works_by_keyboard(page: Page, scripted_chat: str) -> None:
    open_state(page, scripted_chat, "light", "")
    page.keyboard.type("list wells")
    page.keyboard.press("Enter")
    expect(page.locator("#chat .census th button")).to_have_count(5)
    seen = {}
    for _ in range(60):
        page.keyboard.press("Tab")
        name, ring = page.evaluate(
            "() => { const at = document.activeElement; const style = getComputedStyle(at);"
            " return [at.innerText?.trim() || at.ariaLabel || at.placeholder || at.tagName,"
            " style.outlineStyle]; }"
        )
        seen.setdefault(name, ring)
    for wanted in ("Paper", "CSV", "[1]", "Ask again", "Helpful", "New conversation"):
        assert any(name.startswith(wanted) for name in seen), (wanted, list(seen))
    # Its width may still be on the way.
    marked = {name for name, ring in seen.items() if ring.startswith("solid")}
    assert {"Ask again", "Helpful", "New conversation"} <= marked

    page.locator("#chat .census th button").first.focus()
    page.keyboard.press("Enter")
    sorted_by = page.locator("#chat .census th[aria-sort]")
    expect(sorted_by).to_have_attribute("aria-sort", "ascending")
    page.locator("#chat a.cite").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "s1-1"


def test_answers_are_announced_politely_and_motion_is_still_for_who_wants_it(
    page: Page, scripted_chat: str
) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_state(page, scripted_chat, "light", "")
    page.fill("#box textarea", "slow wells")
    page.keyboard.press("Enter")
    label = page.locator(".outcome.working .label")
    expect(label).to_be_visible()
    moving = "(at) => getComputedStyle(at, '::before').animationName"
    assert label.evaluate(moving) == "none"
    region = page.locator("#chat [aria-live]").filter(has=page.locator("[data-testid=bot]"))
    expect(region).to_have_attribute("aria-live", "polite")


def test_a_page_with_a_fault_is_found_out(page: Page, scripted_chat: str) -> None:
    open_state(page, scripted_chat, "light", "")
    page.evaluate("document.querySelector('#fresh').textContent = ''")
    assert any(finding.startswith("button-name") for finding in findings(page))
