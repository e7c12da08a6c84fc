"""The upper half of the reader in torch: six layers of BERT and three linear functions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from eval.training.lower import WIDTH
from eval.training.pinned import (
    FIRST_TRAINED,
    LINEAR_PARTS,
    N_LAYERS,
    NORM_PARTS,
    PinnedWeights,
)

_N_HEADS = 12
_INNER_WIDTH = 1536
_EPSILON = 1e-12
_DROPOUT = 0.1
_MASKED = -1e4


class Layer(nn.Module):
    """One layer of BERT; the names of its parts are those of ``LINEAR_PARTS``, ``NORM_PARTS``."""

    def __init__(self) -> None:
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)
        self.merge = nn.Linear(WIDTH, WIDTH)
        self.attention_norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.widen = nn.Linear(WIDTH, _INNER_WIDTH)
        self.narrow = nn.Linear(_INNER_WIDTH, WIDTH)
        self.output_norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Apply the layer.

        Args:
            states: (batch, n, 384).
            mask: (batch, 1, 1, n), added to the attention's logits.
        """
        attended = functional.scaled_dot_product_attention(
            _by_head(self.query(states)),
            _by_head(self.key(states)),
            _by_head(self.value(states)),
            attn_mask=mask,
        )
        merged = self.merge(attended.transpose(1, 2).reshape(states.shape))
        states = self.attention_norm(states + self.dropout(merged))
        inner = functional.gelu(self.widen(states))
        return self.output_norm(states + self.dropout(self.narrow(inner)))

    def start_from(self, pinned: PinnedWeights, number: int) -> None:
        """Take the weights of one layer of the pinned file."""
        with torch.no_grad():
            for part in LINEAR_PARTS:
                linear = self.get_submodule(part)
                linear.weight.copy_(_tensor(pinned.matrix(number, part).T))
                linear.bias.copy_(_tensor(pinned.vector(number, part, "bias")))
            for part in NORM_PARTS:
                norm = self.get_submodule(part)
                norm.weight.copy_(_tensor(pinned.vector(number, part, "weight")))
                norm.bias.copy_(_tensor(pinned.vector(number, part, "bias")))


class UpperHalf(nn.Module):
    """From the lower half's states to log-odds."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(FIRST_TRAINED, N_LAYERS))
        self.sentence = nn.Linear(WIDTH, 1)
        self.whole = nn.Linear(WIDTH, 2)

    @classmethod
    def from_pinned(cls, model: Path) -> UpperHalf:
        """Start from the layers of the pinned ONNX file; the linear functions start at random."""
        pinned = PinnedWeights(model)
        upper = cls()
        for number, layer in enumerate(upper.layers, start=FIRST_TRAINED):
            layer.start_from(pinned, number)
        return upper

    def forward(self, states: Tensor, read: Tensor, pooling: Tensor) -> tuple[Tensor, Tensor]:
        """Read a batch.

        Args:
            states: (batch, n, 384), of the lower half.
            read: (batch, n), 1 for tokens and 0 for padding.
            pooling: (batch, sentences, n), the share of each token in the mean of each sentence.

        Returns:
            For each sentence, whether it answers: (batch, sentences). For the whole, whether it
            answers and whether it is about the question: (batch, 2). Log-odds both.
        """
        mask = ((1 - read) * _MASKED)[:, None, None, :]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for layer in self.layers:
                states = layer(states, mask.to(states.dtype))
        states = states.float()
        return self.sentence(pooling @ states)[..., 0], self.whole(states[:, 0])


def _by_head(states: Tensor) -> Tensor:
    """(batch, n, 384) as (batch, 12, n, 32)."""
    return states.unflatten(-1, (_N_HEADS, -1)).transpose(1, 2)


def _tensor(array: np.ndarray) -> Tensor:
    return torch.tensor(array, dtype=torch.float32)
