"""SVDF: features of the input, the last of which are kept and weighted by their age (svdf.h)."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.quant.elements import LARGEST, affine, as_reference, int16, target8
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import requantized
from tosa_converter.legalize.tflite.activation import Fused, vector_activation
from tosa_converter.legalize.tflite.recurrent.products import WEIGHED, columns, one_scale, product, reproduced, summed
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import concat, reduce_sum
from tosa_converter.rewriting.rewrite import Match, Rewrite

OVERFLOW = "sums of the kept features may leave 32 bits, where this is unpredictable and LiteRT's kernel undefined"


def svdf(match: Match) -> Sequence[Expr]:
    """SVDF -> MATMUL, CONCAT behind the kept features, MUL and REDUCE_SUM (EvalFloatSVDF, EvalHybridSVDF)."""
    x = match["input"]
    state = kept(match, product(match, ["feature_weights"])(x.reshape((1, *x.shape))))
    weight = match["time_weights"]
    if weight.dtype is not DType.FP32:
        weight = weight.cast(DType.FP32) * const(one_scale(match, "time_weights"), DType.FP32)
    y = weighted(match, state, weight)
    kind = match.attributes(Fused).fused_activation_function
    return vector_activation(kind, y), state.reshape(match["activation_state"].shape)


def integer_svdf(match: Match) -> Sequence[Expr]:
    """SVDF -> the same on integers, with a RESCALE behind each sum (EvalIntegerSVDF)."""
    x = match["input"]
    given, to = affine(match, "input"), target8(match)
    feature, time, held = (affine(match, key).scale for key in ("feature_weights", "time_weights", "activation_state"))
    weight = columns([match["feature_weights"]])
    sums = summed(match, x.reshape((1, *x.shape)), weight, given.zero_point)
    peak = LARGEST[DType.I8] * 128 * x.shape[1]
    first = quantize_multiplier(float(given.scale * feature / held))
    state = kept(match, requantized(match, sums, first, 0, peak=peak, dtype=DType.I16))
    constant = match["time_weights"].constant
    if constant is not None and np.abs(constant.astype(np.int64)).sum(1).max(initial=0) << 15 >= 1 << 31:
        match.note(OVERFLOW)
    y = weighted(match, state, match["time_weights"].cast(state.dtype))
    y = requantized(match, y, quantize_multiplier(float(held * time / to.scale)), to.zero_point)
    return y, state.cast(DType.I16).reshape(match["activation_state"].shape)


def kept(match: Match, features: Expr) -> Expr:
    """The state [batch,filters,memory] without the oldest features and with the new ones [1,batch,filters]."""
    _, batch, filters = features.shape
    memory = match["time_weights"].shape[1]
    before = match["activation_state"].reshape((batch, filters, memory))
    new = features.reshape((batch, filters, 1))
    if new.dtype is DType.I16 and not int16(match):
        before, new = before.cast(DType.I32), new.cast(DType.I32)
    return concat([before.part(2, 1, memory - 1), new], 2) if memory > 1 else new


def weighted(match: Match, state: Expr, weight: Expr) -> Expr:
    """The sums of each unit's features over time with the bias, [batch,units]."""
    batch, filters, memory = state.shape
    rank = match.op.attributes["rank"]
    products = state * weight.reshape((1, filters, memory))
    y = reduce_sum(products.reshape((batch, filters // rank, rank * memory)), 2)
    y = y.reshape((batch, filters // rank))
    return y + match["input_gate_bias"] if match.has("input_gate_bias") else y


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.svdf", WEIGHED, svdf, (reproduced,), of=("input", "feature_weights")),
    Rewrite("tfl.svdf", "i8*i8", integer_svdf, (as_reference,), of=("input", "feature_weights")),
)
