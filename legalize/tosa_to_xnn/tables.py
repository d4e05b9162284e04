"""TABLE: the node that has these 256 results, or a layer of steps."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Quant, Value
from tosa_converter.legalize.quant.elements import VALUES, OutputQuant, per_tensor
from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder
from tosa_converter.legalize.tosa_to_xnn.labels import label, labelled, read
from tosa_converter.legalize.xnnpack import tables

MOST_STEPPED = 1 << 16  # elements of which a layer of steps makes 255 times as many
STEEP = 120  # results up to it tell a function's operand well
Inverse = Callable[[Array], Array]
# By node the scale and zero point that its results have in quantized models, and its inverse.
FUNCTIONS: dict[str, tuple[Quant, Inverse]] = {
    "sigmoid": (label(-128, 1 / 256), lambda y: np.asarray(np.log(y / (1 - y)))),
    "tanh": (label(0, 1 / 128), lambda y: np.asarray(np.arctanh(y))),
}


class Guess(NamedTuple):
    """A function with the scale and zero point of its operand and of its result."""

    name: str
    given: Quant
    made: Quant


def looked_up(b: XnnBuilder, x: Value, table: Array) -> Value | None:
    """The results of a table; none if there is no node and too many elements for a layer."""
    guess = guessed(table)
    if guess is None:
        return _stepped(b, x, table) if x.type.elements <= MOST_STEPPED else None
    given = read(b, x, guess.given.zero_point[0], guess.given.scale[0])
    return labelled(b.op(guess.name, [given]), guess.made)


def guessed(table: Array) -> Guess | None:
    """The node that has a table's results."""
    found = (guess for guess in _guesses(table.astype(np.float64)) if np.array_equal(_results(guess), table))
    return next(found, None)


def _results(guess: Guess) -> Array:
    """Returns what XNNPACK computes of all bytes."""
    x, to = (per_tensor(quant, unsigned=False) for quant in (guess.given, guess.made))
    return tables.entries(tables.FUNCTIONS[guess.name], x, OutputQuant(*to, unsigned=False))


def _guesses(table: Array) -> Iterator[Guess]:
    """Functions whose results have one scale in quantized models, and operands that fit the table."""
    for name, (made, inverse) in FUNCTIONS.items():
        with np.errstate(all="ignore"):
            given = _operand(table, made, inverse)
        if given is not None:
            yield Guess(name, given, made)


def _operand(table: Array, made: Quant, inverse: Inverse) -> Quant | None:
    """The scale and zero point with which every result is rounded to the table's: a line through it, then the range."""
    inside = (table > -STEEP) & (table < STEEP)
    if inside.sum() < 2:
        return None
    slope, start = np.polyfit(VALUES[inside], inverse((table[inside] - made.zero_point[0]) * made.scale[0]), 1)
    if not -128.5 < -start / slope < 127.5:
        return None
    zero_point = round(-start / slope)
    low, high = (inverse((table + half - made.zero_point[0]) * made.scale[0]) for half in (-0.5, 0.5))
    low[table == -128], high[table == 127] = -np.inf, np.inf
    steps = VALUES - zero_point
    ends = np.sort(np.stack([low, high])[:, steps != 0] / steps[steps != 0], 0)
    least, most = float(ends[0].max()), float(ends[1].min())
    return label(zero_point, float(np.float32((least + most) / 2))) if 0 < least <= most < np.inf else None


def _stepped(b: XnnBuilder, x: Value, table: Array) -> Value:
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
    return labelled(b.op("convert", [b.reshape(added, x.type.static)], dtype=DType.I8), label(0))
