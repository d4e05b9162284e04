"""Fourier transforms, whose complex results are pairs of floats, and their parts."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op
from tosa_converter.legalize.operands import affordable, constant_ints
from tosa_converter.legalize.ops.elementwise import sqrt
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import matmul
from tosa_converter.rewriting.rewrite import Complex, Decline, Match, Rewrite
from tosa_converter.rules.inference import infer_types
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_target import LEVEL_8K

# ** RFFT2D **


def rfft2d(match: Match) -> Complex:
    """RFFT2D of the last two dimensions, cut or filled with zeros to the lengths (PrepareInputBuffer, rfft2d.cc)."""
    x, lengths = match["input"], constant_ints(match, "fft_length")
    if len(lengths) != 2 or x.rank < 2 or not all(1 <= n <= LEVEL_8K.MAX_KERNEL for n in lengths):
        raise Decline(f"a transform of {lengths} elements of {x.type}")
    (*batch, height, width), (rows, columns) = x.shape, lengths
    images = x.reshape((math.prod(batch), height, width))
    images = images.slice((0, 0, 0), (math.prod(batch), min(height, rows), min(width, columns)))
    images = images.pad([(0, 0), (0, max(rows - height, 0)), (0, max(columns - width, 0))])
    parts = _fast(match, images) if rows & rows - 1 == 0 == columns & columns - 1 else None
    parts = parts or _by_products(images)
    shape = (*batch, rows, columns // 2 + 1)
    return Complex(*(part.reshape(shape) for part in parts))


def _fast(match: Match, x: Expr) -> tuple[Expr, ...] | None:
    """By RFFT2D, if the target has it."""
    attributes, target = {"local_bound": False}, match.options.target
    types = infer_types(ops.RFFT2D, (x.value,), attributes)
    op = Op(ops.RFFT2D, (x.value,), types, attributes, location=match.op.location)
    if target is not None and target.lacks(op):
        return None
    match.builder.graph.ops.append(op)
    return tuple(map(Expr, op.results))


def _by_products(x: Expr) -> tuple[Expr, ...]:
    """For lengths that RFFT2D doesn't take: by constant matrices, along the columns, then along the rows."""
    n, rows, columns = x.shape
    half = columns // 2 + 1
    cos, sin = _waves(columns, half)
    matrix = np.concatenate([cos, -sin], axis=1)
    if rows > 1:
        x = _product(x.transpose((0, 2, 1)), np.concatenate(_waves(rows, rows), axis=1))
        x = x.reshape((n, columns, 2, rows)).transpose((0, 3, 2, 1))
        matrix = np.concatenate([matrix, np.concatenate([-sin, -cos], axis=1)])  # of what is cos - i sin so far
    y = _product(x.reshape((n, rows, matrix.shape[0])), matrix)
    return tuple(y.slice((0, 0, start), (n, rows, half)) for start in (0, half))


def _waves(size: int, count: int) -> tuple[Array, Array]:
    """Cos and sin of [size, count] angles, which are reduced while they are integers."""
    affordable((size, 2 * count))
    angles = np.outer(np.arange(size), np.arange(count)) % size * (2 * np.pi / size)
    return np.cos(angles), np.sin(angles)


def _product(x: Expr, matrix: Array) -> Expr:
    """Rows of `x` by a constant matrix."""
    n, rows, depth = x.shape
    right = const(matrix[None].astype(np.float32), DType.FP32)
    y = matmul(x.reshape((1, n * rows, depth)), right, dtype=DType.FP32)
    return y.reshape((n, rows, matrix.shape[1]))


# ** parts **


def _complex(match: Match) -> Complex:
    x = match.value(0)
    if not isinstance(x, Complex):
        raise Decline(f"{match.source(0).name!r} has no parts")
    return x


def real(match: Match) -> Expr:
    """REAL."""
    return _complex(match).real


def imag(match: Match) -> Expr:
    """IMAG."""
    return _complex(match).imag


def complex_abs(match: Match) -> Expr:
    """COMPLEX_ABS: the root of the sum of the squares, which overflow where std::abs doesn't."""
    x = _complex(match)
    squares = x.real * x.real + x.imag * x.imag
    return sqrt(squares)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.rfft2d", "fp32", rfft2d),
    Rewrite("tfl.real", "complex64", real),
    Rewrite("tfl.imag", "complex64", imag),
    Rewrite("tfl.complex_abs", "complex64", complex_abs),
)
