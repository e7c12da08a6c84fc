"""Symposia: question a conference's papers; every sentence of the answer is proven by a quote.

    import rag
    answer = rag.ask("How many wells are in the Alberta dataset?")
    print(answer.text)

Nothing heavy is imported until it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag.answer import Answer, Finished
    from rag.assistant import Assistant, ask
    from rag.census import Census, Member
    from rag.errors import (
        CorpusError,
        ExtraMissing,
        IndexBusy,
        IndexDamaged,
        IndexingError,
        IndexMismatch,
        IndexMissing,
        IndexOutdated,
        ModelFileError,
        ProviderError,
        QuestionError,
        SettingsError,
        StoreUnavailable,
        SymposiaError,
    )
    from rag.records import (
        CensusPlan,
        Chunk,
        Citation,
        Cue,
        DroppedSentence,
        Filters,
        Hit,
        Paper,
        Passage,
        Query,
        Retrieved,
        Sentence,
        SentenceReady,
        Turn,
        Usage,
    )
    from rag.settings import Settings

__version__ = "0.1.0"

_HOMES = {
    "rag.answer": ("Answer", "Finished"),
    "rag.assistant": ("Assistant", "ask"),
    "rag.errors": (
        "CorpusError",
        "ExtraMissing",
        "IndexBusy",
        "IndexDamaged",
        "IndexMismatch",
        "IndexMissing",
        "IndexOutdated",
        "IndexingError",
        "ModelFileError",
        "ProviderError",
        "QuestionError",
        "SettingsError",
        "StoreUnavailable",
        "SymposiaError",
    ),
    "rag.census": ("Census", "Member"),
    "rag.records": (
        "CensusPlan",
        "Chunk",
        "Citation",
        "Cue",
        "DroppedSentence",
        "Filters",
        "Hit",
        "Paper",
        "Passage",
        "Query",
        "Retrieved",
        "Sentence",
        "SentenceReady",
        "Turn",
        "Usage",
    ),
    "rag.settings": ("Settings",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "Assistant",
    "Census",
    "CensusPlan",
    "Chunk",
    "Citation",
    "CorpusError",
    "Cue",
    "DroppedSentence",
    "ExtraMissing",
    "Filters",
    "Finished",
    "Hit",
    "IndexBusy",
    "IndexDamaged",
    "IndexMismatch",
    "IndexMissing",
    "IndexOutdated",
    "IndexingError",
    "Member",
    "ModelFileError",
    "Paper",
    "Passage",
    "ProviderError",
    "Query",
    "QuestionError",
    "Retrieved",
    "Sentence",
    "SentenceReady",
    "Settings",
    "SettingsError",
    "StoreUnavailable",
    "SymposiaError",
    "Turn",
    "Usage",
    "ask",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rag' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
