"""Where papers come from: named so that any shell finds them, and recognised when unchanged."""

import os
from pathlib import Path

import pytest

from rag.corpus import seeds_folder
from rag.errors import CorpusError
from rag.indexing import Source


def test_paths_become_absolute_and_names_of_seed_corpora_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "icml2025").mkdir()
    source = Source.of("icml2025", "./icml2025", Path("my papers.csv"), name="all")
    assert source.items == ("icml2025", f"{tmp_path}/icml2025", f"{tmp_path}/my papers.csv")
    assert source.arguments == f"icml2025 {tmp_path}/icml2025 '{tmp_path}/my papers.csv' --name all"
    assert not source.is_seed_corpus
    assert Source.of("icml2025").is_seed_corpus
    assert not Source.of("icml2025", name="mine").is_seed_corpus
    assert not Source.of("./icml2025").is_seed_corpus


def test_the_digest_changes_with_content_columns_and_conditions_alone(tmp_path: Path) -> None:
    path = tmp_path / "papers.csv"
    path.write_text("title,abstract\na,b\n")
    digest = Source.of(path).digest(448)
    assert len(digest) == 64
    os.utime(path, (0, 0))
    assert Source.of(path, name="mine").digest(448) == digest
    assert Source.of(path).digest(64) != digest
    assert Source.of(path, columns={"title": "abstract"}).digest(448) != digest
    path.write_text("title,abstract\na,c\n")
    assert Source.of(path).digest(448) != digest


def test_the_digest_of_a_folder_is_that_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("title\na\n")
    (tmp_path / "deeper").mkdir()
    digest = Source.of(tmp_path).digest()
    (tmp_path / "deeper" / "b.csv").write_text("title\nb\n")
    assert Source.of(tmp_path).digest() == digest
    (tmp_path / "b.csv").write_text("title\nb\n")
    assert Source.of(tmp_path).digest() != digest


def test_a_seed_corpus_has_the_digest_of_its_file() -> None:
    assert Source.of("seeds").digest() == Source.of(seeds_folder() / "papers.jsonl").digest()


def test_a_source_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"papers\.csv cannot be read: No such file"):
        Source.of(tmp_path / "papers.csv").digest()
