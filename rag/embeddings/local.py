"""The local models: an embedder and a cross-encoder that need no key and no network."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rag.embeddings.files import BGE_SMALL_EN, MS_MARCO_MINILM, models_folder, verified_folder

if TYPE_CHECKING:
    from tokenizers import Encoding

    from rag.embeddings.files import PinnedModel

QUERY_INSTRUCTION = "Represent this sentence for searching relevant passages: "
_MAX_TOKENS = 512
# Several texts in one run pay off while they are short; from about a hundred tokens on, one text
# at a time is as fast, and padding only adds to it (eval/DECISIONS.md, Retrieval).
_BATCH_TOKENS = 128
# Texts that are tokenized ahead: enough to sort by length, without holding a whole corpus.
_WINDOW = 512


@dataclass(frozen=True, slots=True)
class _OnnxModel:
    """A tokenizer and a session; both may be used by several threads at once."""

    tokenizer: Any
    session: Any

    def encode(self, texts: tuple[str, ...]) -> Encoding:
        """Tokenize one text or pair, cut to the model's 512 tokens."""
        encoding: Encoding = self.tokenizer.encode(*(_valid(text) for text in texts))
        return encoding

    def run(self, batch: Sequence[Encoding]) -> NDArray[np.float32]:
        """Run the model on texts of similar length, padded to the longest: (n, ...) float32."""
        shape = (len(batch), max(len(encoding.ids) for encoding in batch))
        names = ("input_ids", "attention_mask", "token_type_ids")
        inputs = {name: np.zeros(shape, dtype=np.int64) for name in names}
        for row, encoding in enumerate(batch):
            n_tokens = len(encoding.ids)
            inputs["input_ids"][row, :n_tokens] = encoding.ids
            inputs["attention_mask"][row, :n_tokens] = 1
            inputs["token_type_ids"][row, :n_tokens] = encoding.type_ids
        output: NDArray[np.float32] = self.session.run(None, inputs)[0]
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
        n_done = 0
        for rows, output in _runs(BGE_SMALL_EN, self._threads, [(text,) for text in texts]):
            first = output[:, 0]
            vectors[rows] = first / np.linalg.norm(first, axis=1, keepdims=True)
            n_done += len(rows)
            if progress is not None:
                progress(n_done)
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
        pairs = [(query, text) for text in texts]
        for rows, output in _runs(MS_MARCO_MINILM, self._threads, pairs):
            scores[rows] = output[:, 0]
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
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
    )
    return _OnnxModel(tokenizer, session)


def _runs(
    pinned: PinnedModel, threads: int, inputs: Sequence[tuple[str, ...]]
) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
    """Run the model over all inputs; yields positions in ``inputs`` with their output."""
    for start in range(0, len(inputs), _WINDOW):
        model = _load(pinned, threads)
        encodings = [model.encode(texts) for texts in inputs[start : start + _WINDOW]]
        for rows in _batches([len(encoding.ids) for encoding in encodings]):
            yield [start + row for row in rows], model.run([encodings[row] for row in rows])


def _batches(n_tokens: Sequence[int]) -> Iterator[list[int]]:
    """Group row numbers, shortest texts first, so that a padded batch stays near the limit."""
    batch: list[int] = []
    for row in sorted(range(len(n_tokens)), key=n_tokens.__getitem__):
        if batch and n_tokens[row] * (len(batch) + 1) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _valid(text: str) -> str:
    # Half a surrogate pair, which the tokenizer refuses, becomes a question mark.
    return text.encode("utf-8", "replace").decode("utf-8")
