"""The manifest of a generation: what it was made from, with what, and what its files must be."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_type_hints

from rag.errors import IndexDamaged, IndexMismatch, IndexOutdated

SCHEMA_VERSION = 1
"""Raised whenever the files of a generation, ``Paper`` or ``Chunk`` change their form."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a generation holds. Two generations with one ``fingerprint`` answer alike."""

    schema_version: int
    source: str
    """What to give to `symposia index` to build it again, quoted for a shell."""
    embedder: str
    """The fingerprint of the embedder that made the vectors."""
    dimension: int
    lexicon: str
    """A digest of how text becomes search terms; see ``rag.store.lexical.lexicon``."""
    corpus_hash: str
    """sha256 (hex) of all papers and chunks, whatever their order."""
    n_papers: int
    n_chunks: int
    packages: Mapping[str, str]
    """Versions of the packages that wrote the files."""
    created_at: str
    """ISO 8601, UTC."""
    files: Mapping[str, str]
    """Digest of each file, by its path in the generation; see ``rag.store.seal``."""

    @property
    def fingerprint(self) -> str:
        """12 hex digits that name the content, whenever and wherever it was built."""
        parts = (self.schema_version, self.embedder, self.dimension, self.lexicon, self.corpus_hash)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]

    def expect(self, *, embedder: str, lexicon: str) -> None:
        """Refuse to serve queries of another embedder or of other search terms.

        Raises:
            IndexMismatch: It names both and the command that mends it.
            IndexOutdated: If the search terms alone are other ones.
        """
        if self.embedder != embedder:
            raise IndexMismatch(
                f"The index of {self.source} was made with the embedder {self.embedder}, "
                f"but {embedder} is configured.",
                hint=f"{rebuild_hint(self.source)} Or configure {self.embedder} again.",
            )
        if self.lexicon != lexicon:
            raise IndexOutdated(
                f"The index of {self.source} was made with other rules for search terms "
                f"({self.lexicon}, now {lexicon}).",
                hint=rebuild_hint(self.source),
            )


def rebuild_hint(source: str) -> str:
    """The command that mends an index, from what to give to it, quoted for a shell."""
    return f"Build it anew with `symposia index {source}`; nothing was deleted."


def manifest_text(manifest: Manifest) -> str:
    """A manifest as JSON."""
    return json.dumps(asdict(manifest), indent=2) + "\n"


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest as JSON."""
    path.write_text(manifest_text(manifest), encoding="utf-8")


def read_manifest(path: Path) -> Manifest:
    """Read a manifest; see ``parse_manifest``.

    Raises:
        FileNotFoundError: If there is no such file.
    """
    return parse_manifest(path.read_bytes(), str(path))


def parse_manifest(text: str | bytes, where: str) -> Manifest:
    """The manifest that a text holds.

    Args:
        text: JSON, in UTF-8.
        where: What to call it in messages.

    Raises:
        IndexDamaged: If it is no manifest: not JSON, or a field is missing, unknown or mistyped.
        IndexOutdated: If another version of Symposia wrote it in another form.
    """
    try:
        values = json.loads(text)
    except ValueError as error:
        raise IndexDamaged(f"The manifest {where} is no JSON: {error}.") from error
    if not isinstance(values, dict):
        raise IndexDamaged(f"The manifest {where} is no JSON object.")
    found = values.get("schema_version")
    if isinstance(found, int) and found != SCHEMA_VERSION:
        source = str(values.get("source", "SOURCE"))
        raise IndexOutdated(
            f"The index of {source} has the form {found}, and this Symposia reads the form "
            f"{SCHEMA_VERSION}.",
            hint=rebuild_hint(source),
        )
    _check_types(values, where)
    return Manifest(**values)


def _check_types(values: dict[str, Any], where: str) -> None:
    expected = get_type_hints(Manifest)
    if values.keys() != expected.keys():
        names = ", ".join(sorted(values.keys() ^ expected.keys()))
        raise IndexDamaged(f"The manifest {where} lacks these fields or has too many: {names}.")
    for name, kind in expected.items():
        value = values[name]
        if kind in (int, str):
            right = type(value) is kind
        else:
            right = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
        if not right:
            raise IndexDamaged(f"The manifest {where} has a wrong value of {name}: {value!r}.")
