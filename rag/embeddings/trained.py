"""The pinned cross-encoder with its upper half trained further: one pass over a pair of texts.

Only what training changed is stored here (``eval/training``); the rest, and the graph, come from
the pinned model file.
"""

from __future__ import annotations

import functools
import hashlib
import io
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.base import Reading
from rag.embeddings.files import MS_MARCO_MINILM, models_folder, verified_folder
from rag.embeddings.pairs import EncodedPair, PairEncoder
from rag.embeddings.sessions import model_inputs, session_options
from rag.errors import ModelFileError
from rag.text import Span

_UNREAD = -20.0
_STATES = "/bert/encoder/layer.11/output/LayerNorm/Add_1_output_0"
_HEADS = "heads"


@dataclass(frozen=True, slots=True)
class TrainedWeights:
    """A file of what training changed, and its pinned sha256."""

    path: Path
    sha256: str

    def verify(self) -> bytes:
        """Read the file.

        Raises:
            ModelFileError: If it is missing or not the one of this version.
        """
        hint = "Install symposia again."
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise ModelFileError(
                f"The model file {self.path} cannot be read ({error.strerror}).", hint=hint
            ) from error
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise ModelFileError(
                f"The model file {self.path} is not the one of this version.", hint=hint
            )
        return content

    def verified_path(self) -> Path:
        """Where the file is, once it has passed ``verify``."""
        self.verify()
        return self.path

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """What training changed, by the names of the initializers of the pinned file."""
        with np.load(io.BytesIO(self.verify()), allow_pickle=False) as arrays:
            return {name: np.ascontiguousarray(arrays[name]) for name in arrays.files}


@dataclass(frozen=True, slots=True)
class _Heads:
    """Three linear functions of the model's states, as log-odds."""

    weights: NDArray[np.float32]
    """(3, 385) float32: sentence, answerable, about; the last column is the constant."""

    def sentence(self, states: NDArray[np.float32]) -> float:
        """From the states of its tokens, (n, 384)."""
        return float(states.mean(axis=0) @ self.weights[0, :-1] + self.weights[0, -1])

    def whole(self, state: NDArray[np.float32]) -> tuple[float, float]:
        """``answerable`` and ``about``, from the state of the first token, (384,)."""
        answerable, about = self.weights[1:, :-1] @ state + self.weights[1:, -1]
        return float(answerable), float(about)


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """Reads pairs of texts; several threads may use it at once."""

    encoder: PairEncoder
    session: Any
    heads: _Heads
    initializers: Mapping[str, Any]
    """The session reads from the memory of these, so that they must live as long as it does."""

    def read(self, first: str, title: str, text: str, sentences: Sequence[Span]) -> Reading:
        """Read two texts together, in one pass.

        Args:
            first: A question, or a claim.
            title: Stands before the text.
            text: Cut where the window of the model ends.
            sentences: Spans of ``text``, in order; one that is not read gets -20.
        """
        pair = self.encoder.encode(first, title, text, sentences)
        states = self._states(pair)
        answerable, about = self.heads.whole(states[0])
        scores = tuple(
            self.heads.sentence(states[list(rows)]) if rows else _UNREAD
            for rows in pair.sentence_rows
        )
        return Reading(scores, answerable=answerable, about=about)

    def _states(self, pair: EncodedPair) -> NDArray[np.float32]:
        """The states of all tokens, (n, 384) float32."""
        (states,) = self.session.run([_STATES], model_inputs(pair.ids, pair.type_ids))
        found: NDArray[np.float32] = states[0]
        return found


_loading = threading.Lock()


def load_trained(weights: TrainedWeights, threads: int) -> TrainedModel:
    """Open a model once per process and number of threads.

    Raises:
        ModelFileError: If a model file is missing or not the pinned one.
    """
    with _loading:
        return _open(weights, threads)


@functools.cache
def _open(trained: TrainedWeights, threads: int) -> TrainedModel:
    import onnxruntime

    folder = verified_folder(MS_MARCO_MINILM, models_folder())
    weights = trained.arrays()
    options = session_options(threads)
    initializers = {
        name: onnxruntime.OrtValue.ortvalue_from_numpy(value)
        for name, value in weights.items()
        if name != _HEADS
    }
    for name, value in initializers.items():
        options.add_initializer(name, value)
    model = _with_output((folder / "model.onnx").read_bytes(), _STATES)
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return TrainedModel(PairEncoder(folder), session, _Heads(weights[_HEADS]), initializers)


def _with_output(model: bytes, name: str) -> bytes:
    """Make an inner value of an ONNX graph one of its outputs.

    Protocol buffers merge a message that is appended to another of its type. What is appended
    here is ``ModelProto(graph=GraphProto(output=[ValueInfoProto(name=name)]))``; the numbers are
    those fields' in onnx.proto.
    """
    return model + _field(7, _field(12, _field(1, name.encode())))


def _field(number: int, content: bytes) -> bytes:
    """A length-delimited field in the wire format of protocol buffers."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    high, low = number >> 7, number & 0x7F
    return bytes([low | 0x80]) + _varint(high) if high else bytes([low])
