"""Exit codes: what a script may rely on. ``--help`` and README.md show the same table."""

from __future__ import annotations

from enum import IntEnum

from rag.errors import CorpusError, IndexBusy, SettingsError, SymposiaError
from rag.records import Status


class UsageError(SymposiaError):
    """The command line asks for what cannot be done."""


class ExitCode(IntEnum):
    """How a command ended."""

    OK = 0
    ERROR = 1
    USAGE = 2
    NOT_STATED = 3
    NOT_IN_CORPUS = 4
    BUSY = 75
    """``EX_TEMPFAIL`` of sysexits.h: try again later."""
    INTERRUPTED = 130
    BROKEN_PIPE = 141


MEANINGS = {
    ExitCode.OK: "done; for a question: answered, every sentence with its proof",
    ExitCode.ERROR: "something failed; the message says what to do",
    ExitCode.USAGE: "wrong usage, a wrong setting, or papers that cannot be read",
    ExitCode.NOT_STATED: "the paper is here, its abstract does not say it",
    ExitCode.NOT_IN_CORPUS: "nothing here on this, or no paper matches the filters",
    ExitCode.BUSY: "another process is writing this index; try again later",
    ExitCode.INTERRUPTED: "interrupted with Ctrl-C",
    ExitCode.BROKEN_PIPE: "the reader of the output went away (as in `| head`)",
}

_OF_STATUS = {
    "answered": ExitCode.OK,
    "not_stated": ExitCode.NOT_STATED,
    "not_in_corpus": ExitCode.NOT_IN_CORPUS,
}


def exit_code_of_status(status: Status) -> ExitCode:
    """The code for an answer: a refusal is honest, yet a script must be able to tell it."""
    return _OF_STATUS[status]


def exit_code_of_error(error: SymposiaError) -> ExitCode:
    """The code for an error: bad input and a busy index are told apart from failures."""
    if isinstance(error, UsageError | SettingsError | CorpusError):
        return ExitCode.USAGE
    return ExitCode.BUSY if isinstance(error, IndexBusy) else ExitCode.ERROR


def exit_code_table() -> str:
    """The table as plain text, one code a line."""
    return "\n".join(f"  {code.value:>3}  {meaning}" for code, meaning in MEANINGS.items())
