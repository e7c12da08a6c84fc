import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from rag.errors import IndexDamaged, IndexMismatch
from rag.records import Chunk, Paper
from rag.store.manifest import SCHEMA_VERSION, Manifest, read_manifest, write_manifest
from rag.store.rows import stored

MANIFEST = Manifest(
    schema_version=SCHEMA_VERSION,
    source="'my papers.jsonl'",
    embedder="bge-small/384",
    dimension=384,
    lexicon="0123456789ab",
    corpus_hash="f" * 64,
    n_papers=57,
    n_chunks=58,
    packages={"chromadb": "1.5.9"},
    created_at="2026-11-30T12:00:00+00:00",
    files={"papers.jsonl": "0" * 64},
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "manifest.json"


def test_what_is_written_is_read(path: Path) -> None:
    write_manifest(path, MANIFEST)
    assert read_manifest(path) == MANIFEST


def test_the_form_of_the_records_belongs_to_the_schema_version() -> None:
    """Changed fields make old indexes unreadable: raise SCHEMA_VERSION together with this test."""
    assert SCHEMA_VERSION == 1
    assert list(stored(Paper("id", "title", "abstract"))) == [
        "paper_id",
        "title",
        "abstract",
        "authors",
        "venue",
        "year",
        "url",
        "pdf_url",
        "presentation",
        "track",
        "keywords",
        "pages",
        "other_titles",
    ]
    assert [field.name for field in fields(Chunk)] == [
        "chunk_id",
        "paper_id",
        "text",
        "start",
        "end",
        "n_tokens",
        "content_hash",
    ]


def test_the_fingerprint_names_the_content_not_the_making() -> None:
    assert len(MANIFEST.fingerprint) == 12
    for made in (
        {"created_at": "2027-01-01T00:00:00+00:00"},
        {"files": {}},
        {"packages": {}},
        {"source": "elsewhere.jsonl"},
    ):
        assert replace(MANIFEST, **made).fingerprint == MANIFEST.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 2},
        {"embedder": "other/384"},
        {"dimension": 16},
        {"lexicon": "ba9876543210"},
        {"corpus_hash": "e" * 64},
    ],
)
def test_other_content_has_another_fingerprint(change: dict[str, Any]) -> None:
    assert replace(MANIFEST, **change).fingerprint != MANIFEST.fingerprint


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        b"\xff\xfe{}",
        '{"schema_version": 1}',
    ],
)
def test_what_is_no_manifest_is_damaged(text: str | bytes, path: Path) -> None:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(IndexDamaged, match=r"manifest\.json"):
        read_manifest(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_papers", "57"),
        ("n_papers", True),
        ("n_chunks", 1.5),
        ("embedder", None),
        ("files", []),
        ("files", {"papers.jsonl": 1}),
        ("surplus", 1),
    ],
)
def test_a_wrong_field_is_named(name: str, value: object, path: Path) -> None:
    write_manifest(path, MANIFEST)
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    with pytest.raises(IndexDamaged, match=name):
        read_manifest(path)


@pytest.mark.parametrize("version", [0, 2, 99])
def test_another_form_is_refused_with_the_command_that_mends_it(version: int, path: Path) -> None:
    values = {"schema_version": version, "source": "'my papers.jsonl'", "unheard of": 1}
    path.write_text(json.dumps(values))
    with pytest.raises(IndexMismatch) as refused:
        read_manifest(path)
    assert f"form {version}" in str(refused.value)
    assert f"form {SCHEMA_VERSION}" in str(refused.value)
    assert "`symposia index 'my papers.jsonl'`" in refused.value.hint


def test_another_embedder_is_refused_naming_both_and_the_command() -> None:
    with pytest.raises(IndexMismatch) as refused:
        MANIFEST.expect(embedder="text-embedding-3/384", lexicon=MANIFEST.lexicon)
    assert "bge-small/384" in refused.value.message
    assert "text-embedding-3/384" in refused.value.message
    assert "`symposia index 'my papers.jsonl'`" in refused.value.hint
    assert "nothing was deleted" in refused.value.hint


def test_other_rules_for_search_terms_are_refused() -> None:
    with pytest.raises(IndexMismatch, match=r"0123456789ab.*ffffffffffff"):
        MANIFEST.expect(embedder=MANIFEST.embedder, lexicon="ffffffffffff")
    MANIFEST.expect(embedder=MANIFEST.embedder, lexicon=MANIFEST.lexicon)
