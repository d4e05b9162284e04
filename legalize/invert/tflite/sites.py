"""What all sites of quantized operators need: the scales of their ends, and the bounds of their results."""

from collections.abc import Callable, Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.integers import Scale
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.quant.elements import activation_range
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation

VALUES = np.arange(-128, 128)
NARROW = frozenset({DType.I8, DType.I16})
NEAR = 2.0**-23  # of a quotient of floats
ROWS = {DType.I8: 1 << 16, DType.I16: 1 << 18}  # scales that are tried where nothing says another


def values_of(dtype: DType) -> Array:
    """All that a type holds."""
    low, high = dtype.limits
    return np.arange(low, high + 1)


def begin(scales: Scales, value: Value) -> None:
    """Candidates of a tensor of which nothing is known."""
    count = ROWS[value.type.dtype]
    scales.begin(value, np.ldexp(np.arange(count, 2 * count) / count, -6))


def aligned(scales: Scales, x: Value, y: Value, share: float) -> bool:
    """Move powers of two until the scale of one is about `share` times the other's, row by row."""
    scales.together(x, y)
    x_scale, y_scale = (scales.rows[scales.of(value)][0] for value in (x, y))
    exponent = round(float(np.log2(share * y_scale / x_scale)))
    powers = scales.power[scales.of(x)], scales.power[scales.of(y)]
    if exponent and (powers[0] == powers[1] or scales.fixed.issuperset(powers)):
        return False
    if exponent:
        moved = (y, -exponent) if powers[0] in scales.fixed else (x, exponent)
        scales.scale_power(*moved)
    return True


def related(scales: Scales, x: Value, y: Value, share: float, gives: Callable[[Array, Array], Array]) -> bool:
    """Have two tensors on scales whose quotient is about `share`, in rows that are what is wanted."""
    if scales.known(x) is None and scales.known(y) is None:
        begin(scales, x)
    near = share * (1 - NEAR), share * (1 + NEAR)
    if scales.known(y) is None:
        scales.spread(y, x, near)
    if scales.known(x) is None:
        scales.spread(x, y, (1 / near[1], 1 / near[0]))
    if scales.of(x) is scales.of(y):
        return bool(gives(np.ones(1), np.ones(1)).all())
    if not aligned(scales, x, y, share):
        return False
    rows = np.flatnonzero(gives(scales.rows[scales.of(x)], scales.rows[scales.of(y)]))
    if len(rows):
        scales.tie_powers(x, y)
        scales.keep(x, rows)
    return bool(len(rows))


def agree(scales: Scales, values: Sequence[Value], zero_points: Sequence[int]) -> bool:
    """Whether tensors can have these zero points; from then on they have."""
    fits = [scales.agrees(*pair) for pair in zip(values, zero_points, strict=True)]
    return all(fits)


def rounds_twice(scale: Scale) -> bool:
    """Whether MultiplyByQuantizedMultiplier rounds as this RESCALE: once is twice where the second takes no bits."""
    return scale.double_round or bool((scale.shift <= 31).all())


def scale_of(value: Value) -> float:
    """The one scale that was found for a tensor."""
    assert value.type.quant is not None
    return value.type.quant.scale[0]


def on_scale_of(b: TflBuilder, result: Value, name: str) -> None:
    """Have the last operator of that name, and what is done to its result, on a result's scale."""
    for op in reversed(b.graph.ops):
        op.results[0].type = op.results[0].type._replace(quant=result.type.quant)
        if op.name == f"tfl.{name}":
            return


def fused(result: Value, zero_point: int, bounds: tuple[int, int]) -> Activation | None:
    """The fused activation that has the bounds."""
    for kind in (Activation.NONE, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1):
        if activation_range(kind, np.float32(scale_of(result)), zero_point, result.type.dtype) == bounds:
            return kind
    return None


def around(base: Array) -> list[Array]:
    """Floats and their neighbours."""
    return [base, np.nextafter(base, np.float32(0)), np.nextafter(base, np.float32(np.inf))]
