"""Where the papers of an index come from, and whether they are still the same."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from rag.corpus import source_path
from rag.corpus.seeds import is_seed_corpus
from rag.errors import CorpusError

_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Source:
    """Files, folders and seed corpora that are read together."""

    items: tuple[str, ...]
    """Names of seed corpora, and absolute paths."""
    name: str | None = None
    """What the corpus was called; None if its path names it."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Which column holds which field; see ``rag.corpus.load_corpus``."""
    description: str = ""
    """What the papers are, in the words of whoever indexed them; shown in lists."""

    @classmethod
    def of(
        cls,
        *items: str | Path,
        name: str | None = None,
        columns: Mapping[str, str] | None = None,
        description: str = "",
    ) -> Source:
        """A source that means the same wherever the next command is started."""
        return cls(tuple(map(_absolute, items)), name, columns or {}, description)

    @property
    def arguments(self) -> str:
        """What to give to `symposia index` to read it again, quoted for a shell."""
        words = list(self.items)
        words += ["--name", self.name] if self.name else []
        for target, column in self.columns.items():
            words += ["--column", f"{target}={column}"]
        return shlex.join(words)

    @property
    def is_seed_corpus(self) -> bool:
        """Whether it comes with Symposia, so that what it lacks was taken out on purpose."""
        return self.name is None and len(self.items) == 1 and is_seed_corpus(self.items[0])

    def digest(self, *conditions: object) -> str:
        """64 hex digits that change with the files, with how they are read, or with a condition.

        Raises:
            CorpusError: If a file is not there or cannot be read.
        """
        digest = hashlib.sha256(_rules().encode())
        said = [sorted(self.columns.items()), *map(str, conditions)]
        digest.update(json.dumps(said).encode())
        try:
            for path in _files(self.items):
                with path.open("rb") as file:
                    content = hashlib.file_digest(file, "sha256").hexdigest()
                digest.update(f"{path.name}\0{content}\0".encode(errors="surrogateescape"))
        except OSError as error:
            raise CorpusError(
                f"{error.filename} cannot be read: {error.strerror}.",
                hint="Check the path and who may read it.",
            ) from error
        return digest.hexdigest()


def _absolute(item: str | Path) -> str:
    return str(item) if is_seed_corpus(item) else str(Path(item).expanduser().resolve())


def _files(items: Iterable[str]) -> Iterator[Path]:
    for item in items:
        path = source_path(item)
        if path.is_dir():
            yield from sorted(file for file in path.iterdir() if file.is_file())
        else:
            yield path


@lru_cache(maxsize=1)
def _rules() -> str:
    """A digest of the code that makes papers and chunks from files: no version number tells it."""
    digest = hashlib.sha256()
    for part in ("corpus", "text", "chunking.py", "tokens.py", "records.py"):
        path = _ROOT / part
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()
