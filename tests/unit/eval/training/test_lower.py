import numpy as np

from eval.training.lower import WIDTH, StoredStates


def test_states_are_kept_by_pair(tmp_path):
    lengths = [3, 1, 2]
    states = StoredStates.create(tmp_path / "states.npy", lengths)
    for index, length in enumerate(lengths):
        states[index] = np.full((length, WIDTH), index + 0.5, dtype=np.float32)
    for index, length in enumerate(lengths):
        assert states[index].shape == (length, WIDTH)
        assert np.unique(states[index]).tolist() == [index + 0.5]


def test_another_process_sees_what_one_writes(tmp_path):
    one = StoredStates.create(tmp_path / "states.npy", [2, 2])
    other = StoredStates(tmp_path / "states.npy", [2, 2])
    one[1] = np.ones((2, WIDTH), dtype=np.float32)
    assert not other[0].any()
    assert other[1].all()
