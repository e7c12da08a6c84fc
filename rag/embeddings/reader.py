"""The local reader: a question and a whole abstract in, what of it answers the question out.

The reader is the cross-encoder ms-marco-MiniLM-L-12-v2 whose upper six layers were trained further
on questions about ICML 2025 abstracts (``eval/training``). Only what training changed is stored
here; the rest, and the graph, come from the pinned model file.
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

WEIGHTS = Path(__file__).with_name("reader.npz")
WEIGHTS_SHA256 = "c66deebb7d68253ef3df03bbf6f348e546787b22a0afa364d05dc503648e27c0"
_UNREAD = -20.0
_STATES = "/bert/encoder/layer.11/output/LayerNorm/Add_1_output_0"
_HEADS = "heads"


class LocalReader:
    """Reads with the trained cross-encoder; nothing is loaded before the first text.

    Args:
        threads: CPU threads of one run of the model.
    """

    name = f"symposia-reader ({MS_MARCO_MINILM.name}, upper half trained)"

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads

    def read(self, question: str, title: str, text: str, sentences: Sequence[Span]) -> Reading:
        """Read one text; see ``Reader``.

        Raises:
            ModelFileError: If a model file is missing or not the pinned one.
        """
        model = _load(self._threads)
        pair = model.encoder.encode(question, title, text, sentences)
        states = model.states(pair)
        answerable, about = model.heads.whole(states[0])
        scores = tuple(
            model.heads.sentence(states[list(rows)]) if rows else _UNREAD
            for rows in pair.sentence_rows
        )
        return Reading(scores, answerable=answerable, about=about)


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
class _Model:
    encoder: PairEncoder
    session: Any
    heads: _Heads
    initializers: Mapping[str, Any]
    """The session reads from the memory of these, so that they must live as long as it does."""

    def states(self, pair: EncodedPair) -> NDArray[np.float32]:
        """The states of all tokens, (n, 384) float32."""
        (states,) = self.session.run([_STATES], model_inputs(pair.ids, pair.type_ids))
        found: NDArray[np.float32] = states[0]
        return found


_loading = threading.Lock()


def _load(threads: int) -> _Model:
    """Open the model once per process and number of threads."""
    with _loading:
        return _open(threads)


@functools.cache
def _open(threads: int) -> _Model:
    import onnxruntime

    folder = verified_folder(MS_MARCO_MINILM, models_folder())
    weights = _read_weights()
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
    heads = _Heads(weights[_HEADS])
    return _Model(PairEncoder(folder), session, heads, initializers)


def verify_weights() -> bytes:
    """Read the file of what training changed.

    Raises:
        ModelFileError: If it is missing or not the one of this version.
    """
    hint = "Install symposia again."
    try:
        content = WEIGHTS.read_bytes()
    except OSError as error:
        raise ModelFileError(
            f"The model file {WEIGHTS} cannot be read ({error.strerror}).", hint=hint
        ) from error
    if hashlib.sha256(content).hexdigest() != WEIGHTS_SHA256:
        raise ModelFileError(f"The model file {WEIGHTS} is not the one of this version.", hint=hint)
    return content


def _read_weights() -> Mapping[str, NDArray[Any]]:
    """What training changed, by the names of the initializers of the pinned file."""
    with np.load(io.BytesIO(verify_weights()), allow_pickle=False) as arrays:
        return {name: np.ascontiguousarray(arrays[name]) for name in arrays.files}


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
