"""The local models: an embedder and a cross-encoder that need no key and no network."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.files import BGE_SMALL_EN, MS_MARCO_MINILM, models_folder, verified_folder
from rag.embeddings.sessions import encodable, model_inputs, session_options

if TYPE_CHECKING:
    from rag.embeddings.files import PinnedModel

QUERY_INSTRUCTION = "Represent this sentence for searching relevant passages: "
_MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class _OnnxModel:
    """A tokenizer and a session; both may be used by several threads at once."""

    tokenizer: Any
    session: Any

    def run(self, *texts: str) -> NDArray[np.float32]:
        """Run the model on one text, or on one pair that it reads together.

        Texts are never batched: the int8 model scales its numbers over a whole batch, so a text's
        vector would depend on its neighbours, and abstracts gain no speed from it
        (eval/DECISIONS.md, Retrieval).
        """
        encoding = self.tokenizer.encode(*(encodable(text) for text in texts))
        ids, type_ids = (np.array(row, np.int64) for row in (encoding.ids, encoding.type_ids))
        output: NDArray[np.float32] = self.session.run(None, model_inputs(ids, type_ids))[0][0]
        return output


class LocalEmbedder:
    """bge-small-en-v1.5 (int8): 384 dimensions, vector of the first token, unit length.

    Nothing is loaded before the first text.

    Args:
        threads: CPU threads of one run of the model.
    """

    dimension = 384
    fingerprint = f"{BGE_SMALL_EN.name}/384/cls/{BGE_SMALL_EN.model_sha256[:12]}"

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        """Embed texts that are to be found; see ``Embedder``.

        Raises:
            ModelFileError: If the model's files are missing or not the pinned ones.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            first_token = _load(BGE_SMALL_EN, self._threads).run(text)[0]
            vectors[row] = first_token / np.linalg.norm(first_token)
            if progress is not None:
                progress(row + 1)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed what is looked for, with the instruction that the model was trained with."""
        vector: NDArray[np.float32] = self.embed_passages([QUERY_INSTRUCTION + text])[0]
        return vector


class LocalPairScorer:
    """The cross-encoder ms-marco-MiniLM-L-12-v2 (int8).

    A relevant pair scores about +6, an irrelevant one about -11. Nothing is loaded before the
    first pair.

    Args:
        threads: CPU threads of one run of the model.
    """

    name = MS_MARCO_MINILM.name

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Score texts against a query: (n,) float32 logits; higher is better.

        Raises:
            ModelFileError: If the model's files are missing or not the pinned ones.
        """
        scores = np.zeros(len(texts), dtype=np.float32)
        for row, text in enumerate(texts):
            scores[row] = _load(MS_MARCO_MINILM, self._threads).run(query, text)[0]
        return scores


_loaded: dict[tuple[PinnedModel, int], _OnnxModel] = {}
_loading = threading.Lock()


def _load(pinned: PinnedModel, threads: int) -> _OnnxModel:
    """Open a model once per process and number of threads."""
    with _loading:
        if (pinned, threads) not in _loaded:
            _loaded[pinned, threads] = _open(pinned, threads)
        return _loaded[pinned, threads]


def _open(pinned: PinnedModel, threads: int) -> _OnnxModel:
    import onnxruntime
    from tokenizers import Tokenizer

    folder = verified_folder(pinned, models_folder())
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    # The files differ in what they say about both, down to padding every text to 512.
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    session = onnxruntime.InferenceSession(
        str(folder / "model.onnx"), session_options(threads), providers=["CPUExecutionProvider"]
    )
    return _OnnxModel(tokenizer, session)
