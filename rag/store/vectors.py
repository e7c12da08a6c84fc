"""What a vector must be to enter the store."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rag.errors import IndexingError

_UNIT_TOLERANCE = 1e-3


def check_vectors(vectors: NDArray[np.float32], n_expected: int, dimension: int) -> None:
    """Refuse anything but (n_expected, dimension) vectors of unit length; NaN has none.

    Raises:
        IndexingError: If they are not that.
    """
    if vectors.shape == (n_expected, dimension):
        lengths = np.linalg.norm(vectors, axis=1)
        if np.all(np.abs(lengths - 1.0) < _UNIT_TOLERANCE):
            return
        what = f"of lengths from {lengths.min():.3g} to {lengths.max():.3g}, not 1"
    else:
        what = f"in the shape {vectors.shape}, not {(n_expected, dimension)}"
    raise IndexingError(
        f"The embedder returned vectors {what}.",
        hint="It is broken or misconfigured; see `symposia doctor`.",
    )
