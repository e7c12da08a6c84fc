"""Typing mistakes stay small, hit long words only, and are always the same for one seed."""

import random
import re

from eval.training.misspelling import misspell

TEXT = "How does SoftTreeMax reduce the variance of a policy gradient, by 3.5%?"


def draw(seed):
    return random.Random(seed)  # noqa: S311


def letters(text):
    return re.findall(r"[a-z]+", text.lower())


def test_one_to_three_words_of_four_letters_or_more_change():
    for seed in range(200):
        before, after = letters(TEXT), letters(misspell(TEXT, draw(seed)))
        changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
        # To swap two like letters changes nothing.
        assert len(changed) <= 3
        for word, mistyped in changed:
            assert len(word) >= 4
            assert word[0] == mistyped[0]
            assert abs(len(word) - len(mistyped)) <= 1


def test_most_texts_change_and_every_kind_of_mistake_occurs():
    mistyped = [misspell("variance", draw(seed)) for seed in range(200)]
    assert sum(text != "variance" for text in mistyped) > 190
    assert {len(text) - len("variance") for text in mistyped} == {-1, 0, 1}
    assert any(sorted(text) == sorted("variance") != list(text) for text in mistyped)
    assert any(len(text) == len("variance") and set(text) - set("variance") for text in mistyped)


def test_half_of_the_texts_lose_capitals_and_closing_mark():
    plain = sum(misspell(TEXT, draw(seed)).endswith("?") for seed in range(400))
    assert 160 < plain < 240


def test_the_same_seed_makes_the_same_mistakes():
    assert misspell(TEXT, draw(5)) == misspell(TEXT, draw(5))


def test_a_text_without_long_words_stays_as_it_is():
    assert misspell("is it 3 or 4", draw(0)) == "is it 3 or 4"
