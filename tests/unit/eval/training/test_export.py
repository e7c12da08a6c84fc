import hashlib
import zipfile

import numpy as np
import pytest

from eval.training.export import product_arrays, quantise, write_arrays
from eval.training.pinned import LINEAR_PARTS, NORM_PARTS, vector_name
from rag.embeddings.reader import WEIGHTS


class Pinned:
    """Stands for the ONNX file: every layer has the forms of the checkpoint's."""

    def __init__(self, bias_dtype=np.float32):
        self.bias_dtype = bias_dtype

    def matrix_name(self, layer, part):
        return f"{layer}/{part}"

    def array(self, name):
        if name.endswith("_quantized"):
            return np.zeros((3, 2), np.int8)
        if name.endswith("_scale"):
            return np.zeros((), np.float32)
        return np.zeros(2, self.bias_dtype)


@pytest.fixture
def checkpoint():
    draw = np.random.default_rng(0)

    def numbers(*shape):
        return draw.standard_normal(shape).astype(np.float32)

    weights = {"sentence.weight": numbers(1, 384), "sentence.bias": numbers(1)}
    weights |= {"whole.weight": numbers(2, 384), "whole.bias": numbers(2)}
    for layer in range(6):
        for part in (*LINEAR_PARTS, *NORM_PARTS):
            weights[f"layers.{layer}.{part}.bias"] = numbers(2)
            shape = (2, 3) if part in LINEAR_PARTS else (2,)
            weights[f"layers.{layer}.{part}.weight"] = numbers(*shape)
    return weights


def test_quantised_numbers_are_within_half_a_step_of_their_column():
    columns = np.array([0.01, 1, 30], dtype=np.float32)
    matrix = np.random.default_rng(0).standard_normal((40, 3)).astype(np.float32) * columns
    found = quantise(matrix)
    assert (found.values.dtype, found.scales.dtype) == (np.int8, np.float32)
    assert np.abs(found.values).max(axis=0).tolist() == [127, 127, 127]
    assert (np.abs(found.values * found.scales - matrix) <= 0.501 * found.scales).all()


def test_layers_go_where_the_pinned_file_has_them(checkpoint):
    arrays = product_arrays(checkpoint, Pinned())
    assert len(arrays) == 6 * (3 * 6 + 2 * 2) + 1
    for name, trained in (("6/query", "layers.0.query"), ("11/narrow", "layers.5.narrow")):
        matrix = arrays[f"{name}_quantized"] * arrays[f"{name}_scale"]
        np.testing.assert_allclose(matrix, checkpoint[f"{trained}.weight"].T, atol=0.02)
    assert (
        arrays["bert.encoder.layer.11.output.LayerNorm.weight"]
        is checkpoint["layers.5.output_norm.weight"]
    )
    assert vector_name(7, "merge", "bias") == "bert.encoder.layer.7.attention.output.dense.bias"


def test_heads_are_sentence_answerable_about_with_their_constants(checkpoint):
    heads = product_arrays(checkpoint, Pinned())["heads"]
    assert heads.shape == (3, 385)
    assert heads.dtype == np.float32
    np.testing.assert_array_equal(heads[0, :-1], checkpoint["sentence.weight"][0])
    np.testing.assert_array_equal(heads[1:, :-1], checkpoint["whole.weight"])
    np.testing.assert_array_equal(
        heads[:, -1], [*checkpoint["sentence.bias"], *checkpoint["whole.bias"]]
    )


def test_weights_of_another_form_are_refused(checkpoint):
    with pytest.raises(ValueError, match="not the pinned file's form"):
        product_arrays(checkpoint, Pinned(bias_dtype=np.float16))


def test_the_same_arrays_give_the_same_bytes(checkpoint, tmp_path):
    arrays = product_arrays(checkpoint, Pinned())
    first = write_arrays(arrays, tmp_path / "first.npz")
    second = write_arrays(dict(reversed(arrays.items())), tmp_path / "second.npz")
    assert first == second
    assert first == hashlib.sha256((tmp_path / "first.npz").read_bytes()).hexdigest()
    with zipfile.ZipFile(tmp_path / "first.npz") as archive:
        assert {item.date_time for item in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    with np.load(tmp_path / "first.npz", allow_pickle=False) as stored:
        assert sorted(stored.files) == sorted(arrays)
        np.testing.assert_array_equal(stored["heads"], arrays["heads"])


def test_the_product_finds_what_is_exported():
    assert WEIGHTS.path.parts[-3:] == ("rag", "embeddings", "reader.npz")
