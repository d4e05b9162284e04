"""Inverts 16-bit FULLY_CONNECTED, whose conversion multiplies sums by the digits of doubles.

Each double is the product of two scales divided by a third, floats of 24 bits each. The digits tell these scales: the
result's is the one that takes all channels to integers, and the operand's divides these integers.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Op, Quant, Value
from tosa_converter.legalize.invert.confirmation import TFLITE_LOWERING
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, constant
from tosa_converter.legalize.invert.tflite.candidates import AppendOperator, OperatorTensors, QuantizedCandidate
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.legalize.invert.tflite.integers import rescale_parameters_of
from tosa_converter.legalize.invert.tflite.ratios import MANTISSAS
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.legalize.invert.tflite.stated_scales import assign_stated_scales, copy_with_quant
from tosa_converter.legalize.quant.product_in_parts import BITS
from tosa_converter.schemas import tosa_ops as ops

OPERATORS = 40  # that the product is made of, at most
CHANNELS = 3  # that tell scales, at least
EXPONENT = -38  # of a scale's 24-bit mantissa
LEAST_BITS = 28  # of a product of 53 and 24 bits, whose upper 49 are an integer
ROUNDED = 0.1  # how far they may be from one


class ShortLayer(NamedTuple):
    """A candidate for 16-bit FULLY_CONNECTED: its last RESCALE, the CONV2D of its sums, the channels' multipliers."""

    root: Op
    core: Op
    factors: Array

    def solve_scales(self, solver: ScaleSolver, tensors: OperatorTensors) -> AppendOperator | None:
        """Returns the function that appends the first int16 FULLY_CONNECTED that lowers to the same TOSA, or None.

        The operand itself must get the scale: None is returned if `tensors` has a copy of it.
        """
        x = self.core.operands[0]
        if tensors[0] is not x:
            return None
        with TflBuilder(Graph("layer")) as b:
            b.location = self.root.location
            for pair in _candidate_scales(
                self.factors, solver.candidate_scales(x), solver.candidate_scales(self.root.result)
            ):
                y = self.propose(*pair)
                confirmed = TFLITE_LOWERING.lowers_to(y, self.root.result, [x])
                if (
                    confirmed
                    and (append_operator := assign_stated_scales(b.graph.ops[-1], solver, tensors)) is not None
                ):
                    return append_operator
        return None

    def propose(self, input_scale: float, output_scale: float) -> Value:
        """Appends int16 FULLY_CONNECTED with these operand and result scales, and returns its result.

        The weight scale of a channel is its factor * output scale / input scale. The caller keeps the operator if it
        lowers to the matched TOSA.
        """
        b, type = tfl_builder(), self.root.result.type
        x, weights, bias = self.core.operands[:3]
        assert weights.constant is not None
        assert bias.constant is not None
        weight_scales = (self.factors * output_scale / input_scale).astype(np.float32)
        zeros = (0,) * len(weight_scales)
        quant = Quant(tuple(weight_scales.tolist()), zeros, 0)
        matrix = b.with_quant(constant(weights.constant.reshape(len(zeros), -1), DType.I8), quant)
        quant = Quant(tuple((np.float32(input_scale) * weight_scales).tolist()), zeros, 0)
        biases = b.with_quant(constant(np.broadcast_to(bias.constant, weight_scales.shape), DType.I64), quant)
        operands = [copy_with_quant(x, Quant((input_scale,), (0,))), matrix, biases]
        y = b.op("fully_connected", operands, type.dtype, type.static, keep_num_dims=True)
        y.type = type._replace(quant=Quant((output_scale,), (0,)))
        return y


def match_short_layer(root: Op) -> QuantizedCandidate | None:
    """Returns the 16-bit FULLY_CONNECTED that may replace the operators up to a RESCALE (`root`); None for others.

    Its lowering multiplies i48 sums by a real multiplier in parts, which are constants of MULs and of a RESCALE.
    """
    shifted = root.operands[0].producer if root.row is ops.RESCALE else None
    if shifted is None or root.result.type.dtype is not DType.I16 or shifted.row is not ops.ARITHMETIC_RIGHT_SHIFT:
        return None
    upstream = upstream_operators(root, OPERATORS)
    core = next((op for op in upstream if op.row is ops.CONV2D), None)
    factors = _channel_multipliers(upstream, core.result.type.static[3]) if core is not None else None
    if core is None or factors is None or core.operands[1].constant is None or core.operands[2].constant is None:
        return None
    x = core.operands[0]
    variable = x.constant is None and x.type.dtype is DType.I16
    return QuantizedCandidate(root, (x,), ShortLayer(root, core, factors).solve_scales) if variable else None


def upstream_operators(root: Op, most: int) -> list[Op]:
    """Returns `root` and the operators that compute its operands, the nearest first; constants are left out.

    It doesn't go beyond int8 operands, with which another layer ends. It stops once it has `most` operators or more.
    """
    upstream, nearest, seen = [root], [root], {root}
    while nearest and len(upstream) < most:
        wide = (value for op in nearest for value in op.operands if value.type.dtype is not DType.I8)
        makers = dict.fromkeys(value.producer for value in wide)
        nearest = [op for op in makers if op is not None and op.inputs and op not in seen]
        seen.update(nearest)
        upstream += nearest
    return upstream


def _channel_multipliers(upstream: list[Op], channels: int) -> Array | None:
    """Returns the real multiplier of each channel of a 16-bit FULLY_CONNECTED in TOSA; None for other operators.

    TOSA shifts the sums right, then multiplies them by the multiplier in three parts: two MULs, and a RESCALE for the
    rest.
    """
    shifts = [op for op in upstream if op.row is ops.ARITHMETIC_RIGHT_SHIFT and not op.attributes["round"]]
    for shifted in reversed(shifts):
        readers = [op for op in upstream if op.operands[0] is shifted.result]
        parts = [op.operands[1].constant for op in readers if op.row is ops.MUL]
        rests = [
            parameters
            for op in readers
            if op.row is ops.RESCALE and (parameters := rescale_parameters_of(op)) is not None
        ]
        rest = np.ldexp(rests[0].multiplier.astype(np.float64), -rests[0].shift) if rests else np.zeros(1)
        constants = [part for part in (shifted.operands[1].constant, *parts, rest) if part is not None]
        if len(constants) != 4 or any(part.size not in (1, channels) for part in constants):
            continue
        split, first, second, rest = (np.broadcast_to(part.reshape(-1), channels) for part in constants)
        # The multiplier is first * 2**(2 * BITS) + second * 2**BITS + rest, divided by 2**(3 * BITS + split).
        whole = np.ldexp(first.astype(np.float64), 2 * BITS) + np.ldexp(second.astype(np.float64), BITS) + rest
        return np.asarray(np.ldexp(whole, -3 * BITS - split.astype(np.int64)))
    return None


def _candidate_scales(
    real: Array, input_rows: Array | None, output_rows: Array | None
) -> Iterator[tuple[float, float]]:
    """Yields the (input scale, output scale) pairs of 16-bit FULLY_CONNECTED for which fp32 weight scales exist.

    `real` are the channels' multipliers; fewer than CHANNELS different ones leave too many scales, so none is yielded.
    A tensor with candidates (`input_rows`, `output_rows`) keeps the first of them.
    """
    mantissas = np.frexp(np.unique(real))[0]
    if len(mantissas) < CHANNELS:
        return
    # multiplier = input scale * weight scale / output scale, so multiplier * y is a product of two 24-bit mantissas,
    # an integer of at most 49 bits; the input's mantissa divides that of every channel.
    # mantissa * y has 53 + 24 bits: the lowest LEAST_BITS are rounding errors, which rounding to the others drops.
    whole = [int(mantissa) for mantissa in np.ldexp(mantissas, 53)]
    for y in _output_mantissas(mantissas) if output_rows is None else [_mantissa(output_rows[0])]:
        products = [(mantissa * y + (1 << LEAST_BITS - 1)) >> LEAST_BITS for mantissa in whole]
        x = math.gcd(*products)
        if input_rows is not None:
            x = _mantissa(input_rows[0]) if x % _odd_part(_mantissa(input_rows[0])) == 0 else 0
        if 0 < _odd_part(x) < 2 * MANTISSAS and all(
            _odd_part(product // _odd_part(x)) < 2 * MANTISSAS for product in products
        ):
            exact = math.ldexp(_odd_part(x), EXPONENT), math.ldexp(y, EXPONENT)
            yield (
                exact[0] if input_rows is None else float(input_rows[0]),
                exact[1] if output_rows is None else float(output_rows[0]),
            )


def _output_mantissas(mantissas: Array) -> list[int]:
    """Returns the 24-bit mantissas that the result scale of a 16-bit FULLY_CONNECTED may have, by its multipliers.

    A multiplier times the result scale is the product of two scales, so of two 24-bit mantissas: an integer of at most
    49 bits. Mantissas whose product with one of `mantissas`, those of the multipliers, is no such integer are left out.
    """
    candidates = np.arange(MANTISSAS, 2 * MANTISSAS, dtype=np.float64)
    for mantissa in mantissas:  # in [0.5, 1): times 2**25 and a candidate of 24 bits, it has 49 bits
        products = candidates * (mantissa * 4 * MANTISSAS)
        candidates = candidates[np.abs(products - np.round(products)) < ROUNDED]
    return [int(candidate) for candidate in candidates]


def _mantissa(scale: float) -> int:
    """Returns the 24 bits of a scale's mantissa as an integer. Example: 0.5 is 2**23."""
    return int(math.ldexp(math.frexp(scale)[0], 24))


def _odd_part(x: int) -> int:
    """Returns a number divided by its largest power of two; 0 for 0."""
    return x // (x & -x) if x else 0
