"""Sets of inputs for a comparison: random ones, and a user's arrays as both sides take them."""

import math
import shlex
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import narrow_to_int32
from tosa_converter.ir import Array, Model, Shape, TensorType, Value
from tosa_converter.memory import require_memory
from tosa_converter.proof.indices import index_limits
from tosa_converter.proof.media import integer_range, store_reals
from tosa_converter.proof.stated_sizes import stated_sizes
from tosa_converter.rules.gate import require_legal

MOST_RUNS = 100_000
Inputs = dict[str, Array]  # by name
Sets = Sequence[tuple[Arrays, Arrays]]  # of inputs, each by the source's names and by the conversion's
Range = tuple[float, float]  # of random inputs


def require_runs(runs: int) -> None:
    """Raises UsageError unless the number of runs is from 1 to `MOST_RUNS`."""
    if not 1 <= runs <= MOST_RUNS:
        raise UsageError(f"expected 1 to {MOST_RUNS} runs, found {runs}")


def input_sets(make_set: Callable[[int], Inputs], runs: int) -> list[Inputs]:
    """Returns `runs` sets of inputs from `make_set`, after a check that memory holds as many as large as the first."""
    first = make_set(0)
    require_memory(f"{runs} sets of inputs", runs * sum(array.nbytes for array in first.values()))
    return [first, *map(make_set, range(1, runs))]


def random_inputs(
    values: Sequence[Value],
    shapes: Mapping[str, tuple[int, ...]],
    seed: int,
    ranges: Mapping[str, Range] | None = None,
) -> dict[str, Array]:
    """Returns random inputs for a graph: the range of small integers, standard normal floats, fair booleans.

    Within a range, by an input's name or "" for all others, floats are uniform, quantized integers stand for uniform
    reals, and other integers are uniform from its low end to its high one.

    Raises:
        UsageError: a seed below 0; they need more memory than there is; or one has unknown dimensions, a type that
            isn't numbers, or a range without numbers.
    """
    if seed < 0:
        raise UsageError(f"seed: expected one from 0 on, found {seed}")
    ranges = ranges or {}
    drawn = {value.name: _shape_to_draw(value, shapes.get(value.name)) for value in values}
    # Drawn in 8 bytes each, and then held in up to 8.
    require_memory("the inputs: all of them", 16 * sum(map(math.prod, drawn.values())))
    rng = np.random.default_rng(seed)
    return {
        value.name: _draw_within(rng, value, drawn[value.name], ranges.get(value.name) or ranges.get(""))
        for value in values
    }


def _shape_to_draw(value: Value, shape: tuple[int, ...] | None) -> tuple[int, ...]:
    """Returns the shape in which an input is drawn: the given one, or its type's if that is known."""
    if value.type.dtype in (DType.STRING, DType.RESOURCE, DType.VARIANT):
        raise UsageError(f"input {value.name!r}: there are no random values of {value.type}")
    if shape is None and None in value.type.shape:
        sizes = ",".join(str(1 if size is None else size) for size in value.type.shape)
        raise UsageError(
            f"input {value.name!r}: expected a shape for {value.type}",
            f"next: add --input-shape {shlex.quote(f'{value.name}={sizes}')}, with the sizes of your choice",
        )
    return value.type.static if shape is None else shape


def _draw_within(rng: np.random.Generator, value: Value, sizes: tuple[int, ...], range: Range | None) -> Array:
    """Returns random values of an input, within a range of real numbers, or of its whole type without one."""
    dtype = value.type.dtype
    if range is None or not (dtype.is_integer or dtype.is_float):
        return _draw_type(rng, value.type, sizes)
    low, high = range
    if not (math.isfinite(high - low) and low <= high):
        raise UsageError(f"range: expected LOW,HIGH, finite and LOW not beyond HIGH, found {low:g},{high:g}")
    if dtype.is_float or value.type.quant:
        return store_reals(value, rng.uniform(low, high, sizes))
    least, most = integer_range(value.type)
    # From 0.5 to 2.5 there are the integers 1 and 2; from 0.2 to 0.8 there are none: ceil gives 1, floor 0.
    first, last = max(math.ceil(low), least), min(math.floor(high), most)
    if first > last:
        raise UsageError(f"input {value.name!r}: {value.type} has no number in the range {low:g},{high:g}")
    return rng.integers(first, last, sizes, endpoint=True).astype(dtype.numpy)


def _draw_type(rng: np.random.Generator, type: TensorType, sizes: tuple[int, ...]) -> Array:
    """Returns random values of a type: all of up to 16 bits, wider integers to 1000, standard normal floats."""
    dtype = type.dtype.numpy
    if type.dtype is DType.BOOL:
        return rng.integers(0, 2, sizes).astype(bool)
    if type.dtype.is_integer:
        limits = np.iinfo(dtype)
        low, high = (int(limits.min), int(limits.max)) if limits.bits <= 16 else (max(-1000, int(limits.min)), 1000)
        return rng.integers(low, high, sizes, endpoint=True, dtype=dtype)
    return rng.standard_normal(sizes).astype(dtype)


def given_inputs(model: Model) -> list[Value]:
    """Returns the inputs of the main graph, except those that hold state between runs."""
    states = {state.input for state in model.main_states}
    return [value for value in model.main.inputs if value.name not in states]


def given_outputs(model: Model) -> list[Value]:
    """Returns the outputs of the main graph, except those that hold state between runs."""
    states = {state.output for state in model.main_states}
    return [value for value in model.main.outputs if value.name not in states]


def rename_inputs(source: Model, model: Model, arrays: Arrays) -> dict[str, Array]:
    """Returns a source's inputs by the names and in the types of its conversion; TOSA's integers are signless.

    Raises:
        UsageError: one is missing, or has a value that the type can't hold.
    """
    inputs: dict[str, Array] = {}
    for old, new in zip(source.main.inputs, given_inputs(model), strict=True):
        if old.name not in arrays:
            raise UsageError(f"no input for {old.name!r}", f"next: add --input {old.name}=FILE.npy")
        array, target = arrays[old.name], new.type.dtype.numpy
        if array.dtype == np.int64 and target == np.int32:
            inputs[new.name] = narrow_to_int32(old.name, array)
        else:
            inputs[new.name] = array.view(target) if array.dtype.itemsize == target.itemsize else array.astype(target)
    return inputs


def shapes_of_pair(source: Model, model: Model) -> dict[str, tuple[int, ...]]:
    """Returns shapes by the names of a source's inputs: the sizes that the other model declares, else the source's.

    Where both leave a size open, it is that of the default shapes that the files suggest, else 1.
    """
    defaults = source.default_shapes | model.default_shapes
    return {
        old.name: first_sizes(
            new.type.shape, old.type.shape, *(defaults[value] for value in (old, new) if value in defaults)
        )
        for old, new in zip(source.main.inputs, given_inputs(model), strict=True)
    }


def first_sizes(*shapes: Shape) -> tuple[int, ...]:
    """Returns for each dimension the first size that one of the shapes declares, else 1."""
    return tuple(next((size for size in sizes if size is not None), 1) for sizes in zip(*shapes, strict=True))


def random_sets(
    source: Model, model: Model, seed: int, steps: int = 0, ranges: Mapping[str, Range] | None = None
) -> Callable[[int], dict[str, Array]]:
    """Returns a function that makes the i-th set of random inputs for a source, in its conversion's shapes.

    With `steps`, the arrays are [steps, ...]. Indices stay in range, and inputs that hold sizes, paddings or
    permutations get the ones that the file's shapes require, unless `ranges` names them.

    Raises:
        VerifyError: the source is illegal, so that its shapes may be any numbers.
    """
    require_legal(source)
    shapes = {name: ((steps,) if steps else ()) + shape for name, shape in shapes_of_pair(source, model).items()}
    within = {**index_limits(source), **(ranges or {})}
    sizes = {name: array for name, array in stated_sizes(source).items() if name not in (ranges or {})}
    arrays = {
        name: np.broadcast_to(array, (*((steps,) if steps else ()), *array.shape)) for name, array in sizes.items()
    }
    return lambda i: random_inputs(source.main.inputs, shapes, seed + i, within) | arrays


def arrange_inputs(
    source: Model, sets: Sequence[Arrays], steps: int, *, stateful: bool
) -> tuple[list[dict[str, Array]], int]:
    """Returns sets of inputs as they are run, and how many steps each has: 0 for none, else arrays are [steps, ...].

    An array may have one dimension more than its input. Its entries are steps if the user asks for steps or the model
    keeps state, else runs of their own. The other arrays are the same in each.

    Raises:
        UsageError: arrays for other numbers of steps.
    """
    ranks = {value.name: value.type.rank for value in source.main.inputs}
    sets = [{name: np.asarray(array) for name, array in arrays.items()} for arrays in sets]
    counts = [{len(array) for name, array in arrays.items() if array.ndim > ranks.get(name, 0)} for arrays in sets]
    if any(len(lengths) > 1 or 0 in lengths for lengths in counts):
        raise UsageError(
            f"expected arrays for as many steps, found {', '.join(map(str, sorted(set().union(*counts))))}"
        )
    if not (steps or stateful):
        pairs = zip(sets, counts, strict=True)
        runs = [(arrays, i) for arrays, lengths in pairs for i in range(min(lengths, default=1))]
        return [
            {name: _array_of_step(array, ranks.get(name, 0), i) for name, array in arrays.items()} for arrays, i in runs
        ], 0
    numbers = set().union(*counts, [steps] if steps else [])
    if len(numbers) > 1:
        raise UsageError(f"expected as many steps everywhere, found {', '.join(map(str, sorted(numbers)))} (--steps)")
    steps = numbers.pop() if numbers else 1
    require_memory(f"runs of {steps} steps", steps * sum(a.nbytes for arrays in sets for a in arrays.values()))
    return [
        {
            name: np.stack([_array_of_step(array, ranks.get(name, 0), i) for i in range(steps)])
            for name, array in arrays.items()
        }
        for arrays in sets
    ], steps


def _array_of_step(array: Array, rank: int, step: int) -> Array:
    """Returns the array of one step, or the array itself if it has no dimension for steps."""
    return array[step] if array.ndim > rank else array
