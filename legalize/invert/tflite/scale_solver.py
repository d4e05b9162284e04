"""The scale solver: finds scales for the tensors of a graph with which LiteRT's kernels have the RESCALEs' multipliers.

A graph of TOSA has multipliers, a graph of TFLite has scales. A kernel computes its multiplier from the scales around
it, so every operator is an equation between the scales of its tensors. `ScaleSolver` keeps many candidates for each
tensor, as rows of arrays. Each operator removes the rows that don't give its multiplier; the first row that is left is
taken.

Example: QUANTIZE has the multiplier QuantizeMultiplier(x_scale / y_scale). For multiplier 1288490189 and shift 31 (0.6
in Q0.31) and an x_scale of 0.5, y_scale is 0.5 / 0.6 but for roundings: `restrict_quotient` divides 0.5 by numbers of
the range 0.6 * (1 -+ 2**-23), rounds to fp32, and keeps the quotients that give 1288490189. An fp32 has 24 bits and a
multiplier has 31, so about 1 of 128 multipliers has such a quotient for a fixed x_scale. That is why an x_scale has up
to 2**18 candidates.

Three partitions of the tensors are kept:
* tensors that are moved as they are share one scale (`share_scale`, `representative`);
* tensors whose rows belong together are of one `group`: removing a row removes it from all;
* scales whose quotients are fixed are of one `power`: multiplying all of them by 2**n changes no multiplier.
"""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.invert.tflite.ratios import (
    MOST_ROWS,
    arbitrary_pairs,
    arbitrary_scales,
    fresh_scales,
    neighbours,
    ratio_intervals,
    scales_within,
    weight_scales,
)

FREE_ROWS = {DType.I8: 1 << 16, DType.I16: 1 << 18}  # candidates of a tensor whose scale nothing restricts


class ScaleSolver:
    """The candidate scales of a TFLite graph's tensors; tensors that share a scale are listed by one representative."""

    def __init__(self) -> None:
        """Starts a solver in which every tensor has a scale of its own, without candidates and without restrictions."""
        self._parent: dict[Value, Value] = {}
        self.rows: dict[Value, Array] = {}  # candidate scales, by the representative of a tensor
        self.group: dict[Value, int] = {}  # id of a group: tensors whose candidates are kept or removed together
        self.power: dict[Value, int] = {}  # id of a set: scales that a power of two multiplies together
        self.zero_point: dict[Value, int] = {}
        self.fixed: set[int] = set()  # ids of `power` whose scales no power of two may multiply
        self.stated: set[int] = set()  # those of them whose scales an operator or the source states
        self._count = 0

    def snapshot(self) -> dict[str, Any]:
        """Returns a copy of the solver's state, candidate scales and zero points of all tensors, for `restore`."""
        return {name: copy(table) for name, table in vars(self).items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Goes back to the state of a `snapshot`, after an operator was tried that has no suitable scales."""
        vars(self).update(state)

    # ** tensors that share a scale **

    def representative(self, value: Value) -> Value:
        """Returns the representative of the tensors that share this tensor's scale (union-find)."""
        while (above := self._parent.get(value, value)) is not value:
            value = above
        return value

    def share_scale(self, a: Value, b: Value) -> None:
        """Makes two tensors share one scale, because an operator only moves elements from one to the other."""
        a, b = self.representative(a), self.representative(b)
        if a is not b:
            self._parent[b] = a

    def set_zero_point(self, value: Value, zero_point: int) -> bool:
        """Gives a tensor a zero point unless it has one; returns whether it has this one now."""
        return self.zero_point.setdefault(self.representative(value), zero_point) == zero_point

    def set_zero_points(self, values: Sequence[Value], zero_points: Sequence[int]) -> bool:
        """Gives tensors zero points unless they have some; returns whether all have these now."""
        fits = [self.set_zero_point(*pair) for pair in zip(values, zero_points, strict=True)]
        return all(fits)

    # ** rows **

    def candidate_scales(self, value: Value) -> Array | None:
        """Returns the fp32 scales that a tensor may still have, or None if nothing restricts its scale yet."""
        return self.rows.get(self.representative(value))

    def __getitem__(self, value: Value) -> Array:
        """Returns the fp32 scales that a tensor may still have; something must have restricted it."""
        return self.rows[self.representative(value)]

    def set_candidates(self, value: Value, scales: Array, *, stated: bool = False) -> None:
        """Gives a tensor candidate scales that don't depend on other tensors' scales, in a group of its own.

        With `stated`, an operator or the source states them, so no power of two may multiply them.
        """
        self._count += 1
        self._set(value, scales, group=self._count, power=self._count)
        if stated:
            self.mark_stated(value)

    def set_free_candidates(self, value: Value) -> None:
        """Gives an unrestricted tensor 2**16 candidate scales (int16: 2**18) in equal steps from 2**-6 to 2**-5.

        There are so many because a multiplier of 31 bits leaves about 1 of 128.
        """
        count = FREE_ROWS[value.type.dtype]
        self.set_candidates(value, np.ldexp(np.arange(count, 2 * count) / count, -6))

    def mark_stated(self, value: Value) -> None:
        """Excludes a scale that an operator or the source states from powers of two (`multiply_by_power`)."""
        self.fixed.add(self.power[self.representative(value)])
        self.stated.add(self.power[self.representative(value)])

    def fix_powers(self, *values: Value) -> None:
        """Excludes scales from powers of two (`multiply_by_power`): a multiplier depends on their product.

        A quotient of scales stays if both are multiplied; a product doesn't.
        """
        self.fixed.update(self.power[self.representative(value)] for value in values)

    def is_stated(self, value: Value) -> bool:
        """Returns whether an operator or the source states a tensor's scale."""
        return self.power.get(self.representative(value)) in self.stated

    def set_paired_candidates(self, value: Value, scales: Array, like: Value, *, same_power: bool = False) -> None:
        """Gives a tensor one candidate scale for each candidate of `like`; row i of both is kept or removed together.

        With `same_power`, `multiply_by_power` multiplies both scales, so that their quotient stays.
        """
        self._count += 1
        power = self.power[self.representative(like)] if same_power else self._count
        self._set(value, scales, group=self.group[self.representative(like)], power=power)

    def derive_candidates(self, value: Value, like: Value, ratio: tuple[float, float]) -> None:
        """Gives a tensor candidate scales: each candidate of `like`, divided by several numbers.

        The numbers are inside `ratio` (low, high), the range of the scale of `like` / the tensor's scale. Candidates of
        `like` are repeated for their quotients, up to MOST_ROWS rows in all, so that row i of both tensors belongs
        together.
        """
        candidates = self[like]
        count = len(candidates)
        rows = np.repeat(np.arange(count), max(MOST_ROWS // count, 1))
        # [1:-1] leaves out both ends of the range.
        quotients = candidates[rows] / np.tile(np.linspace(*ratio, len(rows) // count + 2)[1:-1], count)
        self.keep_rows(like, rows)
        self.set_paired_candidates(value, quotients.astype(np.float32).astype(np.float64), like, same_power=True)

    def _set(self, value: Value, scales: Array, *, group: int, power: int) -> None:
        """Sets candidate scales, the group's id and the power's id of a tensor and of all that share its scale."""
        value = self.representative(value)
        self.rows[value], self.group[value], self.power[value] = scales, group, power

    def keep_rows(self, value: Value, rows: Array) -> bool:
        """Keeps only the candidates at the indices `rows`, in all tensors of a tensor's group.

        Without indices nothing is removed: the caller fails then, and `restore` undoes what it tried.

        Returns:
            Whether there are indices.
        """
        group = self.group[self.representative(value)]
        for tensor, tensor_rows in self.rows.items() if len(rows) else ():
            if self.group[tensor] == group:
                self.rows[tensor] = tensor_rows[rows]
        return len(rows) > 0

    def merge_groups(self, a: Value, b: Value) -> None:
        """Merges the groups of two tensors, so that removing a row of one removes it from the other too.

        The tensors of b's group keep only their first candidate, repeated for each row of a.
        """
        first, second = self.group[self.representative(a)], self.group[self.representative(b)]
        if first == second:
            return
        count = len(self[a])
        for tensor in self.rows:
            if self.group[tensor] == second:
                self.rows[tensor], self.group[tensor] = np.repeat(self.rows[tensor][:1], count), first

    def multiply_by_power(self, value: Value, exponent: int) -> None:
        """Multiplies a tensor's scale, and all scales whose quotient with it is fixed, by 2**exponent."""
        power = self.power[self.representative(value)]
        for tensor in self.rows:
            if self.power[tensor] == power:
                self.rows[tensor] = np.ldexp(self.rows[tensor], exponent)

    def tie_powers(self, a: Value, b: Value) -> None:
        """Makes `multiply_by_power` of one tensor multiply the other's scale too, which keeps the quotient of both.

        If one of them is fixed or stated, both are from then on.
        """
        first, second = self.power[self.representative(a)], self.power[self.representative(b)]
        for powers in (self.fixed, self.stated):
            if second in powers:
                powers.add(first)
        for tensor in self.power:
            if self.power[tensor] == second:
                self.power[tensor] = first

    # ** operators of one multiplier **

    def align_powers(self, x: Value, y: Value, quotient: float) -> bool:
        """Multiplies one scale by the power of two that brings x / y (their first candidates) nearest to a quotient.

        That is the scale of x, or that of y if x is fixed. Both tensors are of one group then.

        Returns:
            Whether that is possible. It isn't if both scales are fixed, or if a power multiplies both.
        """
        self.merge_groups(x, y)
        exponent = round(float(np.log2(quotient * self[y][0] / self[x][0])))
        powers = self.power[self.representative(x)], self.power[self.representative(y)]
        if exponent and (powers[0] == powers[1] or self.fixed.issuperset(powers)):
            return False
        if exponent:
            self.multiply_by_power(*((y, -exponent) if powers[0] in self.fixed else (x, exponent)))
        return True

    def restrict_quotient(
        self, x: Value, y: Value, quotients: tuple[float, float], fits: Callable[[Array, Array], Array]
    ) -> bool:
        """Restricts the scales of two tensors to those that suit an operator whose multiplier is their quotient.

        Tensors that share one scale have the quotient 1, which must suit the operator.

        Args:
            x: a tensor, which gets free candidates if neither has any.
            y: the other tensor.
            quotients: the range (low, high) of x / y; a tensor without candidates gets some from this range.
            fits: gets the candidates of x and those of y, and returns for each row whether both give the multiplier.

        Returns:
            Whether any are left.
        """
        low, high = quotients
        if self.candidate_scales(x) is None and self.candidate_scales(y) is None:
            self.set_free_candidates(x)
        if self.candidate_scales(y) is None:
            self.derive_candidates(y, x, quotients)
        if self.candidate_scales(x) is None:
            self.derive_candidates(x, y, (1 / high, 1 / low))
        if self.representative(x) is self.representative(y):
            return bool(fits(np.ones(1), np.ones(1)).all())
        if not self.align_powers(x, y, high):
            return False
        rows = np.flatnonzero(fits(self[x], self[y]))
        self.tie_powers(x, y)
        return self.keep_rows(x, rows)

    def restrict_nearby(self, value: Value, like: Value, estimates: Array, fits: Callable[[Array], Array]) -> bool:
        """Restricts a tensor's scale to floats that suit an operator: an estimate, or one of the two floats next to it.

        Args:
            value: a tensor; if it has candidates already, these are tested in place of the estimates.
            like: a tensor that has candidates.
            estimates: fp32 scales of `value`, one for each row of `like`, which the caller computes from that row.
            fits: returns which fp32 scales of `value`, one for each row, give the operator's multiplier.

        Returns:
            Whether any are left.
        """
        if self.candidate_scales(value) is not None:
            self.merge_groups(like, value)
            rows = np.flatnonzero(fits(self[value].astype(np.float32)))
            self.tie_powers(like, value)
            return self.keep_rows(like, rows)
        candidates, fitting = estimates.copy(), np.zeros(len(estimates), bool)
        for scales in neighbours(estimates):
            new = ~fitting & fits(scales)
            candidates[new] = scales[new]
            fitting |= new
        fits_any = self.keep_rows(like, np.flatnonzero(fitting))
        self.set_paired_candidates(value, candidates[fitting].astype(np.float64), like, same_power=True)
        return fits_any

    # ** layers **

    def restrict_layer(self, x: Value, y: Value, m: Array, shift: Array) -> bool:
        """Restricts the scales of a layer's operand and result to those for which its weights can have scales.

        A layer's multiplier is operand scale * weight scale / result scale, for each channel. If neither tensor has
        candidate scales, both get fresh ones; if one has, the other is searched for each of them.

        Args:
            x: the operand.
            y: the result.
            m: the multipliers that the layer has, one for each channel.
            shift: their shifts.

        Returns:
            Whether any are left.
        """
        if self.candidate_scales(x) is not None and self.candidate_scales(y) is not None:
            self.merge_groups(x, y)
            return self.keep_rows(x, weight_scales(m, shift, self[x], self[y])[1])
        # `source` has candidates or gets fresh ones; row i pairs its scale number picked[i] with a scale of `other`.
        ranges, source, other = ratio_intervals(m), x, y  # ranges of y / x, inverted below if y is the source
        if self.candidate_scales(x) is None and self.candidate_scales(y) is None:
            source_scales, other_scales = fresh_scales(ranges)
            picked = np.arange(len(source_scales))
        else:
            if self.candidate_scales(x) is None:
                source, other, ranges = y, x, None if ranges is None else 1 / ranges[:, ::-1]
            source_scales = self[source]
            picked, other_scales = (
                arbitrary_pairs(source_scales) if ranges is None else scales_within(source_scales, ranges)
            )
        pair = {source: source_scales[picked], other: other_scales}
        _, fitting = weight_scales(m, shift, pair[x], pair[y])
        if not len(fitting):
            return False
        if self.candidate_scales(source) is None:
            self.set_candidates(source, source_scales)
        self.keep_rows(source, picked[fitting])
        self.set_paired_candidates(other, other_scales[fitting], source)
        return True

    def restrict_to_one_pair(self, x: Value, y: Value, fits: Callable[[float, float], bool]) -> bool:
        """Restricts two tensors to one pair of scales for which `fits` returns True.

        Of a tensor with candidates only the first is tried, of a tensor without any 64 arbitrary scales. If neither has
        candidates, one scale of x is tried with 64 of y.

        Returns:
            Whether there is such a pair.
        """
        x_scales, y_scales = (
            arbitrary_scales() if (rows := self.candidate_scales(value)) is None else rows[:1] for value in (x, y)
        )
        pairs = ((a, b) for a in x_scales[: 1 if len(y_scales) > 1 else None] for b in y_scales)
        fitting = next((pair for pair in pairs if fits(*map(float, pair))), None)
        for value, scale in zip((x, y), fitting or (), strict=False):
            if self.candidate_scales(value) is None:
                self.set_candidates(value, np.array([scale]))
            else:
                self.keep_rows(value, np.arange(1))
        return fitting is not None

    def chosen_scale(self, value: Value) -> float | None:
        """Returns the scale that a tensor gets, which is its first candidate; None if nothing restricts it."""
        rows = self.candidate_scales(value)
        return None if rows is None else float(rows[0])
