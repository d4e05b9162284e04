"""Weights with a scale for each block of a row, against LiteRT's kernels that compute them, element by element."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.blockwise_models import (
    DEPTH,
    OUTPUTS,
    ROWS,
    SCALES,
    embedding,
    layer,
    matrix,
    random_levels,
    random_scales,
)
from support.tflite_models import OPTIMIZED, Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType, BuiltinOperator


def hard_rows() -> Array:
    """Rows of floats: ordinary ones, one of zeros, one without negative numbers, one of tiny numbers."""
    x = np.random.default_rng(7).normal(size=(ROWS, DEPTH)).astype(np.float32)
    x[1] = 0
    x[2] = abs(x[2])
    x[3] *= 1e-20
    return x


def rounding(x: Array, block: int) -> Array:
    """How far roundings move the outputs of each row, [ROWS, 1].

    XNNPACK begins a sum with zero point * weights * scales in fp32 and then adds up to 8 blocks. A zero point of -128
    and a row of zeros, whose step is 1, leave a rest of these roundings where 0 is exact.
    """
    scales = np.repeat(random_scales(OUTPUTS * (DEPTH // block)).reshape(OUTPUTS, -1).astype(np.float64), block, 1)
    largest = 128 * (abs(random_levels(4, (OUTPUTS, DEPTH)).astype(np.int64)) * scales).sum(1).max()
    span = np.maximum(x.max(1), 0) - np.minimum(x.min(1), 0)
    step = np.where(span > 0, span / 255, 1)
    return np.asarray(10 * 2.0**-24 * largest * step)[:, None] + 1e-6


def run_ours(data: bytes, x: Array, folder: Path, **options: Any) -> Array:
    """The output of the conversion in the executor."""
    path = folder / "model.tflite"
    path.write_bytes(data)
    (name,) = (value.name for value in tc.load(path).main.inputs)
    (y,) = tc.run(tc.convert(path, **options), {name: x}).values()
    return y


@pytest.mark.parametrize("numerics", ["reference", "xnnpack"])
@pytest.mark.parametrize("block", [32, 64, 128, 256])
def test_layers_of_4_bits(tmp_path: Path, block: int, numerics: str) -> None:
    """XNNPACK rounds scales to bf16, which moves these results by up to 3e-3 of the largest."""
    data, x = layer(4, block), hard_rows()
    (expected,) = run_litert(data, [x], kernels=OPTIMIZED if numerics == "reference" else "BUILTIN")
    y = run_ours(data, x, tmp_path, numerics=numerics)
    assert (np.abs(y - expected) <= rounding(x, block)).all()


@pytest.mark.parametrize("kind", ["NONE", "RELU", "RELU6", "RELU_N1_TO_1"])
@pytest.mark.parametrize("bias", [True, False])
def test_activations_and_absent_bias(tmp_path: Path, kind: str, bias: bool) -> None:
    """The optimized kernel leaves the activation out, so XNNPACK judges, with the scales that it rounds to."""
    data, x = layer(4, 32, bias=bias, fused_activation_function=ActivationFunctionType[kind]), hard_rows()
    (expected,) = run_litert(data, [x], kernels="BUILTIN")
    y = run_ours(data, x, tmp_path, numerics="xnnpack")
    assert (np.abs(y - expected) <= rounding(x, 32)).all()
    verification = tc.verify(tmp_path / "model.tflite")
    assert verification.verdict
    judges = ["litert-optimized" if kind == "NONE" else "numpy"]
    assert [judge.kernels for judge in verification.comparisons[0].judges] == judges


def test_a_block_of_zeros(tmp_path: Path) -> None:
    """XNNPACK refuses a scale of 0; the optimized kernel computes it."""
    tensors = [*matrix(4, OUTPUTS, 32), Tensor([ROWS, DEPTH]), Tensor([ROWS, OUTPUTS])]
    tensors[SCALES].data[0, 1] = 0
    data = build(tensors, [Operator(BuiltinOperator.FULLY_CONNECTED, [2, 0], [3])], [2], [3])
    (expected,) = run_litert(data, [hard_rows()], kernels=OPTIMIZED)
    y = run_ours(data, hard_rows(), tmp_path)
    np.testing.assert_allclose(y, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("block", [32, 128])
def test_layers_of_2_bits(tmp_path: Path, block: int) -> None:
    """No kernel of LiteRT has 2 bits; the same integers in 4 bits give the same sums."""
    levels, x = random_levels(2, (OUTPUTS, DEPTH)), hard_rows()
    (expected,) = run_litert(layer(4, block, levels=levels), [x], kernels=OPTIMIZED)
    np.testing.assert_allclose(
        run_ours(layer(2, block), x, tmp_path), expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max()
    )
    verification = tc.verify(tmp_path / "model.tflite")
    assert verification.verdict
    assert [judge.kernels for judge in verification.comparisons[0].judges] == ["numpy"]


@pytest.mark.parametrize("bits", [4, 2])
@pytest.mark.parametrize("block", [32, 256])
@pytest.mark.parametrize("result", ["float32", "float16"])
def test_embeddings(tmp_path: Path, bits: int, block: int, result: str) -> None:
    data, indices = embedding(bits, block, result), np.array([0, 19, 3, 3], np.int32)
    (expected,) = run_litert(data, [indices])
    np.testing.assert_array_equal(run_ours(data, indices, tmp_path), expected)


def test_compact_numerics_dequantize_the_weights(tmp_path: Path) -> None:
    data, x = layer(4, 64, bias=False), hard_rows()
    scales = np.repeat(random_scales(OUTPUTS * 4).reshape(OUTPUTS, 4).astype(np.float64), 64, axis=1)
    expected = x @ (random_levels(4, (OUTPUTS, DEPTH)) * scales).T
    y = run_ours(data, x, tmp_path, numerics="compact")
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("data", [layer(4, 32), layer(2, 64), embedding(4, 128)])
def test_files_written_again_compute_the_same(tmp_path: Path, data: bytes) -> None:
    path, copy = tmp_path / "model.tflite", tmp_path / "copy.tflite"
    path.write_bytes(data)
    model = tc.load(path)
    tc.save(model, copy)
    reread = tc.load(copy)
    (before,) = (value.type.quant for op in model.main for value in op.results if op.declares and value.type.quant)
    (after,) = (value.type.quant for op in reread.main for value in op.results if op.declares and value.type.quant)
    assert before == after
    x = hard_rows() if model.main.inputs[0].type.shape == (ROWS, DEPTH) else np.array([0, 5, 19, 2], np.int32)
    for kernels in ("BUILTIN_REF", OPTIMIZED):
        first, second = (run_litert(file.read_bytes(), [x], kernels=kernels)[0] for file in (path, copy))
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"block_size": 0}, "blocks that divide rows of 256, found blocks of 0"),
        ({"block_size": -32}, "found blocks of -32"),
        ({"block_size": 48}, "found blocks of 48"),
        ({"block_size": 64}, "expected 48 constant scales of fp16"),
        ({"scales": 0}, "expected 96 constant scales of fp16, found a tensor i4"),
        ({"scales": 99}, "no tensor 99"),
        ({"scales": -1}, "no tensor -1"),
    ],
)
def test_malformed_blocks(tmp_path: Path, fields: dict[str, int], text: str) -> None:
    tensors = [*matrix(4, OUTPUTS, 32, **fields), Tensor([ROWS, DEPTH]), Tensor([ROWS, OUTPUTS])]
    path = tmp_path / "model.tflite"
    path.write_bytes(build(tensors, [Operator(BuiltinOperator.FULLY_CONNECTED, [2, 0], [3])], [2], [3]))
    with pytest.raises(FormatError, match=text):
        tc.load(path)


@pytest.mark.parametrize("scale", [np.inf, np.nan, -1.0])
def test_scales_must_be_finite_and_not_negative(tmp_path: Path, scale: float) -> None:
    tensors = [*matrix(4, OUTPUTS, 32), Tensor([ROWS, DEPTH]), Tensor([ROWS, OUTPUTS])]
    tensors[SCALES].data[0, 0] = scale
    path = tmp_path / "model.tflite"
    path.write_bytes(build(tensors, [Operator(BuiltinOperator.FULLY_CONNECTED, [2, 0], [3])], [2], [3]))
    with pytest.raises(FormatError, match="finite scales of 0 or more"):
        tc.load(path)


@pytest.mark.parametrize(
    ("operator", "tensors", "inputs", "text"),
    [
        (BuiltinOperator.DEQUANTIZE, [Tensor([OUTPUTS, DEPTH])], [0], "scale for each block of 32"),
        (
            BuiltinOperator.FULLY_CONNECTED,
            [Tensor([ROWS, OUTPUTS], "int8", scale=0.1), Tensor([ROWS, DEPTH], "int8", scale=0.1)],
            [3, 0],
            "expected 1 or 12 scales, found 96",
        ),
    ],
)
def test_other_operators_decline_blocks(
    tmp_path: Path, operator: BuiltinOperator, tensors: list[Tensor], inputs: list[int], text: str
) -> None:
    """Their kernels know one scale, or one for each channel; any of the blocks' scales would be a guess."""
    path = tmp_path / "model.tflite"
    fed = [3] if len(tensors) > 1 else []
    path.write_bytes(build([*matrix(4, OUTPUTS, 32), *tensors], [Operator(operator, inputs, [2])], fed, [2]))
    with pytest.raises((FormatError, UnsupportedError), match=text):
        tc.convert(path)
