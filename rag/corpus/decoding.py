"""Files into text: the encoding is decided over the whole file, never over its beginning."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from rag.corpus.twice_encoded import decode_again
from rag.errors import CorpusError
from rag.text import clean

# UTF-32 before UTF-16: the mark of one begins with the mark of the other.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HINT = "Save the file as UTF-8."
_GZIP = b"\x1f\x8b"
_MAX_UNPACKED_BYTES = 2**30
# Western prose has such letters and signs one or two at a time, and few others.
_WESTERN = re.compile("[À-ÖØ-öø-ÿŠšŽžŒœŸ“”‘’–—…•€£°±×·®™§«»¿¡´¹²³ªº¼½¾¶µ\u00a0]{1,3}")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class NotText(CorpusError):
    """The content of a file is in no encoding that is known, so it may be no text at all."""


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The content of a file, cleaned, and what should be known of its encoding."""

    text: str
    note: str = ""


def read_text(path: Path) -> DecodedText:
    """Read a text file: by its byte order mark, else as UTF-8, else as Windows-1252.

    A file that was compressed with gzip is unpacked, whatever it is called.

    Raises:
        NotText: If it is in no such encoding.
        CorpusError: If it cannot be read, is empty, or is too large when unpacked.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}.") from None
    if data.startswith(_GZIP):
        data = _unpack(path)
    if not data.strip():
        raise CorpusError(f"{path} is empty.", hint="Give a file with papers in it.")
    decoded = _decode(data, path)
    return DecodedText(clean(decoded.text), decoded.note)


def suffix_of(path: Path) -> str:
    """The ending that tells the format, in lower case: ``.csv`` for ``Papers.CSV.gz``."""
    inner = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return inner.suffix.lower()


def _unpack(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            data = file.read(_MAX_UNPACKED_BYTES + 1)
    except (EOFError, OSError, zlib.error):
        raise NotText(
            f"{path} begins like a gzip file and cannot be unpacked.",
            hint="Copy or download it again.",
        ) from None
    if len(data) > _MAX_UNPACKED_BYTES:
        raise CorpusError(
            f"{path} holds more than {_MAX_UNPACKED_BYTES // 2**20} MiB when unpacked.",
            hint="Split it into several files.",
        )
    return data


def _decode(data: bytes, path: Path) -> DecodedText:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_strictly(data, encoding, path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _decode_other(data, path, error.start)
    again = decode_again(text)
    if again is None:
        return DecodedText(text)
    return DecodedText(again, f"{path.name}: UTF-8 that had been encoded twice; decoded twice")


def _decode_strictly(data: bytes, encoding: str, path: Path) -> DecodedText:
    try:
        return DecodedText(data.decode(encoding))
    except UnicodeDecodeError as error:
        raise NotText(
            f"{path} begins like {encoding.upper()} and is not: byte {error.start} is wrong.",
            hint=_HINT,
        ) from None


def _decode_other(data: bytes, path: Path, wrong_at: int) -> DecodedText:
    repaired = data.decode("utf-8", "replace")
    n_wrong = repaired.count("\ufffd")
    n_right = len(_NOT_ASCII.findall(repaired.replace("\ufffd", "")))
    if n_right > n_wrong:
        note = f"{path.name}: places that are not UTF-8 were replaced by \ufffd: {n_wrong}"
        return DecodedText(repaired, note)
    text = data.decode("cp1252", "replace")
    runs = _NOT_ASCII.findall(text)
    if _BINARY.search(data) or not all(_WESTERN.fullmatch(run) for run in runs):
        raise NotText(
            f"{path} is neither UTF-8 nor Windows-1252 text: byte {wrong_at} is wrong.", hint=_HINT
        )
    return DecodedText(text, f"{path.name}: read as Windows-1252, because it is not UTF-8")
