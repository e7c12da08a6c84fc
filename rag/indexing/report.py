"""What an indexing run found and did, and the last such report of an index."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from rag.corpus import RejectedRow, Remark
from rag.indexing.source import Source
from rag.records import Usage
from rag.store.base import Store, Writer


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an indexing run found and did, or would do.

    ``n_read == n_indexed - n_kept + len(rejected)`` and
    ``n_indexed == n_added + n_updated + n_unchanged + n_kept``.
    """

    name: str
    generation_id: str
    """Of the generation that is read from now on; empty if there is none yet."""
    changed: bool
    """False if the index was up to date and nothing was written."""
    is_dry_run: bool
    """Whether nothing was done, and all of this would have been."""
    n_read: int
    n_indexed: int
    """Papers in the index."""
    n_added: int
    n_updated: int
    n_unchanged: int
    n_kept: int
    """Papers that stay in the index although the source does not have them any more."""
    n_removed: int
    n_embedded: int
    """Texts for which the embedder was asked."""
    n_from_cache: int
    """Texts whose embedding was there already, or came with the corpus."""
    rejected: tuple[RejectedRow, ...]
    remarks: tuple[Remark, ...]
    notes: tuple[str, ...]
    """On how the files were read."""
    source: Source | None
    stamp: str
    """Changes when the source does; see ``rag.indexing.Origin``."""
    timings_ms: dict[str, float]
    """By stage: reading, splitting, embedding, writing, verifying; those that were needed."""
    elapsed_ms: float
    finished_at: str
    """ISO 8601, UTC."""
    usage: Usage = field(default_factory=Usage)
    """Tokens that a provider's embedding model read; zero for the local one."""

    @property
    def papers_per_s(self) -> float:
        """Papers of the source by the seconds of the whole run."""
        return 1000 * self.n_read / self.elapsed_ms if self.elapsed_ms else 0.0

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return asdict(self) | {"papers_per_s": round(self.papers_per_s, 1)}


def keep_report(store: Store, writer: Writer, report: IndexReport) -> None:
    """Keep a report with its index, unless it says nothing new.

    Raises:
        OSError: If it cannot be written.
    """
    if report.changed or _facts(report) != _facts(read_report(store)):
        writer.leave_note(json.dumps(asdict(report)) + "\n")


def read_report(store: Store) -> IndexReport | None:
    """The report that is kept with an index; None if there is none that this Symposia reads."""
    try:
        values = json.loads(store.note() or "")
        source = values.pop("source")
        return IndexReport(
            rejected=tuple(RejectedRow(**row) for row in values.pop("rejected")),
            remarks=tuple(Remark(**row) for row in values.pop("remarks")),
            notes=tuple(values.pop("notes")),
            source=Source(**source | {"items": tuple(source["items"])}) if source else None,
            usage=Usage(**values.pop("usage", {})),
            **values,
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _facts(report: IndexReport | None) -> object:
    """What an unchanged run can find otherwise than the one before."""
    if report is None:
        return None
    return (
        report.generation_id,
        report.stamp,
        report.source,
        report.n_kept,
        report.rejected,
        report.remarks,
        report.notes,
    )
