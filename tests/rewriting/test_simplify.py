"""Patterns from TOSA to TOSA: text before and after, equal results on both sides, and operators that must stay."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import golden
from support.expressions import apply
from support.legalizing import executed, reference_model
from support.sketch import Sketch

from tosa_converter.conversion import PASSES
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.operators import avg_pool2d, conv2d, max_pool2d, reduce
from tosa_converter.rewriting.passes.simplify import RULES
from tosa_converter.rewriting.reasons import Attempts
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import verify
from tosa_converter.schemas import tosa_ops as ops

GOLDEN = Path(__file__).parent / "golden"
I8, I32, FP32, BOOL = DType.I8, DType.I32, DType.FP32, DType.BOOL
Build = Callable[[], Graph]


def sketch_with_input(dtype: DType, *shape: int) -> tuple[Sketch, Value]:
    """Returns a sketch with one input."""
    sketch = Sketch(x=(dtype, shape))
    return sketch, sketch.graph.inputs[0]


def chain(dtype: DType, shape: tuple[int, ...], *steps: Callable[[Sketch, Value], Value]) -> Build:
    """Returns a function that builds a graph of these steps."""

    def build() -> Graph:
        sketch, value = sketch_with_input(dtype, *shape)
        for step in steps:
            value = step(sketch, value)
        return sketch.done(value)

    return build


def reshape(*shape: int) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: s.builder.emit(ops.RESHAPE, x, s.builder.shape(shape))


def transpose(*perms: int) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: s.builder.emit(ops.TRANSPOSE, x, perms=perms)


def cut(start: tuple[int, ...], size: tuple[int, ...]) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: s.builder.emit(ops.SLICE, x, s.builder.shape(start), s.builder.shape(size))


def pad(*amounts: int, value: float = 0) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: s.builder.emit(ops.PAD, x, s.builder.shape(amounts), s.const([value], x.type.dtype))


def tile(*multiples: int) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: s.builder.emit(ops.TILE, x, s.builder.shape(multiples))


def reverse(axis: int) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: apply(s.builder, Expr.reverse, x, axis)


def unary(row: ops.OpDef) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: s.builder.emit(row, x)


def flip(bits: int) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: s.builder.emit(ops.BITWISE_XOR, x, s.builder.scalar(bits, x))


def cast(dtype: DType) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: s.builder.emit(ops.CAST, x, dtype=dtype)


def clamp(low: float, high: float, nan_mode: str = "PROPAGATE") -> Callable[[Sketch, Value], Value]:
    return lambda s, x: s.builder.emit(ops.CLAMP, x, min_val=low, max_val=high, nan_mode=nan_mode)


def rescale(dtype: DType, multiplier: int, shift: int, **zero_points: Any) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: apply(s.builder, operators.rescale, x, dtype, [multiplier], [shift], **zero_points)


def conv(zero: int = 0, *, depthwise: bool = False, weight: float | None = None) -> Callable[[Sketch, Value], Value]:
    """Returns a step with a random convolution of 3 by 3."""

    def step(s: Sketch, x: Value) -> Value:
        depth = x.type.static[3]
        shape = (3, 3, depth, 1) if depthwise else (depth, 3, 3, depth)
        kernel = s.rng.integers(-9, 9, shape).astype(np.float64)
        kernel.flat[0] = kernel.flat[0] if weight is None else weight
        bias = s.const(s.rng.integers(-5, 5, depth), FP32 if x.type.dtype is FP32 else I32)
        weights = s.const(kernel, x.type.dtype)
        return apply(s.builder, conv2d, x, weights, bias, pad=(0, 1, 1, 0), input_zp=zero, depthwise=depthwise)

    return step


def max_pool(s: Sketch, x: Value) -> Value:
    return apply(s.builder, max_pool2d, x, kernel=(2, 2), stride=(1, 1), pad=(0, 0, 0, 0))


def plus(*values: int, first: bool = False) -> Callable[[Sketch, Value], Value]:
    def step(s: Sketch, x: Value) -> Value:
        offset = s.const(np.reshape(values, (1, 1, 1, -1)), x.type.dtype)
        return s.builder.emit(ops.ADD, *((offset, x) if first else (x, offset)))

    return step


def concats() -> Graph:
    s, x = sketch_with_input(I8, 2, 3)
    b = s.builder
    inner = b.emit(ops.CONCAT, x, b.emit(ops.BITWISE_NOT, x), axis=1)
    return s.done(b.emit(ops.CONCAT, inner, x, axis=1))


def part_of_a_concat() -> Graph:
    s, x = sketch_with_input(I8, 2, 3)
    joined = s.builder.emit(ops.CONCAT, x, s.builder.emit(ops.BITWISE_NOT, x), axis=1)
    return s.done(cut((1, 4), (1, 2))(s, joined))


def normalization() -> Graph:
    """Returns mean and square in rank 2 between operators of rank 4, as in a layer norm after a dense layer."""
    s, x = sketch_with_input(FP32, 1, 1, 1, 8)
    b = s.builder
    flat = reshape(1, 8)(s, x)
    mean = b.mul(apply(b, reduce, ops.REDUCE_SUM, flat, 1), s.const([[0.125]], FP32))
    centered = b.binary(ops.SUB, flat, mean)
    scaled = b.add(b.mul(centered, s.const(np.arange(8.0).reshape(1, 8), FP32)), centered)
    return s.done(reshape(1, 1, 1, 8)(s, clamp(0.0, 6.0)(s, scaled)))


def two_halves(
    *steps: Callable[[Sketch, Value], Value], other: Callable[[Sketch, Value], Value] | None = None
) -> Build:
    """Returns a function that builds a graph of two halves: equal steps on one input, of which the last may differ."""

    def build() -> Graph:
        s, x = sketch_with_input(FP32, 2, 3)
        halves = []
        for last in (steps[-1], other or steps[-1]):
            value = x
            for step in (*steps[:-1], last):
                value = step(s, value)
            halves.append(value)
        return s.done(s.builder.emit(ops.CONCAT, *halves, axis=0))

    return build


def multiply_by(*values: float) -> Callable[[Sketch, Value], Value]:
    """Multiplies by a constant of its own, as another builder would emit it."""
    return lambda s, x: s.builder.mul(x, Sketch().const(np.reshape(values, (1, -1)), FP32))


def custom(s: Sketch, x: Value) -> Value:
    attributes = {"operator_name": "f", "domain_name": "d", "implementation_attrs": b""}
    op = Op(ops.CUSTOM, [x], [x.type], attributes)
    s.graph.ops.append(op)
    return op.result


def negative(s: Sketch, x: Value) -> Value:
    return apply(s.builder, Expr.__neg__, x)


def with_input(build: Callable[[Sketch, Value, Value], Value]) -> Callable[[Sketch, Value], Value]:
    """Returns a step that reads the graph's input too."""
    return lambda s, value: build(s, s.graph.inputs[0], value)


def gelu(s: Sketch, x: Value) -> Value:
    half, whole = s.builder.scalar(0.5, x), s.builder.scalar(1, x)
    return s.builder.mul(s.builder.mul(x, half), s.builder.add(unary(ops.ERF)(s, x), whole))


def total(axis: int) -> Callable[[Sketch, Value], Value]:
    return lambda s, x: apply(s.builder, reduce, ops.REDUCE_SUM, x, axis)


def layer_norm(s: Sketch, x: Value) -> Value:
    """Builds a layer norm as exporters write it, with averages by pools; the input is [1,2,3,6]."""
    b, gamma = s.builder, s.const(np.arange(6).reshape(1, 1, 1, 6), FP32)

    def mean(y: Value) -> Value:
        pooled = apply(b, avg_pool2d, reshape(6, 6, 1, 1)(s, y), kernel=(6, 1), stride=(1, 1), pad=(0, 0, 0, 0))
        return reshape(1, 2, 3, 1)(s, pooled)

    middle = mean(x)
    centered = b.binary(ops.SUB, x, middle)
    inverse = unary(ops.RSQRT)(s, b.add(mean(b.mul(centered, centered)), b.scalar(0.1, x)))
    scaled = b.mul(inverse, gamma)
    return b.add(b.mul(x, scaled), b.mul(negative(s, middle), scaled))


def scaled_and_read_as_it_is(s: Sketch, x: Value) -> Value:
    flat = reshape(2, 12)(s, x)
    squared = s.builder.mul(flat, flat)
    powers = reshape(2, 3, 4)(s, unary(ops.EXP)(s, squared))
    return s.builder.emit(ops.CONCAT, powers, reshape(2, 3, 4)(s, reverse(0)(s, squared)), axis=0)


def by_its_sums(s: Sketch, x: Value) -> Value:
    """Multiplies rows by the exponentials of their sums, which are a list in between."""
    rows = reshape(1, 6, 4)(s, x)
    powers = unary(ops.EXP)(s, reshape(6)(s, total(2)(s, rows)))
    return reshape(6, 1, 1, 4)(s, s.builder.mul(rows, reshape(1, 6, 1)(s, powers)))


def channels(s: Sketch, x: Value) -> Value:
    """Returns a RESCALE with a factor for each element of the last dimension."""
    count = x.type.static[-1]
    return apply(s.builder, operators.rescale, x, I8, [(1 << 30) + (i << 24) for i in range(count)], [31] * count)


IMAGE = (1, 5, 4, 3)
AROUND = (0, 0, 1, 2, 0, 1, 0, 0)
CASES: dict[str, Build] = {
    "reshape_of_reshape": chain(I8, (2, 6), reshape(3, 4), reshape(12)),
    "reshape_back": chain(I8, (2, 6), unary(ops.BITWISE_NOT), reshape(3, 4), reshape(2, 6)),
    "transpose_of_transpose": chain(I8, (2, 3, 4), transpose(1, 2, 0), transpose(0, 2, 1)),
    "transpose_back": chain(I8, (2, 3, 4), reverse(0), transpose(1, 2, 0), transpose(2, 0, 1)),
    "transpose_of_ones": chain(I8, (1, 3, 1, 4), transpose(1, 0, 3, 2), reshape(12)),
    "transpose_by_nothing": chain(I8, (2, 3), reverse(0), transpose(0, 1)),
    "slice_of_all": chain(I8, (2, 3), reverse(0), cut((0, 0), (2, 3))),
    "slice_of_slice": chain(I8, (5, 6), cut((1, 2), (4, 4)), cut((1, 0), (2, 3))),
    "slice_of_pad": chain(I8, (2, 3), pad(2, 1, 0, 3, value=7), cut((1, 0), (3, 5))),
    "slice_takes_a_pad_off": chain(I8, (2, 3), reverse(0), pad(2, 1, 0, 3), cut((2, 0), (2, 3))),
    "slice_of_concat": part_of_a_concat,
    "pad_of_pad": chain(I8, (2, 3), pad(1, 0, 0, 2, value=5), pad(0, 3, 1, 0, value=5)),
    "pad_by_nothing": chain(I8, (2, 3), reverse(0), pad(0, 0, 0, 0)),
    "concat_of_concats": concats,
    "concat_of_one": chain(I8, (2, 3), reverse(0), lambda s, x: s.builder.emit(ops.CONCAT, x, axis=1)),
    "tile_of_tile": chain(I8, (2, 3), tile(2, 1), tile(1, 3)),
    "tile_by_ones": chain(I8, (2, 3), reverse(0), tile(1, 1)),
    "reverse_of_one": chain(I8, (1, 3), reverse(1), reverse(0)),
    "reverse_undone": chain(I8, (2, 3), unary(ops.BITWISE_NOT), reverse(1), reverse(1)),
    "not_undone": chain(I8, (2, 3), reverse(0), unary(ops.BITWISE_NOT), unary(ops.BITWISE_NOT)),
    "logical_not_undone": chain(BOOL, (2, 3), reverse(0), unary(ops.LOGICAL_NOT), unary(ops.LOGICAL_NOT)),
    "xor_undone": chain(I8, (2, 3), reverse(0), flip(-128), flip(-128)),
    "cast_back": chain(I8, (2, 3), reverse(0), cast(I32), cast(I8)),
    "cast_of_bool_back": chain(BOOL, (2, 3), reverse(0), cast(I8), cast(BOOL)),
    "clamp_of_clamp": chain(FP32, (2, 3), clamp(-1.0, 6.0), clamp(0.0, 8.0)),
    "clamps_that_are_apart": chain(I8, (2, 3), clamp(-100, -50), clamp(10, 20)),
    "clamp_by_all": chain(I8, (2, 3), reverse(0), clamp(-128, 127)),
    "rescale_by_one": chain(I8, (2, 3), reverse(0), rescale(I8, 1 << 30, 30, input_zp=3, output_zp=3)),
    "rescale_of_widened": chain(
        I8, (2, 3), rescale(I32, 1 << 30, 30, input_zp=5), rescale(I8, 1518500250, 31, output_zp=-7)
    ),
    "pad_into_conv2d": chain(I8, IMAGE, pad(*AROUND, value=-3), conv(-3)),
    "pad_into_conv2d_of_floats": chain(FP32, IMAGE, pad(*AROUND), conv()),
    "pad_into_depthwise_conv2d": chain(I8, IMAGE, pad(*AROUND, value=4), conv(4, depthwise=True)),
    "slice_pad_into_conv2d": chain(I8, IMAGE, pad(0, 0, 1, 3, 1, 1, 0, 0), cut((0, 0, 0, 0), (1, 8, 6, 3)), conv()),
    "pad_into_max_pool": chain(I8, IMAGE, pad(0, 0, 1, 0, 1, 1, 0, 0, value=-128), max_pool),
    "add_into_bias": chain(I8, IMAGE, conv(1), plus(100, -200, 300)),
    "add_into_depthwise_bias": chain(I8, IMAGE, conv(1, depthwise=True), plus(77, first=True)),
    "reshapes_around": normalization,
    "reshapes_around_an_island": chain(FP32, (6, 1, 1, 4), reshape(2, 3, 4), gelu, total(2), reshape(6, 1, 1, 1)),
    "reshapes_around_two_islands": chain(FP32, (6, 1, 1, 4), by_its_sums),
    "reshapes_around_many": chain(FP32, (1, 1, 1, 8), reshape(1, 8), *[unary(ops.ABS)] * 70, reshape(1, 1, 1, 8)),
    "reshapes_around_channels": chain(I8, (6, 1, 1, 4), reshape(2, 3, 4), channels, reshape(6, 1, 1, 4)),
    "reshape_at_one_reader": chain(FP32, (2, 3, 4), scaled_and_read_as_it_is),
    "layer_norm": chain(FP32, (1, 2, 3, 6), layer_norm),
    "transpose_of_heads": chain(I8, (6, 1, 1, 4), reshape(1, 6, 2, 2), transpose(0, 2, 3, 1), reshape(2, 2, 6)),
    "transpose_to_heads": chain(I8, (2, 6, 2), reshape(1, 2, 6, 2), transpose(0, 2, 1, 3), reshape(6, 1, 1, 4)),
    "plus_negative": chain(FP32, (2, 3), negative, with_input(lambda s, x, y: s.builder.add(y, x))),
    "minus_negative": chain(FP32, (2, 3), negative, with_input(lambda s, x, y: s.builder.binary(ops.SUB, x, y))),
    "plus_product_of_a_negative": chain(
        FP32, (2, 3), negative, multiply_by(1, -2, 3), with_input(lambda s, x, y: s.builder.add(x, y))
    ),
    "computed_twice": two_halves(unary(ops.ABS), multiply_by(1, 2, 3), reshape(3, 2)),
    "computed_twice_behind_a_pattern": two_halves(clamp(-1.0, 6.0), clamp(0.0, 8.0), unary(ops.EXP), transpose(1, 0)),
}


def two_outputs(build: Callable[[Sketch, Value], tuple[Value, Value]], dtype: DType, *shape: int) -> Build:
    def whole() -> Graph:
        s, x = sketch_with_input(dtype, *shape)
        return s.done(*build(s, x))

    return whole


def rows(s: Sketch, x: Value) -> Value:
    """Multiplies each part along the first dimension by its own number."""
    count, *inner = x.type.static
    return s.builder.mul(x, s.const(np.arange(count).reshape(-1, *(1 for _ in inner)), FP32))


def different_sizes(s: Sketch, x: Value) -> tuple[Value, Value]:
    sums = total(1)(s, reshape(2, 4)(s, x))
    return reshape(1, 2, 1)(s, unary(ops.EXP)(s, sums)), s.builder.mul(sums, s.const(np.ones((1, 3)), FP32))


def sums_of_48_bits(s: Sketch, x: Value) -> Value:
    """Returns sums whose two RESHAPEs can't become one in front of RESCALE: RESHAPE doesn't take 48 bits."""
    weight, bias = s.const(np.ones((4, 1, 1, 4)), I8), s.const(np.zeros(4), DType.I48)
    scaled = rescale(I32, 1 << 14, 15)(s, apply(s.builder, conv2d, x, weight, bias, pad=(0, 0, 0, 0)))
    parts = [reshape(2, 3, 4)(s, value) for value in (scaled, unary(ops.ABS)(s, scaled))]
    return s.builder.emit(ops.CONCAT, *parts, axis=0)


def heads_read_twice(s: Sketch, x: Value) -> tuple[Value, Value]:
    heads = transpose(0, 2, 1, 3)(s, reshape(1, 6, 2, 2)(s, x))
    return reshape(2, 6, 2)(s, heads), reverse(1)(s, heads)


def negative_read_twice(s: Sketch, x: Value) -> tuple[Value, Value]:
    below = negative(s, x)
    return s.builder.add(x, below), unary(ops.EXP)(s, below)


def sums_read_twice(s: Sketch, x: Value) -> tuple[Value, Value]:
    sums = conv(1)(s, x)
    return plus(1, 2, 3)(s, sums), unary(ops.ABS)(s, sums)


STAYS: dict[str, Build] = {
    "slice that cuts into what was padded": chain(I8, (2, 3), pad(1, 1, 0, 0), cut((0, 1), (3, 2))),
    "slice across the parts of a concat": chain(
        I8, (2, 3), lambda s, x: cut((0, 2), (2, 2))(s, s.builder.emit(ops.CONCAT, x, x, axis=1))
    ),
    "pads of different elements": chain(I8, (2, 3), pad(1, 0, 0, 0, value=1), pad(1, 0, 0, 0, value=2)),
    "concats along other axes": chain(
        I8, (2, 3), lambda s, x: s.builder.emit(ops.CONCAT, *[s.builder.emit(ops.CONCAT, x, x, axis=0)] * 2, axis=1)
    ),
    "reverse along another axis": chain(I8, (2, 3), reverse(0), reverse(1)),
    "xor with another constant": chain(I8, (2, 3), flip(-128), flip(1)),
    "a cast that loses": chain(FP32, (2, 3), cast(I32), cast(FP32)),
    "a cast that goes elsewhere": chain(I8, (2, 3), cast(I32), cast(DType.I16)),
    "clamps that treat a NaN differently": chain(FP32, (2, 3), clamp(-1.0, 6.0, "IGNORE"), clamp(0.0, 8.0)),
    "a rescale to another zero point": chain(I8, (2, 3), rescale(I8, 1 << 30, 30, input_zp=3, output_zp=4)),
    "a rescale that rounds": chain(I8, (2, 3), rescale(I32, 1 << 30, 31), rescale(I8, 1 << 30, 30)),
    "a pad with another element": chain(I8, IMAGE, pad(*AROUND, value=-3), conv(-2)),
    **{
        f"a pad {where}": chain(I8, IMAGE, pad(*amounts), conv())
        for where, amounts in {
            "before the batch": (1, 0, 1, 1, 1, 1, 0, 0),
            "after the batch": (0, 1, 1, 1, 1, 1, 0, 0),
            "around the batch": (1, 1, 0, 0, 0, 0, 0, 0),
            "before the channels": (0, 0, 1, 1, 1, 1, 1, 0),
            "after the channels": (0, 0, 1, 1, 1, 1, 0, 1),
            "around the channels": (0, 0, 0, 0, 0, 0, 1, 1),
        }.items()
    },
    "a pad under an infinite weight": chain(FP32, IMAGE, pad(*AROUND), conv(weight=np.inf)),
    "a pad with minus zero": chain(FP32, IMAGE, pad(*AROUND, value=-0.0), conv()),
    "a pad as large as the window": chain(I8, IMAGE, pad(0, 0, 2, 0, 0, 0, 0, 0, value=-128), max_pool),
    "a pad that may win": chain(I8, IMAGE, pad(0, 0, 1, 0, 0, 0, 0, 0, value=-127), max_pool),
    "averages count what is padded": chain(
        I8,
        IMAGE,
        pad(0, 0, 1, 0, 0, 0, 0, 0),
        lambda s, x: apply(s.builder, avg_pool2d, x, kernel=(2, 2), stride=(1, 1), pad=(0, 0, 0, 0)),
    ),
    "floats behind a bias": chain(FP32, IMAGE, conv(), plus(1, 2, 3)),
    "an addition along the width": chain(
        I8, IMAGE, conv(), lambda s, x: s.builder.add(x, s.const(np.ones((1, 1, 3, 1)), I32))
    ),
    "a bias that would leave i32": chain(I8, IMAGE, conv(), plus((1 << 31) - 1)),
    "sums that are read twice": two_outputs(sums_read_twice, I8, *IMAGE),
    "an island behind what is no RESHAPE": chain(FP32, (1, 8), clamp(0.0, 6.0), reshape(1, 1, 1, 8)),
    "a sum along what a RESHAPE cuts": chain(FP32, (2, 3, 4), reshape(6, 4), total(0), reshape(1, 1, 4)),
    "factors for channels that a RESHAPE joins": chain(I8, (2, 3, 4), reshape(2, 12), channels, reshape(2, 3, 4)),
    "factors for rows that a RESHAPE joins": chain(FP32, (6, 4), reshape(2, 3, 4), rows, reshape(6, 4)),
    "sums of 48 bits": chain(DType.I16, (6, 1, 1, 4), sums_of_48_bits),
    "sizes that differ": two_outputs(different_sizes, FP32, 1, 2, 4),
    "a transpose with another reader": two_outputs(heads_read_twice, I8, 6, 1, 1, 4),
    "a transpose between RESHAPEs that cut": chain(I8, (4, 6), reshape(2, 2, 6), transpose(1, 0, 2), reshape(24)),
    "a negative of integers": chain(I32, (2, 3), negative, with_input(lambda s, x, y: s.builder.add(x, y))),
    "a negative that is read twice": two_outputs(negative_read_twice, FP32, 2, 3),
    "clamps at zeros of two signs": two_halves(clamp(0.0, 1.0), other=clamp(-0.0, 1.0)),
    "products with zeros of two signs": two_halves(multiply_by(0.0, 1, 2), other=multiply_by(-0.0, 1, 2)),
    "what a caller's function makes": two_halves(custom),
    "two of one input": two_halves(unary(ops.IDENTITY)),
}


# Cases of the other two passes, without rules.
NO_RULE_STARTS: set[str] = set()


def simplified(graph: Graph) -> Model:
    """Returns the graph after the three passes, legal before and after."""
    model = Model({"main": graph}, {"s": Signature("main", {"in": graph.inputs[0]}, {"out": graph.outputs[0]})})
    verify(model)
    for step in PASSES.values():
        assert step.run(model, Options(), Report()) is model
    verify(model)
    return model


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    graph = CASES[name]()
    before = golden.text(graph)
    golden.check(GOLDEN / f"{name}.mlir", before, golden.text(simplified(graph).main))


def inputs(graph: Graph) -> Iterator[list[Array]]:
    """Yields random elements, and for floats the extremes as well."""
    for seed in range(3):
        yield list(random_inputs(graph.inputs, {}, seed).values())
    if graph.inputs[0].type.dtype is FP32:
        shape = graph.inputs[0].type.static
        extremes = np.array([np.nan, np.inf, -np.inf, -0.0, 1e38, -1e38, 1e-45, 7.0], np.float32)
        yield [np.resize(extremes, shape)]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", CASES)
def test_both_sides_give_the_same_bits(name: str) -> None:
    before, after = Model({"main": CASES[name]()}), simplified(CASES[name]())
    for arrays in inputs(before.main):
        for judge in (executed, reference_model):
            (expected,), (output,) = judge(before, arrays), judge(after, arrays)
            np.testing.assert_array_equal(output, expected)
            if expected.dtype == np.float32:
                numbers = ~np.isnan(expected)  # a NaN's sign means nothing
                np.testing.assert_array_equal(np.signbit(output[numbers]), np.signbit(expected[numbers]))


@pytest.mark.parametrize("name", CASES)
def test_one_sweep_removes_operators_and_a_second_changes_nothing(name: str) -> None:
    def count(graph: Graph) -> int:
        return sum(not op.name.startswith(("tosa.const", "tosa.identity")) for op in graph.ops)

    graph = CASES[name]()
    before, once = count(graph), simplified(graph)
    assert count(once.main) < before
    ops_once = list(once.main.ops)
    assert simplified(once.main).main.ops == ops_once


@pytest.mark.parametrize("name", STAYS)
def test_graphs_without_a_pattern_stay(name: str) -> None:
    graph = STAYS[name]()
    before = golden.text(graph)
    assert golden.text(simplified(graph).main) == before


def test_every_rule_fires_in_one_of_the_cases() -> None:
    unused = {rule.name for rule in RULES}
    for build in CASES.values():
        model, trace = Model({"main": build()}), list[Attempts]()
        for step in PASSES.values():
            step.run(model, Options(trace=trace), Report())
        unused -= {attempts.accepted for attempts in trace}
    assert not unused
    assert set(CASES) == {path.stem for path in GOLDEN.iterdir()}


@pytest.mark.parametrize("name", STAYS)
def test_a_rule_that_declines_states_its_reason(name: str) -> None:
    model, trace = Model({"main": STAYS[name]()}), list[Attempts]()
    InPlacePass("simplify", RULES).run(model, Options(trace=trace), Report())
    reasons = [reason for attempts in trace for _, reason in attempts.declined]
    assert reasons or name in NO_RULE_STARTS
    assert all(reason and "{" not in reason for reason in reasons)


def test_an_output_keeps_its_name_and_its_tensor() -> None:
    """The input itself, another output, and a constant replace outputs."""
    s, x = sketch_with_input(I8, 2, 3)
    flipped = unary(ops.BITWISE_NOT)(s, x)
    transposed_back = transpose(0, 1)(s, flipped)
    same = transpose(0, 1)(s, x)
    graph = s.done(flipped, transposed_back, same)
    model = simplified(graph)
    assert [value.name for value in graph.outputs] == ["out0", "out1", "out2"]
    assert [op.name for op in graph.ops] == ["tosa.bitwise_not", "tosa.identity", "tosa.identity"]
    assert [value.producer.inputs for value in graph.outputs if value.producer] == [(x,), (flipped,), (x,)]
    assert model.signatures["s"].outputs == {"out": flipped}


def test_signatures_follow_their_outputs() -> None:
    s, x = sketch_with_input(I8, 2, 3)
    graph = s.done(reshape(6)(s, reshape(3, 2)(s, x)))
    assert simplified(graph).signatures["s"].outputs == {"out": graph.outputs[0]}


def test_equal_outputs_stay_separate() -> None:
    s, x = sketch_with_input(I8, 2, 3)
    first, second = unary(ops.BITWISE_NOT)(s, x), unary(ops.BITWISE_NOT)(s, x)
    graph = simplified(s.done(first, second)).main
    assert [(op.name, op.result.name) for op in graph.ops] == [("tosa.bitwise_not", "out0"), ("tosa.identity", "out1")]


def test_merged_operators_keep_a_name_and_both_results() -> None:
    s, x = sketch_with_input(FP32, 1, 4, 4)
    transforms = [Op(ops.RFFT2D, [x], [TensorType(FP32, (1, 4, 3))] * 2, {"local_bound": False}) for _ in range(2)]
    s.graph.ops += transforms
    first, second = transforms
    second.results[1].name = "imaginary"
    graph = simplified(s.done(s.builder.add(first.results[0], second.results[1]))).main
    assert [op.inputs for op in graph.ops] == [(x,), first.results]
    assert first.results[1].name == "imaginary"


def test_names_of_replaced_operators_are_inherited() -> None:
    s, x = sketch_with_input(I8, 2, 6)
    inner = reshape(3, 4)(s, x)
    outer = reshape(12)(s, inner)
    inner.name, outer.name = "inner", "outer"
    last = unary(ops.BITWISE_NOT)(s, outer)
    graph = simplified(s.done(last)).main
    assert [op.result.name for op in graph.ops if op.name == "tosa.reshape"] == ["outer"]


def test_a_long_chain_takes_no_longer_per_operator() -> None:
    """Neither deep recursion nor a walk back from every RESHAPE occurs."""
    graph = chain(FP32, (1, 8), *[unary(ops.ABS), reshape(1, 1, 1, 8), unary(ops.ABS), reshape(1, 8)] * 1500)()
    started = time.perf_counter()
    assert len(simplified(graph).main.ops) <= 6000 + 2
    assert time.perf_counter() - started < 30


def test_a_parameter_that_is_computed_has_dimensions_of_its_own() -> None:
    """EXT-DYNAMIC allows computed parameters."""
    s = Sketch(x=(I32, (2, 3)), shift=(I8, (1,)))
    x, shift = s.graph.inputs
    product = s.builder.emit(ops.MUL, x, x, unary(ops.BITWISE_NOT)(s, shift))
    graph = s.done(reshape(6)(s, product))
    before = golden.text(graph)
    for step in PASSES.values():
        step.run(Model({"main": graph}), Options(), Report())
    assert golden.text(graph) == before


def test_a_value_of_many_readers_takes_no_longer() -> None:
    """Each reader is a region of its own, beside RESHAPEs."""
    s, x = sketch_with_input(FP32, 2, 3)
    parts = [reshape(3, 2)(s, s.builder.mul(reshape(6)(s, x), s.const([i], FP32))) for i in range(2000)]
    graph = s.done(s.builder.concat(parts, 0))
    started = time.perf_counter()
    simplified(graph)
    assert time.perf_counter() - started < 20


def test_graphs_of_control_flow_are_simplified_too() -> None:
    inner_sketch, y = sketch_with_input(I8, 2, 6)
    then = inner_sketch.done(reshape(12)(inner_sketch, reshape(3, 4)(inner_sketch, y)))
    other_sketch, z = sketch_with_input(I8, 2, 6)
    otherwise = other_sketch.done(reshape(12)(other_sketch, z))
    condition, x = Value(TensorType(BOOL, ()), "c"), Value(TensorType(I8, (2, 6)), "x")
    op = Op(ops.COND_IF.opcode, (condition, x), [TensorType(I8, (12,))], regions=[then, otherwise])
    simplified(Graph("main", [condition, x], [op.result], [op]))
    assert [op.name for op in then.ops].count("tosa.reshape") == 1


def test_equal_operators_of_two_branches_stay_in_both() -> None:
    branches = []
    for _ in range(2):
        sketch, y = sketch_with_input(I8, 2, 6)
        flipped = [unary(ops.BITWISE_NOT)(sketch, y) for _ in range(2)]
        branches.append(sketch.done(sketch.builder.binary(ops.BITWISE_AND, *flipped)))
    condition, x = Value(TensorType(BOOL, ()), "c"), Value(TensorType(I8, (2, 6)), "x")
    op = Op(ops.COND_IF.opcode, (condition, x), [TensorType(I8, (2, 6))], regions=branches)
    simplified(Graph("main", [condition, x], [op.result], [op]))
    assert [[op.name for op in branch.ops] for branch in branches] == [["tosa.bitwise_not", "tosa.bitwise_and"]] * 2
