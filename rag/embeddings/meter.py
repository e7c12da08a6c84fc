"""The tokens that an embedding server reads, as it says, or else as they are counted here."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from rag.records import Usage
from rag.tokens import DEFAULT_ENCODING, count_tokens


class Meter:
    """Adds up the tokens of all answered requests; threads may share it.

    Args:
        encoding: By which tokens are counted where the server does not say.
        price_usd: US dollars for a million tokens; None where unknown.
    """

    def __init__(self, *, encoding: str = DEFAULT_ENCODING, price_usd: float | None = None) -> None:
        self._encoding = encoding
        self._price_usd = price_usd
        self._lock = threading.Lock()
        self._here = threading.local()
        self._total = Usage()

    def hear(self, n_tokens: int) -> None:
        """Note what the server says of the request that is under way in this thread."""
        self._here.n_said = n_tokens

    def count(self, texts: Sequence[str]) -> None:
        """Count in a request that was answered.

        Args:
            texts: What was sent, whole.
        """
        n_said = getattr(self._here, "n_said", 0)
        self._here.n_said = 0
        n_tokens = n_said or sum(count_tokens(text, self._encoding) for text in texts)
        cost = None if self._price_usd is None else n_tokens * self._price_usd / 1e6
        used = Usage(n_tokens, 0, "provider" if n_said else "us", cost)
        with self._lock:
            self._total = self._total.plus(used)

    @property
    def usage(self) -> Usage:
        """All so far; ``counted_by`` is ``us`` if any of it was counted here."""
        return self._total
