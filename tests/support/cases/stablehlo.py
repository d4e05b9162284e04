"""Cases of StableHLO's operators, judged by LiteRT's reference kernel if there is one, else by numpy in fp64."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from support.cases.case import Case, Drawing, Network, Row, Rows, ints, tensor
from support.cases.draw import FLOATS, NAMES, Draw
from support.tflite_models import Operator, Subgraph, Tensor
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import ReduceWindowFunction
from tosa_converter.schemas.tflite import StablehloComparisonDirection as Direction

Formula = Callable[..., Array]


def _exact(array: Array) -> Array:
    """Returns the elements in a type wide enough for the formula."""
    if array.dtype == bool:
        return array
    return array.astype(np.int64 if array.dtype.kind in "iu" else np.float64)


def by_formula(
    builtin: B, operands: Sequence[Tensor], compute: Formula, options: dict[str, Any] | None = None, type: str = ""
) -> Network:
    """Returns a case with the result of a formula in the first operand's type; integers wrap."""
    computed = np.asarray(compute(*(_exact(operand.array) for operand in operands)))
    name = NAMES[type] if type else operands[0].dtype
    expected = computed.astype(name) if computed.dtype == np.int64 else computed
    result = Tensor(expected.shape, name)
    return Network(*Case(builtin, operands, [result], options or {}).model(), [expected])


def _above(d: Draw, shape: Sequence[int], least: float = 0.1) -> Tensor:
    """Draws an input of numbers above 0."""
    values = np.abs(d.values(shape)) + np.asarray(least).astype(d.values((1,)).dtype)
    return d.of(np.asarray(values))


def _mixed(d: Draw, *operands: Tensor) -> list[Tensor]:
    """Returns the operands, in some cases one of them as a constant."""
    constant = d.whole(0, 2 * len(operands) - 1) if len(operands) > 1 else -1
    return [operand.constant if i == constant else operand for i, operand in enumerate(operands)]


# ** elementwise **


def unary(builtin: B, compute: Formula, *, above: bool = False, most: float = np.inf) -> Drawing:
    """Returns a function that draws one operand with numbers up to a largest one."""

    def draw(d: Draw) -> Network:
        x = _above(d, d.shape(0, 5, 4)) if above else d.fed(d.shape(0, 5, 4))
        if most < np.inf:
            x = d.of(np.minimum(x.array, np.asarray(most).astype(d.values(()).dtype)))
        return by_formula(builtin, [x], compute)

    return draw


def binary(builtin: B, compute: Formula | None = None, *, nonzero: bool = False) -> Drawing:
    """Returns a function that draws two operands of one shape; without a formula LiteRT judges."""

    def draw(d: Draw) -> Case | Network:
        shape = d.shape(0 if compute else 1, 5, 4)
        a, b = d.fed(shape), _nonzero(d, shape) if nonzero else d.fed(shape)
        operands = _mixed(d, a, b)
        return Case(builtin, operands, [d.result()]) if compute is None else by_formula(builtin, operands, compute)

    return draw


def _nonzero(d: Draw, shape: Sequence[int]) -> Tensor:
    values = d.values(shape)
    return d.of(np.asarray(np.where(values == 0, np.ones_like(values), values)))


def power(d: Draw) -> Network:
    """Draws whole exponents of any base, and other exponents of bases above 0."""
    shape = d.shape(1, 4, 4)
    y = d.rng.integers(-3, 4, shape).astype(np.float64)
    x = d.values(shape)
    if d.coin():
        x, y = np.asarray(np.abs(x) + np.asarray(0.25).astype(x.dtype)), d.rng.uniform(-2, 2, shape)
    x = np.asarray(np.where(np.abs(x) < 0.25, np.zeros_like(x), x))
    with np.errstate(divide="ignore"):
        return by_formula(B.STABLEHLO_POWER, _mixed(d, d.of(x), d.of(y.astype(x.dtype))), np.power)


def remainder(d: Draw) -> Network:
    """Draws operands whose quotient has a fraction and isn't next to a whole number."""
    shape = d.shape(1, 4, 4)
    if d.type == "i32":
        return by_formula(B.STABLEHLO_REMAINDER, _mixed(d, d.fed(shape), _nonzero(d, shape)), np.fmod)
    step = d.rng.choice([0.5, 1, 2, 4, -2, -1], shape)
    whole, rest = d.rng.integers(-8, 8, shape), d.rng.choice([0.25, 0.5, 0.75], shape)
    x, y = d.of(((whole + rest) * step).astype(d.values(()).dtype)), d.of(step.astype(d.values(()).dtype))
    return by_formula(B.STABLEHLO_REMAINDER, _mixed(d, x, y), np.fmod)


def clamp(d: Draw) -> Network:
    """Draws bounds of one element, or of one for each element."""
    shape = d.shape(1, 4, 4)
    bounds = [d.fed(shape if d.coin() else ()) for _ in range(2)]
    operands = _mixed(d, bounds[0], d.fed(shape), bounds[1])

    def clamped(low: Array, x: Array, high: Array) -> Array:
        return np.minimum(np.maximum(low, x), high)

    return by_formula(B.STABLEHLO_CLAMP, operands, clamped)


COMPARISONS = {
    Direction.STABLEHLO_COMPARISON_DIRECTION_EQ: np.equal,
    Direction.STABLEHLO_COMPARISON_DIRECTION_NE: np.not_equal,
    Direction.STABLEHLO_COMPARISON_DIRECTION_GE: np.greater_equal,
    Direction.STABLEHLO_COMPARISON_DIRECTION_GT: np.greater,
    Direction.STABLEHLO_COMPARISON_DIRECTION_LE: np.less_equal,
    Direction.STABLEHLO_COMPARISON_DIRECTION_LT: np.less,
}


def compare(d: Draw) -> Network:
    """Draws operands with some equal elements."""
    shape = d.shape(0, 4, 4)
    x = d.values(shape)
    a, b = d.of(x), d.of(np.asarray(np.where(d.rng.integers(0, 2, shape) == 0, x, d.values(shape))).astype(x.dtype))
    direction = d.among(*COMPARISONS)
    options = {"comparison_direction": direction}
    return by_formula(B.STABLEHLO_COMPARE, _mixed(d, a, b), COMPARISONS[direction], options, type="bool")


def select(d: Draw) -> Network:
    """Draws a condition of one element, or of one for each element."""
    shape = d.shape(1, 4, 4)
    condition = d.fed(shape if d.coin() else (), "bool")
    operands = _mixed(d, condition, d.fed(shape), d.fed(shape))
    return by_formula(B.STABLEHLO_SELECT, operands, np.where, type=d.type)


def shift_left(d: Draw) -> Network:
    """Draws shift amounts, some of them beyond the number of bits."""
    shape = d.shape(1, 4, 4)
    bits = {"i8": 8, "i16": 16, "i32": 32}[d.type]
    amount = d.of(d.rng.integers(0, bits + 3, shape).astype(NAMES[d.type]))

    def shifted(x: Array, n: Array) -> Array:
        return np.where(n < bits, x << np.minimum(n, bits), 0)

    return by_formula(B.STABLEHLO_SHIFT_LEFT, _mixed(d, d.fed(shape), amount), shifted)


def convert(d: Draw) -> Network:
    """Draws a conversion to a float type, or between integers."""
    target = d.among("fp32", "i32") if d.type in (*FLOATS, "bool") else d.among("fp32", "i32", "i16", "i8")
    x = d.fed(d.shape(0, 4, 4))

    def converted(values: Array) -> Array:
        return values.astype(np.float64) if target == "fp32" else np.trunc(values).astype(np.int64)

    return by_formula(B.STABLEHLO_CONVERT, [x], converted, type=target)


# ** movement **


def reshape(d: Draw) -> Network:
    """Draws another shape for the elements."""
    shape = d.shape(1, 4, 4)
    to = d.among((int(np.prod(shape)),), shape[::-1], (1, *shape), (*shape[:-1], 1, shape[-1]))
    return by_formula(B.STABLEHLO_RESHAPE, [d.fed(shape)], lambda x: x.reshape(to))


def broadcast_in_dim(d: Draw) -> Network:
    """Draws some axes of the result, some of them of size 1."""
    shape = d.shape(1, 4, 4)
    axes = sorted(d.rng.choice(len(shape), d.whole(0, len(shape)), replace=False).tolist())
    operand_shape = tuple(1 if d.whole(0, 2) == 0 else shape[axis] for axis in axes)
    full = [operand_shape[axes.index(i)] if i in axes else 1 for i in range(len(shape))]
    options = {"broadcast_dimensions": tuple(axes)}
    return by_formula(
        B.STABLEHLO_BROADCAST_IN_DIM, [d.fed(operand_shape)], lambda x: np.broadcast_to(x.reshape(full), shape), options
    )


def concatenate(d: Draw) -> Network:
    """Draws parts that differ in size along the axis only."""
    shape = list(d.shape(1, 4, 4))
    axis = d.whole(0, len(shape) - 1)
    parts = [d.fed([*shape[:axis], d.whole(1, 4), *shape[axis + 1 :]]) for _ in range(d.whole(1, 4))]
    parts = _mixed(d, *parts)
    return by_formula(B.STABLEHLO_CONCATENATE, parts, lambda *x: np.concatenate(x, axis), {"dimension": axis})


def transpose(d: Draw) -> Network:
    """Draws any permutation."""
    shape = d.shape(1, 5, 4)
    order = tuple(d.rng.permutation(len(shape)).tolist())
    return by_formula(B.STABLEHLO_TRANSPOSE, [d.fed(shape)], lambda x: x.transpose(order), {"permutation": order})


def slice_(d: Draw) -> Network:
    """Draws any bounds, with strides of 1 to 3."""
    shape = d.shape(1, 4, 6)
    start = [d.whole(0, n - 1) for n in shape]
    stop = [d.whole(a + 1, n) for a, n in zip(start, shape, strict=True)]
    strides = [d.among(1, 1, 2, 3) for _ in shape]
    part = tuple(slice(*bounds) for bounds in zip(start, stop, strides, strict=True))
    options = {"start_indices": tuple(start), "limit_indices": tuple(stop), "strides": tuple(strides)}
    return by_formula(B.STABLEHLO_SLICE, [d.fed(shape)], lambda x: x[part], options)


def pad(d: Draw) -> Case:
    """Draws positive and negative edges and interior padding; the fill is a constant or fed."""
    shape = d.shape(1, 4, 4)
    gaps = [d.among(0, 0, 1, 2) for _ in shape]
    low, high = ([d.whole(-1, 2) if n > 2 else d.whole(0, 2) for n in shape] for _ in range(2))
    options = {"edge_padding_low": tuple(low), "edge_padding_high": tuple(high), "interior_padding": tuple(gaps)}
    return Case(B.STABLEHLO_PAD, [d.fed(shape), d.either(d.fed(()))], [d.result()], options)


def _indices(d: Draw, shape: Sequence[int]) -> list[Tensor]:
    """Draws one index for each axis, inside or outside of the operand."""
    type = d.among("i32", "i64")
    indices = [d.of(np.asarray(d.whole(-1, n), NAMES[type]), type) for n in shape]
    return [index.constant for index in indices] if d.coin() else [d.either(index) for index in indices]


def dynamic_slice(d: Draw) -> Network:
    """Draws windows, some of which start outside and are moved inside."""
    shape = d.shape(1, 4, 5)
    size = [d.whole(1, n) for n in shape]

    def sliced(x: Array, *starts: Array) -> Array:
        return x[_part(shape, size, starts)]

    options = {"slice_sizes": tuple(size)}
    return by_formula(B.STABLEHLO_DYNAMIC_SLICE, [d.fed(shape), *_indices(d, shape)], sliced, options)


def _part(shape: Sequence[int], size: Sequence[int], starts: Sequence[Array]) -> tuple[slice, ...]:
    begin = [min(max(int(at), 0), n - count) for at, n, count in zip(starts, shape, size, strict=True)]
    return tuple(slice(a, a + n) for a, n in zip(begin, size, strict=True))


def dynamic_update_slice(d: Draw) -> Network:
    """Draws windows, some of which start outside and are moved inside."""
    shape = d.shape(1, 4, 5)
    size = [d.whole(1, n) for n in shape]

    def updated(x: Array, update: Array, *starts: Array) -> Array:
        copy = x.copy()
        copy[_part(shape, size, starts)] = update
        return copy

    operands = [*_mixed(d, d.fed(shape), d.fed(size)), *_indices(d, shape)]
    return by_formula(B.STABLEHLO_DYNAMIC_UPDATE_SLICE, operands, updated)


def gather(d: Draw) -> Case:
    """Draws windows of any size along some axes, some of which are collapsed."""
    shape = d.shape(1, 4, 5)
    mapped = d.rng.permutation(len(shape))[: d.whole(1, len(shape))].tolist()
    size = [d.whole(1, n) for n in shape]
    collapsed = [axis for axis in range(len(shape)) if size[axis] == 1 and d.coin()]
    batch, offset_rank = d.shape(0, 2, 3), len(shape) - len(collapsed)
    place = d.whole(0, len(batch))
    indices = [*batch[:place], len(mapped), *batch[place:]]
    values = d.rng.integers(-2, 6, indices).astype(np.int32)
    offsets = sorted(d.rng.choice(len(batch) + offset_rank, offset_rank, replace=False).tolist())
    options = {
        "offset_dims": tuple(offsets),
        "collapsed_slice_dims": tuple(collapsed),
        "start_index_map": tuple(mapped),
        "index_vector_dim": place,
        "slice_sizes": tuple(size),
    }
    result = Tensor((1,) * (len(batch) + offset_rank), NAMES[d.type])
    return Case(B.STABLEHLO_GATHER, [d.fed(shape), d.either(d.of(values, "i32"))], [result], options)


# ** bodies **

BODIES = {"add": B.STABLEHLO_ADD, "mul": B.STABLEHLO_MULTIPLY, "max": B.STABLEHLO_MAXIMUM, "min": B.STABLEHLO_MINIMUM}
LOGICAL = {"all": B.STABLEHLO_AND, "any": B.STABLEHLO_OR}
ARRAYS: dict[str, Any] = {
    "add": np.add,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "all": np.logical_and,
    "any": np.logical_or,
}


def body(builtin: B | None, dtype: str = "float32") -> Subgraph:
    """Returns a body with one operator on its two elements; without an operator, it returns the second."""
    tensors = [Tensor((), dtype) for _ in range(3)]
    if builtin is None:
        return Subgraph(tensors, [], [0, 1], [1])
    return Subgraph(tensors, [Operator(builtin, [0, 1], [2])], [0, 1], [2])


def comparing(builtin: B, first: int, second: int, dtype: str = "float32", **options: Any) -> Subgraph:
    """Returns a comparator of two of its arguments, for two operands; tensor 5 is a constant."""
    kinds = [dtype] * 4
    result_type = "bool" if builtin is not B.STABLEHLO_ADD else dtype
    tensors = [*(Tensor((), kind) for kind in kinds), Tensor((), result_type), Tensor((), dtype, np.zeros((), dtype))]
    return Subgraph(tensors, [Operator(builtin, [first, second], [4], options)], [0, 1, 2, 3], [4])


def with_body(case: Case, builtin: B | None, expected: list[Array] | None = None) -> Network:
    """Returns the case with a second graph, its body."""
    dtype = next(operand.dtype for operand in case.operands if operand is not None)
    return Network(*replace(case, called=(body(builtin, dtype),)).model(), expected)


def sort(d: Draw) -> Network:
    """Draws up to 3 operands, sorted by any one of them in either direction; equal elements keep their order."""
    shape, count = d.shape(1, 4, 5), d.whole(1, 3)
    axis, key, rising = d.whole(0, len(shape) - 1), d.whole(0, count - 1), d.coin()
    types = [d.type, *(d.among("i32", "fp32", "i8", "bool") for _ in range(count - 1))]
    values = [d.values(shape, type) for type in types]
    values[key] = np.where(d.rng.integers(0, 2, shape) == 0, 0, values[key]).astype(values[key].dtype)
    operands = [d.of(array, type) for array, type in zip(values, types, strict=True)]
    if d.coin():  # the second comes before the first if it is on the other side
        places, less = (2 * key + 1, 2 * key), not rising
    else:
        places, less = (2 * key, 2 * key + 1), rising
    tensors = [Tensor((), operand.dtype) for operand in operands for _ in range(2)]
    direction = {"comparison_direction": 5 if less else 3}
    comparison = Operator(B.STABLEHLO_COMPARE, places, [2 * count], direction)
    comparator = Subgraph([*tensors, Tensor((), "bool")], [comparison], range(2 * count), [2 * count])
    order = np.argsort(values[key].astype(np.float64) * (1 if rising else -1), axis=axis, kind="stable")
    expected = [np.take_along_axis(array, order, axis) for array in values]
    options = {"dimension": axis, "is_stable": True, "comparator_subgraph_index": 1}
    results = [Tensor(shape, operand.dtype) for operand in operands]

    chosen = d.whole(0, count) if count > 1 else count
    fed = [operand.constant if i == chosen else operand for i, operand in enumerate(operands)]
    return Network(*Case(B.STABLEHLO_SORT, fed, results, options, (comparator,)).model(), expected)


def _small(d: Draw, shape: Sequence[int]) -> Tensor:
    """Draws elements whose sums and products stay in range."""
    if d.type == "bool":
        return d.fed(shape)
    if d.type in FLOATS:
        values = d.rng.uniform(0.9, 1.1, shape) * d.rng.choice([-1, 1], shape)
        return d.of(np.asarray(values).astype(d.values(()).dtype))
    return d.of(d.rng.integers(-4, 5, shape).astype(NAMES[d.type]))


def _neutral(d: Draw, combine: str) -> Tensor:
    """Draws an initial value: the identity, or any number."""
    values = {"add": 0, "mul": 1, "max": -4, "min": 4, "all": True, "any": False}
    dtype = d.values(()).dtype
    return d.of(np.asarray(values[combine]).astype(dtype)) if d.coin() else _small(d, ())


def reduce(d: Draw) -> Network:
    """Draws any axes and any initial value."""
    shape = d.shape(1, 4, 4)
    combine = d.among(*(LOGICAL if d.type == "bool" else BODIES))
    axes = tuple(d.rng.choice(len(shape), d.whole(0, len(shape)), replace=False).tolist())
    x, start = _small(d, shape), d.either(_neutral(d, combine))
    ufunc = ARRAYS[combine]
    reduced = (
        ufunc(ufunc.reduce(_exact(x.array), axis=axes), _exact(start.array))
        if axes
        else ufunc(_exact(x.array), _exact(start.array))
    )
    reduced = np.asarray(reduced)
    result = Tensor(reduced.shape, x.dtype)
    case = Case(B.STABLEHLO_REDUCE, [x, start], [result], {"dimensions": axes, "body_subgraph_index": 1})
    expected = reduced.astype(x.array.dtype) if reduced.dtype == np.int64 else reduced
    return with_body(case, {**BODIES, **LOGICAL}[combine], [expected])


def reduce_window(d: Draw) -> Network:
    """Draws paddings, strides and both dilations."""
    shape = d.shape(1, 4, 5)
    combine = d.among(*(LOGICAL if d.type == "bool" else BODIES))
    rank = range(len(shape))
    strides, dilations, gaps = ([d.among(1, 1, 2) for _ in rank] for _ in range(3))
    padding = [d.among(0, 0, 1, 2) for _ in range(2 * len(shape))]
    spread = [(n - 1) * gap + 1 + a + b for n, gap, a, b in zip(shape, gaps, padding[::2], padding[1::2], strict=True)]
    window = [min(d.whole(1, 3), (n - 1) // step + 1) for n, step in zip(spread, dilations, strict=True)]
    options = {
        "window_dimensions": tuple(window),
        "window_strides": tuple(strides),
        "base_dilations": tuple(gaps),
        "window_dilations": tuple(dilations),
        "padding": tuple(padding),
        "body_subgraph_index": 1,
    }
    x, start = _small(d, shape), d.either(_neutral(d, combine))
    case = Case(B.STABLEHLO_REDUCE_WINDOW, [x, start], [d.result()], options)
    combining = {**BODIES, "all": B.LOGICAL_AND, "any": B.LOGICAL_OR}[combine]
    if d.type not in ("fp16", "bf16"):
        return with_body(case, combining)
    reduced = windows(_exact(x.array), _exact(start.array), ARRAYS[combine], options)
    return with_body(case, combining, [reduced])


def windows(x: Array, start: Array, ufunc: Any, options: dict[str, Any]) -> Array:
    """Returns the result of StableHLO's reduce_window by its definition, window by window."""
    padding, gaps = options["padding"], options["base_dilations"]
    spread = np.full([(n - 1) * gap + 1 for n, gap in zip(x.shape, gaps, strict=True)], start)
    spread[tuple(slice(None, None, gap) for gap in gaps)] = x
    full = np.pad(spread, list(zip(padding[::2], padding[1::2], strict=True)), constant_values=start)
    window, steps = options["window_dimensions"], options["window_dilations"]
    reach = [(n - 1) * step + 1 for n, step in zip(window, steps, strict=True)]
    view = np.lib.stride_tricks.sliding_window_view(full, reach)
    view = view[(*(slice(None, None, n) for n in options["window_strides"]), *(slice(None, None, n) for n in steps))]
    return np.asarray(ufunc(ufunc.reduce(view, axis=tuple(range(x.ndim, 2 * x.ndim))), start))


FUNCTIONS = {
    "add": ReduceWindowFunction.ADD,
    "mul": ReduceWindowFunction.MUL,
    "max": ReduceWindowFunction.MAXIMUM,
    "min": ReduceWindowFunction.MINIMUM,
    "all": ReduceWindowFunction.ALL,
    "any": ReduceWindowFunction.ANY,
}


def tfl_reduce_window(d: Draw) -> Case:
    """Draws windows without padding."""
    shape = d.shape(1, 4, 6)
    combine = d.among(*(LOGICAL if d.type == "bool" else BODIES))
    strides, dilations = ([d.among(1, 1, 2) for _ in shape] for _ in range(2))
    window = [min(d.whole(1, 3), (n - 1) // step + 1) for n, step in zip(shape, dilations, strict=True)]
    sizes = [d.ints(values, "i64") for values in (window, strides, dilations)]
    operands = [_small(d, shape), d.either(_neutral(d, combine)), *sizes]
    return Case(B.REDUCE_WINDOW, operands, [d.result()], {"reduce_function": FUNCTIONS[combine]})


def scatter(d: Draw) -> Network:
    """Draws windows that may lie outside or overlap; the last one counts if nothing is computed."""
    shape = d.shape(1, 3, 4)
    mapped = d.rng.permutation(len(shape))[: d.whole(1, len(shape))].tolist()
    size = [d.whole(1, n) for n in shape]
    inserted = [axis for axis in range(len(shape)) if size[axis] == 1 and d.coin()]
    batch = d.shape(0, 2, 3)
    place = d.whole(0, len(batch))
    values = d.rng.integers(-1, 4, [*batch[:place], len(mapped), *batch[place:]]).astype(np.int32)
    window_sizes = [n for axis, n in enumerate(size) if axis not in inserted]
    window_dims = sorted(d.rng.choice(len(batch) + len(window_sizes), len(window_sizes), replace=False).tolist())
    own, batch_sizes = iter(window_sizes), iter(batch)
    updates = [next(own) if i in window_dims else next(batch_sizes) for i in range(len(batch) + len(window_sizes))]
    options = {
        "update_window_dims": tuple(window_dims),
        "inserted_window_dims": tuple(inserted),
        "scatter_dims_to_operand_dims": tuple(mapped),
        "index_vector_dim": place,
        "update_computation_subgraph_index": 1,
    }
    operands = [*_mixed(d, _small(d, shape), _small(d, updates))]
    operands.insert(1, d.either(d.of(values, "i32")))
    combine = d.among(None, *BODIES.values())
    case = Case(B.STABLEHLO_SCATTER, operands, [d.result()], options)
    return with_body(case.widened() if d.type == "bf16" else case, combine)


# ** products **


def dot_general(d: Draw) -> Network:
    """Draws the dimensions in any order."""
    batch, rows, depth, columns = (d.shape(0 if i != 2 else 1, 2, 4) for i in range(4))
    left, right = ["b", "m", "k"], ["b", "k", "n"]
    names = {"b": batch, "m": rows, "k": depth, "n": columns}
    lhs, rhs = ([f"{name}{i}" for name in side for i in range(len(names[name]))] for side in (left, right))
    lhs, rhs = ([side[i] for i in d.rng.permutation(len(side))] for side in (lhs, rhs))
    sizes = {f"{name}{i}": n for name, shape in names.items() for i, n in enumerate(shape)}
    shared = {name: [key for key in sizes if key[0] == name] for name in names}
    options = {
        "lhs_batching_dimensions": tuple(lhs.index(key) for key in shared["b"]),
        "rhs_batching_dimensions": tuple(rhs.index(key) for key in shared["b"]),
        "lhs_contracting_dimensions": tuple(lhs.index(key) for key in shared["k"]),
        "rhs_contracting_dimensions": tuple(rhs.index(key) for key in shared["k"]),
    }
    free = [key for key in lhs if key[0] == "m"] + [key for key in rhs if key[0] == "n"]
    letters = {key: chr(ord("a") + i) for i, key in enumerate(sizes)}
    words = ["".join(letters[key] for key in side) for side in (lhs, rhs, [*shared["b"], *free])]
    operands = _mixed(d, *(d.fed([sizes[key] for key in side]) for side in (lhs, rhs)))
    return by_formula(
        B.STABLEHLO_DOT_GENERAL, operands, lambda a, b: np.einsum(f"{words[0]},{words[1]}->{words[2]}", a, b), options
    )


def convolution(d: Draw) -> Network:
    """Draws one to three dimensions in any order, groups, both dilations, and positive and negative paddings."""
    spatial = d.whole(1, 3)
    groups, depth, per_group = d.among(1, 1, 2, 3), d.whole(1, 3), d.whole(1, 3)
    kernel = [d.whole(1, 3) for _ in range(spatial)]
    strides, dilations, gaps = ([d.among(1, 1, 2) for _ in range(spatial)] for _ in range(3))
    padding = [d.among(0, 0, 1, 2, -1) for _ in range(2 * spatial)]
    size = [(k - 1) * n + 3 + d.whole(0, 2) for k, n in zip(kernel, dilations, strict=True)]
    turned = tuple(d.coin() for _ in range(spatial))
    orders = [d.rng.permutation(spatial + 2).tolist() for _ in range(3)]
    options = {
        "window_strides": tuple(strides),
        "padding": tuple(padding),
        "lhs_dilation": tuple(gaps),
        "rhs_dilation": tuple(dilations),
        "window_reversal": turned,
        "input_batch_dimension": orders[0][0],
        "input_feature_dimension": orders[0][1],
        "input_spatial_dimensions": tuple(orders[0][2:]),
        "kernel_output_feature_dimension": orders[1][0],
        "kernel_input_feature_dimension": orders[1][1],
        "kernel_spatial_dimensions": tuple(orders[1][2:]),
        "output_batch_dimension": orders[2][0],
        "output_feature_dimension": orders[2][1],
        "output_spatial_dimensions": tuple(orders[2][2:]),
        "feature_group_count": groups,
        "batch_group_count": 1,
    }
    shapes = (d.whole(1, 2), groups * depth, *size), (groups * per_group, depth, *kernel)
    operands = [
        d.fed([shape[order.index(i)] for i in range(spatial + 2)]) for shape, order in zip(shapes, orders, strict=False)
    ]

    def convolved(x: Array, weight: Array) -> Array:
        output = _convolved(x.transpose(orders[0]), weight.transpose(orders[1]), options, groups)
        return output.transpose([orders[2].index(i) for i in range(spatial + 2)])

    return by_formula(B.STABLEHLO_CONVOLUTION, _mixed(d, *operands), convolved, options)


def _convolved(x: Array, weight: Array, options: dict[str, Any], groups: int) -> Array:
    """Returns the convolution of [batch, channels, ...] by [outputs, channels of a group, ...]."""
    weight = np.flip(weight, [2 + i for i, turned in enumerate(options["window_reversal"]) if turned])
    gaps, padding, steps = options["lhs_dilation"], options["padding"], options["rhs_dilation"]
    spread = np.zeros([*x.shape[:2], *((n - 1) * gap + 1 for n, gap in zip(x.shape[2:], gaps, strict=True))])
    outer = (slice(None), slice(None))
    spread[(*outer, *(slice(None, None, gap) for gap in gaps))] = x
    pairs = list(zip(padding[::2], padding[1::2], strict=True))
    full = np.pad(spread, [(0, 0), (0, 0), *((max(a, 0), max(b, 0)) for a, b in pairs)])
    full = full[(*outer, *(slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(pairs, full.shape[2:], strict=True)))]
    axes = tuple(range(2, x.ndim))
    reach = [(n - 1) * step + 1 for n, step in zip(weight.shape[2:], steps, strict=True)]
    view: Any = np.lib.stride_tricks.sliding_window_view(full, [*full.shape[:2], *reach])[0, 0]
    view = np.moveaxis(view, [x.ndim - 2, x.ndim - 1], [0, 1])
    strides = (slice(None, None, n) for n in options["window_strides"])
    view = view[(*outer, *strides, *(slice(None, None, n) for n in steps))]
    letters, kernel = "xyz"[: len(axes)], "uvw"[: len(axes)]
    view = view.reshape(view.shape[0], groups, -1, *view.shape[2:])
    parts = weight.reshape(groups, -1, *weight.shape[1:])
    sums = np.einsum(f"ngc{letters}{kernel},goc{kernel}->ngo{letters}", view, parts)
    return np.asarray(sums.reshape(sums.shape[0], -1, *sums.shape[3:]))


# ** rows **

X, SMALL, INDEX = tensor("float32", (2, 3)), tensor("float32", ()), tensor("int32", ())
FLAGS, COUNTS, PART = tensor("bool", (2, 3)), tensor("int32", (2, 3)), tensor("float32", (1, 2))
FOUR_ROWS, FOUR_INDICES = tensor("float32", (4, 3)), tensor("int32", (4, 1))
START, ADDING = Tensor((), "float32", np.float32(0)), (body(B.STABLEHLO_ADD),)
IMAGES, KERNEL = tensor("float32", (1, 4, 4, 2)), tensor("float32", (3, 3, 2, 2))
DESCENDING = {"dimension": 0, "comparator_subgraph_index": 1}
BOUNDS = {"start_indices": (0, 1), "limit_indices": (2, 3), "strides": (1, 1)}
EDGES = {"edge_padding_low": (1, -1), "edge_padding_high": (0, 2), "interior_padding": (1, 0)}
GATHERED = {
    "offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "index_vector_dim": 1,
    "slice_sizes": (1, 3),
}  # fmt: skip
SCATTERED = {
    "update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
    "index_vector_dim": 1, "update_computation_subgraph_index": 1,
}  # fmt: skip
PAIRS = {
    "window_dimensions": (1, 2), "window_strides": (1, 1), "base_dilations": (1, 1), "window_dilations": (1, 1),
    "padding": (0, 0, 0, 1), "body_subgraph_index": 1,
}  # fmt: skip
SIZES = ints(1, 2, dtype="int64"), ints(1, 1, dtype="int64"), ints(1, 1, dtype="int64")
INNER = {
    "lhs_batching_dimensions": (), "rhs_batching_dimensions": (), "lhs_contracting_dimensions": (1,),
    "rhs_contracting_dimensions": (1,),
}  # fmt: skip
LAYOUT = {
    "window_strides": (1, 1), "padding": (1, 1, 1, 1), "lhs_dilation": (1, 1), "rhs_dilation": (1, 1),
    "window_reversal": (False, False), "input_batch_dimension": 0, "input_feature_dimension": 3,
    "input_spatial_dimensions": (1, 2), "kernel_input_feature_dimension": 2, "kernel_output_feature_dimension": 3,
    "kernel_spatial_dimensions": (0, 1), "output_batch_dimension": 0, "output_feature_dimension": 3,
    "output_spatial_dimensions": (1, 2), "feature_group_count": 1, "batch_group_count": 1,
}  # fmt: skip


def unary_row(builtin: B, compute: Formula, *, above: bool = False, most: float = np.inf) -> Row:
    """Returns the row of an operator of one operand."""
    return Row(unary(builtin, compute, above=above, most=most), [Case(builtin, (X,), (X,))])


def binary_row(builtin: B, compute: Formula | None = None, *, nonzero: bool = False, x: Tensor = X) -> Row:
    """Returns the row of an operator of two operands."""
    return Row(binary(builtin, compute, nonzero=nonzero), [Case(builtin, (x, x), (x,))])


def quotient(a: Array, b: Array) -> Array:
    """Returns the quotient of integers, truncated."""
    return np.asarray(np.trunc(a / b).astype(int) if a.dtype == int else a / b)


ROWS: Rows = {
    B.STABLEHLO_ABS: unary_row(B.STABLEHLO_ABS, np.abs),
    B.STABLEHLO_CBRT: unary_row(B.STABLEHLO_CBRT, np.cbrt),
    B.STABLEHLO_COSINE: unary_row(B.STABLEHLO_COSINE, np.cos),
    B.STABLEHLO_EXPONENTIAL: unary_row(B.STABLEHLO_EXPONENTIAL, np.exp, most=8),
    B.STABLEHLO_FLOOR: unary_row(B.STABLEHLO_FLOOR, np.floor),
    B.STABLEHLO_LOG: unary_row(B.STABLEHLO_LOG, np.log, above=True),
    B.STABLEHLO_LOGISTIC: unary_row(B.STABLEHLO_LOGISTIC, lambda x: 1 / (1 + np.exp(-x))),
    B.STABLEHLO_NEGATE: unary_row(B.STABLEHLO_NEGATE, np.negative),
    B.STABLEHLO_RSQRT: unary_row(B.STABLEHLO_RSQRT, lambda x: 1 / np.sqrt(x), above=True),
    B.STABLEHLO_TANH: unary_row(B.STABLEHLO_TANH, np.tanh),
    B.STABLEHLO_ADD: binary_row(B.STABLEHLO_ADD),
    B.STABLEHLO_MULTIPLY: binary_row(B.STABLEHLO_MULTIPLY),
    B.STABLEHLO_MAXIMUM: binary_row(B.STABLEHLO_MAXIMUM),
    B.STABLEHLO_MINIMUM: binary_row(B.STABLEHLO_MINIMUM),
    B.STABLEHLO_SUBTRACT: binary_row(B.STABLEHLO_SUBTRACT, np.subtract),
    B.STABLEHLO_DIVIDE: binary_row(B.STABLEHLO_DIVIDE, quotient, nonzero=True),
    B.STABLEHLO_AND: binary_row(B.STABLEHLO_AND, np.bitwise_and, x=FLAGS),
    B.STABLEHLO_OR: binary_row(B.STABLEHLO_OR, np.bitwise_or, x=COUNTS),
    B.STABLEHLO_POWER: Row(power, [Case(B.STABLEHLO_POWER, (X, X), (X,))]),
    B.STABLEHLO_REMAINDER: Row(remainder, [Case(B.STABLEHLO_REMAINDER, (X, X), (X,))]),
    B.STABLEHLO_CLAMP: Row(clamp, [Case(B.STABLEHLO_CLAMP, (SMALL, X, SMALL), (X,))]),
    B.STABLEHLO_COMPARE: Row(compare, [Case(B.STABLEHLO_COMPARE, (X, X), (FLAGS,), {"comparison_direction": 5})]),
    B.STABLEHLO_SELECT: Row(select, [Case(B.STABLEHLO_SELECT, (FLAGS, X, X), (X,))]),
    B.STABLEHLO_SHIFT_LEFT: Row(shift_left, [Case(B.STABLEHLO_SHIFT_LEFT, (COUNTS, COUNTS), (COUNTS,))]),
    B.STABLEHLO_CONVERT: Row(convert, [Case(B.STABLEHLO_CONVERT, (X,), (COUNTS,))]),
    B.STABLEHLO_RESHAPE: Row(reshape, [Case(B.STABLEHLO_RESHAPE, (X,), (tensor("float32", (3, 2)),))]),
    B.STABLEHLO_BROADCAST_IN_DIM: Row(
        broadcast_in_dim,
        [
            Case(
                B.STABLEHLO_BROADCAST_IN_DIM,
                (X,),
                (tensor("float32", (2, 4, 3)),),
                {"broadcast_dimensions": (0, 2)},
            )
        ],
    ),
    B.STABLEHLO_CONCATENATE: Row(
        concatenate, [Case(B.STABLEHLO_CONCATENATE, (X, X), (tensor("float32", (2, 6)),), {"dimension": 1})]
    ),
    B.STABLEHLO_TRANSPOSE: Row(
        transpose, [Case(B.STABLEHLO_TRANSPOSE, (X,), (tensor("float32", (3, 2)),), {"permutation": (1, 0)})]
    ),
    B.STABLEHLO_SLICE: Row(slice_, [Case(B.STABLEHLO_SLICE, (X,), (tensor("float32", (2, 2)),), BOUNDS)]),
    B.STABLEHLO_IOTA: Row(None, [Case(B.STABLEHLO_IOTA, (), (COUNTS,), {"iota_dimension": 1})]),
    B.STABLEHLO_PAD: Row(pad, [Case(B.STABLEHLO_PAD, (X, START), (tensor("float32", (4, 4)),), EDGES)]),
    B.STABLEHLO_DYNAMIC_SLICE: Row(
        dynamic_slice, [Case(B.STABLEHLO_DYNAMIC_SLICE, (X, INDEX, INDEX), (PART,), {"slice_sizes": (1, 2)})]
    ),
    B.STABLEHLO_DYNAMIC_UPDATE_SLICE: Row(
        dynamic_update_slice, [Case(B.STABLEHLO_DYNAMIC_UPDATE_SLICE, (X, PART, INDEX, INDEX), (X,))]
    ),
    B.STABLEHLO_GATHER: Row(gather, [Case(B.STABLEHLO_GATHER, (X, FOUR_INDICES), (FOUR_ROWS,), GATHERED)]),
    B.STABLEHLO_SCATTER: Row(
        scatter, [Case(B.STABLEHLO_SCATTER, (X, FOUR_INDICES, FOUR_ROWS), (X,), SCATTERED, ADDING)]
    ),
    B.STABLEHLO_REDUCE: Row(
        reduce,
        [
            Case(
                B.STABLEHLO_REDUCE,
                (X, START),
                (tensor("float32", (2,)),),
                {"dimensions": (1,), "body_subgraph_index": 1},
                ADDING,
            )
        ],
    ),
    B.STABLEHLO_SORT: Row(
        sort,
        [
            Case(
                B.STABLEHLO_SORT,
                (X, COUNTS),
                (X, COUNTS),
                DESCENDING,
                (comparing(B.STABLEHLO_COMPARE, 0, 1, comparison_direction=3),),
            )
        ],
    ),
    B.STABLEHLO_REDUCE_WINDOW: Row(reduce_window, [Case(B.STABLEHLO_REDUCE_WINDOW, (X, START), (X,), PAIRS, ADDING)]),
    B.REDUCE_WINDOW: Row(
        tfl_reduce_window,
        [Case(B.REDUCE_WINDOW, (X, START, *SIZES), (tensor("float32", (2, 2)),), {"reduce_function": 1})],
    ),
    B.STABLEHLO_DOT_GENERAL: Row(
        dot_general, [Case(B.STABLEHLO_DOT_GENERAL, (X, X), (tensor("float32", (2, 2)),), INNER)]
    ),
    B.STABLEHLO_CONVOLUTION: Row(convolution, [Case(B.STABLEHLO_CONVOLUTION, (IMAGES, KERNEL), (IMAGES,), LAYOUT)]),
}
