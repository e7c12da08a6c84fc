"""Write a trained checkpoint in the form that the product reads.

    python -m eval.training.export CHECKPOINT [--to FILE]

The file holds what training changed, by the names of the pinned ONNX file's own initializers and
of their types, so that the product can lay the one over the other; and ``heads``, the three linear
functions: (3, 385) float32, for sentence, answerable, about, the last column being the constant.
Only the scales have another shape: one a column, where the pinned file has one a matrix. The same
checkpoint gives the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.training.pinned import (
    FIRST_TRAINED,
    LINEAR_PARTS,
    N_LAYERS,
    NORM_PARTS,
    PinnedWeights,
    vector_name,
)
from rag.embeddings import reader
from rag.embeddings.files import MS_MARCO_MINILM, models_folder, verified_folder

_LARGEST = 127

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class QuantisedMatrix:
    """A matrix in eight bits: ``values * scales``."""

    values: NDArray[np.int8]
    """(in, out), from -127 to 127."""
    scales: NDArray[np.float32]
    """(out,), one a column."""


def quantise(matrix: NDArray[np.float32]) -> QuantisedMatrix:
    """Round each column to 255 steps about zero, its largest number being 127 of them.

    Args:
        matrix: (in, out), no column all zeros.
    """
    scales = (np.abs(matrix).max(axis=0) / _LARGEST).astype(np.float32)
    values = np.clip(np.round(matrix / scales), -_LARGEST, _LARGEST)
    return QuantisedMatrix(values.astype(np.int8), scales)


def product_arrays(checkpoint: Arrays, pinned: PinnedWeights) -> dict[str, NDArray[Any]]:
    """Turn the weights of ``UpperHalf`` into what the product stores, by name."""
    arrays: dict[str, NDArray[Any]] = {}
    for layer in range(FIRST_TRAINED, N_LAYERS):
        trained = f"layers.{layer - FIRST_TRAINED}"
        for part in LINEAR_PARTS:
            name = pinned.matrix_name(layer, part)
            matrix = quantise(checkpoint[f"{trained}.{part}.weight"].T)
            arrays[f"{name}_quantized"] = matrix.values
            arrays[f"{name}_scale"] = matrix.scales
        for part in (*LINEAR_PARTS, *NORM_PARTS):
            arrays[vector_name(layer, part, "bias")] = checkpoint[f"{trained}.{part}.bias"]
        for part in NORM_PARTS:
            arrays[vector_name(layer, part, "weight")] = checkpoint[f"{trained}.{part}.weight"]
    _require_same_form(arrays, pinned)
    return arrays | {"heads": _heads(checkpoint)}


def write_arrays(arrays: Arrays, path: Path) -> str:
    """Write an npz file; return its sha256 (hex)."""
    # numpy gives every member the date 1980-01-01, so the bytes depend on the arrays alone.
    members: dict[str, Any] = {name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}
    np.savez_compressed(path, **members)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _heads(checkpoint: Arrays) -> NDArray[np.float32]:
    rows = [
        np.hstack([checkpoint[f"{head}.weight"], checkpoint[f"{head}.bias"][:, None]])
        for head in ("sentence", "whole")
    ]
    return np.vstack(rows).astype(np.float32)


def _require_same_form(arrays: Arrays, pinned: PinnedWeights) -> None:
    for name, array in arrays.items():
        stored = pinned.array(name)
        same_shape = array.shape == stored.shape or name.endswith("_scale")
        if not same_shape or array.dtype != stored.dtype:
            raise ValueError(f"{name}: {array.dtype}{array.shape}, not the pinned file's form")


def main() -> None:
    """Export the checkpoint that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m eval.training.export")
    parser.add_argument("checkpoint", type=Path, help="an npz file that the training wrote")
    parser.add_argument("--to", type=Path, default=reader.WEIGHTS.path, help="default: %(default)s")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    folder = verified_folder(MS_MARCO_MINILM, models_folder())
    with np.load(arguments.checkpoint, allow_pickle=False) as checkpoint:
        arrays = product_arrays(checkpoint, PinnedWeights(folder / "model.onnx"))
    sha256 = write_arrays(arrays, arguments.to)
    size = arguments.to.stat().st_size
    logging.getLogger(__name__).info("%s: %d bytes, sha256 %s", arguments.to, size, sha256)


if __name__ == "__main__":
    main()
