"""The formats that are read, and which of them a file has."""

from __future__ import annotations

from rag.corpus.bibtex import BibtexLoader
from rag.corpus.columns import Columns
from rag.corpus.delimited import DelimitedLoader
from rag.corpus.json_rows import JsonLoader
from rag.corpus.plain_text import PlainTextLoader
from rag.corpus.pmlr import PmlrPostLoader
from rag.corpus.records import Loader
from rag.corpus.ris import RisLoader
from rag.corpus.xml_rows import XmlLoader


def make_loaders(columns: Columns) -> tuple[Loader, ...]:
    """One loader a format; plain text before posts, for it is what ``.md`` means without more."""
    return (
        JsonLoader(),
        XmlLoader(),
        RisLoader(),
        BibtexLoader(),
        DelimitedLoader(columns),
        PlainTextLoader(),
        PmlrPostLoader(),
    )


def choose_loader(text: str, suffix: str, loaders: tuple[Loader, ...]) -> Loader | None:
    """The loader of a file: by its content, else by its ending; None if neither is known."""
    by_content = (loader for loader in loaders if loader.recognises(text))
    by_suffix = (loader for loader in loaders if suffix in loader.suffixes)
    return next(by_content, None) or next(by_suffix, None)


def _list_formats() -> str:
    loaders = make_loaders(Columns())
    return "; ".join(f"{loader.name} ({', '.join(loader.suffixes)})" for loader in loaders)


SUFFIXES = frozenset(suffix for loader in make_loaders(Columns()) for suffix in loader.suffixes)
"""File name endings of all formats, in lower case."""
FORMATS = _list_formats()
"""What is read, for messages: ``JSON (.jsonl, .ndjson, .json); tables (.csv ...); ...``."""
