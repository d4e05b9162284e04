"""Finds the values of a conversion that equal values of its source, on the same inputs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Value
from tosa_converter.proof.judgement import quick_relative_error
from tosa_converter.proof.places import EQUAL_VALUES, Place
from tosa_converter.schemas.tosa_ops import TRANSPOSE

# Two tensors that have nothing to do with each other, whose elements are drawn from a distribution of h bits, are equal
# by chance with a probability of 2**-(h * n) for n elements. With 64 bits a chance match among 10,000 * 10,000 pairs
# has the probability 1e8 / 1.8e19 = 5e-12. A softmax of 10 int8 elements has at most 10 * log2(10) = 33 bits, a mask of
# 4096 zeros has none: such tensors are matched by their order only.
LEAST_BITS, LEAST_ELEMENTS = 64.0, 17
_SAMPLE = 4096  # elements that are counted at most
_MOST_COMPARED = 8  # floats of nearly the same largest, least and mean element that are compared with one value
_MOST_ORDERS = 4  # of dimensions, by rank, that are tried
COMPARABLE = frozenset(
    {DType.BOOL, DType.I8, DType.I16, DType.I32, DType.FP16, DType.FP32, DType.I64, DType.UI8}  # the last two in TFLite
)

Orders: TypeAlias = Mapping[int, Sequence[tuple[int, ...]]]
_Key: TypeAlias = tuple[str, bytes]


def information(array: Array, tolerance: float) -> float:
    """Returns how many bits the elements of an array hold at least: their number times the entropy of their values.

    Floats count as different if they differ by more than the tolerance, a part of the largest one.
    """
    sample = array.reshape(-1)[:: max(1, array.size // _SAMPLE)]
    if sample.dtype.kind == "f":
        numbers = sample.astype(np.float64)
        numbers = numbers[np.isfinite(numbers)]
        largest = float(np.abs(numbers).max(initial=0.0))
        sample = np.round(numbers / (tolerance * largest)) if largest else numbers
    _, counts = np.unique(sample, return_counts=True)
    parts = counts / max(sample.size, 1)
    return float(-(parts * np.log2(parts)).sum() * sample.size)


def is_distinctive(array: Array, tolerance: float) -> bool:
    """Returns whether equal elements show that two tensors are the same, and not that they are equal by chance."""
    return array.size >= LEAST_ELEMENTS and information(array, tolerance) >= LEAST_BITS


def orders_of_dimensions(graph: Graph) -> Orders:
    """Returns the orders of dimensions, by rank, in which a file may hold a value: of its TRANSPOSEs, and back.

    The first few of each rank count; the order as it is isn't among them.
    """
    orders: dict[int, dict[tuple[int, ...], None]] = {}
    for op in graph.ops:
        if op.row is TRANSPOSE:
            axes = tuple(int(axis) for axis in np.ravel(op.attribute("perms")))
            back = tuple(int(axis) for axis in np.argsort(axes))
            orders.setdefault(len(axes), {}).update({axes: None, back: None})
    return {
        rank: [axes for axes in of_rank if axes != tuple(range(rank))][:_MOST_ORDERS]
        for rank, of_rank in orders.items()
    }


def forms(value: Value, array: Array, target: Value, orders: Orders, by: str) -> Iterator[Place]:
    """Yields the ways in which the conversion's value `target` may hold the source's `value`, as far as shapes tell.

    Dimensions may be in one of the orders in `orders`, and uint8 may be int8. `by` says how the match was found.
    """
    sizes = [size for size in target.type.static if size != 1]
    possible = [
        axes for axes in orders.get(array.ndim, ()) if [array.shape[i] for i in axes if array.shape[i] != 1] == sizes
    ]
    for axes in ((), *possible):
        for flipped in (False, True) if array.dtype == np.uint8 else (False,):
            yield Place(value, target, flipped, by, axes)


class EqualValues:
    """Values of a conversion, by what they hold.

    Args:
        arrays: the values in the order of the graph, on the source's inputs.
        orders: of dimensions in which they may hold a value of the source.
        tolerance: on floats, relative to the largest element of the source's value.
    """

    def __init__(self, arrays: Mapping[Value, Array], orders: Orders, tolerance: float) -> None:
        """Indexes arrays by a key of their bits, and arrays of finite floats also by their number of elements."""
        self.arrays, self.orders, self.tolerance = arrays, orders, tolerance
        self.by_key: dict[_Key, list[Value]] = {}
        self.floats: dict[int, list[_Float]] = {}
        for value, array in arrays.items():
            self.by_key.setdefault(_key(narrow_integers(array)), []).append(value)
            if array.dtype.kind == "f" and np.isfinite(array).all():
                self.floats.setdefault(array.size, []).append(_Float.of(value, array))

    def places(self, value: Value, array: Array) -> Iterator[Place]:
        """Yields the places where the conversion may hold a source's value: equal bits first, then near floats.

        The bits may be in another order of dimensions, and those of uint8 as int8.
        """
        seen: set[Value] = set()
        for key, flipped, axes in _keys(array, self.orders):
            for target in self.by_key.get(key, ()):
                seen.add(target)
                yield Place(value, target, flipped, EQUAL_VALUES, axes)
        if array.dtype.kind == "f" and np.isfinite(array).all():
            yield from (place for place in self._near(value, array) if place.value not in seen)

    def _near(self, value: Value, array: Array) -> Iterator[Place]:
        """Yields places of the conversion's floats that are within the tolerance of a source's value, in any form.

        Only the first few with nearly the same largest, least and mean element are compared.
        """
        summary = _Float.of(value, array)
        slack = self.tolerance * max(abs(summary.most), abs(summary.least))
        near = [row for row in self.floats.get(array.size, ()) if row.is_near(summary, slack)]
        for row in near[:_MOST_COMPARED]:
            for place in forms(value, array, row.value, self.orders, EQUAL_VALUES):
                if is_equal(place, array, self.arrays[row.value], self.tolerance):
                    yield place
                    break


class _Float(NamedTuple):
    """A value of floats with its largest, least and mean element, which no order of dimensions changes."""

    value: Value
    most: float
    least: float
    mean: float

    @classmethod
    def of(cls, value: Value, array: Array) -> "_Float":
        """Returns the summary of an array, which is not empty."""
        return cls(value, float(array.max()), float(array.min()), float(array.mean(dtype=np.float64)))

    def is_near(self, other: "_Float", slack: float) -> bool:
        """Returns whether two float arrays may be within `slack` of each other at every element.

        Then so are their largest, least and mean elements, which are all that is compared here.
        """
        # The factor allows for the rounding of the means in fp64, which is far below a thousandth of any tolerance.
        pairs = zip(self[1:], other[1:], strict=True)
        return all(abs(a - b) <= 1.001 * slack for a, b in pairs)


def is_equal(place: Place, array: Array, result: Array, tolerance: float) -> bool:
    """Returns whether a value of the conversion holds a source's elements, floats within the tolerance."""
    elements = place.from_source(array)
    if elements is None or elements.shape != result.shape:
        return False
    if elements.dtype.kind != "f":
        return bool(np.array_equal(elements, result))
    error = quick_relative_error(elements.astype(np.float32), result.astype(np.float32))
    return error <= tolerance or bool(np.array_equal(elements, result, equal_nan=True))


def _keys(array: Array, orders: Orders) -> Iterator[tuple[_Key, bool, tuple[int, ...]]]:
    """Yields the keys by which an array of the source is looked up among the conversion's, each with its form.

    The form is whether uint8 is held as int8, its top bit flipped, and the order of dimensions, () for the same.
    """
    array = narrow_integers(array)
    for axes in ((), *orders.get(array.ndim, ())):
        ordered = array.transpose(axes) if axes else array
        yield _key(ordered), False, axes
        if array.dtype == np.uint8:
            yield _key(ordered ^ np.uint8(128)), True, axes


def narrow_integers(array: Array) -> Array:
    """Returns int64 elements as TOSA has them, in int32, if all of them fit."""
    narrow = array.astype(np.int32) if array.dtype == np.int64 else array
    return narrow if np.array_equal(narrow, array) else array


def _key(array: Array) -> _Key:
    """Returns a key that arrays have in common if their bits are equal, whatever their shape.

    It is the width and kind of the elements, signed and unsigned alike, and a digest of the bits in order.
    """
    kind = {"u": "i"}.get(array.dtype.kind, array.dtype.kind)
    return f"{kind}{array.dtype.itemsize}", blake2b(np.ascontiguousarray(array).tobytes(), digest_size=16).digest()


def comparable(values: Iterable[Value], sizes: set[int]) -> list[Value]:
    """Returns the values that can be compared with a source's: of numbers, with as many elements as one of `sizes`."""
    return [
        value
        for value in values
        if value.type.dtype in COMPARABLE and None not in value.type.shape and value.type.elements in sizes
    ]
