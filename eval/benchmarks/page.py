"""What the page adds to an answer: from Enter to the sources, and to the first sentence.

    python -m eval.benchmarks.page [--limit N] [--out FILE]

A real browser types questions into the page of a real server; the same questions go to
``Assistant.stream`` in this process, each right before or right after, the order changing from
question to question. Given are the ratios of the two times, question by question: the medians, and
the milliseconds behind them. Needs Chromium, and the settings of the environment.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.benchmarks.load import serving
from eval.cases import load_cases
from eval.machine import describe_machine
from rag.assistant import Assistant
from rag.records import Retrieved, SentenceReady

if TYPE_CHECKING:
    from playwright.sync_api import Page

RESULT = Path(__file__).with_suffix(".json")
CHROMIUM = "/usr/bin/chromium"
_PATIENCE_MS = 120_000
_SETTLE_MS = 2_000
# Notes, from the press of Enter, when the sources and the first sentence of a new answer are there.
_WATCH = """() => {
  const seen = { start: 0, sources: 0, sentence: 0 };
  window.seen = seen;
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter") seen.start = performance.now();
  }, { capture: true, once: true });
  const look = () => {
    if (!seen.start) return;
    const now = performance.now() - seen.start;
    if (!seen.sources && document.querySelector('#sources [id^="s1-"]')) seen.sources = now;
    if (!seen.sentence && document.querySelector('#chat a.cite[href^="#s1-"]')) {
      seen.sentence = now;
    }
  };
  window.watcher?.disconnect();
  window.watcher = new MutationObserver(look);
  window.watcher.observe(document.documentElement, { childList: true, subtree: true });
}"""
_FINISHED = (
    "() => window.seen.sources && document.querySelector('#chat .outcome')"
    " && !document.querySelector('#chat .working')"
)


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds until the sources are known, and the first sentence."""

    sources_ms: float
    sentence_ms: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """The page beside the bare call, over all questions."""

    median: float
    p90: float
    page_ms: float
    stream_ms: float


def time_stream(assistant: Assistant, question: str) -> Timed | None:
    """Ask without a page; None where nothing is answered."""
    started = time.perf_counter()
    sources = 0.0
    for event in assistant.stream(question):
        now = 1000 * (time.perf_counter() - started)
        if isinstance(event, Retrieved):
            sources = now
        elif isinstance(event, SentenceReady):
            return Timed(sources, now)
    return None


def time_page(page: Page, question: str) -> Timed:
    """Ask in the browser, as the first question of a conversation."""
    page.fill("#box textarea", question)
    page.evaluate(_WATCH)
    page.keyboard.press("Enter")
    page.wait_for_function(_FINISHED, timeout=_PATIENCE_MS)
    seen: Mapping[str, float] = page.evaluate("() => window.seen")
    return Timed(seen["sources"], seen["sentence"])


def compare(pages: Sequence[float], streams: Sequence[float]) -> Ratio:
    """Ratios of times that belong together."""
    ratios = sorted(page / stream for page, stream in zip(pages, streams, strict=True))
    return Ratio(
        round(statistics.median(ratios), 2),
        round(ratios[int(0.9 * (len(ratios) - 1))], 2),
        round(statistics.median(pages), 1),
        round(statistics.median(streams), 1),
    )


def measure(address: str, assistant: Assistant, questions: Sequence[str]) -> dict[str, Any]:
    """Ask all questions both ways."""
    from playwright.sync_api import sync_playwright

    pairs: list[tuple[Timed, Timed]] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for number, question in enumerate(questions):
            # Another browser for each, so that no question is taken for a follow-up.
            page = browser.new_context().new_page()
            page.goto(address)
            page.wait_for_selector("#box textarea")
            page.wait_for_timeout(_SETTLE_MS)
            if number % 2:
                by_page, bare = time_page(page, question), time_stream(assistant, question)
            else:
                bare, by_page = time_stream(assistant, question), time_page(page, question)
            if bare is not None and by_page.sentence_ms:
                pairs.append((by_page, bare))
            page.context.close()
        browser.close()
    return {
        "questions": len(pairs),
        "sources": asdict(
            compare([p.sources_ms for p, _ in pairs], [s.sources_ms for _, s in pairs])
        ),
        "first_sentence": asdict(
            compare([p.sentence_ms for p, _ in pairs], [s.sentence_ms for _, s in pairs])
        ),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the figures."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmarks.page")
    parser.add_argument("--limit", type=int, default=30, help="how many questions")
    parser.add_argument("--out", type=Path, default=RESULT)
    given = parser.parse_args(arguments)
    cases = [case for case in load_cases(split="dev") if case.answerable and not case.history]
    questions = [case.question for case in cases[: given.limit]]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "server.log") as server,
        Assistant.open() as assistant,
    ):
        time_stream(assistant, questions[0])
        server.ask(questions[0], "page")
        figures = measure(server.address, assistant, questions)
    result = {"machine": describe_machine(), **figures}
    given.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
