"""Float operators between DEQUANTIZE and QUANTIZE that depend on one quantized value: one look-up of all its results.

Each result is computed as LiteRT's float kernels compute it, in float32: sums, products and quotients are exact that
way, functions of the C library but for its last bits.
"""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.ops.elementwise import FLOAT_MAX
from tosa_converter.legalize.quant import libm
from tosa_converter.legalize.quant.elements import as_reference, emit_table, output_quant, per_tensor, signed_dtype
from tosa_converter.legalize.quant.libm import EXP, F32, ULPS
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.legalize.quant.tables import look_up
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.activation import ACTIVATION_RANGES
from tosa_converter.legalize.tflite.quantized.borders import UNDEFINED
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.matchers import find_elementwise_group
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, rule
from tosa_converter.schemas.tflite import ActivationFunctionType

TYPES = (DType.I8, DType.UI8, DType.I16)
Function = Callable[[Op, list[Array], int], Array]  # of operands in float32 and ulps, see `quant.libm`


# ** the functions of LiteRT's float kernels **


def _logistic(_: Op, x: list[Array], ulps: int) -> Array:
    """Returns LOGISTIC as LiteRT computes it: 1 above 16.6, exp(x) below -9 (Logistic, reference/logistic.h).

    The C library's exp is shifted by `ulps` units in the last place.
    """
    middle = F32(1) / (F32(1) + EXP(-x[0], ulps))
    return np.where(x[0] > F32(16.619047), F32(1), np.where(x[0] < F32(-9), EXP(x[0], ulps), middle))


def _gelu(op: Op, x: list[Array], ulps: int) -> Array:
    """Returns GELU of x[0] in float32, exact or approximated by tanh as the operator's option says.

    The C library's result is shifted by `ulps` units in the last place, to find results that its last bits decide.
    """
    return libm.gelu(approximate=op.attributes["approximate"])(x[0], ulps)


def _with_activation(function: Callable[[Array, Array], Array]) -> Function:
    """Returns a numpy function of two operands that applies the operator's fused activation.

    Activations without a range, such as TANH, are declined.
    """

    def binary(op: Op, x: list[Array], _: int) -> Array:
        """Computes `function` in float32 and clamps to the range of the operator's fused activation.

        Activations without a range are declined.
        """
        y, kind = function(x[0], x[1]), op.attributes.get("fused_activation_function")
        if kind in (None, ActivationFunctionType.NONE):
            return y
        if kind not in ACTIVATION_RANGES:
            raise Decline(f"expected no fused activation, found {kind}")
        low, high = ACTIVATION_RANGES[kind]
        return np.minimum(np.maximum(y, F32(low)), F32(FLOAT_MAX if high is None else high))

    return binary


def _clip_function(low: float, high: float) -> Function:
    """Returns a numpy function that clamps its operand to [low, high]."""
    return lambda _op, x, _ulps: np.minimum(np.maximum(x[0], F32(low)), F32(high))


def _unary_function(function: Callable[[Array], Array]) -> Function:
    """Returns a numpy function of one operand that needs no C library, so `ulps` doesn't matter."""
    return lambda _op, x, _ulps: function(x[0])


def _libm_function(function: libm.RealFunction) -> Function:
    """Returns a function of one operand that calls the C library, whose results are moved by `ulps`."""
    return lambda _op, x, ulps: function(x[0], ulps)


BY_LIBM: dict[str, Function] = {
    "tfl.cos": _libm_function(libm.libm(np.cos)),
    "tfl.elu": _libm_function(libm.elu),
    "tfl.exp": _libm_function(EXP),
    "tfl.gelu": _gelu,
    "tfl.log": _libm_function(libm.LOG),
    "tfl.logistic": _logistic,
    "tfl.sin": _libm_function(libm.libm(np.sin)),
    "tfl.tanh": _libm_function(libm.TANH),
}
FUNCTIONS: dict[str, Function] = {
    **BY_LIBM,
    "tfl.abs": _unary_function(np.abs),
    "tfl.add": _with_activation(np.add),
    "tfl.ceil": _unary_function(np.ceil),
    "tfl.div": _with_activation(np.divide),
    "tfl.floor": _unary_function(np.floor),
    "tfl.hard_swish": _unary_function(lambda x: x * np.minimum(F32(6), np.maximum(F32(0), x + F32(3))) / F32(6)),
    "tfl.leaky_relu": lambda op, x, _: np.where(x[0] > 0, x[0], x[0] * F32(op.attributes["alpha"])),
    "tfl.maximum": _with_activation(np.maximum),
    "tfl.minimum": _with_activation(np.minimum),
    "tfl.mul": _with_activation(np.multiply),
    "tfl.neg": _unary_function(np.negative),
    "tfl.relu": _clip_function(0, np.inf),
    "tfl.relu6": _clip_function(0, 6),
    "tfl.relu_0_to_1": _clip_function(0, 1),
    "tfl.relu_n1_to_1": _clip_function(-1, 1),
    "tfl.rsqrt": _unary_function(lambda x: F32(1) / np.sqrt(x)),
    "tfl.sqrt": _unary_function(np.sqrt),
    "tfl.square": _unary_function(lambda x: x * x),
    "tfl.squared_difference": _with_activation(lambda a, b: (a - b) * (a - b)),
    "tfl.sub": _with_activation(np.subtract),
}


# ** the island **


@rule(pattern("tfl.quantize", "x"), "fp32", as_reference)
def float_island(m: Match) -> Expr:
    """QUANTIZE -> TABLE of 8 bits, or GATHER or TABLE of 16, of the value in front of the float operators.

    Replaces DEQUANTIZE, elementwise float operators and QUANTIZE by a look-up of the results for all stored values. A
    note counts the results that the last bits of the C library decide.
    """
    source, ops = find_elementwise_group(m.op, _is_member)
    m.require(
        source.type.dtype in TYPES and source.type.quant is not None,
        f"expected {source.name!r} in front of the float operators to be quantized "
        f"with 8 or 16 bits, found {source.type}",
    )
    m.require(source.constant is None, f"expected {source.name!r} to be computed at run time, found a constant")
    rank = source.type.rank
    m.require(
        all(x.type.rank <= rank for op in ops for x in op.operands), "expected constants of at most the operand's rank"
    )
    dtype, output = source.type.dtype, m.op.results[0].type.dtype
    m.require(
        (dtype is DType.I16) is (output is DType.I16),
        f"expected types between which TOSA has a TABLE, found {dtype.value} to {output.value}",
    )
    results = _all_results(m, source, 0)
    if not BY_LIBM.keys().isdisjoint(op.name for op in ops):
        # C libraries differ in the last bits: results that change if a function gives ULPS less or more are loose.
        loose = np.count_nonzero(_all_results(m, source, -ULPS) != _all_results(m, source, ULPS))
        if loose:
            m.note(f"{loose} of {len(results)} results depend on the last bits of the C library")
    x = Expr(m.translate(source))
    if dtype is DType.I16:
        return look_up(m, x, results)
    return emit_table(x, results, from_unsigned=dtype is DType.UI8, to_unsigned=output is DType.UI8)


def _is_member(op: Op) -> bool:
    """Returns whether a TABLE may compute an operator as a part of a group: DEQUANTIZE, or elementwise fp32."""
    return op.name == "tfl.dequantize" or (op.name in FUNCTIONS and op.results[0].type.dtype is DType.FP32)


def _all_results(match: Match, leaf: Value, ulps: int) -> Array:
    """Returns QUANTIZE's result for each stored value of `leaf`, the quantized tensor that DEQUANTIZE reads, in order.

    `ulps` moves the C library's results by so many units in the last place. A note tells of infinities and NaN, which C
    leaves undefined.
    """
    output, dtype = output_quant(match), signed_dtype(leaf)
    assert leaf.type.quant is not None
    quant = per_tensor(leaf.type.quant, leaf.type.dtype is DType.UI8, dtype)
    real = quant.scale * (WIDTHS[dtype].values - quant.zero_point).astype(F32)
    value = _evaluate_value(match.source(0), real, ulps)
    # 0.25 on a scale of 0.1 is 2.5 as a float32 quotient, which rounds away from zero to 3, as QUANTIZE computes it.
    with np.errstate(all="ignore"):
        level = round_away(value / output.scale) + F32(output.zero_point)
    if not np.isfinite(level).all():
        match.note_once(UNDEFINED)
    low, high = output.dtype.limits
    return np.asarray(np.clip(np.nan_to_num(level, nan=low), low, high), np.int64)


def _evaluate_value(value: Value, real: Array, ulps: int) -> Array:
    """Computes a float tensor between DEQUANTIZE and QUANTIZE with numpy; `real` are the elements behind DEQUANTIZE."""
    arrays: dict[Value, Array] = {}

    def evaluate(value: Value) -> Array:
        """Returns a float tensor's elements, which are computed once and kept in `arrays`."""
        if value not in arrays:
            arrays[value] = compute(value)
        return arrays[value]

    def compute(value: Value) -> Array:
        """Computes a value by numpy from its operator's operands; behind DEQUANTIZE it is `real`.

        Constants are taken as scalars: those of a group have one element.
        """
        op = value.producer
        assert op is not None
        if value.constant is not None:
            return np.asarray(value.constant.reshape(()), F32)
        if op.name == "tfl.dequantize":
            return real
        return np.asarray(FUNCTIONS[op.name](op, [evaluate(x) for x in op.operands], ulps), F32)

    with np.errstate(all="ignore"):
        return np.broadcast_to(evaluate(value), real.shape)


RULES: tuple[Rule, ...] = (float_island,)
