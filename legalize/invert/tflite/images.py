"""RESIZE by indices and weights that are constants, and Fourier transforms by constant matrices."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, storage_type
from tosa_converter.legalize.invert.tflite.floats import narrow_result, tfl_builder, widen_operand
from tosa_converter.legalize.invert.tflite.windows import append_matmul
from tosa_converter.legalize.limits import affordable
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule


class ResizeAxis:
    """The sampling of one axis by RESIZE (TOSA 2.12.1): for each output the input elements around it, and the distance.

    `fraction` / `unit` is how far the position is from `before`, in elements.
    """

    def __init__(self, size: int, outputs: int, scale: tuple[int, int], offset: int) -> None:
        """Prepares one axis of RESIZE: the two input neighbours of each output position, and the fraction between them.

        `scale` is (scale_n, scale_d) and `offset` as RESIZE defines them; the fraction counts in steps of 1 / scale_n.
        """
        scale_n, scale_d = scale
        position = np.arange(outputs) * scale_d + offset
        at = np.floor_divide(position, scale_n)
        self.unit = scale_n
        self.size = size
        self.fraction = position - at * scale_n
        self.before = np.clip(at, 0, size - 1)
        self.behind = np.clip(at + 1, 0, size - 1)

    def nearest(self) -> Array:
        """Returns the index of the nearer element for each output; of two equally near ones, the later."""
        return np.where(2 * self.fraction >= self.unit, self.behind, self.before)


def resize(match: Match) -> Value:
    """Replaces TOSA's RESIZE by GATHER along both axes; to interpolate, by weighted sums of two neighbors."""
    b, x = tfl_builder(), widen_operand(match, 0)
    scale, offset = match.constant(1).tolist(), match.constant(2).tolist()
    _, height, width, _ = x.type.static
    _, rows, columns, _ = match.op.results[0].type.static
    axes = (
        ResizeAxis(height, rows, (scale[0], scale[1]), offset[0]),
        ResizeAxis(width, columns, (scale[2], scale[3]), offset[1]),
    )
    if match.op.attributes["mode"] == "NEAREST_NEIGHBOR":
        return narrow_result(match, _gather_nearest(b, x, axes))
    if x.type.dtype.is_float:
        return narrow_result(match, _interpolate(b, x, axes))
    wide = storage_type(match.op.results[0].type.dtype)
    return _interpolate(b, b.cast(x, wide), axes)


def _gather_nearest(b: TflBuilder, x: Value, axes: tuple[ResizeAxis, ResizeAxis]) -> Value:
    """Appends nearest RESIZE: a GATHER of the nearest elements along each axis that changes."""
    for i, axis in enumerate(axes):
        picked = axis.nearest().astype(np.int32)
        if picked.size != axis.size or (picked != np.arange(axis.size)).any():
            x = b.gather(x, b.const(picked, DType.I32), 1 + i)
    return x


def _interpolate(b: TflBuilder, x: Value, axes: tuple[ResizeAxis, ResizeAxis]) -> Value:
    """Appends bilinear RESIZE: weighted sums of both neighbours, along one axis and then the other.

    The weights of floats add up to 1; those of integers add up to the axis' unit, as TOSA leaves the result undivided.
    An axis that needs no interpolation is only gathered.
    """
    for i, axis in enumerate(axes):
        shape = [1, 1, 1, 1]
        shape[1 + i] = -1
        unit = axis.unit if x.type.dtype.is_float else 1
        lower_weight, upper_weight = (part.reshape(shape) / unit for part in (axis.unit - axis.fraction, axis.fraction))
        lower, upper = (
            b.gather(x, b.const(at.astype(np.int32), DType.I32), 1 + i) for at in (axis.before, axis.behind)
        )
        dtype = x.type.dtype
        if not axis.fraction.any():
            x = lower if dtype.is_float or axis.unit == 1 else b.mul(lower, b.scalar_like(axis.unit, lower))
            continue
        x = b.add(
            b.mul(lower, b.const(lower_weight.astype(dtype.numpy), dtype)),
            b.mul(upper, b.const(upper_weight.astype(dtype.numpy), dtype)),
        )
    return x


# ** Fourier transforms **


def rfft2d(match: Match) -> tuple[Value, Value]:
    """Replaces TOSA's RFFT2D by TFLite's, whose complex result is split; images of one column by matrix products."""
    b, x = tfl_builder(), match.value(0)
    n, height, width = x.type.static
    if width == 1:
        return _multiply_by_matrices(b, x, b.mul(x, b.scalar_like(0, x)), -1)
    y = b.op("rfft2d", [x, b.ints((height, width))], DType.COMPLEX64, (n, height, width // 2 + 1))
    return b.op("real", [y], DType.FP32), b.op("imag", [y], DType.FP32)


def fft2d(match: Match) -> tuple[Value, Value]:
    """Replaces TOSA's FFT2D by products with constant Fourier matrices."""
    return _multiply_by_matrices(
        tfl_builder(), match.value(0), match.value(1), 1 if match.op.attributes["inverse"] else -1
    )


def _multiply_by_matrices(b: TflBuilder, real: Value, imag: Value, sign: int) -> tuple[Value, Value]:
    """Appends a 2-D Fourier transform as products with matrices along each axis.

    Real and imaginary parts are concatenated, so one real matrix does a complex product; `sign` is that of the
    exponent.
    """
    n, height, width = real.type.static
    affordable((2 * width, 2 * width))
    affordable((2 * height, 2 * height))
    x = b.op("concatenation", [real, imag], shape=(n, height, 2 * width), axis=2)
    x = _transform_rows(b, x, width, sign)
    x = b.transpose(b.reshape(x, (n, height, 2, width)), (0, 3, 2, 1))
    x = _transform_rows(b, b.reshape(x, (n, width, 2 * height)), height, sign)
    x = b.transpose(b.reshape(x, (n, width, 2, height)), (2, 0, 3, 1))
    halves = (b.slice(x, (i, 0, 0, 0), (1, n, height, width)) for i in range(2))
    first, second = (b.reshape(half, (n, height, width)) for half in halves)
    return first, second


def _transform_rows(b: TflBuilder, x: Value, size: int, sign: int) -> Value:
    """Appends the Fourier transform of each row of x [N,rows,2*size]: `size` real, then `size` imaginary parts.

    `sign` is that of the exponent; one real matrix [2*size,2*size] does the complex product.
    """
    angles = np.outer(np.arange(size), np.arange(size)) % size * (2 * np.pi / size)
    cos, sin = np.cos(angles), np.sin(angles)
    matrix = np.block([[cos, sign * sin], [-sign * sin, cos]]).astype(np.float32)
    n, rows, depth = x.type.static
    flat = b.reshape(x, (1, n * rows, depth))
    return b.reshape(append_matmul(b, flat, b.const(matrix[None], DType.FP32)), (n, rows, depth))


RULES: tuple[Rule, ...] = (
    Rule("tosa.resize", "bool i8 i16 i32 fp16 bf16 fp32", resize),
    Rule("tosa.rfft2d", "fp32", rfft2d),
    Rule("tosa.fft2d", "fp32", fft2d),
)
