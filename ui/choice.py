"""Which of the open corpora a question is asked of, where there are several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import gradio as gr


def draw(corpora: Sequence[str]) -> gr.CheckboxGroup:
    """A box for each corpus, all ticked; not shown where there is only one."""
    import gradio as gr

    names = list(corpora)
    return gr.CheckboxGroup(
        names,
        value=names,
        label="Look in",
        container=False,
        elem_id="corpora",
        visible=len(names) > 1,
        interactive=True,
    )


def chosen(ticked: object, corpora: Sequence[str]) -> tuple[str, ...]:
    """The corpora that are ticked; none, which stands for all, where nothing can be told.

    Args:
        ticked: As the browser sent it.
        corpora: Those that are open.
    """
    sent = ticked if isinstance(ticked, list | tuple) else ()
    names = tuple(name for name in corpora if name in sent)
    return () if names == tuple(corpora) else names
