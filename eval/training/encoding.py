"""Training examples as the tokens that the reader sees."""

from __future__ import annotations

from eval.training.examples import Example
from rag.embeddings.pairs import EncodedPair, PairEncoder
from rag.text import split_sentences


def encode_example(encoder: PairEncoder, example: Example) -> EncodedPair:
    """Encode a training example, its abstract split as the product splits it."""
    paper = example.paper
    return encoder.encode(
        example.question, paper.title, paper.abstract, split_sentences(paper.abstract)
    )
