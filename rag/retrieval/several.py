"""The papers of several corpora together: under ids that all share, each paper once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rag.records import Paper
from rag.retrieval.twins import find_twins, merge
from rag.store.index import Index
from rag.store.joint import Part, join_indexes


@dataclass(frozen=True, slots=True)
class _Key:
    """Where an entry stands."""

    corpus: str
    paper_id: str
    """As its own index has it."""


class Together:
    """What several indexes hold; any of them can then be searched as one.

    A paper has the same id whichever are chosen: its own, unless another corpus has it for another
    paper; then the name of its corpus stands before it.

    Args:
        indexes: By the name of the corpus; made by one embedder.
    """

    def __init__(self, indexes: Mapping[str, Index]) -> None:
        self._indexes = indexes
        is_one = len(indexes) == 1
        self._papers = {
            _Key(name, paper_id): paper if is_one else replace(paper, corpus=name)
            for name, index in indexes.items()
            for paper_id, paper in index.papers.items()
        }
        only = next(iter(indexes))
        self._groups = [
            [_Key(paper.corpus or only, paper.paper_id) for paper in group]
            for group in find_twins(self._papers.values())
        ]
        for key in list(_of_shared_ids(self._papers, self._groups)):
            paper_id = f"{key.corpus}:{key.paper_id}"
            self._papers[key] = replace(self._papers[key], paper_id=paper_id)

    def index(self, names: Sequence[str]) -> Index:
        """The index over the corpora of these names; the first one that has a paper shows it."""
        if len(self._indexes) == 1 and not self._groups:
            return self._indexes[names[0]]
        merged = self._merged(names)
        papers: dict[str, dict[str, Paper]] = {name: {} for name in names}
        for key, paper in self._papers.items():
            shown = merged.get(key, paper)
            if key.corpus in papers and shown is not None:
                papers[key.corpus][key.paper_id] = shown
        return join_indexes([Part(self._indexes[name], papers[name]) for name in names])

    def _merged(self, names: Sequence[str]) -> dict[_Key, Paper | None]:
        """What stands for each entry that has a twin; None where its twin stands for it."""
        instead: dict[_Key, Paper | None] = {}
        for group in self._groups:
            keys = [key for name in names for key in group if key.corpus == name]
            entries = [self._papers[key] for key in keys]
            paper = merge(entries) if len(entries) > 1 else None
            for key, entry in zip(keys, entries, strict=True):
                if paper is not None:
                    is_copy = any(entry is copy for copy in paper.copies)
                    instead[key] = None if is_copy else paper
        return instead


def _of_shared_ids(
    papers: Mapping[_Key, Paper], groups: Sequence[Sequence[_Key]]
) -> Iterator[_Key]:
    """The entries whose id another paper has, too; entries of one paper may share it."""
    number = {key: n for n, group in enumerate(groups) for key in group}
    owners: dict[str, set[int | _Key]] = {}
    for key in papers:
        owners.setdefault(key.paper_id, set()).add(number.get(key, key))
    return (key for key in papers if len(owners[key.paper_id]) > 1)
