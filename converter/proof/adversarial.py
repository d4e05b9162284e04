"""Inputs with values that random ones seldom have: ends of ranges, zero points, ties, special floats, last indices.

They are found by a look at the source alone: its types, scales and constants, and, for what lies deeper, its own
intermediate values. A number of a set and a seed always give the same arrays.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays
from tosa_converter.ir import Array, Graph, Model, Op, Value
from tosa_converter.proof.indices import index_limits
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.proof.media import integer_range
from tosa_converter.proof.ties import LOOKED_AT, Ties

Observe = Callable[[Arrays, str], Array]  # runs the source for an intermediate value by its name
_CYCLE = ("ties", "mixed", "ties", "pattern", "ties", "climbed")
_PATTERNS = ("every", "zero", "high", "low", "alternating")
_CLIMBS = 12  # runs of the source for one set
_SPECIAL = 0.75  # of a mixed set's elements
_F32 = np.finfo(np.float32)
# 1.5 and 2.5 tell ties to even (2 and 2) from ties upwards (2 and 3), and 1e-40 is subnormal. Below, 2**31 is the first
# float that int32 doesn't hold and -(2**31) the last one that it does, 2**32 the first beyond uint32.
_PLAIN_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 8.0, -8.0, 1e-40, -1e-40, float(_F32.tiny), float(_F32.eps))
_SPECIAL_FLOATS = (np.nan, np.inf, -np.inf, float(_F32.max), float(_F32.min), 2.0**31, -(2.0**31), 2.0**32)
_SEGMENT = 128  # elements of int16 between two entries of a TABLE

_CALLS = {"tfl.if", "tfl.while"}  # of whose results LiteRT may keep none
_MOVES = {"reshape", "squeeze", "expand_dims"}
_MOVED = {
    *("concatenation", "expand_dims", "gather", "gather_nd", "pack", "pad", "padv2", "quantize", "reshape"),
    *("reverse_v2", "select", "select_v2", "slice", "split", "split_v", "squeeze", "strided_slice", "tile"),
    *("transpose", "unpack", "equal", "greater", "greater_equal", "less", "less_equal", "not_equal"),
}
# Those whose operands are all elements; of the others the first one is.
_ALL_DATA = frozenset(
    f"tfl.{name}"
    for name in (
        *("concatenation", "pack", "select", "select_v2", "split", "maximum", "minimum"),
        *("equal", "greater", "greater_equal", "less", "less_equal", "not_equal"),
    )
)
# Operators of which LiteRT and TOSA define the same results of every float, and of every integer of 32 bits.
_FLOATS = frozenset(
    {f"tfl.{name}" for name in _MOVED | {"abs", "neg", "floor", "ceil", "round", "relu", "relu6", "sign"}}
)
_INTEGERS = frozenset({f"tfl.{name}" for name in _MOVED | {"maximum", "minimum", "relu", "sign"}})


class _Origin(NamedTuple):
    """A graph input that decides a value's stored elements one by one; `inverse` maps them back to the input's."""

    input: Value
    shape: tuple[int, ...]
    inverse: Callable[[Array], Array]


class Adversary:
    """Makes sets of inputs that random ones seldom are: special elements, patterns, ties, extreme intermediate values.

    Args:
        source: legal, of any opset; ties are looked for in TFLite's operators.
        shapes: of all inputs by name.
        seed: what is drawn is drawn from it.
        observe: runs the source for its intermediate values; nothing is climbed without.
    """

    def __init__(
        self, source: Model, shapes: Mapping[str, tuple[int, ...]], seed: int, observe: Observe | None = None
    ) -> None:
        """Prepares to make sets of inputs for a source, whose shapes are by the names of its inputs.

        It finds the values that inputs decide element by element, the ranges of indices, and the operators to make ties
        for. `observe` runs the source for intermediate values, which some sets make extreme.
        """
        self._graph, self._shapes, self._seed, self._observe = source.main, shapes, seed, observe
        self._origins = _origins(source.main, shapes)
        self._indices = index_limits(source)
        free = {value: origin.shape for value, origin in self._origins.items()}
        tied = [op for op in source.main.ops if op.name in LOOKED_AT and not free.keys().isdisjoint(op.operands)]
        self._ties = [Ties(op, free) for op in tied]

    @cached_property
    def _pools(self) -> dict[Value, Array]:
        """Returns by input the special elements of which sets are made."""
        return {value: self._special_elements(value) for value in self._graph.inputs}

    def inputs(self, number: int) -> dict[str, Array]:
        """Returns the set of inputs with this number; four kinds take turns.

        They are ties of an operator's result, special elements mixed in, a pattern, and special elements chosen step by
        step to make an intermediate value extreme ("climbed").

        Raises:
            UsageError: as random inputs.
        """
        rng = np.random.default_rng((self._seed, number))
        round, place = divmod(number, len(_CYCLE))
        kind = _CYCLE[place]
        mixed = self._mix_in_special(rng)
        if kind == "ties" and self._ties:
            # Ties are at the places 0, 2 and 4 of the cycle, so they are numbered 0, 1, 2, 3, ... over all sets: set 8
            # is at place 2 of round 1, number 1 * 3 + 1 = 4.
            return mixed | self._make_ties(round * _CYCLE.count(kind) + place // 2, rng)
        if kind == "pattern":
            return {
                value.name: self._fill_with_pattern(value, mixed[value.name], round) for value in self._graph.inputs
            }
        return self._climb(mixed, rng) if kind == "climbed" else mixed

    def _mix_in_special(self, rng: np.random.Generator) -> dict[str, Array]:
        """Returns random inputs in which three quarters of the elements are special ones (see `_special_elements`)."""
        drawn = random_inputs(self._graph.inputs, self._shapes, int(rng.integers(1 << 31)), self._indices)
        for value in self._graph.inputs:
            array, pool = drawn[value.name], self._pools[value]
            chosen = rng.random(array.shape) < _SPECIAL
            drawn[value.name] = np.where(chosen, rng.choice(pool, array.shape), array).astype(array.dtype)
        return drawn

    def _fill_with_pattern(self, value: Value, array: Array, round: int) -> Array:
        """Returns an input filled by a pattern; the patterns take turns by `round`.

        The patterns are the highest, the lowest or the zero element everywhere, the lowest and the highest in turn, and
        all special elements in turn. In place of the last one, integers get numbers evenly over their range.
        """
        pool, pattern = self._pools[value], _PATTERNS[round % len(_PATTERNS)]
        finite = pool[np.isfinite(pool)] if value.type.dtype.is_float else pool
        low, high, quant = finite.min(), finite.max(), value.type.quant
        middle = quant.zero_point[0] if quant is not None and quant.per_tensor else 0
        if pattern == "every" and value.type.dtype.is_integer:
            return np.asarray(np.rint(np.linspace(low, high, array.size)).reshape(array.shape), array.dtype)
        chosen = {"high": [high], "low": [low], "zero": [middle], "alternating": [low, high], "every": pool}[pattern]
        return np.asarray(np.resize(np.asarray(chosen), array.shape), array.dtype)

    def _make_ties(self, number: int, rng: np.random.Generator) -> dict[str, Array]:
        """Returns inputs that make results of one operator rounding ties; the operators take turns by `number`.

        The tied operands are mapped back to inputs by their `_Origin`.
        """
        number, which = divmod(number, len(self._ties))
        arrays = {}
        for value, array in self._ties[which].values(number, rng).items():
            origin = self._origins[value]
            arrays[origin.input.name] = origin.inverse(array).reshape(self._shapes[origin.input.name])
        return arrays

    def _climb(self, arrays: dict[str, Array], rng: np.random.Generator) -> dict[str, Array]:
        """Returns inputs changed at random, step by step, towards the least or greatest mean of one intermediate value.

        They are returned unchanged if no engine gives intermediate values.
        """
        inner = [
            value
            for op in self._graph.ops
            for value in op.results
            if op.name not in _CALLS and _has_computed_numbers(value)
        ]
        if self._observe is None or not inner:
            return arrays
        name, sign = inner[int(rng.integers(len(inner)))].name, rng.choice((-1, 1))
        best, reached = arrays, sign * _mean(self._observe(arrays, name))
        for _ in range(_CLIMBS - 1):
            tried = self._replace_some(best, rng)
            height = sign * _mean(self._observe(tried, name))
            if height >= reached or math.isnan(reached):
                best, reached = tried, height
        return best

    def _replace_some(self, arrays: Mapping[str, Array], rng: np.random.Generator) -> dict[str, Array]:
        """Returns inputs with a random part of their elements replaced by special ones."""
        changed = {}
        for value in self._graph.inputs:
            array = arrays[value.name]
            chosen = rng.random(array.shape) < rng.choice((0.05, 0.2, 0.5))
            special = rng.choice(self._pools[value], array.shape)
            changed[value.name] = np.where(chosen, special, array).astype(array.dtype)
        return changed

    def _special_elements(self, value: Value) -> Array:
        """Returns the special elements of an input, in its type: ends of its range, zeros, ties, special floats.

        Of indices they are the ends and middle of their range; of integers of more than 16 bits they are within 1000 of
        0, unless only operators that can't overflow read the input.
        """
        dtype = value.type.dtype
        if dtype is DType.BOOL:
            return np.array([False, True])
        if dtype.is_float:
            return np.array(list(self._special_floats(value))).astype(dtype.numpy)
        if not dtype.is_integer:
            return np.arange(2).astype(dtype.numpy)
        low, high = integer_range(value.type)
        if value.name in self._indices:
            first, last = (int(end) for end in self._indices[value.name])
            return np.unique([first, last, (first + last) // 2]).astype(dtype.numpy)
        if dtype.bits > 16:
            safe = self._reaches_only(value, _INTEGERS)
            limits = np.iinfo(np.int32) if dtype.numpy.kind == "i" else np.iinfo(dtype.numpy)
            # A product of three elements up to 1000 is 1e9, which int32 holds.
            low, high = (int(limits.min), int(limits.max)) if safe else (max(low, -1000), 1000)
        zero = value.type.quant.zero_point[0] if value.type.quant is not None else 0
        near = [low, high, low + 1, high - 1, zero - 1, zero, zero + 1, -1, 0, 1]
        if dtype.bits == 16:
            # Every seventh of 511 boundaries with its neighbours: 73 * 3 = 219 elements. The 10 of `near` are repeated
            # 21 times, so that a draw is one of them in about half of all cases.
            ends = [k * _SEGMENT + d for k in range(low // _SEGMENT, high // _SEGMENT, 7) for d in (-1, 0, 1)]
            near = near * (len(ends) // len(near)) + ends
        return np.clip(near, low, high).astype(dtype.numpy)

    def _special_floats(self, value: Value) -> Iterator[float]:
        """Yields special floats of an input: zeros, subnormals, ties of QUANTIZE, infinities where they are defined."""
        if self._reaches_only(value, _FLOATS):
            yield from _SPECIAL_FLOATS
        yield from _PLAIN_FLOATS
        for op in self._graph.ops:
            if op.name == "tfl.quantize" and op.operands[0] is value and (quant := op.results[0].type.quant):
                low, high = integer_range(op.results[0].type)
                # For int8, -128.5 and 127.5 are ties of which one neighbour saturates, -129 and 128 lie wholly outside.
                for level in (low - 1, low - 0.5, low, 0, 0.5, high, high + 0.5, high + 1):
                    yield (level - quant.zero_point[0]) * quant.scale[0]

    def _reaches_only(self, value: Value, names: frozenset[str]) -> bool:
        """Returns whether an input's elements reach only operators of these names, up to where their type changes.

        They must not reach other arguments either, such as where a slice begins. Only then does the input get
        infinities or the ends of int32: other operators may leave their results undefined.
        """
        reached = {value}
        for op in self._graph.ops:
            if reached.isdisjoint(op.operands):
                continue
            arguments = () if op.name in _ALL_DATA else op.operands[1:]  # such as where a slice begins
            if op.name not in names or not reached.isdisjoint(arguments) or _quantizes_to_wide(op):
                return False
            reached |= {result for result in op.results if result.type.dtype is value.type.dtype}
        return True


def _quantizes_to_wide(op: Op) -> bool:
    """Returns whether an operator is QUANTIZE to more than 8 bits.

    Special elements are kept from it: its overflow in LiteRT can't be told from a wrong result.
    """
    return op.name == "tfl.quantize" and op.results[0].type.dtype.bits > 8


def _mean(array: Array) -> float:
    """Returns the mean of an array in fp64, NaN if it is empty."""
    with np.errstate(all="ignore"):
        return float(np.mean(array.astype(np.float64))) if array.size else math.nan


def _has_computed_numbers(value: Value) -> bool:
    """Returns whether a value has computed numbers, so that inputs can move its mean."""
    return value.constant is None and (value.type.dtype.is_integer or value.type.dtype.is_float)


def _origins(graph: Graph, shapes: Mapping[str, tuple[int, ...]]) -> dict[Value, _Origin]:
    """Maps values whose elements each follow from one element of an input to that input and the way back.

    They are inputs, and inputs reshaped or quantized.
    """
    origins = {value: _Origin(value, shapes[value.name], _cast_function(value)) for value in graph.inputs}
    for op in graph.ops:
        origin = origins.get(op.operands[0]) if op.operands else None
        if origin is None or len(op.results) != 1:
            continue
        (result,) = op.results
        if op.base_name in _MOVES:
            origins[result] = origin._replace(shape=_fill_unknown(result.type.shape, math.prod(origin.shape)))
        elif op.name == "tfl.quantize" and (inverse := _undo_quantize(op.operands[0], result, origin.inverse)):
            origins[result] = origin._replace(inverse=inverse)
    return origins


def _cast_function(value: Value) -> Callable[[Array], Array]:
    """Returns a function that casts arrays to a value's element type."""
    return lambda array: array.astype(value.type.dtype.numpy)


def _fill_unknown(shape: Sequence[int | None], elements: int) -> tuple[int, ...]:
    """Returns a shape with so many elements: the first unknown dimension takes what is left, further ones are 1."""
    # 16 elements as [?, 8, ?] are (2, 8, 1).
    rest = elements // max(1, math.prod(size for size in shape if size))
    unknown = [i for i, size in enumerate(shape) if size is None]
    return tuple(size if size is not None else rest if i == unknown[0] else 1 for i, size in enumerate(shape))


def _undo_quantize(value: Value, result: Value, before: Callable[[Array], Array]) -> Callable[[Array], Array] | None:
    """Returns a function from QUANTIZE's results back to an input's elements, or None if scales don't allow it.

    `before` is that function for QUANTIZE's operand.
    """
    quant, operand_quant = result.type.quant, value.type.quant
    if quant is None or not quant.per_tensor:
        return None
    scale, zero = quant.scale[0], quant.zero_point[0]
    if value.type.dtype.is_float:
        return lambda array: before((array.astype(np.float64) - zero) * scale)
    if operand_quant is None or operand_quant.scale != quant.scale:
        return None
    # QUANTIZE from uint8 with zero point 128 to int8 with 0, on one scale: the result 5 comes from 5 - 0 + 128 = 133.
    return lambda array: before(array.astype(np.int64) - zero + operand_quant.zero_point[0])
