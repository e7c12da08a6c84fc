"""Which corpora a text names, and what their indexes are called."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

from rag.corpus import corpus_name
from rag.corpus.seeds import is_seed_corpus


def index_name(source: str | Path) -> str:
    """The name of the index of a corpus.

    Returns:
        For a path its stem and 8 hex digits of where it really is, so that two files of one name
        do not share an index; for anything else the name as it is.
    """
    path = Path(source).expanduser()
    if is_seed_corpus(source) or not path.exists():
        return str(source)
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", corpus_name(source)).strip("-._")[:64]
    digest = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:8]
    return f"{stem or 'papers'}-{digest}"


def corpora_in(given: str | Sequence[str]) -> tuple[str, ...]:
    """The corpora that are named, each once: ``"icml2025, neurips2025"`` names two.

    Args:
        given: One text or several. A comma parts two corpora unless it belongs to the name of a
            file that exists.
    """
    texts = [given] if isinstance(given, str) else given
    named: dict[str, str] = {}
    for text in texts:
        pieces = text.split(",")
        while pieces:
            ends = range(len(pieces), 0, -1)
            end = next((n for n in ends if n == 1 or _exists(",".join(pieces[:n]))), 1)
            corpus, pieces = ",".join(pieces[:end]).strip(), pieces[end:]
            if corpus:
                named.setdefault(_key(corpus), corpus)
    return tuple(named.values())


def _exists(path: str) -> bool:
    try:
        return Path(path.strip()).expanduser().exists()
    except (OSError, ValueError):
        return False


def _key(corpus: str) -> str:
    """What tells a corpus from others, also where it names a path that cannot be looked at."""
    try:
        return index_name(corpus)
    except (OSError, ValueError):
        return corpus
