import numpy as np

from eval.training.batches import epoch_batches

LENGTHS = np.random.default_rng(0).integers(100, 448, size=1003).tolist()


def test_every_example_is_in_one_full_batch_but_for_the_rest():
    batches = epoch_batches(LENGTHS, size=16, seed=0)
    assert {len(batch) for batch in batches} == {16}
    placed = [index for batch in batches for index in batch]
    assert len(set(placed)) == len(placed) == 1003 - 1003 % 16


def test_every_epoch_has_as_many_batches_in_another_order():
    first, again, other = (epoch_batches(LENGTHS, size=16, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert len(first) == len(other)
    assert first != other


def test_a_batch_has_like_lengths():
    batches = epoch_batches(LENGTHS, size=16, seed=0)
    padded = sum(16 * max(LENGTHS[index] for index in batch) for batch in batches)
    assert padded < 1.1 * sum(LENGTHS[index] for batch in batches for index in batch)


PARTNERS = {index: index + 1 for index in range(0, 600, 2)}


def test_partners_are_in_one_batch():
    batches = epoch_batches(LENGTHS, size=16, seed=0, partners=PARTNERS)
    assert {len(batch) for batch in batches} <= {15, 16}
    where = {index: number for number, batch in enumerate(batches) for index in batch}
    assert len(where) == sum(map(len, batches)) > 900
    for index, partner in PARTNERS.items():
        assert where.get(index) == where.get(partner)


def test_processes_that_train_together_have_batches_of_like_length():
    batches = epoch_batches(LENGTHS, size=8, seed=0, partners=PARTNERS, abreast=2)
    assert len(batches) % 2 == 0
    longest = [max(LENGTHS[index] for index in batch) for batch in batches]
    apart = [abs(one - other) for one, other in zip(longest[::2], longest[1::2], strict=True)]
    assert sum(apart) / len(apart) < 40
