"""From TOSA to TOSA with fewer operators: patterns of an operator and of those that make its operands.

Every pattern is exact: integers bit for bit, and floats without a rounding that is gone or added. What is read
elsewhere too stays where it is. In the end what is computed twice is left once, and what nobody reads is dropped.

Not among them, as they aren't exact: MUL behind a convolution of floats, ADD behind one with a bias, and PAD in front
of AVG_POOL2D, which doesn't count its own padding.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import BrokenPassError, VerifyError
from tosa_converter.ir import Array, Graph, Model, Op, Value, moved_borders
from tosa_converter.ir.edit import inherit_name, live_ops, place_constants
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.driver import settled
from tosa_converter.rewriting.passes.common_subexpressions import repeats
from tosa_converter.rewriting.passes.reshape_propagation import laid_out
from tosa_converter.rewriting.pipeline import stop_at
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.inference import Forms
from tosa_converter.rules.operator import operator_problems
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import LEVEL_8K


class Site:
    """Where patterns stand: what builds their results, and by how many operands and outputs each value is read."""

    def __init__(self, builder: Builder, uses: Counter[Value | None], patterns: "Patterns | None" = None) -> None:
        self.builder = builder
        self.uses = uses
        self.patterns = BY_ROOT if patterns is None else patterns

    def replaced(self, op: Op) -> Value | None:
        """What takes the place of an operator's result; patterns are tried again on what they made."""
        ops = self.builder.graph.ops
        mark = len(ops)
        value = _first(op, self)
        if value is None:
            return None
        self.uses.subtract(op.inputs)
        for made in ops[mark:]:
            self.uses.update(made.inputs)
        if len(ops) == mark or value.producer is not ops[-1] or ops[-1].row not in self.patterns:
            return value
        last = ops.pop()
        further = self.replaced(last)
        if further is None:
            ops.append(last)
        return value if further is None else further


Build = Callable[[Op, Site], Value | None]


class Pattern(NamedTuple):
    """An operator `root` and what replaces its result; `build` gives None where the pattern isn't there."""

    root: OpDef
    build: Build


def made_by(value: Value, row: OpDef) -> Op | None:
    """The operator of this row that makes a value."""
    op = value.producer
    return op if op is not None and op.row is row else None


def integers(value: Value) -> list[int] | None:
    """The elements of a constant."""
    values = value.constant
    return None if values is None else values.reshape(-1).tolist()


def pairs(flat: Sequence[int]) -> list[tuple[int, int]]:
    """Amounts of padding, before and behind each dimension."""
    return list(zip(flat[::2], flat[1::2], strict=True))


def reshaped(site: Site, x: Value, shape: Sequence[int]) -> Value:
    """`x` in another shape, past a RESHAPE that makes it."""
    inner = made_by(x, ops.RESHAPE)
    return site.builder.reshape(x if inner is None else inner.operands[0], shape)


# ** layout **


def reshape_of_reshape(op: Op, site: Site) -> Value | None:
    """RESHAPE(RESHAPE(x)) -> RESHAPE(x); where x has that shape: x."""
    x = op.operands[0]
    if made_by(x, ops.RESHAPE) is None and x.type.shape != op.result.type.shape:
        return None
    return reshaped(site, x, op.result.type.static)


def transpose_of_transpose(op: Op, site: Site) -> Value | None:
    """TRANSPOSE(TRANSPOSE(x)) -> TRANSPOSE(x) by both permutations; where they cancel out: x."""
    x, perms = op.operands[0], op.attributes["perms"]
    inner = made_by(x, ops.TRANSPOSE)
    if inner is not None:
        first = inner.attributes["perms"]
        return site.builder.transpose(inner.operands[0], [first[axis] for axis in perms])
    return x if list(perms) == list(range(len(perms))) else None


def transpose_of_ones(op: Op, site: Site) -> Value | None:
    """TRANSPOSE(x) -> RESHAPE(x) where only dimensions of size 1 change places."""
    x = op.operands[0]
    moving = [axis for axis in op.attributes["perms"] if x.type.shape[axis] != 1]
    return reshaped(site, x, op.result.type.static) if moving == sorted(moving) else None


def transpose_between_reshapes(op: Op, site: Site) -> Value | None:
    """RESHAPE(TRANSPOSE(RESHAPE(x))) with one RESHAPE less, where that only adds or takes off dimensions of size 1."""
    turn = made_by(op.operands[0], ops.TRANSPOSE)
    first = None if turn is None else made_by(turn.operands[0], ops.RESHAPE)
    if turn is None or first is None or site.uses[turn.result] != 1 or site.uses[first.result] != 1:
        return None
    x, shape, middle = first.operands[0], op.result.type.static, first.result.type.static
    order = [axis for axis in turn.attributes["perms"] if middle[axis] != 1]
    before = _where_long(x.type.static)
    if [x.type.shape[axis] for axis in before] == [middle[axis] for axis in sorted(order)]:
        moved = [before[sorted(order).index(axis)] for axis in order]
        ones = [axis for axis in range(x.type.rank) if axis not in before]
        return site.builder.reshape(site.builder.transpose(x, ones + moved), shape)
    behind = _where_long(shape)
    if [shape[axis] for axis in behind] != [middle[axis] for axis in order]:
        return None
    ones = [axis for axis in range(len(shape)) if axis not in behind]
    places = ones + [behind[order.index(axis)] for axis in sorted(order)]
    turned = site.builder.reshape(x, [shape[axis] for axis in places])
    return site.builder.transpose(turned, [places.index(axis) for axis in range(len(shape))])


def _where_long(shape: Sequence[int]) -> list[int]:
    """The axes that aren't of size 1."""
    return [axis for axis, size in enumerate(shape) if size != 1]


def slice_of_all(op: Op, _: Site) -> Value | None:
    """SLICE(x) of everything -> x."""
    x = op.operands[0]
    return x if x.type.shape == op.result.type.shape else None


def slice_of_slice(op: Op, site: Site) -> Value | None:
    """SLICE(SLICE(x)) -> SLICE(x)."""
    inner, start = made_by(op.operands[0], ops.SLICE), integers(op.operands[1])
    if inner is None or start is None:
        return None
    first = integers(inner.operands[1])
    if first is None:
        return None
    return site.builder.slice(inner.operands[0], np.add(first, start).tolist(), op.result.type.static)


def slice_of_pad(op: Op, site: Site) -> Value | None:
    """SLICE(PAD(x)) -> PAD(x) by less, where nothing of x is cut off."""
    inner, start = made_by(op.operands[0], ops.PAD), integers(op.operands[1])
    if inner is None or start is None:
        return None
    x, amounts, value = inner.operands
    flat = integers(amounts)
    if flat is None:
        return None
    less = [
        (before - begin, begin + size - before - have)
        for (before, _), begin, size, have in zip(pairs(flat), start, op.result.type.static, x.type.static, strict=True)
    ]
    return padded(site, x, less, value) if min(map(min, less), default=0) >= 0 else None


def slice_of_concat(op: Op, site: Site) -> Value | None:
    """SLICE(CONCAT(.., x, ..)) -> SLICE(x), where it lies inside of x."""
    inner, start = made_by(op.operands[0], ops.CONCAT), integers(op.operands[1])
    if inner is None or start is None:
        return None
    axis, begin = inner.attributes["axis"], start[inner.attributes["axis"]]
    size = op.result.type.static[axis]
    for part in inner.operands:
        length = part.type.static[axis]
        if begin >= 0 and begin + size <= length:
            return site.builder.slice(part, [*start[:axis], begin, *start[axis + 1 :]], op.result.type.static)
        begin -= length
    return None


def pad_of_pad(op: Op, site: Site) -> Value | None:
    """PAD(PAD(x)) -> PAD(x) by both, where they pad with the same element; PAD(x) by nothing -> x."""
    x, amounts, value = op.operands
    flat, inner = integers(amounts), made_by(op.operands[0], ops.PAD)
    if flat is None:
        return None
    if not any(flat):
        return x
    first = None if inner is None else integers(inner.operands[1])
    if inner is None or first is None or not same_bits(value, inner.operands[2]):
        return None
    return padded(site, inner.operands[0], pairs(np.add(first, flat).tolist()), value)


def padded(site: Site, x: Value, amounts: Sequence[tuple[int, int]], value: Value) -> Value:
    """PAD with the constant operand of another PAD."""
    if not any(map(any, amounts)):
        return x
    return site.builder.emit(ops.PAD, x, site.builder.shape([n for pair in amounts for n in pair]), value)


def same_bits(a: Value, b: Value) -> bool:
    """Whether two operands are the same, or constants of the same elements."""
    if a is b:
        return True
    left, right = a.constant, b.constant
    return left is not None and right is not None and a.type == b.type and left.tobytes() == right.tobytes()


def concat_of_concats(op: Op, site: Site) -> Value | None:
    """CONCAT(CONCAT(a, b), c) -> CONCAT(a, b, c) along one axis; CONCAT(x) -> x."""
    if len(op.operands) == 1:
        return op.operands[0]
    axis = op.attributes["axis"]
    parts: list[Value] = []
    for value in op.operands:
        inner = made_by(value, ops.CONCAT)
        opened = inner is not None and inner.attributes["axis"] == axis and site.uses[value] == 1
        parts += inner.operands if inner is not None and opened else (value,)
    if not len(op.operands) < len(parts) <= LEVEL_8K.MAX_TENSOR_LIST_SIZE:
        return None
    return site.builder.emit(ops.CONCAT, *parts, axis=axis)


def tile_of_tile(op: Op, site: Site) -> Value | None:
    """TILE(TILE(x)) -> TILE(x) by the products; TILE(x) by ones -> x."""
    x, multiples = op.operands[0], integers(op.operands[1])
    if x.type.shape == op.result.type.shape:
        return x
    inner = made_by(x, ops.TILE)
    first = None if inner is None else integers(inner.operands[1])
    if inner is None or first is None or multiples is None:
        return None
    return site.builder.tile(inner.operands[0], np.multiply(first, multiples).tolist())


def reverse_of_one(op: Op, _: Site) -> Value | None:
    """REVERSE(x) along a dimension of size 1 -> x."""
    x = op.operands[0]
    return x if x.type.shape[op.attributes["axis"]] == 1 else None


# ** elementwise **


def undone(op: Op, _: Site) -> Value | None:
    """f(f(x)) -> x for what is its own inverse: REVERSE, BITWISE_NOT, LOGICAL_NOT, BITWISE_XOR with one constant."""
    inner = op.operands[0].producer
    if inner is None or inner.row is not op.row or inner.attributes != op.attributes:
        return None
    x, *others = inner.operands
    same = all(map(same_bits, others, op.operands[1:])) and x.type == op.result.type
    return x if same and all(value.constant is not None for value in others) else None


def minus_negative(op: Op, site: Site) -> Value | None:
    """ADD(a, NEGATE(b)) -> SUB(a, b) and SUB(a, NEGATE(b)) -> ADD(a, b) of floats, also with MUL(NEGATE(b), c)."""
    if not op.result.type.dtype.is_float:
        return None
    other = ops.SUB if op.row is ops.ADD else ops.ADD
    for a, b in (op.operands, op.operands[::-1]) if op.row is ops.ADD else (op.operands,):
        positive = _negated(b, site) if site.uses[b] == 1 else None
        if positive is not None:
            return site.builder.emit(other, a, positive)
    return None


def _negated(value: Value, site: Site) -> Value | None:
    """What has the other sign, where an operator less makes it; the sign of a product is exact."""
    op = value.producer
    if op is None or op.row not in (ops.NEGATE, ops.MUL):
        return None
    if op.row is ops.NEGATE:
        return op.operands[0]
    a, b, shift = op.operands
    for factor, other in ((a, b), (b, a)):
        inner = made_by(factor, ops.NEGATE)
        if inner is not None and site.uses[factor] == 1:
            return site.builder.emit(ops.MUL, inner.operands[0], other, shift)
    return None


# Casts that lose nothing, so that the way back gives the same bits.
WIDER: dict[DType, tuple[DType, ...]] = {
    DType.BOOL: (DType.I8, DType.I16, DType.I32),
    DType.I8: (DType.I16, DType.I32),
    DType.I16: (DType.I32,),
}


def cast_back(op: Op, _: Site) -> Value | None:
    """CAST(CAST(x)) -> x where the first gives every element a place of its own, and the second takes it back."""
    inner = made_by(op.operands[0], ops.CAST)
    if inner is None or op.operands[0].type.dtype not in WIDER.get(inner.operands[0].type.dtype, ()):
        return None
    return inner.operands[0] if inner.operands[0].type == op.result.type else None


def clamp_of_clamp(op: Op, site: Site) -> Value | None:
    """CLAMP(CLAMP(x)) -> CLAMP(x) by both, where they treat a NaN alike; CLAMP(x) by all of i8 or i16 -> x."""
    x, low, high = op.operands[0], op.attributes["min_val"], op.attributes["max_val"]
    dtype = x.type.dtype
    if dtype.is_integer and (low, high) == (-(1 << dtype.bits - 1), (1 << dtype.bits - 1) - 1):
        return x
    inner = made_by(x, ops.CLAMP)
    if inner is None or inner.attributes["nan_mode"] != op.attributes["nan_mode"]:
        return None
    first, last = (min(max(inner.attributes[name], low), high) for name in ("min_val", "max_val"))
    return site.builder.emit(
        ops.CLAMP, inner.operands[0], min_val=first, max_val=last, nan_mode=op.attributes["nan_mode"]
    )


def widening(op: Op) -> tuple[Value, int] | None:
    """The operand and the zero point of a RESCALE to i32 by the factor 1, which loses nothing."""
    if op.operands[0].type.dtype is not DType.I8 or op.result.type.dtype is not DType.I32:
        return None
    x, *factors, zero_in, zero_out = op.operands
    multiplier, shift = map(integers, factors)
    if multiplier is None or shift is None or len(shift) > 1 or multiplier[0] != 1 << shift[0]:
        return None
    zero = integers(zero_in)
    if op.attributes["input_unsigned"] or zero is None or integers(zero_out) != [0]:
        return None
    return x, zero[0]


def rescale_of_widened(op: Op, site: Site) -> Value | None:
    """RESCALE(RESCALE(x)) of i8 by way of i32 -> RESCALE(x), where the first only takes the zero point off."""
    inner = made_by(op.operands[0], ops.RESCALE)
    found = None if inner is None else widening(inner)
    if found is None:
        return None
    _, multiplier, shift, zero, out = op.operands
    if integers(zero) != [0] or op.attributes["input_unsigned"]:
        return None
    x, zero_point = found
    return site.builder.emit(
        ops.RESCALE,
        x,
        multiplier,
        shift,
        site.builder.zero_point(zero_point, DType.I8),
        out,
        dtype=op.result.type.dtype,
        **op.attributes,
    )


def rescale_by_one(op: Op, _: Site) -> Value | None:
    """RESCALE(x) by the factor 1 from a zero point to the same, in one type -> x."""
    x, *parameters = op.operands
    if x.type != op.result.type or op.attributes["input_unsigned"] != op.attributes["output_unsigned"]:
        return None
    multiplier, shift, zero, out = map(integers, parameters)
    if zero is None or zero != out or multiplier is None or shift is None:
        return None
    return x if all(m == 1 << s for m, s in zip(multiplier, shift, strict=True)) else None


# ** windows **


def pad_into_convolution(op: Op, site: Site) -> Value | None:
    """CONV2D(PAD(x)), or DEPTHWISE_CONV2D, -> CONV2D(x), where height and width are padded by the zero point.

    The operator passes over its own padding (2.3.3), where 0 times a weight that is no finite number is NaN.
    """
    x, weight, _, zero, _ = op.operands
    finite = weight.constant is not None and np.isfinite(weight.constant).all() if x.type.dtype.is_float else True
    return padded_window(op, site, zero.constant) if finite else None


def pad_into_max_pool(op: Op, site: Site) -> Value | None:
    """MAX_POOL2D(PAD(x)) of integers -> MAX_POOL2D(x), where the padding is the lowest element, which never wins."""
    dtype = op.operands[0].type.dtype
    lowest = np.array([-(1 << dtype.bits - 1)], dtype.numpy) if dtype.is_integer else None
    return padded_window(op, site, lowest)


def padded_window(op: Op, site: Site, element: Array | None) -> Value | None:
    """The operator with the amounts of a PAD with `element` added to its own, unless a limit is exceeded."""
    inner = made_by(op.operands[0], ops.PAD)
    if inner is None or element is None:
        return None
    x, amounts, padding = inner.operands
    flat, value = integers(amounts), padding.constant
    if flat is None or value is None or value.tobytes() != element.tobytes():
        return None
    batch0, batch1, *around, channel0, channel1 = flat
    total = tuple(np.add(op.attributes["pad"], around).tolist())
    below = np.repeat(op.attributes.get("kernel", (LEVEL_8K.MAX_KERNEL + 1,) * 2), 2)
    if batch0 or batch1 or channel0 or channel1 or (np.array(total) >= below).any():
        return None
    return again(op, site, x, pad=total)


def again(op: Op, site: Site, *leading: Value, **attributes: Any) -> Value:
    """The operator once more, with other leading operands and attributes."""
    inputs = (*leading, *op.inputs[len(leading) :])
    made = Op(op.row, inputs, [op.result.type], op.attributes | attributes, location=site.builder.location)
    site.builder.graph.ops.append(made)
    return made.result


def add_into_bias(op: Op, site: Site) -> Value | None:
    """ADD(CONV2D(x), c) of i32, or DEPTHWISE_CONV2D, -> CONV2D(x), c a part of the bias, in whatever order they come.

    Floats are left alone: (sum + bias) + c is rounded twice. So is what leaves i32 in a bias.
    """
    for sums, offset in (op.operands, op.operands[::-1]):
        inner = made_by(sums, ops.CONV2D) or made_by(sums, ops.DEPTHWISE_CONV2D)
        if inner is None or offset.constant is None or sums.type.dtype is not DType.I32 or site.uses[sums] != 1:
            continue
        bias, shape = inner.operands[2], offset.type.static
        if bias.constant is None or shape[:3] != (1, 1, 1) or sums.type != op.result.type:
            continue
        total = bias.constant.astype(np.int64) + offset.constant.reshape(-1)
        if np.array_equal(total, total.astype(np.int32)):
            x, weight = inner.operands[:2]
            return again(inner, site, x, weight, site.builder.const(total, DType.I32))
    return None


# ** the pass **

PATTERNS = (
    Pattern(ops.RESHAPE, reshape_of_reshape),
    Pattern(ops.RESHAPE, transpose_between_reshapes),
    Pattern(ops.TRANSPOSE, transpose_of_transpose),
    Pattern(ops.TRANSPOSE, transpose_of_ones),
    Pattern(ops.SLICE, slice_of_all),
    Pattern(ops.SLICE, slice_of_slice),
    Pattern(ops.SLICE, slice_of_pad),
    Pattern(ops.SLICE, slice_of_concat),
    Pattern(ops.PAD, pad_of_pad),
    Pattern(ops.CONCAT, concat_of_concats),
    Pattern(ops.TILE, tile_of_tile),
    Pattern(ops.REVERSE, reverse_of_one),
    *(Pattern(row, undone) for row in (ops.REVERSE, ops.BITWISE_NOT, ops.LOGICAL_NOT, ops.BITWISE_XOR)),
    Pattern(ops.ADD, minus_negative),
    Pattern(ops.SUB, minus_negative),
    Pattern(ops.CAST, cast_back),
    Pattern(ops.CLAMP, clamp_of_clamp),
    Pattern(ops.RESCALE, rescale_by_one),
    Pattern(ops.RESCALE, rescale_of_widened),
    Pattern(ops.CONV2D, pad_into_convolution),
    Pattern(ops.DEPTHWISE_CONV2D, pad_into_convolution),
    Pattern(ops.MAX_POOL2D, pad_into_max_pool),
    Pattern(ops.ADD, add_into_bias),
)
Patterns = dict[OpDef | None, list[Pattern]]
BY_ROOT: Patterns = {}
for _pattern in PATTERNS:
    BY_ROOT.setdefault(_pattern.root, []).append(_pattern)


def _first(op: Op, site: Site) -> Value | None:
    """The result of the first pattern that is there."""
    for pattern in site.patterns[op.row]:
        value = pattern.build(op, site)
        if value is not None:
            return value
    return None


class Simplify:
    """The patterns, or others, as a step of a pipeline, which changes the graphs in place."""

    def __init__(self, name: str = "simplify", patterns: Patterns = BY_ROOT) -> None:
        self.name = name
        self.patterns = patterns

    def run(self, model: Model, options: Options, _report: Report, /) -> Model:
        """One sweep over every graph; the operators that patterns made are verified.

        Raises:
            BrokenPassError: one of them is illegal.
        """
        moved: dict[Value, Value] = {}
        made: list[Op] = []
        preset = options.target and options.target.preset
        try:
            for graph in model.graphs.values():
                _sweep(graph, self.patterns, moved, made, preset.joins if preset else frozenset())
        except VerifyError as illegal:
            raise BrokenPassError(f"pass {self.name}", illegal.lines) from illegal
        legal: Forms[bool] = Forms()
        stop_at([problem for op in made for problem in operator_problems(op, LEVEL_8K, None, {}, legal)], self.name)
        for signature in model.signatures.values() if moved else ():
            signature.outputs.update((key, moved.get(value, value)) for key, value in signature.outputs.items())
        model.borders |= moved_borders(model.borders, moved)
        return model


def _sweep(graph: Graph, patterns: Patterns, moved: dict[Value, Value], made: list[Op], joins: frozenset[str]) -> None:
    """Simplify a graph; `moved` gets what outputs became, `made` the new operators; `joins` is for `repeats`."""
    before = graph.outputs
    made += laid_out(graph)
    uses = Counter(chain(graph.outputs, *[op.inputs for op in graph.ops]))
    new = Graph(graph.name, graph.inputs)
    site = Site(Builder(new), uses, patterns)
    replaced: dict[Value, Value] = {}
    for op in graph.ops:
        if replaced and not replaced.keys().isdisjoint(op.inputs):
            op.inputs = tuple([value and replaced.get(value, value) for value in op.inputs])
        for region in op.regions:
            _sweep(region, patterns, moved, made, joins)
        mark = len(new.ops)
        value = _replaced(op, site) if op.row in patterns else None
        if value is None:
            new.ops.append(op)
        else:
            replaced[op.result] = value
            made += new.ops[mark:]
    same = repeats(new, joins)
    if replaced or same:
        replaced = {value: same.get(other, other) for value, other in replaced.items()} | same
        _finish(graph, new, replaced, site.builder)
    if graph.outputs is not before:
        moved.update(zip(before, graph.outputs, strict=True))


def _replaced(op: Op, site: Site) -> Value | None:
    """A pattern's result under the operator's name, if it has none."""
    site.builder.location = op.location
    value = site.replaced(op)
    if value is not None:
        site.uses[value] += site.uses[op.result]
        inherit_name(value, op.result)
    return value


def _finish(graph: Graph, new: Graph, replaced: dict[Value, Value], builder: Builder) -> None:
    """Outputs keep their names, each on a tensor of its own; what nobody reads is dropped."""
    seen = {*graph.inputs, *(value for value in graph.outputs if value not in replaced)}
    new.outputs = [
        settled(replaced[value], value.name, builder, seen) if value in replaced else value for value in graph.outputs
    ]
    graph.outputs = new.outputs
    graph.ops = place_constants(new.outputs, live_ops(new))
