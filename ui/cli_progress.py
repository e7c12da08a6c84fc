"""A progress bar on standard error, only when that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import TaskID

    from rag.indexing import Progress


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None] | None]:
    """Gives a function that shows progress, or None; the bar is gone when the block ends."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def show(progress: Progress) -> None:
            if progress.stage not in tasks:
                tasks[progress.stage] = bar.add_task(progress.stage, total=None, rate="")
            task = tasks[progress.stage]
            speed = bar.tasks[bar.task_ids.index(task)].speed
            rate = f"{speed:.1f} a second" if speed and progress.total > 1 else ""
            bar.update(task, completed=progress.done, total=progress.total, rate=rate)

        yield show
