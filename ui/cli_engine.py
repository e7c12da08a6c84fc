"""How the commands reach the engine, which is imported when a command needs it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval.feedback import Feedback
    from rag.assistant import Assistant
    from rag.indexing import IndexReport, Progress
    from rag.indexing.catalogue import Listed
    from rag.settings import Settings
    from ui.shelf import Shelf


def open_settings(corpora: str | Sequence[str] | None) -> Settings:
    """The settings in force, with the corpora that the command line names."""
    from rag.settings import Settings

    if corpora is None:
        return Settings()
    return Settings(corpus=corpora if isinstance(corpora, str) else ", ".join(corpora))


def login(settings: Settings) -> str:
    """``user:password`` that the page asks for; empty where it asks for none."""
    return settings.auth.get_secret_value() if settings.auth else ""


def keep_feedback(settings: Settings) -> Callable[[Feedback], None]:
    """Keeps what readers say of answers in the data folder."""
    from eval.feedback import FILE, append_feedback

    return functools.partial(append_feedback, settings.data_dir / FILE)


def shelf(settings: Settings, corpus: str) -> Shelf | None:
    """Keeps the conversations of the page in the data folder; None if they are not to be kept."""
    from ui.shelf import FILE, Shelf

    if not settings.history_days:
        return None
    return Shelf(settings.data_dir / FILE, corpus, days=settings.history_days)


def open_assistant(
    corpora: Sequence[str] | None, progress: Callable[[Progress], None] | None
) -> Assistant:
    """The engine over the corpora that the command line names, or the configured ones."""
    from rag.assistant import Assistant

    return Assistant.open(open_settings(corpora), progress=progress)


def build_index(
    paths: Sequence[str],
    *,
    name: str | None,
    columns: Mapping[str, str],
    description: str,
    prune: bool,
    dry_run: bool,
    progress: Callable[[Progress], None] | None,
) -> IndexReport:
    """Builds or updates the index of the papers in files or folders."""
    from rag import factory

    return factory.build_index(
        paths,
        name=name,
        columns=columns,
        description=description,
        prune=prune,
        dry_run=dry_run,
        settings=open_settings(None),
        progress=progress,
    )


def list_corpora() -> Sequence[Listed]:
    """All corpora of the data folder, and those that come with Symposia."""
    from rag import factory
    from rag.indexing import catalogue

    settings = open_settings(None)
    embedder = factory.make_embedder(settings)
    return catalogue.list_corpora(factory.make_place(settings), embedder, settings.chunk_tokens)


def last_report(name: str) -> IndexReport | None:
    """The report that is kept with an index."""
    from rag import factory
    from rag.indexing import catalogue

    return catalogue.last_report(factory.make_place(open_settings(None)), name)
