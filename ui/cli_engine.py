"""How the commands reach the engine, which is imported when a command needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag.assistant import Assistant
    from rag.indexing import IndexReport, Progress
    from rag.settings import Settings


def open_settings(corpus: str | None) -> Settings:
    """The settings in force, with the corpus that the command line names."""
    from rag.settings import Settings

    return Settings(corpus=corpus) if corpus is not None else Settings()


def open_assistant(corpus: str | None, progress: Callable[[Progress], None] | None) -> Assistant:
    """The engine over the corpus that the command line names, or the configured one."""
    from rag.assistant import Assistant

    return Assistant.open(open_settings(corpus), progress=progress)


def build_index(
    paths: Sequence[str], name: str | None, progress: Callable[[Progress], None] | None
) -> IndexReport:
    """Builds or updates the index of the papers in files or folders."""
    from rag import factory

    return factory.build_index(paths, name=name, settings=open_settings(None), progress=progress)
