"""When a text states a fact."""

import pytest

from eval.metrics.facts import normalise, states


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("we achieve $97.1\\%$ accuracy", "97.1%"),
        ("we achieve 97.1% accuracy", "97.1\\%"),
        ("on 213,000 wells", "213000"),
        ("on 213000 wells", "213,000"),
        ("on 1,234,567 tokens", "1234567"),
        ("on $10{,}000$ and 10\\,000", "10000"),
        ("pre\u2011training on GPT\u20134", "pre-training"),
        ("from 5--10 layers", "5\u201310"),
        ("uses \\textbf{Color-MNIST} only", "color-mnist"),
        ("uses *creative*\n composition   tasks", "Creative composition"),
        ("a $6\\sim45\\%$ saving", "45%"),
        ("an $\\mathcal{O}(n \\log n)$ method", "O(n log n)"),
        ("the models\u2019 weights", "models' weights"),
        ("``deep'' caves", "\u201cdeep\u201d"),
        ("two models", "model"),
        ("in 2024.", "2024"),
        ("\ufb01ne-tuning", "fine-tuning"),
        ("reaches .92 there", ".92"),
        ("(8B)", "8B"),
    ],
)
def test_stated(text, fact):
    assert states(text, fact)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("we achieve 97.1%", "7.1%"),
        ("we achieve 97.15", "97.1"),
        ("2,000 of them", "2"),
        ("120 tasks", "20"),
        ("3.5 points", "5 points"),
        ("3.5 points", "3"),
        ("QLoRA adapters", "LoRA"),
        ("we use 5 layers", "6"),
        ("", "word"),
    ],
)
def test_not_stated(text, fact):
    assert not states(text, fact)


def test_a_list_of_numbers_is_not_one_number():
    assert normalise("layers 1,2,3 and 12,345") == "layers 1,2,3 and 12345"
