"""The files of what training changed are the pinned ones, or refused."""

from dataclasses import replace

import pytest

from rag.embeddings.reader import WEIGHTS
from rag.errors import ModelFileError


def test_the_weights_that_ship_are_the_pinned_ones() -> None:
    assert WEIGHTS.arrays()["heads"].shape == (3, 385)


def test_other_weights_are_refused(tmp_path) -> None:
    changed = replace(WEIGHTS, path=tmp_path / "reader.npz")
    changed.path.write_bytes(WEIGHTS.path.read_bytes()[:-1] + b"x")
    with pytest.raises(ModelFileError, match="not the one of this version"):
        changed.verify()


def test_missing_weights_are_said(tmp_path) -> None:
    with pytest.raises(ModelFileError, match="cannot be read"):
        replace(WEIGHTS, path=tmp_path / "none.npz").verify()
