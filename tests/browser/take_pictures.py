"""Takes the pictures of the page that README.md shows: the real page over all of ICML 2025.

    python tests/browser/take_pictures.py [--to FOLDER]

Written are an empty page, an answer, a refusal, a list, a dark page and a narrow one, as PNG files of
256 colours. Look at them before they are committed.
"""

import argparse
import io
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright

FOLDER = Path(__file__).with_name("pictures")
ROOT = Path(__file__).parents[2]
CHROMIUM = "/usr/bin/chromium"
_PATIENCE_S = 300
_COLOURS = 256


@dataclass(frozen=True)
class Picture:
    """One picture, and what is asked before it is taken."""

    name: str
    questions: tuple[str, ...] = ()
    theme: str = "light"
    width: int = 1400
    height: int = 860


PICTURES = (
    Picture("empty"),
    Picture("answer", ("By how much does CollabLLM increase user satisfaction?",)),
    Picture("refusal", ("Who won the football world cup in 1990?",)),
    Picture("table", ("Which papers study machine unlearning for diffusion models?",)),
    Picture("dark", ("Which benchmark tests whether LLMs can write secure backends?",), "dark"),
    Picture("narrow", ("What does MaAS save?",), width=390, height=844),
)


@contextmanager
def serving(data_dir: Path) -> Iterator[str]:
    """The address of a server over ICML 2025, which ends with the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = "from ui.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", "--port", str(port), "--corpus", "icml2025"]
    environment = {**os.environ, "SYMPOSIA_DATA_DIR": str(data_dir), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment) as process:
        try:
            deadline = time.monotonic() + _PATIENCE_S
            while not _is_up(f"http://127.0.0.1:{port}/healthz"):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("The server did not start.")
                time.sleep(0.5)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _is_up(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2):  # noqa: S310 - http on this machine
            return True
    except (urllib.error.URLError, OSError):
        return False


def take(browser: Browser, address: str, picture: Picture) -> bytes:
    """One picture, as a PNG file."""
    size = {"width": picture.width, "height": picture.height}
    context = browser.new_context(viewport=size)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{address}/?__theme={picture.theme}")
    expect(page.locator("#box textarea")).to_be_visible()
    page.wait_for_timeout(2000)
    for number, question in enumerate(picture.questions, 1):
        page.fill("#box textarea", question)
        page.keyboard.press("Enter")
        expect(page.locator("[data-testid=bot]")).to_have_count(number, timeout=60_000)
        expect(page.locator(".outcome.working")).to_have_count(0, timeout=120_000)
        expect(page.locator("#box .submit-button")).to_be_visible(timeout=60_000)
    page.wait_for_timeout(1500)
    taken = page.screenshot()
    context.close()
    shown = io.BytesIO()
    Image.open(io.BytesIO(taken)).quantize(_COLOURS).save(shown, "PNG", optimize=True)
    return shown.getvalue()


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=FOLDER, metavar="FOLDER")
    folder: Path = parser.parse_args().to
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data_dir,
        serving(Path(data_dir)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for picture in PICTURES:
            shot = take(browser, address, picture)
            (folder / f"{picture.name}.png").write_bytes(shot)
        browser.close()


if __name__ == "__main__":
    main()
