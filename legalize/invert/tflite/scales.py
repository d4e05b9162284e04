"""Scales for the tensors of a graph that has none, so that LiteRT's multipliers are those of its RESCALEs.

Tensors that are moved as they are share a scale. Candidates for the scales are rows of arrays, of which every layer
keeps those that it can have; at the end the first row is taken.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tosa_converter.ir import Array, Value
from tosa_converter.legalize.invert.tflite.ratios import intervals, weight_scales

State: TypeAlias = tuple[dict[Value, Array], dict[Value, int], dict[Value, int], dict[Value, int], set[int], set[int]]
MANTISSAS = 1 << 23
PART = 1 << 18  # that are looked at together
TRIES = 1 << 14
RANGES = 1 << 8  # ranges that are looked at
USUAL = -5  # exponent of a scale, where nothing says another
MOST_ROWS = 1 << 16  # that a layer is asked about


class Scales:
    """What is known so far: candidates by the representative of the tensors that share a scale."""

    def __init__(self) -> None:
        self._parent: dict[Value, Value] = {}
        self.rows: dict[Value, Array] = {}
        self.group: dict[Value, int] = {}  # scales whose rows belong together
        self.power: dict[Value, int] = {}  # scales whose powers of two belong together
        self.zero_point: dict[Value, int] = {}
        self.fixed: set[int] = set()  # powers of two that can't move
        self.stated: set[int] = set()  # those of them that an operator, or the source, states
        self._count = 0

    def state(self) -> State:
        """What is known, to come back to."""
        tables = self.rows.copy(), self.group.copy(), self.power.copy(), self.zero_point.copy()
        return *tables, self.fixed.copy(), self.stated.copy()

    def restore(self, state: State) -> None:
        """Forget what was found since."""
        self.rows, self.group, self.power, self.zero_point, self.fixed, self.stated = state

    # ** tensors that share a scale **

    def of(self, value: Value) -> Value:
        """The representative."""
        while (above := self._parent.get(value, value)) is not value:
            value = above
        return value

    def join(self, a: Value, b: Value) -> None:
        """Both have one scale."""
        a, b = self.of(a), self.of(b)
        if a is not b:
            self._parent[b] = a

    def agrees(self, value: Value, zero_point: int) -> bool:
        """Whether a tensor can have this zero point; from then on it has."""
        return self.zero_point.setdefault(self.of(value), zero_point) == zero_point

    # ** rows **

    def known(self, value: Value) -> Array | None:
        """The candidates."""
        return self.rows.get(self.of(value))

    def begin(self, value: Value, rows: Array, *, stated: bool = False) -> None:
        """Candidates of a tensor that depends on no other."""
        self._count += 1
        self._set(value, rows, self._count, self._count)
        if stated:
            self.state_power(value)

    def state_power(self, value: Value) -> None:
        """From now on a tensor's scale is no free choice."""
        self.fixed.add(self.power[self.of(value)])
        self.stated.add(self.power[self.of(value)])

    def is_stated(self, value: Value) -> bool:
        """Whether a tensor's scale is no free choice."""
        return self.power.get(self.of(value)) in self.stated

    def extend(self, value: Value, rows: Array, like: Value, *, same_power: bool = False) -> None:
        """Candidates of a tensor, row by row those that go with another's."""
        self._count += 1
        power = self.power[self.of(like)] if same_power else self._count
        self._set(value, rows, self.group[self.of(like)], power)

    def spread(self, value: Value, like: Value, ratio: tuple[float, float]) -> None:
        """Gives a tensor candidates: those of `like`, each divided by several numbers from a range."""
        candidates = self.rows[self.of(like)]
        count = len(candidates)
        rows = np.repeat(np.arange(count), max(MOST_ROWS // count, 1))
        quotients = candidates[rows] / np.tile(np.linspace(*ratio, len(rows) // count + 2)[1:-1], count)
        self.keep(like, rows)
        self.extend(value, quotients.astype(np.float32).astype(np.float64), like, same_power=True)

    def _set(self, value: Value, rows: Array, group: int, power: int) -> None:
        value = self.of(value)
        self.rows[value], self.group[value], self.power[value] = rows, group, power

    def keep(self, value: Value, rows: Array) -> None:
        """Of all that belongs together, these rows."""
        group = self.group[self.of(value)]
        for tensor, tensor_rows in self.rows.items():
            if self.group[tensor] == group:
                self.rows[tensor] = tensor_rows[rows]

    def together(self, a: Value, b: Value) -> None:
        """Rows of both belong together from now on: of one group the first is taken."""
        first, second = self.group[self.of(a)], self.group[self.of(b)]
        if first == second:
            return
        count = len(self.rows[self.of(a)])
        for tensor in self.rows:
            if self.group[tensor] == second:
                self.rows[tensor], self.group[tensor] = np.repeat(self.rows[tensor][:1], count), first

    def scale_power(self, value: Value, exponent: int) -> None:
        """Move the scales whose powers of two belong together."""
        power = self.power[self.of(value)]
        for tensor in self.rows:
            if self.power[tensor] == power:
                self.rows[tensor] = np.ldexp(self.rows[tensor], exponent)

    def tie_powers(self, a: Value, b: Value) -> None:
        """Powers of two of both belong together from now on."""
        first, second = self.power[self.of(a)], self.power[self.of(b)]
        for powers in (self.fixed, self.stated):
            if second in powers:
                powers.add(first)
        for tensor in self.power:
            if self.power[tensor] == second:
                self.power[tensor] = first

    # ** layers **

    def layer(self, x: Value, y: Value, m: Array, shift: Array) -> bool:
        """Find scales of operand and result with which weights have scales that give the multipliers."""
        x_rows, y_rows = self.known(x), self.known(y)
        if y_rows is not None and x_rows is not None:
            self.together(x, y)
            _, rows = weight_scales(m, shift, self.rows[self.of(x)], self.rows[self.of(y)])
            if len(rows):
                self.keep(x, rows)
            return bool(len(rows))
        if y_rows is not None:
            return self._before(x, y, m, shift, intervals(m))
        return self._through(x, y, m, shift, intervals(m))

    def _through(self, x: Value, y: Value, m: Array, shift: Array, ranges: Array | None) -> bool:
        x_rows = self.known(x)
        if x_rows is None:
            input_scales, output_scales = _fresh(ranges)
            picked = np.arange(len(input_scales))
        else:
            picked, output_scales = _guessed(x_rows) if ranges is None else _within(x_rows, ranges)
            input_scales = x_rows[picked]
        _, rows = weight_scales(m, shift, input_scales, output_scales)
        if not len(rows):
            return False
        if x_rows is None:
            self.begin(x, input_scales[rows])
        else:
            self.keep(x, picked[rows])
        self.extend(y, output_scales[rows], x)
        return True

    def _before(self, x: Value, y: Value, m: Array, shift: Array, ranges: Array | None) -> bool:
        """Candidates of an operand from those of the result."""
        output_scales = self.rows[self.of(y)]
        if ranges is None:
            picked, input_scales = _guessed(output_scales)
        else:
            picked, input_scales = _within(output_scales, 1 / ranges[:, ::-1])
        _, rows = weight_scales(m, shift, input_scales, output_scales[picked])
        if not len(rows):
            return False
        self.keep(y, picked[rows])
        self.extend(x, input_scales[rows], y)
        return True

    def choose(self, x: Value, y: Value, fits: Callable[[float, float], bool]) -> bool:
        """Find a result's scale by trial, for the first candidate of the operand's."""
        firsts = [None if (rows := self.known(value)) is None else rows[:1] for value in (x, y)]
        for input_scale in _tried() if firsts[0] is None else firsts[0]:
            for output_scale in _tried() if firsts[1] is None else firsts[1]:
                if fits(float(input_scale), float(output_scale)):
                    self._set_first(x, input_scale)
                    self._set_first(y, output_scale)
                    return True
            if firsts[1] is None:
                return False
        return False

    def _set_first(self, value: Value, scale: float) -> None:
        """One candidate alone: the first of those that there are, or this one."""
        if self.known(value) is None:
            self.begin(value, np.array([scale]))
        else:
            self.keep(value, np.arange(1))

    def final(self, value: Value) -> float | None:
        """The scale at last."""
        rows = self.known(value)
        return None if rows is None else float(rows[0])


def _tried(count: int = 64) -> Array:
    """Some floats."""
    return np.random.default_rng(0).integers(MANTISSAS, 2 * MANTISSAS, count) * 2.0**-28


def _fresh(ranges: Array | None) -> tuple[Array, Array]:
    """Scales of an operand that nothing says another of, and of a result, part by part until there are many."""
    if ranges is None:
        input_scales = np.ldexp(np.arange(MANTISSAS, 2 * MANTISSAS, MANTISSAS // 16, dtype=np.float64), -30)
        picked, output_scales = _guessed(input_scales)
        return input_scales[picked], output_scales
    parts, end = [], MANTISSAS + MANTISSAS // min(len(ranges), RANGES)
    for begin in range(MANTISSAS, end, PART):
        input_scales = np.ldexp(np.arange(begin, min(begin + PART, end), dtype=np.float64), -30)
        picked, output_scales = _within(input_scales, ranges)
        parts.append((input_scales[picked], output_scales))
        if sum(len(output_scales) for _, output_scales in parts) >= MOST_ROWS:
            break
    inputs, outputs = zip(*parts, strict=True)
    return np.concatenate(inputs), np.concatenate(outputs)


def _guessed(input_scales: Array) -> tuple[Array, Array]:
    """Every row with scales of a result that happen to be tried."""
    count = max(1, min(len(input_scales), 16))
    picked = np.repeat(np.arange(count), TRIES)
    output_scales = np.tile(_tried(TRIES), count)
    return picked, output_scales.astype(np.float32).astype(np.float64)


def _within(input_scales: Array, ranges: Array) -> tuple[Array, Array]:
    """Rows and floats whose quotient is in one of the ranges."""
    input_scales = input_scales[: max(1, MANTISSAS // min(len(ranges), RANGES))]
    parts = []
    for low, high in ranges[:RANGES]:
        output_scales = (input_scales * (0.5 * (low + high))).astype(np.float32).astype(np.float64)
        share = output_scales / input_scales
        parts.append((np.flatnonzero((share >= low) & (share <= high)), output_scales))
    picked = np.concatenate([rows for rows, _ in parts])[:MOST_ROWS]
    output_scales = np.concatenate([output_scales[rows] for rows, output_scales in parts])[:MOST_ROWS]
    return picked, np.ldexp(np.frexp(output_scales)[0], USUAL)  # weights take any power of two
