"""Progress is drawn on a terminal, and nowhere else."""

import io
import sys

import pytest

from rag.indexing import Progress
from ui.cli_progress import progress_bar


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_every_stage_and_is_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as progress:
        assert progress is not None
        progress(Progress("Embedding", 0, 57))
        progress(Progress("Embedding", 57, 57))
        progress(Progress("Writing", 1, 1))
    drawn = terminal.getvalue()
    assert "Embedding" in drawn
    assert "Writing" in drawn
    assert drawn.endswith("\x1b[1A\x1b[2K"), "the last lines are erased"


def test_a_file_gets_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as progress:
        assert progress is None
    assert capsys.readouterr().err == ""
