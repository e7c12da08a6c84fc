"""What the index of a corpus is called."""

from __future__ import annotations

import hashlib
import os
import re
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
