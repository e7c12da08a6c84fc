"""Files into text: the encoding is decided over the whole file, never over its beginning."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

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
# Western prose has such letters and signs one or two at a time, and few others.
_WESTERN = re.compile("[À-ÖØ-öø-ÿŠšŽžŒœŸ“”‘’–—…•€£°±×·®™§«»¿¡´¹²³ªº¼½¾¶µ\u00a0]{1,3}")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The content of a file, cleaned, and what should be known of its encoding."""

    text: str
    note: str = ""


def read_text(path: Path) -> DecodedText:
    """Read a text file: by its byte order mark, else as UTF-8, else as Windows-1252.

    Raises:
        CorpusError: If the file cannot be read, is empty, or is in no such encoding.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}.") from None
    if not data.strip():
        raise CorpusError(f"{path} is empty.", hint="Give a file with papers in it.")
    decoded = _decode(data, path)
    return DecodedText(clean(decoded.text), decoded.note)


def _decode(data: bytes, path: Path) -> DecodedText:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_strictly(data, encoding, path)
    try:
        return DecodedText(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return _decode_other(data, path, error.start)


def _decode_strictly(data: bytes, encoding: str, path: Path) -> DecodedText:
    try:
        return DecodedText(data.decode(encoding))
    except UnicodeDecodeError as error:
        raise CorpusError(
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
        raise CorpusError(
            f"{path} is neither UTF-8 nor Windows-1252 text: byte {wrong_at} is wrong.", hint=_HINT
        )
    return DecodedText(text, f"{path.name}: read as Windows-1252, because it is not UTF-8")
