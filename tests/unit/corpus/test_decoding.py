"""Encodings: decided over the whole file, said aloud when guessed."""

from __future__ import annotations

import codecs
import gzip

import pytest

from rag.corpus.decoding import read_text, suffix_of
from rag.errors import CorpusError

TEXT = "title,authors\nNaïve Größe – “quoted”,José d'Alché-Buc\n"


def decode(tmp_path, data):
    file = tmp_path / "x.csv"
    file.write_bytes(data)
    return read_text(file)


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode("utf-8"),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        TEXT.replace("\n", "\r\n").encode("utf-8"),
    ],
)
def test_unicode_needs_no_note(tmp_path, data):
    decoded = decode(tmp_path, data)
    assert decoded.text == TEXT
    assert decoded.note == ""


def test_windows_1252_is_read_and_said(tmp_path):
    decoded = decode(tmp_path, TEXT.encode("cp1252"))
    assert decoded.text == TEXT
    assert decoded.note == "x.csv: read as Windows-1252, because it is not UTF-8"


def test_latin_1_is_read(tmp_path):
    text = "Étude: naïve Bayes, 5°"
    assert decode(tmp_path, text.encode("latin-1")).text == text


def test_an_encoding_that_shows_only_far_down_is_not_guessed_from_the_beginning(tmp_path):
    ascii_part = "a line of plain text\n" * 1000
    with pytest.raises(CorpusError, match=f"byte {len(ascii_part)} is wrong"):
        decode(tmp_path, (ascii_part + "深層学習の方法を提案する").encode("shift_jis"))
    assert decode(tmp_path, (ascii_part + "é").encode("cp1252")).text == ascii_part + "é"


@pytest.mark.parametrize(
    "data",
    [
        "Глубокое обучение".encode("cp1251"),
        "深度学习方法".encode("gbk"),
        TEXT.encode("utf-16-le"),
        bytes(range(256)),
        codecs.BOM_UTF16_LE + b"a",
    ],
)
def test_other_encodings_are_refused(tmp_path, data):
    with pytest.raises(CorpusError) as caught:
        decode(tmp_path, data)
    assert caught.value.hint == "Save the file as UTF-8."


def test_a_few_damaged_bytes_in_utf_8_do_not_turn_the_rest_into_nonsense(tmp_path):
    data = ("naïve Größe café " * 5).encode("utf-8") + b"dama\xc3ged"
    decoded = decode(tmp_path, data)
    assert decoded.text.startswith("naïve Größe café ")
    assert decoded.text.endswith("dama\ufffdged")
    assert decoded.note == "x.csv: places that are not UTF-8 were replaced by \ufffd: 1"


def test_a_compressed_file_is_unpacked_whatever_it_is_called(tmp_path):
    assert decode(tmp_path, gzip.compress(TEXT.encode("utf-16"))).text == TEXT


def test_a_damaged_compressed_file_is_refused(tmp_path):
    with pytest.raises(CorpusError, match="cannot be unpacked"):
        decode(tmp_path, gzip.compress(TEXT.encode())[:-9])


def test_a_file_that_unpacks_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("rag.corpus.decoding._MAX_UNPACKED_BYTES", 2**20)
    with pytest.raises(CorpusError, match="more than 1 MiB when unpacked"):
        decode(tmp_path, gzip.compress(b" " * (2**20 + 1)))


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("a.CSV", ".csv"), ("a.jsonl.gz", ".jsonl"), ("a.gz", ""), ("v1.5", ".5"), ("a", "")],
)
def test_the_ending_that_tells_the_format(tmp_path, name, suffix):
    assert suffix_of(tmp_path / name) == suffix


@pytest.mark.parametrize("wrong", ["latin-1", "cp1252"])
def test_utf_8_that_was_encoded_twice_is_decoded_twice_and_said(tmp_path, wrong):
    text = "José Größe, Łukasz Šarūnas ’quoted’" if wrong == "cp1252" else "José Größe, Łukasz"
    twice = "".join(
        bytes([byte]).decode(wrong, "ignore") or chr(byte) for byte in text.encode("utf-8")
    )
    decoded = decode(tmp_path, twice.encode("utf-8"))
    assert decoded.text == text
    assert decoded.note == "x.csv: UTF-8 that had been encoded twice; decoded twice"


def test_one_place_that_looks_encoded_twice_is_left_alone(tmp_path):
    text = "JosÃ© and Größe"
    assert decode(tmp_path, text.encode("utf-8")).text == text


def test_control_characters_are_dropped(tmp_path):
    assert decode(tmp_path, b"a\x00b\x07c").text == "abc"


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(CorpusError, match="cannot be read"):
        read_text(tmp_path / "missing.csv")
