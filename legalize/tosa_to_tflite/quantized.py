"""Quantized operators out of what they become in TOSA: sums of products or a sum, between RESCALEs.

Each is a site: the operators that it takes the place of, and what its kernel would compute with given scales. Where
scales are found that give the same multipliers, the site becomes the operator; all other operators stay as they are.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Op, Quant, Value
from tosa_converter.legalize.tflite.quantized.arithmetic import (
    divide_by_pot,
    high_mul,
    quantize_multiplier,
    round_away,
)
from tosa_converter.legalize.tflite.quantized.common import activation_range
from tosa_converter.legalize.tosa_to_tflite import templates, windows
from tosa_converter.legalize.tosa_to_tflite.builder import TflBuilder
from tosa_converter.legalize.tosa_to_tflite.integers import Scale, scale_from
from tosa_converter.legalize.tosa_to_tflite.ratios import weight_scales
from tosa_converter.legalize.tosa_to_tflite.scales import Scales
from tosa_converter.legalize.tosa_to_tflite.sums import is_plain
from tosa_converter.rewriting.sweep import copied, live_ops
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation

# What leaves elements as they are, so that operands and results share scale and zero point.
MOVES = frozenset(
    {
        ops.CONCAT,
        ops.IDENTITY,
        ops.MAX_POOL2D,
        ops.PAD,
        ops.RESHAPE,
        ops.REVERSE,
        ops.SLICE,
        ops.TILE,
        ops.TRANSPOSE,
    }
)
CONVOLUTIONS = frozenset({ops.CONV2D, ops.DEPTHWISE_CONV2D, ops.TRANSPOSE_CONV2D})
ADD_BITS = 20
PRODUCTS = frozenset(
    f"tfl.{name}" for name in ("add", "conv_2d", "depthwise_conv_2d", "fully_connected", "transpose_conv")
)
VALUES = np.arange(-128, 128)


class Site(NamedTuple):
    """One operator: its operands, the scale of its result and the bounds that it keeps to.

    `root` is the operator whose result it makes, `core` the convolution or sum.
    """

    root: Op
    core: Op
    inputs: tuple[Value, ...]
    tables: tuple[Array, ...]  # of a sum: what the operands become
    zero_points: tuple[int, ...]
    scale: Scale
    bounds: tuple[int, int]
    silent: Array | None = None  # channels whose weights are all 0, so that any multiplier will do
    axes: tuple[int, ...] = ()  # of a mean
    once: bool = False  # FULLY_CONNECTED, which rounds once
    sources: tuple[Value, ...] = ()  # of operands that are the same elements on other scales

    @property
    def result(self) -> Value:
        """What it makes."""
        return self.root.results[0]


def with_quantized(model: Model) -> Model:
    """A TOSA model in which what LiteRT has quantized operators for is these."""
    model = copied(model)
    for graph in model.graphs.values():
        _Graph(graph).rewrite()
    return model


class _Graph:
    """The sites of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.users = graph.uses()
        self.outputs = set(graph.outputs)
        self.scales = Scales()
        self.taken: dict[Op, Site] = {}
        self.guessed: dict[Op, templates.Guess] = {}

    def rewrite(self) -> None:
        """Find sites, then scales, and put the operators in place."""
        sites = [site for op in self.graph.ops if (site := self.site(op)) is not None]
        self._share()
        for op in self.graph.ops:
            self._guessed(op)
        for site in sites:
            solved = self._solved(site) or self._rescaled(site)
            if solved is not None:
                self.taken[site.root] = solved
        self._replace()

    # ** sites **

    def site(self, op: Op) -> Site | None:
        """What ends at a RESCALE to 8 bits, or at the CLAMP of one."""
        if op.row is ops.RESCALE and op.results[0].type.dtype is DType.I8:
            after = self._only_user(op.results[0])
            if after is None or after.row is not ops.CLAMP:
                return self._ending(op, op, DType.I8.limits)
        if op.row is ops.CLAMP and op.results[0].type.dtype is DType.I8:
            before = op.inputs[0].producer if op.inputs[0] is not None else None
            if before is not None and before.row is ops.RESCALE and self._only_user(op.inputs[0]) is op:
                return self._ending(op, before, (int(op.attributes["min_val"]), int(op.attributes["max_val"])))
        return None

    def _only_user(self, value: Value | None) -> Op | None:
        users = self.users.get(value, []) if value is not None else []
        return users[0] if len(users) == 1 and value not in self.outputs else None

    def _ending(self, root: Op, rescale: Op, bounds: tuple[int, int]) -> Site | None:
        scale, source = scale_from(rescale), rescale.inputs[0]
        core = source.producer if source is not None else None
        if scale is None or core is None or scale.input_zp or any(scale.unsigned) or self._only_user(source) is None:
            return None
        if core.row in CONVOLUTIONS:
            return _convolution(root, core, scale, bounds)
        if core.row is ops.REDUCE_SUM:
            return _mean(root, core, scale, bounds)
        return _sum(root, core, scale, bounds) if core.row is ops.ADD else None

    def _guessed(self, op: Op) -> None:
        """Take an operator for what it is guessed to end, where both ends can have its quantization."""
        for guess in templates.guesses(op):
            ends = [(guess.operand, guess.given), (op.results[0], guess.made)]
            if guess.moves and not self._can_share(guess):
                continue
            if templates.confirmed(guess) and self._can_be(ends, any_zero_point=guess.name == "softmax"):
                for value, quant in ends:
                    if quant is not None and self.scales.known(value) is None:
                        self.scales.begin(value, np.array(quant.scale), fixed=True)
                if guess.moves:
                    self.scales.join(guess.operand, op.results[0])
                self.guessed[op] = guess
                return

    def _can_share(self, guess: templates.Guess) -> bool:
        ends = guess.operand, guess.root.results[0]
        return not any(self.scales.known(value) is not None for value in ends)

    def _can_be(self, ends: list[tuple[Value, Quant | None]], *, any_zero_point: bool) -> bool:
        for i, (value, quant) in enumerate(ends):
            known = self.scales.known(value)
            if quant is None:
                continue
            if known is not None and known[0] != quant.scale[0]:
                return False
            if not (i == 0 and any_zero_point) and not self.scales.agrees(value, quant.zero_point[0]):
                return False
        return True

    # ** scales **

    def _share(self) -> None:
        for op in self.graph.ops:
            if op.row in MOVES or (op.row is ops.AVG_POOL2D and is_plain(op)):
                for value in op.operands[: None if op.row is ops.CONCAT else 1]:
                    self.scales.join(op.results[0], value)

    def _solved(self, site: Site) -> Site | None:
        """The site as scales were found for it, if they were."""
        scales = self.scales
        ends = list(zip((*site.inputs, site.result), site.zero_points, strict=True))
        fits = [scales.agrees(value, zero_point) for value, zero_point in ends]
        if not all(fits):
            return None
        if site.core.row is ops.ADD:
            return site if _solve_sum(scales, site) else None
        if site.core.row is ops.REDUCE_SUM:
            return site if _solve_mean(scales, site) else None
        scale = site.scale
        if _rounds_twice(scale):
            m, shift = _heard(site)
            if scales.layer(site.inputs[0], site.result, m, shift):
                return site
        if not _is_layer(site.core) or scale.double_round:
            return None
        chosen = scales.choose(site.inputs[0], site.result, lambda x, y: _layer_scales(site, x, y) is not None)
        return site._replace(once=True) if chosen else None

    def _rescaled(self, site: Site) -> Site | None:
        """The site on operands of scales of their own, which RESHAPEs give them."""
        operands = tuple(Value(value.type, value.name) for value in site.inputs)
        return self._solved(site._replace(inputs=operands, sources=site.inputs))

    # ** operators **

    def _replace(self) -> None:
        self._quantize()
        kept: list[Op] = []
        for op in self.graph.ops:
            site, guess = self.taken.get(op), self.guessed.get(op)
            if site is not None:
                kept += self._made(site)
            elif guess is not None:
                constants = templates.constants_of(guess)
                kept += [value.producer for value in constants if value.producer is not None]
                operands = [guess.operand, *constants]
                kept.append(_put(Op(f"tfl.{guess.name}", operands, [op.results[0].type], guess.options), op))
            else:
                kept.append(op)
        self.graph.ops = kept
        self.graph.ops = live_ops(self.graph)

    def _quantize(self) -> None:
        values = [*self.graph.inputs, *(value for op in self.graph.ops for value in op.results)]
        values += [value for site in self.taken.values() if site.sources for value in site.inputs]
        for value in values:
            scale = self.scales.final(value) if value.type.dtype is DType.I8 else None
            if scale is not None:
                zero_point = self.scales.zero_point.get(self.scales.of(value), 0)
                value.type = value.type._replace(quant=Quant((float(np.float32(scale)),), (zero_point,)))

    def _made(self, site: Site) -> Iterator[Op]:
        b = TflBuilder(Graph("site"))
        b.location = site.root.location
        for value, source in zip(site.inputs, site.sources, strict=False):
            moved = b.op("reshape", [source, b.ints(value.type.static)], new_shape=value.type.static)
            moved.type, value.producer = value.type, moved.producer
            moved.producer.results = (value,)  # type: ignore[union-attr]
        y = _EMITTERS.get(site.core.row, _emit_layer)(b, site)
        assert y.producer is b.graph.ops[-1]
        *before, last = b.graph.ops
        _put(last, site.root)
        constants = [v.producer for op in b.graph.ops for v in op.operands if v.constant is not None]
        yield from (op for op in dict.fromkeys(constants) if op is not None)
        yield from (*before, last)


def _put(op: Op, root: Op) -> Op:
    """The operator that makes another's result from now on."""
    op.results, op.location = root.results, root.location
    root.results[0].producer = op
    return op


def _rounds_twice(scale: Scale) -> bool:
    """Whether MultiplyByQuantizedMultiplier rounds as this RESCALE: once is twice where the second takes no bits."""
    return scale.double_round or bool((scale.shift <= 31).all())


# ** convolutions **


def _convolution(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Site | None:
    x, weight, bias, input_zp, weight_zp = core.inputs
    constants = [value.constant if value is not None else None for value in (weight, bias, input_zp, weight_zp)]
    if x is None or weight is None or x.type.dtype is not DType.I8 or any(values is None for values in constants):
        return None
    kernel = weight.constant
    if kernel is None or weight.type.dtype is not DType.I8 or constants[3].any() or x.constant is not None:  # type: ignore[union-attr]
        return None
    if core.row is ops.TRANSPOSE_CONV2D and max(core.attributes["out_pad"]) > 0:
        return None  # elements that are the bias alone, which TFLite has no padding for
    channels = core.results[0].type.static[3]
    wide = scale._replace(
        multiplier=np.broadcast_to(scale.multiplier, channels), shift=np.broadcast_to(scale.shift, channels)
    )
    per_channel = wide if scale.multiplier.size > 1 else scale
    zero_points = (int(constants[2].reshape(-1)[0]), scale.output_zp)  # type: ignore[union-attr]
    by_channel = kernel.reshape(-1, channels).T if core.row is ops.DEPTHWISE_CONV2D else kernel.reshape(channels, -1)
    silent = ~by_channel.any(1)
    few = silent if silent.any() and not silent.all() and per_channel is wide else None
    return Site(root, core, (x,), (), zero_points, per_channel, bounds, few)


def _heard(site: Site) -> tuple[Array, Array]:
    """Multipliers and shifts of the channels that hear of the operand."""
    m, shift = site.scale.multiplier, site.scale.shift
    return (m, shift) if site.silent is None else (m[~site.silent], shift[~site.silent])


def _is_layer(core: Op) -> bool:
    """Whether FULLY_CONNECTED computes it: CONV2D of a 1x1 kernel."""
    weight = core.inputs[1]
    assert weight is not None
    attributes = core.attributes
    plain = not any(attributes["pad"]) and set(attributes["stride"]) == {1}
    return core.row is ops.CONV2D and weight.type.static[1:3] == (1, 1) and plain


def _reach(site: Site) -> tuple[Array, Array]:
    """The smallest and largest accumulator of each channel."""
    weight, bias = (value.constant.astype(np.int64) for value in site.core.inputs[1:3])  # type: ignore[union-attr]
    flat = weight.reshape(len(weight), -1)
    positive, negative = np.maximum(flat, 0).sum(1), np.minimum(flat, 0).sum(1)
    low, high = -128 - site.zero_points[0], 127 - site.zero_points[0]
    return positive * low + negative * high + bias, positive * high + negative * low + bias


def _layer_scales(site: Site, given: float, made: float) -> Array | None:
    """Scales of weights with which FULLY_CONNECTED rounds every accumulator as the RESCALE does.

    The reference kernel multiplies by a double and rounds once, ties away from zero (reference/fully_connected.h).
    """
    scale = site.scale
    first, last = _reach(site)
    if scale.multiplier.size == 1:
        first, last = first.min(keepdims=True), last.max(keepdims=True)
    found = np.zeros(scale.multiplier.size, np.float32)
    for i, (m, shift) in enumerate(zip(scale.multiplier.tolist(), scale.shift.tolist(), strict=True)):
        steps = _steps(site, m, shift, int(first[i]), int(last[i]))
        low, high = (
            _range_of_reals(steps, m, shift) if m else (0.0, 0.5 / max(abs(int(first[i])), abs(int(last[i])), 1))
        )
        acc = np.array([*{at for at, _ in steps}, first[i], last[i]], np.int64)
        wanted = np.clip((acc * m + (1 << shift - 1) >> shift) + scale.output_zp, *site.bounds)
        for weight in _neighbours(np.float32(0.5 * (low + high) * made / given)):
            levels = round_away(acc * (np.float64(given) * np.float64(weight) / np.float64(made)))
            if (np.clip(levels + scale.output_zp, *site.bounds) == wanted).all():
                found[i] = weight
                break
        else:
            return None
    return found


def _steps(site: Site, m: int, shift: int, first: int, last: int) -> list[tuple[int, int]]:
    """Accumulators at which the RESCALE reaches a level, and those before, each with its rounded level.

    Two functions that grow with the accumulator are equal where they are at these and at both ends.
    """
    if not m:
        return []
    zero_point, half = site.scale.output_zp, 1 << shift - 1
    levels = range(site.bounds[0] - zero_point + 1, site.bounds[1] - zero_point + 1)
    reached = [(-((half - (level << shift)) // m), level) for level in levels]
    return [
        (at, n) for step, level in reached for at, n in ((step, level), (step - 1, level - 1)) if first <= at <= last
    ]


def _range_of_reals(steps: list[tuple[int, int]], m: int, shift: int) -> tuple[float, float]:
    """About between which factors each of these accumulators is rounded to its level."""
    low, high = m * 2.0**-shift * (1 - 2.0**-20), m * 2.0**-shift * (1 + 2.0**-20)
    for at, level in steps:
        if at:
            ends = sorted(((level - 0.5) / at, (level + 0.5) / at))
            low, high = max(low, ends[0]), min(high, ends[1])
    return low, high


def _neighbours(x: np.float32, reach: int = 2) -> list[np.float32]:
    """A float and the next ones on both sides, the nearest first."""
    found, low, high = [x], x, x
    for _ in range(reach):
        low, high = np.nextafter(low, np.float32(0)), np.nextafter(high, np.float32(np.inf))
        found += [low, high]
    return found


def _emit_layer(b: TflBuilder, site: Site) -> Value:
    """CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV or FULLY_CONNECTED with weights' scales."""
    given, made, (_, weight, bias) = _scale(site.inputs[0]), _scale(site.result), site.core.operands[:3]
    assert weight.constant is not None
    assert bias.constant is not None
    if site.once:
        found = _layer_scales(site, given, made)
        assert found is not None
        scales, offsets = found, bias.constant
    else:
        scales, offsets = _channel_scales(site, given, made)
    channels, zeros = site.core.results[0].type.static[3], (0,) * len(scales)
    elements = b.const(np.broadcast_to(offsets, (channels,)).astype(np.int32), DType.I32)
    full = b.with_quant(elements, Quant(tuple((np.float32(given) * scales).tolist()), zeros, 0))
    quant = Quant(tuple(scales.tolist()), zeros, 3 if site.core.row is ops.DEPTHWISE_CONV2D else 0)
    kernel, activation = _kernel(site, weight.constant), _activation(site, made)
    if site.core.row is ops.TRANSPOSE_CONV2D and activation is not Activation.NONE:
        activation = None
    values = b.with_quant(b.const(kernel, DType.I8), quant)
    y = _emit_product(b, site, values, full, activation or Activation.NONE)
    _rescale_results(b, site)
    return y if activation is not None else _bounded(b, y, site.bounds)


def _kernel(site: Site, kernel: Array) -> Array:
    """Weights as TFLite's operator has them."""
    if site.once:
        return kernel.reshape(len(kernel), -1)
    return kernel.reshape(1, *kernel.shape[:2], -1) if site.core.row is ops.DEPTHWISE_CONV2D else kernel


def _emit_product(b: TflBuilder, site: Site, weight: Value, bias: Value, activation: Activation) -> Value:
    x, core, shape = site.inputs[0], site.core, site.core.results[0].type.static
    fused: dict[str, Any] = {"fused_activation_function": activation}
    if site.once:
        return b.op("fully_connected", [x, weight, bias], shape=shape, keep_num_dims=True, **fused)
    if core.row is ops.TRANSPOSE_CONV2D:
        return windows.convolve_transposed(b, x, weight, bias, core.attributes["stride"], core.attributes["out_pad"])
    window = windows.window_from(core, weight.type.static[1:3])
    placed, padding = windows.placed(b, x, window, site.zero_points[0])
    options = windows.options_of(window) | fused
    if core.row is ops.DEPTHWISE_CONV2D:
        options["depth_multiplier"] = shape[3] // x.type.static[3]
    name = "depthwise_conv_2d" if core.row is ops.DEPTHWISE_CONV2D else "conv_2d"
    return b.op(name, [placed, weight, bias], shape=shape, padding=padding, **options)


def _rescale_results(b: TflBuilder, site: Site) -> None:
    """The product, and what is cut of it, on the site's scale, which isn't the operand's."""
    for op in reversed(b.graph.ops):
        op.results[0].type = op.results[0].type._replace(quant=site.result.type.quant)
        if op.name in PRODUCTS:
            return


def _channel_scales(site: Site, given: float, made: float) -> tuple[Array, Array]:
    """Scales of all channels' weights, and biases: of a channel without weights, what gives its one result."""
    m, shift = _heard(site)
    found = weight_scales(m, shift, np.array([given]), np.array([made]))[0][0]
    bias = site.core.operands[2].constant
    assert bias is not None
    if site.silent is None:
        return found, bias
    scales = np.full(site.silent.shape, found.max(), np.float32)
    scales[~site.silent] = found
    offsets = np.broadcast_to(bias, scales.shape).astype(np.int64)
    level = site.scale.of(offsets) - site.scale.output_zp
    real = given * float(found.max()) / made
    offsets[site.silent] = np.round(level[site.silent] / real)
    return scales, offsets


def _scale(value: Value) -> float:
    assert value.type.quant is not None
    return value.type.quant.scale[0]


def _activation(site: Site, made: float) -> Activation | None:
    """The fused activation that has the bounds."""
    for kind in (Activation.NONE, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1):
        if activation_range(kind, np.float32(made), site.zero_points[-1]) == site.bounds:
            return kind
    return None


def _bounded(b: TflBuilder, y: Value, bounds: tuple[int, int]) -> Value:
    """The bounds that no activation has."""
    if bounds == DType.I8.limits:
        return y
    y = b.elementwise("maximum", y, b.one(bounds[0], y))
    return b.elementwise("minimum", y, b.one(bounds[1], y))


# ** sums **


def _sum(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Site | None:
    """ADD of two operands that RESCALEs take to 32 bits."""
    sides = [_side(value) for value in core.operands]
    if any(side is None for side in sides) or scale.multiplier.size > 1 or not _rounds_twice(scale):
        return None
    inputs, tables, zero_points = zip(*(side for side in sides if side is not None), strict=True)
    return Site(root, core, inputs, tables, (*zero_points, scale.output_zp), scale, bounds)


def _side(value: Value) -> tuple[Value, Array, int] | None:
    """The 8-bit operand behind RESCALEs, what they make of its values, and its zero point."""
    chain: list[Scale] = []
    while value.type.dtype is not DType.I8:
        op = value.producer
        scale = scale_from(op) if op is not None and op.row is ops.RESCALE else None
        source = op.inputs[0] if op is not None and op.inputs else None
        if scale is None or scale.multiplier.size > 1 or any(scale.unsigned) or source is None:
            return None
        chain.append(scale)
        value = source
    if not chain or value.constant is not None:
        return None
    made = VALUES.astype(np.int64)
    for scale in reversed(chain):
        made = scale.of(made)
    zero = np.flatnonzero(made == 0)
    return (value, made, int(VALUES[zero[0]])) if len(zero) == 1 else None


def _add_table(small: Array, large: Array, zero_point: int) -> Array:
    """What ADD makes of the operand of the smaller scale, [rows,256] (add.cc)."""
    multiplier = quantize_multiplier(small / (2 * large))
    shifted = (VALUES - zero_point) << ADD_BITS
    return divide_by_pot(high_mul(shifted[None], multiplier.m[:, None]), -multiplier.shift[:, None])


def _larger(site: Site) -> int | None:
    """Which operand has the larger scale: ADD halves it."""
    for i, (made, zero_point) in enumerate(zip(site.tables, site.zero_points, strict=False)):
        if (made == (VALUES - zero_point) << (ADD_BITS - 1)).all():
            return i
    return None


def _solve_sum(scales: Scales, site: Site) -> bool:
    which = _larger(site)
    if which is None:
        return False
    large, small = site.inputs[which], site.inputs[1 - which]
    if scales.known(large) is None and scales.known(small) is None:
        scales.begin(large, np.ldexp(np.arange(1 << 12, 1 << 13), -18))
    wanted, zero_point = site.tables[1 - which], site.zero_points[1 - which]
    ends = wanted[[0, -1]] / ((VALUES[[0, -1]] - zero_point) * float(1 << (ADD_BITS - 1)) + 1e-9)
    share = float(ends[np.argmax(np.abs(wanted[[0, -1]]))])
    return _related(scales, large, small, share, wanted, zero_point) and _sum_result(scales, site, large)


def _related(scales: Scales, large: Value, small: Value, share: float, wanted: Array, zero_point: int) -> bool:
    """Scales of both operands whose quotient gives the table."""
    for known, other, factor in ((large, small, share), (small, large, 1 / share)):
        if scales.known(other) is None:
            rows = scales.known(known)
            assert rows is not None
            scales.extend(other, (rows * factor).astype(np.float32).astype(np.float64), known, same_power=True)
    if scales.of(large) is scales.of(small):
        return bool((_add_table(np.ones(1), np.ones(1), zero_point)[0] == wanted).all())
    scales.together(large, small)
    first, second = scales.rows[scales.of(large)], scales.rows[scales.of(small)]
    exponent = round(float(np.log2(share * first[0] / second[0])))
    if exponent and scales.power[scales.of(large)] != scales.power[scales.of(small)]:
        if scales.power[scales.of(small)] in scales.fixed:
            scales.scale_power(large, -exponent)
        else:
            scales.scale_power(small, exponent)
        first, second = scales.rows[scales.of(large)], scales.rows[scales.of(small)]
    rows = np.flatnonzero((_add_table(second, first, zero_point) == wanted).all(1))
    if not len(rows):
        return False
    scales.tie_powers(large, small)
    scales.keep(large, rows)
    return True


def _sum_result(scales: Scales, site: Site, large: Value) -> bool:
    """The result's scale, from which the last multiplier comes."""
    m, shift = int(site.scale.multiplier[0]), int(site.scale.shift[0])
    twice = 2 * scales.rows[scales.of(large)]
    base = (twice / (float(1 << ADD_BITS) * m * 2.0**-shift)).astype(np.float32)
    known = scales.known(site.result)
    if known is not None:
        return False
    made, fits = base.copy(), np.zeros(len(base), bool)
    for near in _around(base):
        found = quantize_multiplier(twice / (np.float32(1 << ADD_BITS) * near).astype(np.float64))
        new = ~fits & (found.m == m) & (found.tosa_shift == shift)
        made[new] = near[new]
        fits |= new
    if not fits.any():
        return False
    scales.keep(large, np.flatnonzero(fits))
    scales.extend(site.result, made[fits].astype(np.float64), large, same_power=True)
    return True


def _emit_sum(b: TflBuilder, site: Site) -> Value:
    activation = _activation(site, _scale(site.result))
    y = b.op("add", site.inputs, fused_activation_function=activation or Activation.NONE)
    _rescale_results(b, site)
    return y if activation is not None else _bounded(b, y, site.bounds)


# ** means **


def _mean(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Site | None:
    """REDUCE_SUMs of what a RESCALE takes to 32 bits as it is."""
    axes: list[int] = []
    value = core.results[0]
    while (op := value.producer) is not None and op.row is ops.REDUCE_SUM:
        axes.append(op.attributes["axis"])
        value = op.operands[0]
    widened = scale_from(op) if op is not None and op.row is ops.RESCALE else None
    if op is None or widened is None or scale.multiplier.size > 1 or bounds != DType.I8.limits:
        return None
    x, zero_point = op.operands[0], widened.input_zp
    plain = (widened.of(VALUES.astype(np.int64)) == VALUES - zero_point).all() and x.type.dtype is DType.I8
    if not plain or any(widened.unsigned) or not _rounds_twice(scale):
        return None
    return Site(root, core, (x,), (), (zero_point, scale.output_zp), scale, bounds, axes=tuple(sorted(axes)))


def _mean_multiplier(real: Array, count: int) -> tuple[Array, Array]:
    """Multiplier and shift of RESCALE for a mean of so many elements (QuantizedMeanOrSum, reduce.cc)."""
    made = quantize_multiplier(real)
    left = np.minimum(min(count.bit_length() - 1, 32), 31 + made.shift)
    return (made.m << left) // count, 31 - made.shift + left


def _solve_mean(scales: Scales, site: Site) -> bool:
    x, y = site.inputs[0], site.result
    count = int(np.prod([x.type.static[axis] for axis in site.axes]))
    m, shift = int(site.scale.multiplier[0]), int(site.scale.shift[0])
    if scales.known(x) is None:
        if scales.known(y) is not None:
            return False
        scales.begin(x, np.ldexp(np.arange(1 << 12, 1 << 13), -18))
    given, known = scales.rows[scales.of(x)], scales.known(y)
    base = (given / ((m + 0.5) * count * 2.0**-shift)).astype(np.float32)
    if known is not None:
        scales.together(x, y)
        base = scales.rows[scales.of(y)].astype(np.float32)
    near = [base] if known is not None else _around(base)
    made, fits = base.copy(), np.zeros(len(base), bool)
    for candidate in near:
        found = _mean_multiplier(given / candidate.astype(np.float64), count)
        new = ~fits & (found[0] == m) & (found[1] == shift)
        made[new] = candidate[new]
        fits |= new
    if not fits.any():
        return False
    scales.keep(x, np.flatnonzero(fits))
    if known is None:
        scales.extend(y, made[fits].astype(np.float64), x, same_power=True)
    return True


def _around(base: Array) -> list[Array]:
    """Floats and their neighbours."""
    return [base, np.nextafter(base, np.float32(0)), np.nextafter(base, np.float32(np.inf))]


def _emit_mean(b: TflBuilder, site: Site) -> Value:
    shape = site.core.results[0].type.static
    return b.op("mean", [site.inputs[0], b.ints(site.axes)], shape=shape, keep_dims=True)


_EMITTERS = {ops.ADD: _emit_sum, ops.REDUCE_SUM: _emit_mean}
