"""`symposia eval`."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ui import cli_engine as engine
from ui import cli_options as options
from ui import cli_output as output
from ui.cli_exit import ExitCode
from ui.cli_progress import progress_bar

if TYPE_CHECKING:
    from eval.results import Result
    from rag.indexing import Progress


class Split(StrEnum):
    """The parts of an evaluation's question set."""

    DEV = "dev"
    TEST = "test"
    ALL = "all"


evaluating = typer.Typer(invoke_without_command=True)


@evaluating.callback()
def evaluate(
    context: typer.Context,
    split: Annotated[Split, typer.Option(help="Which questions to ask.")] = Split.DEV,
    dataset: Annotated[
        Path | None,
        typer.Option(help="A JSONL file of cases.", exists=True, dir_okay=False, metavar="FILE"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write report.json and report.md there.", metavar="FOLDER"),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(help="Ask the first questions only.", min=1, metavar="N")
    ] = None,
    corpus: options.Corpus = None,
    as_json: options.Json = False,
) -> None:
    """Judge the answers to questions whose answers are known."""
    if context.invoked_subcommand:
        return
    from eval.report import to_dict
    from eval.runner import run_eval
    from eval.tables import to_markdown

    with progress_bar() as progress, engine.open_assistant(corpus, progress) as assistant:
        report = run_eval(
            assistant,
            split=None if split is Split.ALL else split,
            dataset=dataset,
            out=out,
            limit=limit,
            progress=_teller(progress),
        )
    output.write_data(output.to_json(to_dict(report)) if as_json else to_markdown(report))
    if report.errors:
        raise typer.Exit(ExitCode.ERROR)


@evaluating.command("import-feedback")
def import_feedback(
    to: Annotated[
        Path, typer.Option(help="The JSONL file of cases that they are added to.", metavar="FILE")
    ] = Path("feedback-cases.jsonl"),
) -> None:
    """Turn what readers said of answers into cases of an evaluation."""
    from eval.feedback import FILE
    from eval.feedback import import_feedback as add_cases

    source = engine.open_settings(None).data_dir / FILE
    n_new, n_known = add_cases(source, to)
    output.write_data(f"{n_new} cases added to {to}, {n_known} were there already.")
    if n_new:
        output.write_note(f"Ask them with: symposia eval --dataset {to} --split all")
    elif not n_known:
        output.write_note(f"Nobody has said anything of an answer yet ({source}).")


def _teller(
    progress: Callable[[Progress], None] | None,
) -> Callable[[int, int, Result], None] | None:
    if progress is None:
        return None
    from rag.indexing import Progress

    return lambda done, total, _: progress(Progress("Asking", done, total))
