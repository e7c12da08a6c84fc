"""Examples as the upper half reads them: padded, in batches, as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from eval.training.examples import Example
from eval.training.lower import WIDTH, StoredStates
from rag.embeddings.pairs import EncodedPair


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples, padded to the longest of them and to the most sentences."""

    states: Tensor
    """(batch, n, 384), of the lower half."""
    read: Tensor
    """(batch, n): 1 for tokens, 0 for padding."""
    pooling: Tensor
    """(batch, sentences, n): the share of each token in the mean of each sentence."""
    answering: Tensor
    """(batch, sentences): 1 for the sentences that answer."""
    whole: Tensor
    """(batch, 2): whether the abstract answers, whether it is about the question."""
    rivals: Tensor
    """(pairs, 2) int64: places of a question beside its own paper and beside a foreign one."""


@dataclass(frozen=True, slots=True)
class Material:
    """All examples as the upper half reads them."""

    examples: Sequence[Example]
    pairs: Sequence[EncodedPair]
    states: StoredStates

    def batch(self, indices: Sequence[int]) -> Batch:
        """Put some examples together."""
        size = len(indices)
        n_tokens = max(len(self.pairs[index].ids) for index in indices)
        n_sentences = max(len(self.pairs[index].sentence_rows) for index in indices)
        batch = Batch(
            states=torch.zeros(size, n_tokens, WIDTH),
            read=torch.zeros(size, n_tokens),
            pooling=torch.zeros(size, n_sentences, n_tokens),
            answering=torch.zeros(size, n_sentences),
            whole=torch.zeros(size, 2),
            rivals=torch.tensor(self._rivals(indices), dtype=torch.int64).reshape(-1, 2),
        )
        for place, index in enumerate(indices):
            self._fill(batch, place, index)
        return batch

    def partners(self) -> dict[int, int]:
        """Each question beside a foreign paper -> the same question beside its own, if it is here."""
        own = {x.question: index for index, x in enumerate(self.examples) if x.about}
        found: dict[int, int] = {}
        for index, example in enumerate(self.examples):
            # A question that is there twice beside foreign papers is paired once.
            if not example.about and example.question in own:
                found[index] = own.pop(example.question)
        return found

    def _rivals(self, indices: Sequence[int]) -> list[tuple[int, int]]:
        own = {
            self.examples[index].question: place
            for place, index in enumerate(indices)
            if self.examples[index].about
        }
        foreign = [
            (place, self.examples[index].question)
            for place, index in enumerate(indices)
            if not self.examples[index].about
        ]
        return [(own[question], place) for place, question in foreign if question in own]

    def _fill(self, batch: Batch, place: int, index: int) -> None:
        pair, example = self.pairs[index], self.examples[index]
        states = torch.from_numpy(self.states[index].astype(np.float32))
        batch.states[place, : len(states)] = states
        batch.read[place, : len(states)] = 1
        for number, rows in enumerate(pair.sentence_rows):
            batch.pooling[place, number, list(rows)] = 1 / max(len(rows), 1)
        batch.answering[place, list(example.sentences)] = 1
        batch.whole[place] = torch.tensor([float(example.answered), float(example.about)])
