"""The pass that finds quantized nodes in what they become in TOSA with XNNPACK's numerics.

TOSA's bytes stand for nothing, so any scale will do that gives the same bytes. All tensors have a scale of 1 and the
zero point that the operators which make them say, or else those that read them; a layer's factors are then the scales
of its weights. Where a node needs other scales (the multipliers of a sum), the operand is taken by 1 to them, with
Multiply, and to another zero point with Add; both leave the bytes as they are. Sums that 24 bits hold are made of
floats.
"""

import math
from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Op, Quant, TensorType, Value
from tosa_converter.ir.edit import live_ops
from tosa_converter.legalize.quant.xnnpack_rounding import CONVERT_BITS, SUM_BITS, UNIT_BITS
from tosa_converter.legalize.tosa_to_tflite.integers import Scale, scale_from
from tosa_converter.legalize.tosa_to_tflite.products import CONVOLUTIONS
from tosa_converter.legalize.tosa_to_tflite.quantized import MOVES
from tosa_converter.legalize.tosa_to_tflite.templates import SOFTMAX_QUANT, Guess, confirmed, guesses
from tosa_converter.legalize.tosa_to_tflite.tidy import put
from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder
from tosa_converter.legalize.tosa_to_xnn.groups import joined_groups
from tosa_converter.legalize.tosa_to_xnn.labels import BYTES, label, labelled, read
from tosa_converter.legalize.tosa_to_xnn.quotients import quotient
from tosa_converter.legalize.tosa_to_xnn.tables import guessed, looked_up
from tosa_converter.legalize.tosa_to_xnn.windows import convolution, fields
from tosa_converter.rewriting.pipeline import Pass, change_graphs
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops

EXACT = 1 << 24  # magnitudes of integers up to it are floats
SMALLEST, LARGEST = float(np.finfo(np.float32).smallest_normal), 256.0  # factors are less
SMALLEST_PRODUCT = 2.0**-16  # factor of Multiply
RATIOS = 2.0**-10, 2.0**8  # of the scales of Add


# What leaves bytes on their scale.
KEPT = MOVES | {ops.AVG_POOL2D, ops.CLAMP, ops.REDUCE_MAX}
# Times this, averages between two integers are nearer to the one away from 0; of so many bytes no other one gets there.
AWAY, MOST_AVERAGED = 1 + 2.0**-20, 1 << 12
_ZEROED = CONVOLUTIONS | {ops.RESCALE}  # which have the zero point of their first operand


class Held(NamedTuple):
    """Integers in floats, and their largest magnitude."""

    value: Value
    peak: float


class QuantizedNodes:
    """The pass; `lowering` are those that make TOSA of TFLite's operators, for a softmax of bytes."""

    name = "quantized-nodes"

    def __init__(self, lowering: Sequence[Pass]) -> None:
        self.lowering = lowering

    def run(self, model: Model, _options: Options, _report: Report, /) -> Model:
        """Changes the graphs in place."""
        return change_graphs(model, partial(_put_nodes, self.lowering))


def _put_nodes(lowering: Sequence[Pass], graph: Graph) -> bool:
    """Puts quantized nodes in place of the operators that they are in TOSA; returns whether a node or type changed."""
    graph.ops = live_ops(graph)  # what nobody reads would count as a reader of signed bytes
    types = [value.type for value in _values(graph)]
    _unsigned(graph)
    softmaxes = {op: guess for op in graph.ops if (guess := _softmax_of(op, lowering)) is not None}
    _label(graph, softmaxes)
    retyped = any(value.type is not type for value, type in zip(_values(graph), types, strict=True))
    nodes: dict[Op, list[Op]] = {}
    for op in graph.ops:
        b = XnnBuilder(Graph("quantized"))
        b.location = op.location
        found = _softmax(b, softmaxes[op]) if op in softmaxes else _node(b, op)
        if found is not None:
            last = b.graph.ops[-1] if b.graph.ops else None
            nodes[op] = b.graph.ops if found.producer is last else [*b.graph.ops, _moved(b, found)]
    for op, made in nodes.items():
        put(made[-1], op.results[0])
    graph.ops = [node for op in graph.ops for node in nodes.get(op, [op])]
    return retyped or bool(nodes)


def _values(graph: Graph) -> list[Value]:
    return [*graph.inputs, *(value for op in graph.ops for value in op.results)]


def _moved(b: XnnBuilder, x: Value) -> Op:
    made = b.apart(x).producer
    assert made is not None
    return made


# ** labels **


def _unsigned(graph: Graph) -> None:
    """Inputs and outputs that RESCALE alone reads or makes as unsigned bytes are those."""
    users = graph.uses()
    for op in graph.ops:
        scale = scale_from(op) if op.row is ops.RESCALE else None
        if scale is None or scale.unsigned[0] == scale.unsigned[1] or op.operands[0].type.dtype is not DType.I8:
            continue
        x, y = op.operands[0], op.results[0]
        value = x if scale.unsigned[0] and x in graph.inputs and x not in graph.outputs else y
        readers = 1 if value is x else 0
        if len(users.get(value, ())) == readers and (value is x or (scale.unsigned[1] and y in graph.outputs)):
            zero_point = scale.input_zp if value is x else scale.output_zp
            value.type = value.type._replace(dtype=DType.UI8, quant=label(zero_point))


def _label(graph: Graph, softmaxes: Container[Op]) -> None:
    """Give all bytes a scale of 1 and a zero point, or what a function says."""
    groups: dict[Value, set[Value]] = {}
    for op in graph.ops:
        if op.row in KEPT or op.name in ("xnn.static_resize_bilinear_2d", "xnn.max_pooling_2d"):
            for x in op.operands[: None if op.row is ops.CONCAT else 1]:
                _join(groups, op.results[0], x)
    labels: dict[int, Quant] = {}
    for made in (True, False):
        for op in graph.ops:
            softmax = [(op.results[0], SOFTMAX_QUANT)] if made and op in softmaxes else []
            for value, told in softmax or _told(op, made=made):
                labels.setdefault(id(_group(groups, value)), told)
    for value in _values(graph):
        if value.type.dtype is DType.I8 and value.constant is None and value.type.quant is None:
            value.type = value.type._replace(quant=labels.get(id(_group(groups, value)), label(0)))


def _group(groups: dict[Value, set[Value]], value: Value) -> set[Value]:
    return groups.setdefault(value, {value})


def _join(groups: dict[Value, set[Value]], a: Value, b: Value) -> None:
    if a.type.dtype is not DType.I8 or _group(groups, a) is _group(groups, b):
        return
    both = _group(groups, a) | _group(groups, b)
    groups.update(dict.fromkeys(both, both))


def _told(op: Op, *, made: bool) -> list[tuple[Value, Quant]]:
    """What an operator says of its result, or of its operand."""
    value = next(iter(op.results if made else op.operands), None)
    if value is None or value.type.dtype is not DType.I8:
        return []
    if op.row is ops.TABLE:
        guess = None if op.operands[1].constant is None else guessed(op.operands[1].constant)
        return [] if guess is None else [(value, guess.made if made else guess.given)]
    zero = op.operands[4 if made else 3].constant if op.row in _ZEROED and (made <= (op.row is ops.RESCALE)) else None
    return [] if zero is None else [(value, label(int(zero.reshape(-1)[0])))]


# ** nodes **


def _node(b: XnnBuilder, op: Op) -> Value | None:
    """What makes an operator's result in XNNPACK, if it is one of quantized nodes."""
    rule = _RULES.get(op.row) if op.row is not None else None
    try:
        y = None if rule is None else rule(b, op)
    except Decline:
        return None
    wanted = op.results[0].type.quant if y is not None else None
    return y if y is None or wanted is None else read(b, y, wanted.zero_point[0], wanted.scale[0])


def _rescale(b: XnnBuilder, op: Op) -> Value | None:
    scale, x = scale_from(op), op.operands[0]
    if scale is None or scale.double_round or op.results[0].type.dtype not in BYTES:
        return None
    if x.type.dtype in BYTES:
        unsigned = x.type.dtype is DType.UI8, op.results[0].type.dtype is DType.UI8
        return _requantize(b, x, scale, op.results[0].type.dtype) if unsigned == scale.unsigned else None
    if x.type.dtype is not DType.I32 or scale.input_zp or any(scale.unsigned):
        return None
    return _placed(b, x, scale.output_zp) if _is_one(scale) else _sum(b, x, scale)


def _is_one(scale: Scale) -> bool:
    return bool((scale.multiplier == 1 << scale.shift.astype(np.int64)).all())


def _requantize(b: XnnBuilder, x: Value, scale: Scale, dtype: DType) -> Value | None:
    """Convert to another scale."""
    factor = float(scale.multiplier.reshape(-1)[0]) * 2.0 ** -float(scale.shift.reshape(-1)[0])
    if scale.multiplier.size > 1 or (factor * 2**CONVERT_BITS) % 1 or not 2.0**-8 <= factor <= 2.0**7:
        return None
    if dtype is not x.type.dtype:  # which Convert takes by way of floats
        real = b.op("convert", [read(b, x, scale.input_zp)], dtype=DType.FP32)
        return labelled(b.op("convert", [real], dtype=dtype), label(scale.output_zp)) if factor == 1 else None
    return labelled(b.op("convert", [read(b, x, scale.input_zp, factor)]), label(scale.output_zp))


def _placed(b: XnnBuilder, x: Value, zero_point: int) -> Value | None:
    """Floats rounded to bytes: of a layer's sums times factors the layer, of others Convert."""
    cast = x.producer
    if cast is None or cast.row is not ops.CAST or cast.operands[0].type.dtype is not DType.FP32:
        return None
    real = _unclamped(cast.operands[0], zero_point)
    layer = _layer(b, real, zero_point) or _prelu(b, real, zero_point)
    if layer is not None:
        return layer
    return labelled(b.op("convert", [real], dtype=DType.I8), label(zero_point))


def _unclamped(real: Value, zero_point: int) -> Value:
    """Floats before a CLAMP to no less than the bytes that there are."""
    clamp = real.producer
    low, high = (limit - zero_point for limit in DType.I8.limits)
    if clamp is None or clamp.row is not ops.CLAMP:
        return real
    return clamp.operands[0] if clamp.attributes["min_val"] <= low and clamp.attributes["max_val"] >= high else real


def _layer(b: XnnBuilder, real: Value, zero_point: int) -> Value | None:
    """A convolution, mean or product out of its sums times factors."""
    product = real.producer
    cast = product.operands[0].producer if product is not None and product.row is ops.MUL else None
    core = cast.operands[0].producer if cast is not None and cast.row is ops.CAST else None
    factors = product.operands[1].constant if product is not None and core is not None else None
    if core is None or factors is None or factors.size != factors.shape[-1]:
        return None
    if not ((factors >= SMALLEST) & (factors < LARGEST)).all():
        return None
    cut = core if core.row is ops.SLICE else None
    core = _maker(core) or core if cut is not None else core
    core = joined_groups(core) if core.row is ops.CONCAT else core
    if core.row is ops.MUL and factors.size == 1:
        y = _product(b, core, float(factors.reshape(-1)[0]))
    elif core.row in CONVOLUTIONS:
        y = _convolution(b, core, factors.reshape(-1))
    else:
        y = _mean(b, core, factors.reshape(-1), zero_point)
    if y is None or cut is None or cut.operands[1].constant is None:
        return None if y is None else labelled(y, label(zero_point))
    return b.slice(labelled(y, label(zero_point)), cut.operands[1].constant.tolist(), cut.results[0].type.static)


def _convolution(b: XnnBuilder, core: Op, factors: Array) -> Value | None:
    """A convolution or layer: the factors are the scales of its weights."""
    constants = [value.constant for value in core.operands[1:]]
    if core.operands[0].type.dtype is not DType.I8 or any(values is None for values in constants):
        return None
    weight, bias, zero, weight_zero = (np.asarray(values) for values in constants)
    if weight_zero.any():
        return None
    channels = core.results[0].type.static[3]
    scales = np.broadcast_to(factors, (channels,))
    axis = 3 if core.row is ops.DEPTHWISE_CONV2D else 0
    added = _scaled(b, np.broadcast_to(bias, (channels,)), scales, 0) if bias.any() else None
    x = read(b, core.operands[0], int(zero.reshape(-1)[0]))
    return convolution(b, core, x, _scaled(b, weight, scales, axis), added)


def _mean(b: XnnBuilder, core: Op, factors: Array, zero_point: int) -> Value | None:
    """A sum over images: DepthwiseConv2d of ones that are as large as these."""
    shape, axes = core.results[0].type.static, set()
    if core.row is ops.RESHAPE:
        core = _maker(core) or core
    while core.row is ops.REDUCE_SUM:
        axes.add(core.attributes["axis"])
        core = _maker(core) or core
    term = _term(b, core.results[0])
    if term is None or term.factor != 1 or term.value.type.rank != 4 or not axes or not axes <= {1, 2}:
        return None
    n, height, width, channels = term.value.type.static
    if factors.size not in (1, channels):
        return None
    kernel = height if 1 in axes else 1, width if 2 in axes else 1
    ones = _scaled(b, np.ones((1, *kernel, channels), np.int8), np.broadcast_to(factors, (channels,)), 3)
    made = n, height + 1 - kernel[0], width + 1 - kernel[1], channels
    spans = fields(kernel, (1, 1), (1, 1), (0, 0, 0, 0), (channels, 1, 1))
    y = b.op("depthwise_conv_2d", [read(b, term.value, term.zero_point), ones, None], made, **spans)
    return b.reshape(labelled(y, label(zero_point)), shape)


def _prelu(b: XnnBuilder, real: Value, zero_point: int) -> Value | None:
    """PReLU: bytes times a factor, or below 0 their products with slopes times another."""
    select = real.producer
    if select is None or select.row is not ops.SELECT:
        return None
    condition, below, above = (value.producer for value in select.operands)
    under, over = _factored(below), _factored(above)
    product = under[0].producer if under is not None else None
    if under is None or over is None or product is None or product.row is not ops.MUL:
        return None
    if condition is None or condition.row is not ops.GREATER or min(under[1], over[1]) < SMALLEST:
        return None
    if max(under[1], over[1]) >= LARGEST:
        return None
    wide = over[0]
    zero = condition.operands[0].constant
    if condition.operands[1] is not wide or product.operands[0] is not wide or zero is None or zero.any():
        return None
    x, slope = (_term(b, value) or _known(b, value, 1, 1) for value in product.operands[:2])
    near = np.float32(under[1] / over[1])
    scales = (near, np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(np.inf)))
    scale = next((scale for scale in scales if np.float32(over[1]) * scale == under[1]), None)
    if x is None or slope is None or scale is None or x.factor != 1 or slope.factor != 1:
        return None
    operands = [read(b, x.value, x.zero_point, over[1]), read(b, slope.value, slope.zero_point, float(scale))]
    return labelled(b.op("prelu", operands), label(zero_point))


def _factored(op: Op | None) -> tuple[Value, float] | None:
    """Integers and the factor that they are multiplied by as floats."""
    cast = op.operands[0].producer if op is not None and op.row is ops.MUL else None
    factor = op.operands[1].constant if op is not None and cast is not None and cast.row is ops.CAST else None
    return (
        None if cast is None or factor is None or factor.size != 1 else (cast.operands[0], float(factor.reshape(-1)[0]))
    )


def _maker(op: Op) -> Op | None:
    return op.operands[0].producer


def _product(b: XnnBuilder, core: Op, factor: float) -> Value | None:
    """Multiply: the factor is the scale of one operand."""
    terms = [_term(b, value) or _known(b, value, 1, 1) for value in core.operands[:2]]
    found = [term for term in terms if term is not None and term.factor == 1]
    if len(found) < 2 or factor < SMALLEST_PRODUCT:
        return None
    first, second = sorted(found, key=lambda term: term.value.constant is None)
    return b.op("multiply", [read(b, first.value, first.zero_point, factor), read(b, second.value, second.zero_point)])


def _scaled(b: XnnBuilder, array: Array, scales: Array, axis: int) -> Value:
    """A constant with a scale for each channel."""
    dtype = DType.I8 if array.dtype == np.int8 else DType.I32
    quant = Quant(tuple(map(float, scales)), (0,) * scales.size, axis)
    return b.with_quant(np.ascontiguousarray(array), TensorType(dtype, array.shape, quant))


def _average(b: XnnBuilder, op: Op) -> Value | None:
    """AVG_POOL2D of bytes, to the nearest integer and away from 0: DepthwiseConv2d of ones."""
    x, kernel, zeros = op.operands[0], op.attributes["kernel"], [zero.constant for zero in op.operands[1:]]
    channels, count = x.type.static[3], math.prod(kernel)
    if x.type.dtype is not DType.I8 or any(op.attributes["pad"]) or count > MOST_AVERAGED:
        return None
    if zeros[0] is None or zeros[1] is None:
        return None
    given, made = (int(zero.reshape(-1)[0]) for zero in zeros if zero is not None)
    if count % 2 and given == made and x.type.quant is not None:  # never in the middle
        given = made = x.type.quant.zero_point[0]
    scales = np.full(channels, np.float32(AWAY / count), np.float32)
    ones = _scaled(b, np.ones((1, *kernel, channels), np.int8), scales, 3)
    spans = fields(kernel, op.attributes["stride"], (1, 1), (0, 0, 0, 0), (channels, 1, 1))
    y = b.op("depthwise_conv_2d", [read(b, x, given), ones, None], op.results[0].type.static, **spans)
    return labelled(y, label(made))


# ** sums **


class _Term(NamedTuple):
    """Bytes times a whole number."""

    value: Value
    zero_point: int
    factor: int


def _sum(b: XnnBuilder, x: Value, scale: Scale) -> Value | None:
    """Add or Subtract: bytes times whole multipliers."""
    core, shift = x.producer, int(scale.shift.reshape(-1)[0]) - UNIT_BITS
    if core is None or core.row not in (ops.ADD, ops.SUB) or scale.multiplier.tolist() != [1 << UNIT_BITS]:
        return None
    first, second = (_term(b, value) for value in core.operands)
    known = first or second
    if known is None:
        return None
    least = 1 if known.factor >> SUM_BITS else 1 << SUM_BITS  # one of both has so many digits
    first = first or _known(b, core.operands[0], least, (2 << SUM_BITS) - 1)
    second = second or _known(b, core.operands[1], least, (2 << SUM_BITS) - 1)
    if first is None or second is None or max(first.factor, second.factor) >> SUM_BITS != 1:
        return None
    ratios = [term.factor * 2.0**-shift for term in (first, second)]
    if not RATIOS[0] <= min(ratios) <= max(ratios) < RATIOS[1]:
        return None
    terms = [read(b, term.value, term.zero_point, ratio) for term, ratio in zip((first, second), ratios, strict=True)]
    name = "add" if core.row is ops.ADD else "subtract"
    return labelled(b.op(name, terms), label(scale.output_zp))


def _term(b: XnnBuilder, value: Value) -> _Term | None:
    """Bytes times a whole number, or those in another shape."""
    op = value.producer
    if op is not None and op.row is ops.RESHAPE:
        before = _term(b, op.operands[0])
        return None if before is None else before._replace(value=b.reshape(before.value, value.type.static))
    scale = scale_from(op) if op is not None and op.row is ops.RESCALE else None
    if op is None or scale is None or op.operands[0].type.dtype is not DType.I8 or scale.multiplier.size > 1:
        return None
    if scale.output_zp or any(scale.unsigned):
        return None
    factor = int(scale.multiplier.reshape(-1)[0]) / (1 << int(scale.shift.reshape(-1)[0]))
    return None if factor % 1 or factor < 1 else _Term(op.operands[0], scale.input_zp, int(factor))


def _known(b: XnnBuilder, value: Value, least: int, most: int) -> _Term | None:
    """A constant as bytes times a number in a range."""
    array = value.constant
    if array is None or not array.any():
        return None
    wide = array.astype(np.int64)
    common = int(np.gcd.reduce(wide.reshape(-1)))
    for factor in (common // part for part in range(1, 256) if common % part == 0):
        levels = wide // factor
        zero_point = int(np.clip(-128 - levels.min(), -128, 127))
        if least <= factor <= most and levels.min() + zero_point >= -128 and levels.max() + zero_point <= 127:
            return _Term(b.const((levels + zero_point).astype(np.int8), DType.I8), zero_point, factor)
    return None


# ** softmax **


def _softmax_of(root: Op, lowering: Sequence[Pass]) -> Guess | None:
    """The SOFTMAX of bytes that an operator is the last of, in LiteRT's fixed point."""
    if root.row is not ops.RESCALE or root.results[0].type.dtype is not DType.I8:
        return None
    return next((guess for guess in guesses(root) if guess.name == "softmax" and confirmed(guess, lowering)), None)


def _softmax(b: XnnBuilder, guess: Guess) -> Value:
    """Softmax of floats, at most one step off: XNNPACK has none of bytes."""
    assert guess.given is not None
    given = guess.operand.type.quant or label(0)
    real = b.op("convert", [guess.operand], dtype=DType.FP32)
    real = b.mul(real, b.scalar(guess.given.scale[0] / given.scale[0], real))
    return labelled(b.op("convert", [b.op("softmax", [real])], dtype=DType.I8), SOFTMAX_QUANT)


# ** integers in floats **


def _cast(b: XnnBuilder, op: Op) -> Value | None:
    """CAST of integers that floats hold, and of floats to bytes."""
    x, dtype = op.operands[0], op.results[0].type.dtype
    if dtype is DType.I8 and x.type.dtype is DType.FP32:
        return labelled(b.op("convert", [x], dtype=DType.I8), label(0))
    if dtype is not DType.FP32 or x.type.dtype not in (DType.I8, DType.I32):
        return None
    held = _bytes(b, x, 0) if x.type.dtype is DType.I8 else _held(b, x, {})
    return None if held is None or held.peak > EXACT else held.value


def _bytes(b: XnnBuilder, x: Value, zero_point: int) -> Held:
    """Bytes less a zero point."""
    low, high = DType.I8.limits
    value = b.op("convert", [read(b, x, zero_point)], dtype=DType.FP32)
    return Held(value, max(high - zero_point, zero_point - low))


def _held(b: XnnBuilder, x: Value, known: dict[Value, Held | None]) -> Held | None:
    """Integers in floats, as far as these hold them and what they are made of."""
    if x not in known:
        known[x] = _hold(b, x, known)
    found = known[x]
    return found if found is not None and found.peak <= EXACT else None


def _hold(b: XnnBuilder, x: Value, known: dict[Value, Held | None]) -> Held | None:
    if x.constant is not None:
        real = b.const(x.constant.astype(np.float32), DType.FP32)
        return Held(real, float(np.abs(x.constant.astype(np.int64)).max(initial=0)))
    op = x.producer
    if op is None or x.type.dtype is not DType.I32:
        return None
    if op.row in (ops.RESCALE, ops.CAST):
        return _widened(b, op)
    operands = [_held(b, value, known) for value in op.operands[: 2 if op.row in _PEAKS else 1]]
    if (op.row not in _PEAKS and op.row not in _ALIKE) or any(held is None for held in operands):
        return None
    if op.row is ops.MUL and (op.operands[2].constant is None or op.operands[2].constant.any()):
        return None
    found = [held for held in operands if held is not None]
    peak = _PEAKS[op.row](*(held.peak for held in found)) if op.row in _PEAKS else found[0].peak
    if op.row is ops.REDUCE_SUM:
        peak *= op.operands[0].type.static[op.attributes["axis"]]
    rest = op.operands[len(found) :]
    assert op.row is not None
    return Held(b.emit(op.row, *(held.value for held in found), *rest, **op.attributes), peak)


def _widened(b: XnnBuilder, op: Op) -> Held | None:
    """Bytes less their zero point."""
    if op.operands[0].type.dtype is not DType.I8:
        return None
    if op.row is ops.CAST:
        return _bytes(b, op.operands[0], 0)
    term = _term(b, op.results[0])
    return None if term is None or term.factor != 1 else _bytes(b, term.value, term.zero_point)


_PEAKS: dict[object, Callable[[float, float], float]] = {
    ops.ADD: lambda a, b: a + b,
    ops.SUB: lambda a, b: a + b,
    ops.MUL: lambda a, b: a * b,
    ops.MAXIMUM: max,
    ops.MINIMUM: max,
}
_ALIKE = frozenset({ops.RESHAPE, ops.TRANSPOSE, ops.SLICE, ops.REDUCE_SUM, ops.REDUCE_MAX, ops.REDUCE_MIN})


def _table(b: XnnBuilder, op: Op) -> Value | None:
    """TABLE: a node that has these results."""
    table, x = op.operands[1].constant, op.operands[0]
    if table is None or x.type.dtype is not DType.I8:
        return None
    return looked_up(b, x, table)


_RULES: dict[object, Callable[[XnnBuilder, Op], Value | None]] = {
    ops.RESCALE: _rescale,
    ops.CAST: _cast,
    ops.RESHAPE: quotient,
    ops.TABLE: _table,
    ops.AVG_POOL2D: _average,
}
