"""What the lower six layers make of each pair. Training leaves them alone, so it is kept in a file.

They are run as the product runs them: the pinned int8 file, one pair at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.pairs import EncodedPair
from rag.embeddings.sessions import model_inputs, session_options

WIDTH = 384
_INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
_STATES = "/bert/encoder/layer.5/output/LayerNorm/Add_1_output_0"


class LowerHalf:
    """The pinned model, cut after its sixth layer.

    Args:
        model: The ONNX file of ``MS_MARCO_MINILM``.
        cut: Where the cut model is written.
        threads: CPU threads of one run of the model.
    """

    def __init__(self, model: Path, cut: Path, *, threads: int) -> None:
        import onnxruntime
        from onnx.utils import extract_model

        extract_model(model, cut, _INPUTS, [_STATES], check_model=False)
        self._session = onnxruntime.InferenceSession(
            str(cut), session_options(threads), providers=["CPUExecutionProvider"]
        )

    def run(self, pair: EncodedPair) -> NDArray[np.float32]:
        """The states of all tokens of one pair: (n, 384)."""
        (states,) = self._session.run([_STATES], model_inputs(pair.ids, pair.type_ids))
        found: NDArray[np.float32] = states[0]
        return found


class StoredStates:
    """The states of all pairs, in one file that is read as needed; several processes may share it.

    Args:
        path: A file that ``create`` made for the same lengths.
        lengths: Tokens of each pair.
    """

    def __init__(self, path: Path, lengths: Sequence[int]) -> None:
        self._states: NDArray[np.float16] = np.load(path, mmap_mode="r+")
        self._starts = np.concatenate([[0], np.cumsum(lengths)])

    @classmethod
    def create(cls, path: Path, lengths: Sequence[int]) -> StoredStates:
        """Make the file, all zeros: about 230 kB a pair of 300 tokens."""
        shape = (sum(lengths), WIDTH)
        np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=shape)
        return cls(path, lengths)

    def __setitem__(self, index: int, states: NDArray[np.float32]) -> None:
        self._states[self._starts[index] : self._starts[index + 1]] = states

    def __getitem__(self, index: int) -> NDArray[np.float16]:
        """The states of one pair: (n, 384) float16."""
        return self._states[self._starts[index] : self._starts[index + 1]]
