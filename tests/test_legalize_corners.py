"""Corners that random mutations of models found: where LiteRT's kernels do the unexpected, we do it too or say no."""

import numpy as np
import pytest
from quantized_models import LEGALIZE, assert_exact, converted, model, quantized
from tflite_models import Operator, Tensor, build

from tosa_converter.errors import UnsupportedError
from tosa_converter.rewrite import Options, run_pass
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.tflite_reader import read_tflite

RNG = np.random.default_rng(0)


def stored(*shape: int) -> np.ndarray:
    return RNG.integers(-128, 128, shape).astype(np.int8)


def ints(*values: int) -> Tensor:
    return Tensor((len(values),), "int32", np.array(values, np.int32))


def refusal(data: bytes) -> str:
    with pytest.raises(UnsupportedError) as refused:
        converted(data)
    return str(refused.value)


@pytest.mark.parametrize("builtin", [B.DEPTHWISE_CONV_2D, B.TRANSPOSE_CONV, B.FULLY_CONNECTED])
@pytest.mark.parametrize("channels", [1, 4])
def test_zero_points_of_int8_weights(builtin, channels):
    """FULLY_CONNECTED with one scale subtracts them. Else they are ignored, and CONV_2D refuses to run."""
    scale = np.full(channels, 0.02, np.float32)
    dense, depthwise = builtin is B.FULLY_CONNECTED, builtin is B.DEPTHWISE_CONV_2D
    shape = (4, 4) if dense else (1, 2, 2, 4) if depthwise else (4, 2, 2, 4)
    weight = quantized(stored(*shape), scale, 5, axis=3 if depthwise else 0, constant=True)
    x = quantized(stored(1, 4) if dense else stored(1, 5, 5, 4), 0.05, 3)
    bias = quantized(np.arange(4, dtype=np.int32), scale * np.float32(0.05), dtype="int32", constant=True)
    options = {} if dense else {"stride_h": 1, "stride_w": 1} | ({"depth_multiplier": 1} if depthwise else {})
    result = quantized((1, 4) if dense else (1, 5, 5, 4), 0.1, -7)
    operands = [x, weight, bias]
    if builtin is B.TRANSPOSE_CONV:
        size = np.array([1, 5, 5, 4], np.int32)
        operands = [quantized(size, None, dtype="int32", constant=True), weight, x, bias]
    data, arrays = model(builtin, operands, result, **options)
    assert_exact(data, arrays)
    given = Options()
    run_pass(read_tflite(data), LEGALIZE, given)
    ignored = not dense or channels > 1
    assert ["zero point of 5 is ignored" in note.text for note in given.notes] == [True] * ignored


@pytest.mark.parametrize(
    ("end", "masks", "reason"),
    [
        ((1, 3), {"ellipsis_mask": 3}, "ellipsis_mask 3"),
        ((1, 3), {"ellipsis_mask": -1}, "ellipsis_mask -1"),
        ((1, 3), {"new_axis_mask": 4}, "new_axis_mask 4"),
        ((1, 9), {"offset": True}, "9 elements from 1 on, of 4"),
        ((1, -1), {"offset": True}, "-1 elements from 1 on"),
        ((1, 1), {"offset": True, "end_mask": 2}, "1 elements from 1 on"),
    ],
)
def test_strided_slices_that_make_no_sense(end, masks, reason):
    tensors = [Tensor((3, 4)), ints(0, 1), ints(*end), ints(1, 1), Tensor(())]
    data = build(tensors, [Operator(B.STRIDED_SLICE, (0, 1, 2, 3), (4,), masks)], (0,), (4,))
    assert reason in refusal(data)


def test_transpose_by_what_is_no_permutation():
    data = build([Tensor((2, 2, 1)), ints(1, 2, -2), Tensor(())], [Operator(B.TRANSPOSE, (0, 1), (2,))], (0,), (2,))
    assert "no permutation" in refusal(data)


def test_concatenation_of_quantized_and_other_tensors():
    parts = [quantized((1, 4), 0.1, dtype="uint8"), quantized((1, 4), None, dtype="uint8")]
    tensors = [part.tensor for part in (*parts, parts[0])]
    data = build(tensors, [Operator(B.CONCATENATION, (0, 1), (2,), {"axis": 1})], (0, 1), (2,))
    assert "others are not" in refusal(data)


def test_hard_swish_beyond_16_bits():
    tensors = [quantized((1, 4), scale, dtype="uint8").tensor for scale in (0.01, 10.0)]
    data = build(tensors, [Operator(B.HARD_SWISH, (0,), (1,))], (0,), (1,))
    assert "too far apart" in refusal(data)
