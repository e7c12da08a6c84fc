"""What doctor says about installations that are sound, odd or broken."""

import dataclasses
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from chroma_server import ChromaServer, free_port

from rag.embeddings import reader
from rag.embeddings.local import LocalEmbedder
from rag.errors import ModelFileError
from rag.settings import Settings
from rag.store.generation import MANIFEST, IndexFolder
from rag.store.lexical import lexicon
from rag.store.manifest import SCHEMA_VERSION, Manifest, write_manifest
from ui import doctor, doctor_engine, doctor_install
from ui.doctor_report import Check, Package, Report, SettingInForce

KEY = "sk-canary-1234567890"


@pytest.fixture(autouse=True)
def _empty_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"SYMPOSIA_{name.upper()}", raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("SYMPOSIA_DATA_DIR", str(tmp_path / "data"))


def only(checks: object) -> Check:
    (check,) = list(checks)  # type: ignore[call-overload]
    assert isinstance(check, Check)
    return check


def test_a_sound_installation_has_nothing_broken() -> None:
    report = doctor.examine()
    assert [check for check in report.checks if check.state == "broken"] == []
    assert not report.broken
    looked_at = {check.name for check in report.checks}
    assert looked_at >= {"installation", "python", "model", "tokenizer", "data folder", "index"}


def test_a_wrong_setting_is_a_finding_and_the_rest_is_still_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SYMPOSIA_THREADS", "0")
    report = doctor.examine()
    assert report.broken
    finding = next(check for check in report.checks if check.state == "broken")
    assert "threads" in finding.detail
    assert ".env.example" in finding.advice
    assert any(check.name == "model" for check in report.checks)


def test_settings_say_where_they_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("SYMPOSIA_CORPUS=mine\nSYMPOSIA_THREADS=2\n", encoding="utf-8")
    monkeypatch.setenv("SYMPOSIA_THREADS", "3")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://user:secret@example.org/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    shown = {item.name: item for item in doctor_install.settings_in_force(Settings())}
    assert shown["corpus"] == SettingInForce("corpus", "mine", ".env")
    assert shown["threads"] == SettingInForce("threads", "3", "environment")
    assert shown["max_passages"].source == "default"
    assert shown["openai_api_key"] == SettingInForce(
        "openai_api_key", "set (hidden)", "environment"
    )
    assert shown["openai_base_url"].value == "https://example.org/v1"


@pytest.mark.parametrize("form", [Report.to_json, Report.to_text])
def test_no_form_of_the_report_shows_the_key(
    form: Callable[[Report], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert KEY not in form(doctor.examine())


def test_another_owner_of_our_names_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    owners = {"rag": ["symposia", "rag-toolbox"], "ui": ["symposia"], "eval": []}
    monkeypatch.setattr("importlib.metadata.packages_distributions", lambda: owners)
    warning = next(check for check in doctor_install.check_names() if check.state == "warning")
    assert "rag-toolbox also installs a package named 'rag'" in warning.detail


def test_packages_from_two_places_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"rag": "/one", "ui": "/two", "eval": "/one"}
    monkeypatch.setattr(doctor_install, "_folder", places.__getitem__)
    fault = next(iter(doctor_install.check_names()))
    assert fault.state == "broken"
    assert "ui in /two" in fault.detail


def test_an_old_sqlite_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    assert only(doctor_install.check_python()).state == "broken"


def test_a_changed_model_file_is_a_fault_with_the_command_that_mends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> Path:
        raise ModelFileError("The model file has another sha256.", hint="Install it again.")

    monkeypatch.setattr(doctor_engine, "verified_folder", refuse)
    checks = list(doctor_engine.check_models())
    assert [check.state for check in checks] == ["broken", "broken", "ok", "ok"]
    assert checks[0].advice == "Install it again."


def test_changed_weights_of_the_reader_are_a_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = replace(reader.WEIGHTS, path=tmp_path / "none.npz")
    monkeypatch.setattr(reader, "WEIGHTS", missing)
    checks = list(doctor_engine.check_models())
    assert [check.state for check in checks] == ["ok", "ok", "broken", "ok"]
    assert "symposia" in checks[2].advice


def test_estimated_tokens_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_engine, "counting_method", lambda: "estimate: 4 characters")
    assert only(doctor_engine.check_tokenizer()).state == "warning"


def test_a_data_folder_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    check = only(doctor_install.check_data_folder(Settings(data_dir=tmp_path / "file" / "data")))
    assert check.state == "broken"
    assert "SYMPOSIA_DATA_DIR" in check.advice


def test_looking_at_the_data_folder_does_not_make_it(tmp_path: Path) -> None:
    assert only(doctor_install.check_data_folder(Settings())).state == "ok"
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("kind", "state"), [("nfs4", "warning"), ("fuse.sshfs", "warning"), ("ext4", "ok")]
)
def test_a_network_disk_is_a_warning(
    kind: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_install, "_mounts", lambda: {Path("/"): kind})
    assert only(doctor_install.check_data_folder(Settings())).state == state


def test_the_nearest_mount_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = {Path("/"): "nfs", tmp_path.resolve(): "ext4"}
    monkeypatch.setattr(doctor_install, "_mounts", lambda: mounts)
    assert only(doctor_install.check_data_folder(Settings())).state == "ok"


def test_little_space_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 10_000_000

    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage)
    check = only(doctor_install.check_data_folder(Settings()))
    assert check.state == "warning"
    assert "0.0 GB free" in check.detail


MANIFEST_OF_SEEDS = Manifest(
    schema_version=SCHEMA_VERSION,
    source="seeds",
    embedder=LocalEmbedder.fingerprint,
    dimension=384,
    lexicon=lexicon(),
    corpus_hash="00",
    n_papers=57,
    n_chunks=58,
    packages={},
    created_at="2026-11-30T12:00:00+00:00",
    files={"papers.jsonl": hashlib.sha256(b"papers").hexdigest()},
)


def put_index(data_dir: Path, manifest: Manifest) -> Path:
    """Lay down what doctor looks at of an index, and return the folder of its generation."""
    folder = IndexFolder.of(data_dir, "seeds")
    generation = folder.new_generation(manifest.fingerprint)
    (generation / "papers.jsonl").write_bytes(b"papers")
    write_manifest(generation / MANIFEST, manifest)
    folder.switch(generation.name)
    return generation


def index_check() -> Check:
    return next(check for check in doctor.examine().checks if check.name == "index")


def test_a_corpus_without_an_index_is_no_fault() -> None:
    assert index_check().state == "ok"
    assert "none yet of seeds" in index_check().detail


def test_an_index_is_described(tmp_path: Path) -> None:
    put_index(tmp_path / "data", MANIFEST_OF_SEEDS)
    check = index_check()
    assert check.state == "ok"
    assert "57 papers, 58 chunks" in check.detail
    assert MANIFEST_OF_SEEDS.fingerprint in check.detail
    assert LocalEmbedder.fingerprint in check.detail


def test_an_index_of_another_embedder_is_a_fault_with_the_command_that_mends_it(
    tmp_path: Path,
) -> None:
    put_index(tmp_path / "data", dataclasses.replace(MANIFEST_OF_SEEDS, embedder="other/384"))
    check = index_check()
    assert check.state == "broken"
    assert "other/384" in check.detail
    assert "symposia index seeds" in check.advice


def test_a_changed_file_of_an_index_is_a_fault(tmp_path: Path) -> None:
    generation = put_index(tmp_path / "data", MANIFEST_OF_SEEDS)
    (generation / "papers.jsonl").write_bytes(b"other papers")
    assert index_check().state == "broken"
    assert "papers.jsonl" in index_check().detail


def test_a_pointer_to_nothing_is_a_fault(tmp_path: Path) -> None:
    shutil.rmtree(put_index(tmp_path / "data", MANIFEST_OF_SEEDS))
    assert index_check().state == "broken"
    assert "symposia index seeds" in index_check().advice


def store_checks() -> list[Check]:
    return [check for check in doctor.examine().checks if check.name in {"store", "index"}]


def test_the_store_in_use_is_the_data_folder(tmp_path: Path) -> None:
    put_index(tmp_path / "data", MANIFEST_OF_SEEDS)
    check, _ = store_checks()
    assert check.state == "ok"
    assert check.detail == f"in {tmp_path / 'data' / 'indexes'}; 1 index"


def test_the_store_in_use_is_a_server(
    monkeypatch: pytest.MonkeyPatch, chroma_server: ChromaServer
) -> None:
    monkeypatch.setenv("SYMPOSIA_CHROMA_URL", chroma_server.url)
    store, index = store_checks()
    assert store.state == index.state == "ok"
    assert f"on the Chroma server {chroma_server.url}; " in store.detail
    assert "none yet of seeds" in index.detail


def test_a_server_that_is_down_is_a_fault_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYMPOSIA_CHROMA_URL", f"http://127.0.0.1:{free_port()}")
    for check in store_checks():
        assert check.state == "broken"
        assert "cannot be reached" in check.detail
        assert "chroma run" in check.advice


def test_a_token_is_not_sent_over_an_open_line_unnoticed(
    monkeypatch: pytest.MonkeyPatch, chroma_server: ChromaServer
) -> None:
    monkeypatch.setenv("SYMPOSIA_CHROMA_TOKEN", "canary")
    monkeypatch.setenv("SYMPOSIA_CHROMA_URL", chroma_server.url)
    assert store_checks()[0].state == "ok"
    monkeypatch.setattr(doctor_engine, "_is_open", lambda _url: True)
    check = store_checks()[0]
    assert check.state == "warning"
    assert "https://" in check.advice
    assert "canary" not in doctor.examine().to_json()


@pytest.mark.parametrize(
    ("url", "is_open"),
    [("http://chroma:8000", True), ("https://chroma", False), ("http://localhost:8000", False)],
)
def test_only_a_line_without_tls_to_another_machine_is_open(url: str, is_open: bool) -> None:
    assert doctor_engine._is_open(url) is is_open


REPORT = Report(
    checks=(Check("python", "ok", "3.11"), Check("model", "broken", "gone", "Install it.")),
    settings=(SettingInForce("threads", "1", "default"),),
    packages=(Package("chromadb", "1.5.9", "pip"),),
)


def test_the_text_puts_advice_under_the_fault() -> None:
    assert REPORT.to_text() == (
        "ok      python  3.11\n"
        "BROKEN  model   gone\n"
        "                -> Install it.\n\n"
        "Settings\n  threads  1  (default)\n\n"
        "Packages\n  chromadb  1.5.9  pip"
    )


def test_the_json_says_whether_anything_is_broken() -> None:
    plain = json.loads(REPORT.to_json())
    assert plain["broken"] is True
    assert plain["checks"][1]["advice"] == "Install it."
