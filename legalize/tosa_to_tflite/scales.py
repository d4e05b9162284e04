"""Scales for the tensors of a graph that has none, so that LiteRT's multipliers are those of its RESCALEs.

Tensors that are moved as they are share a scale. Candidates for the scales are rows of arrays, of which every layer
keeps those that it can have; at the end the first row is taken.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tosa_converter.ir import Array, Value
from tosa_converter.legalize.tosa_to_tflite.ratios import intervals, weight_scales

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
        known = self.rows.copy(), self.group.copy(), self.power.copy(), self.zero_point.copy()
        return *known, self.fixed.copy(), self.stated.copy()

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
        """Candidates of a tensor: those of another by numbers from a range, which the others' are times these."""
        known = self.rows[self.of(like)]
        rows = np.repeat(np.arange(len(known)), max(MOST_ROWS // len(known), 1))
        made = known[rows] / np.tile(np.linspace(*ratio, len(rows) // len(known) + 2)[1:-1], len(known))
        self.keep(like, rows)
        self.extend(value, made.astype(np.float32).astype(np.float64), like, same_power=True)

    def _set(self, value: Value, rows: Array, group: int, power: int) -> None:
        value = self.of(value)
        self.rows[value], self.group[value], self.power[value] = rows, group, power

    def keep(self, value: Value, rows: Array) -> None:
        """Of all that belongs together, these rows."""
        group = self.group[self.of(value)]
        for other, known in self.rows.items():
            if self.group[other] == group:
                self.rows[other] = known[rows]

    def together(self, a: Value, b: Value) -> None:
        """Rows of both belong together from now on: of one group the first is taken."""
        first, second = self.group[self.of(a)], self.group[self.of(b)]
        if first == second:
            return
        count = len(self.rows[self.of(a)])
        for other in self.rows:
            if self.group[other] == second:
                self.rows[other], self.group[other] = np.repeat(self.rows[other][:1], count), first

    def scale_power(self, value: Value, exponent: int) -> None:
        """Move the scales whose powers of two belong together."""
        power = self.power[self.of(value)]
        for other in self.rows:
            if self.power[other] == power:
                self.rows[other] = np.ldexp(self.rows[other], exponent)

    def tie_powers(self, a: Value, b: Value) -> None:
        """Powers of two of both belong together from now on."""
        first, second = self.power[self.of(a)], self.power[self.of(b)]
        for powers in (self.fixed, self.stated):
            if second in powers:
                powers.add(first)
        for other in self.power:
            if self.power[other] == second:
                self.power[other] = first

    # ** layers **

    def layer(self, x: Value, y: Value, m: Array, shift: Array) -> bool:
        """Find scales of operand and result with which weights have scales that give the multipliers."""
        given, made = self.known(x), self.known(y)
        if made is not None and given is not None:
            self.together(x, y)
            _, rows = weight_scales(m, shift, self.rows[self.of(x)], self.rows[self.of(y)])
            if len(rows):
                self.keep(x, rows)
            return bool(len(rows))
        if made is not None:
            return self._before(x, y, m, shift, intervals(m))
        return self._through(x, y, m, shift, intervals(m))

    def _through(self, x: Value, y: Value, m: Array, shift: Array, ranges: Array | None) -> bool:
        known = self.known(x)
        if known is None:
            given, made = _fresh(ranges)
            picked = np.arange(len(given))
        else:
            picked, made = _guessed(known) if ranges is None else _within(known, ranges)
            given = known[picked]
        _, rows = weight_scales(m, shift, given, made)
        if not len(rows):
            return False
        if known is None:
            self.begin(x, given[rows])
        else:
            self.keep(x, picked[rows])
        self.extend(y, made[rows], x)
        return True

    def _before(self, x: Value, y: Value, m: Array, shift: Array, ranges: Array | None) -> bool:
        """Candidates of an operand from those of the result."""
        made = self.rows[self.of(y)]
        if ranges is None:
            picked, given = _guessed(made)
        else:
            picked, given = _within(made, 1 / ranges[:, ::-1])
        _, rows = weight_scales(m, shift, given, made[picked])
        if not len(rows):
            return False
        self.keep(y, picked[rows])
        self.extend(x, given[rows], y)
        return True

    def choose(self, x: Value, y: Value, fits: Callable[[float, float], bool]) -> bool:
        """Find a result's scale by trial, for the first candidate of the operand's."""
        firsts = [None if (rows := self.known(value)) is None else rows[:1] for value in (x, y)]
        for given in _tried() if firsts[0] is None else firsts[0]:
            for made in _tried() if firsts[1] is None else firsts[1]:
                if fits(float(given), float(made)):
                    self._set_first(x, given)
                    self._set_first(y, made)
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
        given = np.ldexp(np.arange(MANTISSAS, 2 * MANTISSAS, MANTISSAS // 16, dtype=np.float64), -30)
        picked, made = _guessed(given)
        return given[picked], made
    found, end = [], MANTISSAS + MANTISSAS // min(len(ranges), RANGES)
    for begin in range(MANTISSAS, end, PART):
        given = np.ldexp(np.arange(begin, min(begin + PART, end), dtype=np.float64), -30)
        picked, made = _within(given, ranges)
        found.append((given[picked], made))
        if sum(len(made) for _, made in found) >= MOST_ROWS:
            break
    return np.concatenate([given for given, _ in found]), np.concatenate([made for _, made in found])


def _guessed(given: Array) -> tuple[Array, Array]:
    """Every row with scales of a result that happen to be tried."""
    count = max(1, min(len(given), 16))
    picked = np.repeat(np.arange(count), TRIES)
    made = np.tile(_tried(TRIES), count)
    return picked, made.astype(np.float32).astype(np.float64)


def _within(given: Array, ranges: Array) -> tuple[Array, Array]:
    """Rows and floats whose quotient is in one of the ranges."""
    given = given[: max(1, MANTISSAS // min(len(ranges), RANGES))]
    found = []
    for low, high in ranges[:RANGES]:
        made = (given * (0.5 * (low + high))).astype(np.float32).astype(np.float64)
        share = made / given
        found.append((np.flatnonzero((share >= low) & (share <= high)), made))
    picked = np.concatenate([rows for rows, _ in found])[:MOST_ROWS]
    made = np.concatenate([made[rows] for rows, made in found])[:MOST_ROWS]
    return picked, np.ldexp(np.frexp(made)[0], USUAL)  # weights take any power of two
