"""Definitions in numpy of the operators that no kernel of LiteRT computes (formats/tflite/kernels.py)."""

from collections.abc import Callable, Sequence

import numpy as np

from tosa_converter.ir import Array, Op, Value


def product(op: Op, operands: Sequence[Array]) -> list[Array]:
    """Computes MUL of int8 operands with an int32 result, which LiteRT lacks: the product of (element - zero point)."""
    a, b = (array.astype(np.int32) - _zero_point(value) for array, value in zip(operands, op.operands, strict=True))
    # Elements and zero points are in [-128, 127], differences in [-255, 255], products within 65,025: they fit int32.
    return [np.asarray(a * b)]


def _zero_point(value: Value) -> int:
    """Returns the zero point of a value quantized with one; 0 for a value that isn't quantized."""
    return 0 if value.type.quant is None else value.type.quant.zero_point[0]


DEFINITIONS: dict[str, Callable[[Op, Sequence[Array]], list[Array]]] = {"tfl.mul": product}
