"""Operators that become many in TOSA, known by what the conversion itself makes of them.

A guess of the operator and its scales is converted, and stands where that is the same graph, operator by operator and
constant by constant.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Array, Graph, Model, Op, Quant, TensorType, Value
from tosa_converter.ir.edit import equal_values
from tosa_converter.legalize.quant.softmax_tables import EXP_RANGE, RANGE, exponentials
from tosa_converter.legalize.quant.thresholds import smallest_floats
from tosa_converter.legalize.tosa_to_tflite.integers import scale_from
from tosa_converter.rewriting.pipeline import Pass, apply_passes
from tosa_converter.rewriting.report import Options
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.opsets import TFL_CONSTANT

FURTHEST = 100  # operators behind a result that a guess looks at
EXPONENTIAL = 64  # units in the last place that fixed-point exponentials of small numbers may be off
SHORT_SOFTMAX = 40  # operators that SOFTMAX of 16 bits is made of, at most
SHORT_QUANT = Quant((1 / 32768,), (0,))
SOFTMAX_QUANT = Quant((1 / 256,), (-128,))


class Guess(NamedTuple):
    """An operator that may make the result of `root` out of `operand`."""

    root: Op
    name: str
    operand: Value
    given: Quant | None
    made: Quant | None
    options: dict[str, Any]
    behind: tuple[Value, ...] = ()  # constant operands
    before: tuple[Value, ...] = ()

    @property
    def constants(self) -> list[Op]:
        """What makes the constant operands."""
        return [value.producer for value in (*self.before, *self.behind) if value.producer is not None]

    def op(self, operand: Value, result: TensorType) -> Op:
        """The operator."""
        operands = [*self.before, operand, *self.behind]
        return Op(f"tfl.{self.name}", operands, [result], self.options, result_names=["y"])

    @property
    def moves(self) -> bool:
        """Whether operand and result share scale and zero point."""
        return self.name.startswith("resize")


def guesses(root: Op) -> Iterator[Guess]:
    """What an operator may be the last one of."""
    if root.row is ops.MUL and root.results[0].type.dtype is DType.FP32:
        yield from _dequantize(root)
    if root.row is ops.RESIZE:
        yield from _resize(root, root)
    if root.row is ops.RESCALE and root.results[0].type.dtype is DType.I16:
        yield from _short_softmax(root)
    if root.row is ops.RESCALE and root.results[0].type.dtype in (DType.I8, DType.I16):
        before = root.operands[0].producer
        if before is not None and before.row in (ops.RESIZE, ops.RESCALE):
            yield from _resize(root, before if before.row is ops.RESIZE else before.operands[0].producer)
    if root.row is ops.RESCALE and root.results[0].type.dtype is DType.I8:
        behind = behind_of(root)
        yield from _softmax(root, behind)
        yield from _quantize(root, behind)


def confirmed(guess: Guess, lowering: Sequence[Pass]) -> bool:
    """Whether the conversion makes these operators of the guess; `lowering` are its passes from TFLite to TOSA."""
    made = _converted(guess, lowering)
    return made is not None and equal_values(made.outputs[0], guess.root.results[0], {made.inputs[0]: guess.operand})


def behind_of(root: Op, most: int = FURTHEST) -> list[Op]:
    """The operators behind a result, the nearest first, up to other 8-bit tensors; constants left out."""
    found, new = [root], [root]
    seen = {root}
    while new and len(found) < most:
        makers = [
            value.producer
            for op in new
            for value in op.operands
            if value.type.dtype is not DType.I8 or _is_largest(value)
        ]
        new = [op for op in dict.fromkeys(makers) if op is not None and op.inputs and op not in seen]
        seen.update(new)
        found += new
    return found


def _is_largest(value: Value) -> bool:
    return value.producer is not None and value.producer.row is ops.REDUCE_MAX


def _table(behind: list[Op], dtype: DType) -> Array | None:
    """The 256 constants of the nearest GATHER."""
    for op in behind:
        values = op.inputs[0].constant if op.row is ops.GATHER and op.inputs[0] is not None else None
        if values is not None and values.size == 256 and values.dtype == dtype.numpy:
            return values.reshape(-1)
    return None


def _near(x: float, reach: int = 4) -> Iterator[np.float32]:
    """The floats nearest to a number."""
    low = high = np.float32(x)
    yield low
    for _ in range(reach):
        low, high = np.nextafter(low, np.float32(0)), np.nextafter(high, np.float32(np.inf))
        yield low
        yield high


def _softmax(root: Op, behind: list[Op]) -> Iterator[Guess]:
    table = _table(behind, DType.I32)
    largest = [op for op in behind if op.row is ops.REDUCE_MAX]
    if table is None or not largest or table[0] < 1 << 30:
        return
    x, terms = largest[0].inputs[0], table.astype(np.float64)
    if x is None or x.type.dtype is not DType.I8 or x.type.shape != root.results[0].type.shape:
        return
    far = int(np.flatnonzero(terms > 1 << 25)[-1])
    if not far:
        return
    for scale in _near(-np.log(terms[far] / 2**31) / far, EXPONENTIAL):
        if (exponentials(np.float64(1), np.float64(scale)) == table).all():
            given = Quant((float(scale),), (0,))
            yield Guess(root, "softmax", x, given, SOFTMAX_QUANT, {"beta": 1.0})


def _short_softmax(root: Op) -> Iterator[Guess]:
    """Of 16 bits, whose scale is in the RESCALE of the distance from the largest."""
    last = root.operands[0].producer
    if last is None or last.row is not ops.ARITHMETIC_RIGHT_SHIFT:
        return
    behind = behind_of(root, SHORT_SOFTMAX)
    largest = next((op for op in behind if op.row is ops.REDUCE_MAX), None)
    for op in behind:
        before = op.operands[0].producer if op.row is ops.RESCALE else None
        scale = scale_from(op) if before is not None and before.row is ops.SUB else None
        if largest is not None and scale is not None and scale.multiplier.size == 1 and scale.out is DType.I32:
            real = float(scale.multiplier[0]) * 2.0 ** -float(scale.shift[0])
            for near in _near(real * EXP_RANGE / RANGE):
                given = Quant((float(near),), (0,))
                yield Guess(root, "softmax", largest.operands[0], given, SHORT_QUANT, {"beta": 1.0})


def _quantize(root: Op, behind: list[Op]) -> Iterator[Guess]:
    table = _table(behind, DType.FP32)
    products = [op for op in behind if op.row is ops.MUL and op.results[0].type.dtype is DType.FP32]
    sums = [op for op in behind if op.row is ops.ADD and op.results[0].type.dtype is DType.FP32]
    if table is None or not products or not sums:
        return
    x, factor = products[-1].inputs[:2]
    moved = sums[-1].inputs[1]
    if x is None or factor is None or factor.constant is None or moved is None or moved.constant is None:
        return
    zero_point = round(float(moved.constant.reshape(-1)[0]) - 127.5)
    if abs(zero_point) > 128:
        return
    for scale in _near(1 / float(factor.constant.reshape(-1)[0])):
        if (smallest_floats(scale, zero_point) == table).all():
            yield Guess(root, "quantize", x, None, Quant((float(scale),), (zero_point,)), {})


def _resize(root: Op, resize: Op | None) -> Iterator[Guess]:
    types = (DType.I8, DType.I16)
    if resize is None or resize.row is not ops.RESIZE or resize.operands[0].type.dtype not in types:
        return
    name = "resize_bilinear" if resize.attributes["mode"] == "BILINEAR" else "resize_nearest_neighbor"
    size = constant(np.array(root.results[0].type.static[1:3]), DType.I32)
    for corners, centers in ((False, True), (True, False), (False, False)):
        options = {"align_corners": corners, "half_pixel_centers": centers}
        yield Guess(root, name, resize.operands[0], None, None, options, (size,))


def _dequantize(root: Op) -> Iterator[Guess]:
    cast = root.inputs[0].producer if root.inputs[0] is not None else None
    factor = root.inputs[1].constant if root.inputs[1] is not None else None
    if cast is None or cast.row is not ops.CAST or factor is None or factor.size != 1:
        return
    rescale = cast.operands[0].producer
    if rescale is None or rescale.row is not ops.RESCALE or rescale.operands[0].type.dtype is not DType.I8:
        return
    zero_point = rescale.operands[3].constant
    if zero_point is not None and factor.reshape(-1)[0] > 0:
        given = Quant((float(factor.reshape(-1)[0]),), (int(zero_point.reshape(-1)[0]),))
        yield Guess(root, "dequantize", rescale.operands[0], given, None, {})


def constant(values: Array, dtype: DType, quant: Quant | None = None) -> Value:
    """A constant operand of a guess."""
    type = TensorType(dtype, values.shape, quant)
    return Op(TFL_CONSTANT, [], [type], {"values": values.astype(dtype.numpy)}).results[0]


def _converted(guess: Guess, lowering: Sequence[Pass]) -> Graph | None:
    """What the conversion makes of the operator alone."""
    x, y = guess.operand.type, guess.root.results[0].type
    operand = Value(TensorType(x.dtype, x.shape, guess.given), "x")
    result = TensorType(y.dtype, y.shape, guess.made)
    op = guess.op(operand, result)
    model = Model({"main": Graph("main", [operand], op.results, [*guess.constants, op])}, opset="tfl")
    try:
        return apply_passes(model, lowering, Options()).main
    except (FormatError, UnsupportedError):
        return None
