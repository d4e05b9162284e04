"""Definitions in numpy of the operators that no kernel of LiteRT computes (formats/tflite/kernels.py)."""

from collections.abc import Callable, Sequence

import numpy as np

from tosa_converter.ir import Array, Op, Value
from tosa_converter.schemas.tflite import ActivationFunctionType

_BOUNDS = {
    ActivationFunctionType.NONE: (-np.inf, np.inf),
    ActivationFunctionType.RELU: (0, np.inf),
    ActivationFunctionType.RELU_N1_TO_1: (-1, 1),
    ActivationFunctionType.RELU6: (0, 6),
}


def multiply_int8(op: Op, operands: Sequence[Array]) -> list[Array]:
    """Computes MUL of int8 operands with an int32 result, which LiteRT lacks: the product of (element - zero point)."""
    a, b = (array.astype(np.int32) - _zero_point(value) for array, value in zip(operands, op.operands, strict=True))
    # Elements and zero points are in [-128, 127], differences in [-255, 255], products within 65,025: they fit int32.
    return [np.asarray(a * b)]


def fully_connected_blockwise(op: Op, operands: Sequence[Array]) -> list[Array]:
    """Computes FULLY_CONNECTED of floats by weights with a scale for each block, as XNNPACK defines it for 4 bits.

    A row x is quantized to integers (xnn_f32_qd8_asymmetric_quantization_params). Of weights [40, 256] with blocks of
    32, an output is the sum of 8 integer sums, each times its block's scale; then come the row's scale and the bias.
    """
    weight = op.operands[1]
    assert weight.type.quant is not None
    block, (outputs, depth) = weight.type.quant.block, weight.type.static
    rows = operands[0].reshape(-1, depth)
    levels, row_scales = _quantized_rows(rows)
    scales = np.asarray(weight.type.quant.scale).reshape(outputs, -1)
    # A sum of 256 products of at most 255 * 8 is within 522,240, which int64 holds many times over.
    sums = np.einsum(
        "rbk,obk->rob", levels.reshape(len(rows), -1, block), operands[1].astype(np.int64).reshape(outputs, -1, block)
    )
    y = (sums * scales).sum(2) * row_scales[:, None]
    y = y + operands[2] if len(operands) > 2 else y
    low, high = _BOUNDS[op.attributes.get("fused_activation_function", ActivationFunctionType.NONE)]
    return [np.clip(y, low, high).astype(np.float32).reshape(op.results[0].type.static)]


def _quantized_rows(rows: Array) -> tuple[Array, Array]:
    """Quantizes rows of floats to int8 as XNNPACK does at run time: each row has its own scale and zero point.

    Returns the integers less their zero point, [rows, depth], and the scale of each row, which the integers are
    multiplied by.
    """
    low, high = np.minimum(rows.min(1), 0), np.maximum(rows.max(1), 0)
    size = np.where(high == low, np.float32(1), high - low)
    inverse_scale = np.where(high == low, np.float32(1), np.float32(255) / size)
    low, high = low * inverse_scale, high * inverse_scale
    # The zero point maps the lowest number to -128 or the highest to 127; XNNPACK decides by the sum of both errors.
    zero_point = np.where(-128 + low + (127 + high) > 0, np.float32(-128) - low, np.float32(127) - high)
    zero_point = np.rint(np.clip(zero_point, -128, 127))[:, None]
    levels = np.clip(np.rint(rows * inverse_scale[:, None]) + zero_point, -128, 127) - zero_point
    return levels.astype(np.int64), 1 / inverse_scale.astype(np.float64)


def _zero_point(value: Value) -> int:
    """Returns the zero point of a value, which has one for all elements; 0 for a value that isn't quantized."""
    return 0 if value.type.quant is None else value.type.quant.zero_point[0]


DEFINITIONS: dict[str, Callable[[Op, Sequence[Array]], list[Array]]] = {
    "tfl.mul": multiply_int8,
    "tfl.fully_connected": fully_connected_blockwise,
}
