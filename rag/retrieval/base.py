"""What the retriever expects of an index: two legs that search it in two ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rag.records import LegHit


class DenseLeg(Protocol):
    """Search by meaning."""

    def search(
        self, vector: NDArray[np.float32], k: int, allowed: frozenset[str] | None
    ) -> Sequence[LegHit]:
        """Find the chunks nearest to a query vector.

        Args:
            vector: (dimension,) float32, unit length.
            k: How many chunks to return at most.
            allowed: Ids of the papers to search; None for all.

        Returns:
            Best first; the score is the cosine similarity.
        """


class LexicalLeg(Protocol):
    """Search by words."""

    def search(self, text: str, k: int, allowed: frozenset[str] | None) -> Sequence[LegHit]:
        """Find the chunks that share terms with a text.

        Args:
            text: The query as written.
            k: How many chunks to return at most.
            allowed: Ids of the papers to search; None for all.

        Returns:
            Best first, without chunks that share no term; the score is that of BM25.
        """
