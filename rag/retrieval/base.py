"""What the retriever expects of an index: two legs that search it in two ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    @property
    def words(self) -> Mapping[str, int]:
        """Words of titles and abstracts, normalised, that two chunks or more hold: how many do."""

    def search(self, text: str, k: int, allowed: frozenset[str] | None) -> Sequence[LegHit]:
        """Find the chunks that share terms with a text.

        Args:
            text: The query as written.
            k: How many chunks to return at most.
            allowed: Ids of the papers to search; None for all.

        Returns:
            Best first, without chunks that share no term; the score is that of BM25.
        """

    def ceiling(self, text: str) -> float:
        """The score of a chunk that held every term of a text any number of times."""

    def n_holding(self, term: str) -> int:
        """How many chunks hold a term that ``rag.text.search_terms`` gave."""
