"""SVDF: features of the input, the last of which are stored and weighted by their age (svdf.h)."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.recurrent import push_features, svdf_sums
from tosa_converter.legalize.quant.elements import affine, as_reference, has_int16, output_quant
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import requantize_to
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.activation import Fused, vector_activation
from tosa_converter.legalize.tflite.recurrent.products import (
    FLOAT_OR_HYBRID,
    integer_product,
    join_weight_columns,
    product,
    reference_if_hybrid,
    weight_scale,
)
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule

OVERFLOW = "sums of stored features may overflow int32: such results are unpredictable, and undefined in LiteRT"


def svdf(match: Match) -> Sequence[Expr]:
    """Lowers SVDF of floats: stores each run's features, and sums the stored ones with weights (EvalFloatSVDF).

    Returns the output and the next state, the stored features.
    """
    x = match["input"]
    features = product(match, ["feature_weights"])(x.reshape((1, *x.shape)))
    memory = push_features(_memory(match, features.shape[1]), features)
    weight = match["time_weights"]
    if weight.dtype is not DType.FP32:
        weight = weight.cast(DType.FP32) * const(weight_scale(match, "time_weights"), DType.FP32)
    y = _sums_with_bias(match, memory, weight)
    kind = match.attributes(Fused).fused_activation_function
    return vector_activation(kind, y), memory.reshape(match["activation_state"].shape)


def integer_svdf(match: Match) -> Sequence[Expr]:
    """Lowers SVDF of int8 to an integer product, CONCAT, MUL and REDUCE_SUM, with two RESCALEs (EvalIntegerSVDF).

    Returns the output and the next state, the stored features in int16. A note warns if their weighted sums may
    overflow.
    """
    x, output = match["input"], output_quant(match)
    input_scale, input_zp = affine(match, "input")
    feature_scale, time_scale, state_scale = (
        affine(match, key).scale for key in ("feature_weights", "time_weights", "activation_state")
    )
    sums = integer_product(match, x.reshape((1, *x.shape)), join_weight_columns([match["feature_weights"]]), input_zp)
    multiplier = quantize_multiplier(float(input_scale * feature_scale / state_scale))
    peak = WIDTHS[DType.I8].magnitude * 128 * x.shape[1]  # |x - zero point| is at most 255, |weight| at most 128
    features = requantize_to(match, sums, multiplier, 0, peak=peak, dtype=DType.I16)
    memory = _memory(match, x.shape[0])
    if not has_int16(match):  # CONCAT of i16 needs EXT-INT16
        memory = memory.cast(DType.I32)
    memory = push_features(memory, features)
    weight = match["time_weights"]
    if weight.constant is not None and _may_overflow(weight.constant, match.op.attributes["rank"]):
        match.note(OVERFLOW)
    y = _sums_with_bias(match, memory, weight.cast(memory.dtype))
    y = requantize_to(match, y, quantize_multiplier(float(state_scale * time_scale / output.scale)), output.zero_point)
    return y, memory.cast(DType.I16).reshape(match["activation_state"].shape)


def _may_overflow(weight: Array, rank: int) -> bool:
    """Returns whether sums of stored features times the weights of a unit can leave 32 bits.

    A stored feature reaches 2**15 in magnitude. Two filters with three weights of 12000 may overflow, one may not:
    6 * 12000 * 2**15 is 1.1 * 2**31.
    """
    magnitudes = np.abs(weight.astype(np.int64)).reshape(len(weight) // rank, -1).sum(1)
    return bool(magnitudes.max(initial=0) << 15 >= 1 << 31)


def _memory(match: Match, batch: int) -> Expr:
    """Returns SVDF's state, the features stored so far, as [batch,filters,memory]."""
    filters, length = match["time_weights"].shape
    return match["activation_state"].reshape((batch, filters, length))


def _sums_with_bias(match: Match, memory: Expr, weight: Expr) -> Expr:
    """Returns SVDF's sums over time and filters of stored features times weights, plus the bias if there is one."""
    y = svdf_sums(memory, weight, match.op.attributes["rank"])
    return y + match["input_gate_bias"] if match.has("input_gate_bias") else y


WEIGHTED = ("input", "feature_weights")
RULES: tuple[Rule, ...] = (
    Rule("tfl.svdf", FLOAT_OR_HYBRID, svdf, (reference_if_hybrid,), of=WEIGHTED),
    Rule("tfl.svdf", "i8*i8", integer_svdf, (as_reference,), of=WEIGHTED),
)
