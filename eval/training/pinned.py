"""The weights inside the pinned cross-encoder's ONNX file, by layer and part."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FIRST_TRAINED = 6
N_LAYERS = 12

LINEAR_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "merge": "attention.output.dense",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
}
"""Names of a layer's linear functions here and in the file."""
NORM_PARTS = {
    "attention_norm": "attention.output.LayerNorm",
    "output_norm": "output.LayerNorm",
}
"""Names of a layer's normalisations here and in the file."""


class PinnedWeights:
    """The initializers of the file; its matrices are int8 with one scale each, and zero is 0.

    Args:
        model: The ONNX file of ``MS_MARCO_MINILM``.
    """

    def __init__(self, model: Path) -> None:
        import onnx
        from onnx import numpy_helper

        graph = onnx.load(model).graph
        self._arrays = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
        self._matrices = {
            node.name: node.input[1] for node in graph.node if node.op_type == "MatMulInteger"
        }

    def matrix_name(self, layer: int, part: str) -> str:
        """What the matrix of a linear part is called, without the ending of its int8 form."""
        scope = LINEAR_PARTS[part].replace(".", "/")
        name: str = self._matrices[f"/bert/encoder/layer.{layer}/{scope}/MatMul_quant"]
        return name.removesuffix("_quantized")

    def array(self, name: str) -> NDArray[np.generic]:
        """An initializer as it is stored."""
        array: NDArray[np.generic] = self._arrays[name]
        return array

    def matrix(self, layer: int, part: str) -> NDArray[np.float32]:
        """The dequantised matrix of a linear part: (in, out) float32."""
        name = self.matrix_name(layer, part)
        values = self._arrays[f"{name}_quantized"].astype(np.float32)
        matrix: NDArray[np.float32] = values * self._arrays[f"{name}_scale"]
        return matrix

    def vector(self, layer: int, part: str, kind: str) -> NDArray[np.float32]:
        """The ``bias`` of any part, or the ``weight`` of a normalisation: (out,) float32."""
        vector: NDArray[np.float32] = self._arrays[vector_name(layer, part, kind)]
        return vector


def vector_name(layer: int, part: str, kind: str) -> str:
    """What a ``bias``, or a normalisation's ``weight``, is called in the file."""
    return f"bert.encoder.layer.{layer}.{(LINEAR_PARTS | NORM_PARTS)[part]}.{kind}"
