"""How the command line shows an indexing run and the list of corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rag.export import usage_in_words
from ui.cli_output import escape_controls

if TYPE_CHECKING:
    from rag.corpus import RejectedRow, Remark
    from rag.indexing import IndexReport
    from rag.indexing.catalogue import Listed

_N_PLACES = 3
_UNITS = ("B", "kB", "MB", "GB", "TB")


def report_to_text(report: IndexReport) -> str:
    """What an indexing run found and did: a table of counts, then what was turned down and noted."""
    rows = [
        ("read", report.n_read, ""),
        ("added", report.n_added, ""),
        ("changed", report.n_updated, ""),
        ("removed", report.n_removed, ""),
        ("unchanged", report.n_unchanged, ""),
        ("kept", report.n_kept, "not in the source any more; --prune removes them"),
        ("skipped", len(report.rejected), ""),
        ("embedded", report.n_embedded, "texts"),
        ("from cache", report.n_from_cache, "texts"),
    ]
    table = [
        f"  {name:<10} {n:>8,}" + (f"  {what}" if what and n else "") for name, n, what in rows
    ]
    lines = [_headline(report), *table]
    lines += [f"  {stage:<10} {ms / 1000:>8.1f}  s" for stage, ms in report.timings_ms.items()]
    if report.usage.counted_by:
        lines.append(f"  The embedding model: {usage_in_words(report.usage)}")
    lines += ["Skipped", *_grouped(report.rejected)] if report.rejected else []
    lines += ["Remarks", *_grouped(report.remarks)] if report.remarks else []
    lines += ["Notes", *(f"  {note}" for note in report.notes)] if report.notes else []
    return "\n".join(escape_controls(line) for line in lines)


def corpora_to_text(corpora: Sequence[Listed]) -> str:
    """A table of all corpora, and below it what is wrong with some of them."""
    head = ("NAME", "PAPERS", "CHUNKS", "SIZE", "STATE", "BUILT", "EMBEDDER", "FROM")
    rows = [head, *map(_cells, corpora)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head) - 1)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column in (1, 2, 3) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    notes = [f"{item.name}: {item.detail}" for item in corpora if item.detail]
    return "\n".join(escape_controls(line) for line in [*lines, *([""] if notes else []), *notes])


def _headline(report: IndexReport) -> str:
    seconds = report.elapsed_ms / 1000
    if report.is_dry_run:
        done = "would be indexed" if report.changed else "are indexed; nothing would change"
        return (
            f"Corpus {report.name}: {report.n_indexed} papers {done} (dry run: nothing was written)"
        )
    up_to_date = "" if report.changed else "; it was up to date"
    rate = f"{report.papers_per_s:.{1 if report.papers_per_s < 10 else 0}f} papers a second"
    return (
        f"Corpus {report.name}: {report.n_indexed} papers indexed in {seconds:.1f} s ({rate})"
        f"{up_to_date}"
    )


def _grouped(rows: Iterable[RejectedRow | Remark]) -> Iterator[str]:
    """Rows with one reason on one line, with the first few places."""
    places: dict[str, list[str]] = {}
    for row in rows:
        places.setdefault(row.reason, []).append(f"{row.file}:{row.line}")
    for reason, found in places.items():
        if len(found) == 1:
            yield f"  {found[0]}: {reason}"
        else:
            more = ", ..." if len(found) > _N_PLACES else ""
            yield f"  {len(found)} times: {reason} ({', '.join(found[:_N_PLACES])}{more})"


def _cells(item: Listed) -> tuple[str, ...]:
    if not item.built_at:
        counts = ("-", "-", "-")
    else:
        counts = (f"{item.n_papers:,}", f"{item.n_chunks:,}", _size(item.n_bytes))
    return (
        item.name,
        *counts,
        item.state,
        item.built_at[:16].replace("T", " ") or "-",
        item.embedder.partition("/")[0] or "-",
        item.description or item.source or "-",
    )


def _size(n_bytes: float | None) -> str:
    if n_bytes is None:
        return "-"
    for unit in _UNITS:
        if n_bytes < 1000 or unit == _UNITS[-1]:
            break
        n_bytes /= 1000
    return f"{n_bytes:.0f} {unit}" if unit == "B" else f"{n_bytes:.1f} {unit}"
