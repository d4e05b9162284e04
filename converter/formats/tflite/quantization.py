"""Reads the quantization parameters of a tensor in a `.tflite` file."""

import math
from collections.abc import Sequence

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Quant
from tosa_converter.schemas import tflite


def read_scales(table: tflite.QuantizationParameters, shape: Sequence[int], place: str) -> Quant | None:
    """Returns the scales and zero points of a tensor of this shape, one for all elements or one for each along an axis.

    None for a table without scales, which may hold a range of floats.

    Raises:
        FormatError: they are no finite scales, or not as many as the axis is long.
    """
    if table.scale is None or not table.scale.size:
        return None
    scale = tuple(table.scale.tolist())
    zero_point = (0,) * len(scale) if table.zero_point is None else tuple(table.zero_point.tolist())
    if len(zero_point) == 1:
        zero_point *= len(scale)
    axis = table.quantized_dimension if len(scale) > 1 else None
    invalid = [value for value in scale if not 0 <= value < math.inf]  # 0 is what dead channels have
    if invalid:
        raise FormatError(f"expected finite scales of 0 or more, found {invalid[0]}", path=place)
    if len(zero_point) != len(scale):
        raise FormatError(
            f"expected as many zero points as scales, found {len(scale)} scales and {len(zero_point)} zero points",
            path=place,
        )
    if axis is not None and not (0 <= axis < len(shape) and shape[axis] == len(scale)):
        raise FormatError(f"{len(scale)} scales along axis {axis} of shape {list(shape)}", path=place)
    return Quant(scale, zero_point, axis)


def read_block_size(details: tflite.BlockwiseQuantization, place: str) -> int:
    """Returns how many elements of a row a block has; a file may state a shape [1, 32], others are refused."""
    if not details.block_shape:
        return details.block_size
    *rows, size = details.block_shape
    if rows != [1] or details.block_size not in (0, size):
        shape = list(details.block_shape)
        raise UnsupportedError(f"{place}: expected blocks within a row, as in [1, 32], found blocks of {shape}")
    return size
