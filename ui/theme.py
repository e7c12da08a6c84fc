"""Colours and type of the page, for light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradio.themes import Base

# Faces that systems carry: nothing is fetched.
_SANS = ("Inter", "Segoe UI", "Roboto", "Helvetica Neue", "Arial", "sans-serif")
_MONO = ("ui-monospace", "SF Mono", "Menlo", "Consolas", "monospace")


def theme() -> Base:
    """A quiet theme: paper and ink, one blue-green accent, no shadows."""
    import gradio as gr

    return gr.themes.Base(
        primary_hue="teal",
        secondary_hue="teal",
        neutral_hue="stone",
        radius_size="sm",
        font=_SANS,
        font_mono=_MONO,
    ).set(
        body_text_color_subdued="*neutral_500",
        body_text_color_subdued_dark="*neutral_400",
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
        body_background_fill="#fdfdfc",
        body_background_fill_dark="#161412",
        background_fill_primary="#fdfdfc",
        background_fill_primary_dark="#161412",
        background_fill_secondary="*neutral_100",
        background_fill_secondary_dark="*neutral_800",
    )
