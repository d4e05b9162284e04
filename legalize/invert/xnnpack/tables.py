"""TABLE: the node that has these 256 results, or a layer of steps."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Quant, Value
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.labels import as_result, label, read
from tosa_converter.legalize.quant.elements import VALUES, OutputQuant, per_tensor
from tosa_converter.legalize.xnnpack import tables
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

MOST_STEPS = 1 << 16  # elements of which a layer of steps makes 255 times as many
STEEP = 120  # results up to it tell a function's operand well
Inverse = Callable[[Array], Array]
# By node the scale and zero point that its results have in quantized models, and its inverse.
FUNCTIONS: dict[str, tuple[Quant, Inverse]] = {
    "sigmoid": (label(-128, 1 / 256), lambda y: np.asarray(np.log(y / (1 - y)))),
    "tanh": (label(0, 1 / 128), lambda y: np.asarray(np.arctanh(y))),
}


class Function(NamedTuple):
    """A function with the scale and zero point of its operand and of its result."""

    name: str
    operand: Quant
    result: Quant


@rule(pattern(ops.TABLE, "x", "table"), "i8", of=("x",))
def table(m: Match) -> Value:
    """TABLE(x, table) -> the node that has these 256 results, or a layer of steps."""
    b, x, elements = xnn_builder(), m.source("x"), m.constant("table")
    function = function_of(elements)
    if function is None:
        m.require(x.type.elements <= MOST_STEPS, "no node has these results, and a layer of steps would be too large")
        return as_result(m, _steps(b, x, elements), label(0))
    operand = read(b, x, function.operand.zero_point[0], function.operand.scale[0])
    return as_result(m, b.op(function.name, [operand]), function.result)


def function_of(table: Array) -> Function | None:
    """Returns the function that has a table's results."""
    functions = _candidates(table.astype(np.float64))
    return next((function for function in functions if np.array_equal(_results(function), table)), None)


def _results(function: Function) -> Array:
    """Returns what XNNPACK computes of all bytes."""
    operand, result = (per_tensor(quant, unsigned=False) for quant in (function.operand, function.result))
    return tables.entries(tables.FUNCTIONS[function.name], operand, OutputQuant(*result, unsigned=False))


def _candidates(table: Array) -> Iterator[Function]:
    """Yields functions whose results have one scale in quantized models, with operands that fit the table."""
    for name, (result, inverse) in FUNCTIONS.items():
        with np.errstate(all="ignore"):
            operand = _operand(table, result, inverse)
        if operand is not None:
            yield Function(name, operand, result)


def _operand(table: Array, result: Quant, inverse: Inverse) -> Quant | None:
    """The scale and zero point with which every result is rounded to the table's: a line through it, then the range."""
    inside = (table > -STEEP) & (table < STEEP)
    if inside.sum() < 2:
        return None
    slope, start = np.polyfit(VALUES[inside], inverse((table[inside] - result.zero_point[0]) * result.scale[0]), 1)
    if not -128.5 < -start / slope < 127.5:
        return None
    zero_point = round(-start / slope)
    low, high = (inverse((table + half - result.zero_point[0]) * result.scale[0]) for half in (-0.5, 0.5))
    low[table == -128], high[table == 127] = -np.inf, np.inf
    steps = VALUES - zero_point
    ends = np.sort(np.stack([low, high])[:, steps != 0] / steps[steps != 0], 0)
    least, most = float(ends[0].max()), float(ends[1].min())
    return label(zero_point, float(np.float32((least + most) / 2))) if 0 < least <= most < np.inf else None


def _steps(b: XnnBuilder, x: Value, table: Array) -> Value:
    """Two layers of floats: for each level whether the element has reached it, and what every level adds."""
    real = b.op("convert", [read(b, x, 0)], dtype=DType.FP32)
    rows = b.reshape(real, (x.type.elements, 1))
    levels = b.const(1.0 - VALUES[1:], DType.FP32)
    ones = b.const(np.ones((255, 1)), DType.FP32)
    reached = b.op("fully_connected", [rows, ones, levels], (x.type.elements, 255), output_min=0.0, output_max=1.0)
    wide = table.astype(np.float32)
    added = b.op(
        "fully_connected",
        [reached, b.const(np.diff(wide)[None], DType.FP32), b.const(wide[:1], DType.FP32)],
        (x.type.elements, 1),
    )
    return b.op("convert", [b.reshape(added, x.type.static)], dtype=DType.I8)
