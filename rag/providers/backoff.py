"""When a failed request is sent again, and when it is given up."""

from __future__ import annotations

import random
from dataclasses import dataclass

from rag.errors import ProviderError


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits that double, with jitter so that clients which failed together return apart."""

    first_s: float = 0.5
    most_s: float = 8.0
    n_retries: int = 4

    def wait_s(self, fault: ProviderError, *, n_failed: int, left_s: float) -> float | None:
        """Seconds to wait before the next attempt; None where it is to be given up now.

        Args:
            fault: How the last attempt failed. What its server asks to wait is waited in full or,
                where the time does not allow it, not at all.
            n_failed: How many attempts failed before that one.
            left_s: Seconds until nobody waits for the answer any more.
        """
        if not fault.retryable or n_failed >= self.n_retries:
            return None
        # Jitter is no secret; the seed is the system's.
        spread = random.random()  # noqa: S311
        if fault.retry_after_s is None:
            wait_s = min(self.most_s, self.first_s * 2.0**n_failed) * (0.5 + spread / 2)
        else:
            wait_s = fault.retry_after_s * (1 + spread / 10)
        return wait_s if wait_s < left_s else None
