"""FULLY_CONNECTED and BATCH_MATMUL of every type: one function each, and a row for each scheme."""

import math
from functools import partial

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import no_narrow_integers
from tosa_converter.legalize.later_operators import target_takes
from tosa_converter.legalize.ops.matrix import batched_product, dense, dense_by_product, swap_last_axes
from tosa_converter.legalize.ops.windows import Operands
from tosa_converter.legalize.quant.elements import as_reference, eight_bit, not_of_bits, same_type, sixteen_bit
from tosa_converter.legalize.quant.floats import FLOAT
from tosa_converter.legalize.quant.hybrid import HYBRID, column_axis
from tosa_converter.legalize.quant.layer_operands import weights_fit
from tosa_converter.legalize.quant.litert_8 import LITERT_8
from tosa_converter.legalize.quant.litert_16 import LITERT_16
from tosa_converter.legalize.quant.scheme import OperandKeys, Scheme, TypedScheme, scheme_rules
from tosa_converter.legalize.tflite.activation import ACTIVATION_RANGES
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import ActivationFunctionType, FullyConnectedOptionsWeightsFormat
from tosa_converter.schemas.tosa_ops import MATMUL_T

LAYER = OperandKeys()


def fully_connected(match: Match, scheme: Scheme) -> Expr:
    """Lowers FULLY_CONNECTED with a weight [O,K]; `scheme` prepares the operands and finishes the sums.

    The result is [rows,O], or keeps the input's other dimensions if the option says so.
    """
    plan = scheme.layer(match, LAYER)
    operands = plan.operands
    sums = dense_by_product(operands) if multiplies_rows(match, operands) else dense(operands)
    y = plan.convert_sums(sums)
    *outer, outputs = y.shape
    keep = match.attributes(tflite.FullyConnectedOptions).keep_num_dims
    return y.reshape((*(match["input"].shape[:-1] if keep else (math.prod(outer),)), outputs))


def batch_matmul(match: Match, scheme: Scheme) -> Expr:
    """Lowers BATCH_MATMUL, whose batches broadcast; `scheme` prepares the operands and finishes the sums.

    A right side with adj_y isn't transposed if the target has MATMUL_T.
    """
    dtypes = [match[key].dtype for key in ("x", "y")]
    by_rows = (
        match.attributes(tflite.BatchMatMulOptions).adj_y
        and scheme is not HYBRID
        and target_takes(match, MATMUL_T, *dtypes)
    )
    plan = scheme.product(match, partial(oriented_sides, match, keeps_right=by_rows))
    zero_points = {"left_zp": plan.left_zp, "right_zp": plan.right_zp}
    return plan.convert_sums(batched_product(plan.left, plan.right, **zero_points, dtype=plan.dtype, by_rows=by_rows))


def stored_product(match: Match) -> Expr:
    """Lowers BATCH_MATMUL with an i32 result: the product of the stored values; zero points are ignored."""
    product = batched_product(*oriented_sides(match, match["x"], match["y"]))
    return product.sums.reshape(product.shape)


def oriented_sides(match: Match, left: Expr, right: Expr, *, keeps_right: bool = False) -> tuple[Expr, Expr]:
    """Returns BATCH_MATMUL's operands as [...,H,C] and [...,C,W]; adj_x and adj_y say which to transpose.

    With `keeps_right` the right one stays as it is, [...,W,C] with adj_y.
    """
    options = match.attributes(tflite.BatchMatMulOptions)
    left = swap_last_axes(left) if options.adj_x else left
    return left, swap_last_axes(right) if options.adj_y and not keeps_right else right


def multiplies_rows(match: Match, operands: Operands) -> bool:
    """Returns whether a layer is a MATMUL_T and an ADD, in place of a CONV2D: only if the target has MATMUL_T.

    Its sums must be of a type that ADD takes too, i32 or fp32.
    """
    takes = target_takes(match, MATMUL_T, operands.x.dtype, operands.weight.dtype)
    return takes and operands.bias.dtype in (DType.I32, DType.FP32)


@condition("weights aren't shuffled")
def default_format(match: Match) -> str | None:
    """Declines FULLY_CONNECTED with weights in the shuffled format."""
    kind = match.attributes(tflite.FullyConnectedOptions).weights_format
    if kind != FullyConnectedOptionsWeightsFormat.DEFAULT:
        return f"expected weights of format DEFAULT, found {kind.name}"
    return None


@condition("weights aren't shuffled, and the fused activation is none or a RELU")
def has_float_kernel(match: Match) -> str | None:
    """Declines FULLY_CONNECTED with shuffled weights, or a fused activation that the float kernel doesn't have."""
    kind = match.attributes(tflite.FullyConnectedOptions).fused_activation_function
    has_kernel = kind == ActivationFunctionType.NONE or kind in ACTIVATION_RANGES
    return default_format(match) or (
        None if has_kernel else f"expected no fused activation or a RELU, found {kind.name}"
    )


@condition("weights have one scale or a scale per row")
def scales_by_row(match: Match) -> str | None:
    """Declines FULLY_CONNECTED weights with scales along their depth.

    The kernel would read them as scales of rows, or read past their end. Scales of blocks are for compact numerics.
    """
    quant = match.quant("filter", blocks=match.options.numerics == "compact")
    return (
        f"expected scales of {match.source('filter').name!r} along axis 0, found axis {quant.axis}"
        if quant.axis
        else None
    )


@condition("the right side has one scale or a scale per column")
def scales_by_column(match: Match) -> str | None:
    """Declines scales of BATCH_MATMUL's right operand along another axis than its columns."""
    axis = match.quant("y").axis
    return (
        None
        if axis in (None, column_axis(match))
        else f"expected scales of {match.source('y').name!r} along its columns, found axis {axis}"
    )


@condition("the right side is of 8 or 16 bits with one scale")
def has_narrow_right(match: Match) -> str | None:
    """Declines BATCH_MATMUL unless its right operand is int8 or int16 with one scale."""
    return not_of_bits(16, (DType.I8, DType.I16), [match.source("y")])


@condition("the result is i32")
def to_i32(match: Match) -> str | None:
    """Declines BATCH_MATMUL whose result isn't i32."""
    dtype = match.op.results[0].type.dtype
    return None if dtype is DType.I32 else f"expected a result of i32, found {dtype.value}"


FLOAT_PAIRS = "fp32*fp32 fp16*fp16 bf16*bf16"
RULES: tuple[Rule, ...] = (
    *scheme_rules(
        "tfl.fully_connected",
        fully_connected,
        ("input", "filter"),
        int8=TypedScheme(
            LITERT_8, "i8*i8 i8*i4 ui8*ui8 i8*i2", (eight_bit(0), same_type, weights_fit, default_format, as_reference)
        ),
        int16=TypedScheme(
            LITERT_16, "i16*i8 i16*i4", (sixteen_bit(0), same_type, weights_fit, default_format, as_reference)
        ),
        hybrid=TypedScheme(HYBRID, "fp32*i8 fp32*i4 fp32*i2 fp32*ui8", (default_format, scales_by_row, as_reference)),
        float=TypedScheme(FLOAT, FLOAT_PAIRS, (no_narrow_integers, has_float_kernel)),
    ),
    *scheme_rules(
        "tfl.batch_matmul",
        batch_matmul,
        ("x", "y"),
        int8=TypedScheme(LITERT_8, "i8*i8", (eight_bit("x", "y"), as_reference)),
        int16=TypedScheme(LITERT_16, "i16*i16 i16*i8", (sixteen_bit("x"), has_narrow_right, as_reference)),
        hybrid=TypedScheme(HYBRID, "fp32*i8", (scales_by_column, as_reference)),
        float=TypedScheme(FLOAT, FLOAT_PAIRS, (no_narrow_integers,)),
    ),
    Rule("tfl.batch_matmul", "i8*i8", stored_product, (to_i32, as_reference), of=("x", "y")),
)
