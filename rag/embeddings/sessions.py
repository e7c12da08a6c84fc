"""What all local models share: how they are run, and what they are fed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def session_options(threads: int) -> Any:
    """The options of a session that runs one text at a time on so many CPU threads."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return options


def model_inputs(
    ids: NDArray[np.int64], type_ids: NDArray[np.int64]
) -> dict[str, NDArray[np.int64]]:
    """Feed one text, or one pair, all of which is to be read.

    Args:
        ids: (n,) int64, the tokens.
        type_ids: (n,) int64, 1 for the tokens of the second text of a pair.
    """
    return {
        "input_ids": ids[None],
        "attention_mask": np.ones_like(ids)[None],
        "token_type_ids": type_ids[None],
    }


def encodable(text: str) -> str:
    """Half a surrogate pair, which a tokenizer refuses, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
