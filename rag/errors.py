"""Every error that Symposia raises on purpose, in one tree.

    SymposiaError                     the base class; callers catch this one
    ├── SettingsError                 a setting is wrong or contradicts another
    ├── QuestionError                 a question or its filters are not of a form that can be read
    ├── CorpusError                   papers cannot be read
    ├── IndexingError                 an index cannot be built or read
    │   ├── IndexMissing              there is none yet
    │   ├── IndexMismatch             it was built by another embedder or another schema
    │   │   └── IndexOutdated         by another version of Symposia, whose embeddings still serve
    │   ├── IndexDamaged              its files do not pass verification
    │   ├── IndexBusy                 another process is writing it
    │   └── StoreUnavailable          the Chroma server that holds it cannot be used
    ├── ModelFileError                a local model file is missing or not the pinned one
    ├── ExtraMissing                  an optional package is not installed
    └── ProviderError                 a remote model or embedding server failed (``retryable``)

An error carries a ``hint``: what the reader should do next. ``str(error)`` gives both.
"""

from __future__ import annotations

from typing import Literal

FaultKind = Literal[
    "authentication",
    "quota",
    "rate_limit",
    "context_length",
    "content_filter",
    "not_found",
    "refused",
    "server",
    "unreachable",
    "timeout",
    "bad_reply",
]
"""What went wrong at a provider: ``refused`` is any other request that it does not accept,
``server`` a failure of its own, ``bad_reply`` an answer that cannot be used."""


class SymposiaError(Exception):
    """Base class of all deliberate errors.

    Args:
        message: What happened, in one sentence.
        hint: What to do next: a command, a setting, a place to look.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class SettingsError(SymposiaError):
    """A setting has a value that cannot be used."""


class QuestionError(SymposiaError):
    """A question, or the filters given with it, are not of a form that can be read."""


class CorpusError(SymposiaError):
    """The papers cannot be read: no such file, an unknown format, or not one valid record."""


class IndexingError(SymposiaError):
    """An index cannot be built, verified or read."""


class IndexMissing(IndexingError):
    """There is no index for this corpus yet."""


class IndexMismatch(IndexingError):
    """The index was made by another embedder, dimension or schema than the one configured."""


class IndexOutdated(IndexMismatch):
    """Another version of Symposia wrote the index; its embeddings still serve."""


class IndexDamaged(IndexingError):
    """The files of the index do not pass verification."""


class IndexBusy(IndexingError):
    """Another process holds the writer lock of this index."""


class StoreUnavailable(IndexingError):
    """The Chroma server that holds the index cannot be reached, or does not do what it is asked."""


class ModelFileError(SymposiaError):
    """A local model file is missing, or its sha256 is not the pinned one."""


class ExtraMissing(SymposiaError):
    """An optional package is needed and not installed; the hint gives the install line."""


class ProviderError(SymposiaError):
    """A remote model or embedding server failed.

    Args:
        retryable: True when the same request may succeed later (rate limit, time-out, 5xx).
        kind: What went wrong, for callers that act on it.
        retry_after_s: Seconds that the provider asks to wait; None where it does not say.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        retryable: bool = False,
        kind: FaultKind = "bad_reply",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.retryable = retryable
        self.kind = kind
        self.retry_after_s = retry_after_s
