"""RFFT2D, whose complex result is a pair of floats, and the operators that take complex tensors apart."""

import math

from tosa_converter.ir import Op
from tosa_converter.legalize.constant_operands import constant_ints
from tosa_converter.legalize.ops.elementwise import sqrt
from tosa_converter.legalize.ops.fourier import real_dft_2d
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import rfft2d as fast_rfft2d
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.records import Complex
from tosa_converter.rewriting.rule import Rule
from tosa_converter.rules.inference import infer_types
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_target import LEVEL_8K


def rfft2d(match: Match) -> Complex:
    """Lowers RFFT2D of the last two dimensions, cut or zero-padded to the lengths (PrepareInputBuffer, rfft2d.cc).

    Lengths beyond MAX_KERNEL of level 8K are declined. The transform is RFFT2D where the target and the lengths allow
    it, or else products with constant matrices.
    """
    x, lengths = match["input"], constant_ints(match, "fft_length")
    if len(lengths) != 2 or x.rank < 2 or not all(1 <= n <= LEVEL_8K.MAX_KERNEL for n in lengths):
        raise Decline(f"expected 2 lengths in [1, {LEVEL_8K.MAX_KERNEL}] for rank 2 or more, found {lengths}, {x.type}")
    (*batch, height, width), (rows, columns) = x.shape, lengths
    images = x.reshape((math.prod(batch), height, width))
    images = images.slice((0, 0, 0), (math.prod(batch), min(height, rows), min(width, columns)))
    images = images.pad([(0, 0), (0, max(rows - height, 0)), (0, max(columns - width, 0))])
    real, imag = (fast_rfft2d if _has_rfft2d(match, images) else real_dft_2d)(images)
    shape = (*batch, rows, columns // 2 + 1)
    return Complex(real.reshape(shape), imag.reshape(shape))


def _has_rfft2d(match: Match, x: Expr) -> bool:
    """Returns whether the target has RFFT2D and the lengths are powers of two, as it needs."""
    if any(n & n - 1 for n in x.shape[1:]):
        return False
    attributes, target = {"local_bound": False}, match.options.target
    op = Op(ops.RFFT2D, (x.value,), infer_types(ops.RFFT2D, (x.value,), attributes), attributes)
    return target is None or not target.lacks(op)


# ** parts of complex tensors **


def real(match: Match) -> Expr:
    """Lowers REAL: returns the real part of a complex operand, which is a pair of tensors (`Complex`)."""
    return match.record(0, Complex).real


def imag(match: Match) -> Expr:
    """Lowers IMAG: returns the imaginary part of a complex operand, which is a pair of tensors (`Complex`)."""
    return match.record(0, Complex).imag


def complex_abs(match: Match) -> Expr:
    """Lowers COMPLEX_ABS to sqrt(re**2 + im**2); squares may overflow where std::abs doesn't."""
    # Squares overflow from 2**64 = 1.8e19 on, and become 0 below 2**-75, as 2**-150 is half of the smallest subnormal.
    x = match.record(0, Complex)
    return sqrt(x.real * x.real + x.imag * x.imag)


RULES: tuple[Rule, ...] = (
    Rule("tfl.rfft2d", "fp32", rfft2d),
    Rule("tfl.real", "complex64", real),
    Rule("tfl.imag", "complex64", imag),
    Rule("tfl.complex_abs", "complex64", complex_abs),
)
