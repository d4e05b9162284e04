"""Complex numbers, as pairs of floats: transforms, parts, and what moves or casts them.

A graph can't be given or give complex tensors, as TOSA has no type for them.
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, TensorType, Value
from tosa_converter.legalize.operands import constant_ints
from tosa_converter.legalize.tflite.any_type import layout, strided
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Build, Complex, Decline, Match, Rewrite, condition
from tosa_converter.rules.inference import infer_types
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_target import LEVEL_8K

# ** RFFT2D **


def rfft2d(match: Match) -> Value:
    """RFFT2D of the last two dimensions, cut or filled with zeros to the lengths (PrepareInputBuffer, rfft2d.cc)."""
    builder, x, lengths = match.builder, match["input"], constant_ints(match, "fft_length")
    if len(lengths) != 2 or x.type.rank < 2 or not all(1 <= n <= LEVEL_8K.MAX_KERNEL for n in lengths):
        raise Decline(f"a transform of {lengths} elements of {x.type}")
    (*batch, height, width), (rows, columns) = x.type.static, lengths
    images = builder.reshape(x, (math.prod(batch), height, width))
    images = builder.slice(images, (0, 0, 0), (math.prod(batch), min(height, rows), min(width, columns)))
    images = builder.pad(images, [(0, 0), (0, max(rows - height, 0)), (0, max(columns - width, 0))])
    target = match.options.target
    fast = rows & rows - 1 == 0 == columns & columns - 1 and (target is None or not target.lacks_extension("EXT-FFT"))
    parts = _fast(builder, images) if fast else _by_products(builder, images)
    shape = (*batch, rows, columns // 2 + 1)
    return Complex(*(builder.reshape(part, shape) for part in parts))


def _fast(builder: Builder, x: Value) -> tuple[Value, ...]:
    op = Op(ops.RFFT2D, (x,), infer_types(ops.RFFT2D, (x,), {"local_bound": False}), {"local_bound": False})
    op.location = builder.location
    builder.graph.ops.append(op)
    return op.results


def _by_products(builder: Builder, x: Value) -> tuple[Value, ...]:
    """For lengths that RFFT2D doesn't take: by constant matrices, along the columns, then along the rows."""
    n, rows, columns = x.type.static
    half = columns // 2 + 1
    cos, sin = _waves(columns, half)
    matrix = np.concatenate([cos, -sin], axis=1)
    if rows > 1:
        x = _product(builder, builder.transpose(x, (0, 2, 1)), np.concatenate(_waves(rows, rows), axis=1))
        x = builder.transpose(builder.reshape(x, (n, columns, 2, rows)), (0, 3, 2, 1))
        matrix = np.concatenate([matrix, np.concatenate([-sin, -cos], axis=1)])  # of what is cos - i sin so far
    y = _product(builder, builder.reshape(x, (n, rows, matrix.shape[0])), matrix)
    return tuple(builder.slice(y, (0, 0, start), (n, rows, half)) for start in (0, half))


def _waves(size: int, count: int) -> tuple[Array, Array]:
    """cos and sin of [size, count] angles, which are reduced while they are integers."""
    angles = np.outer(np.arange(size), np.arange(count)) % size * (2 * np.pi / size)
    return np.cos(angles), np.sin(angles)


def _product(builder: Builder, x: Value, matrix: Array) -> Value:
    """Rows of `x` by a constant matrix."""
    n, rows, depth = x.type.static
    right = builder.const(matrix[None].astype(np.float32), DType.FP32)
    y = builder.matmul(builder.reshape(x, (1, n * rows, depth)), right, dtype=DType.FP32)
    return builder.reshape(y, (n, rows, matrix.shape[1]))


# ** parts **


def _complex(match: Match, key: int = 0) -> Complex:
    x = match[key]
    if not isinstance(x, Complex):
        raise Decline(f"{match.source(key).name!r} has no parts")
    return x


def real(match: Match) -> Value:
    """REAL."""
    return _complex(match).real


def imag(match: Match) -> Value:
    """IMAG."""
    return _complex(match).imag


def complex_abs(match: Match) -> Value:
    """COMPLEX_ABS: the parts are divided by the larger one, so that no square overflows, as in std::abs."""
    builder, x = match.builder, _complex(match)
    a, b = builder.unary(ops.ABS, x.real), builder.unary(ops.ABS, x.imag)
    larger, smaller = builder.maximum(a, b), builder.minimum(a, b)
    whole = builder.maximum(larger, builder.scalar(float(np.finfo(np.float32).tiny), larger))
    ratio = builder.mul(smaller, builder.unary(ops.RECIPROCAL, whole))
    sum_of_squares = builder.add(builder.mul(ratio, ratio), builder.scalar(1, ratio))
    root = builder.unary(ops.RECIPROCAL, builder.unary(ops.RSQRT, sum_of_squares))
    return builder.mul(larger, root)


# ** what works on both parts **


def _moved(build: Build) -> Build:
    """What moves elements moves those of both parts."""

    def moved(match: Match) -> list[Value]:
        halves = [build(_half(match, part)) for part in ("real", "imag")]
        pairs = zip(*([half] if isinstance(half, Value) else half for half in halves), strict=True)
        return [Complex(*pair) for pair in pairs]

    return moved


def _half(match: Match, part: str) -> Match:
    """The operator on one part of its complex operands."""
    values = {value: match.translate(value) for value in match.op.operands}
    halves = {value: getattr(new, part) if isinstance(new, Complex) else new for value, new in values.items()}
    return Match(match.op, halves, match.builder, match.options, match.report)


def mul(match: Match) -> Value:
    """MUL: (a + ib)(c + id) = ac - bd + i(ad + bc)."""
    builder, x, y = match.builder, _complex(match, 0), _complex(match, 1)
    return Complex(
        builder.sub(builder.mul(x.real, y.real), builder.mul(x.imag, y.imag)),
        builder.add(builder.mul(x.real, y.imag), builder.mul(x.imag, y.real)),
    )


@condition("complex numbers")
def _is_complex(match: Match) -> str | None:
    dtypes = [value.type.dtype for value in match.op.operands]
    return None if DType.COMPLEX64 in dtypes else "nothing is complex"
