"""UTF-8 that a program took for Latin-1 or Windows-1252 and encoded as UTF-8 once more."""

from __future__ import annotations

import re

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_TO_BYTE = {bytes([n]).decode("cp1252", "ignore"): n for n in range(0x80, 0xA0)} | {
    chr(n): n for n in range(0x80, 0x100)
}


def decode_again(text: str) -> str | None:
    """The text that was meant, or None if the text stands as it is.

    Only if *every* run of letters outside ASCII is UTF-8 again when taken byte by byte (``JosÃ©``
    for ``José``) was the file encoded twice: one run may look so by chance, all do not.
    """
    runs = set(_NOT_ASCII.findall(text))
    meant = {run: _decode_run(run) for run in runs}
    if not runs or None in meant.values():
        return None
    return _NOT_ASCII.sub(lambda match: meant[match[0]] or "", text)


def _decode_run(run: str) -> str | None:
    try:
        return bytes(_TO_BYTE[character] for character in run).decode("utf-8")
    except (KeyError, UnicodeDecodeError):
        return None
