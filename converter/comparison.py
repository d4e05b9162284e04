"""Equivalence: run both sides on the same inputs and say by how much each output differs.

Integers must be equal, element by element. Floats may differ by what the order of a sum can do: the default is
max |d| <= 1e-5 * max |reference| for each output, some 80 units in the last place of its largest element.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tosa_converter.backends import Arrays, Backend
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, DType, Model, TensorType, Value

FLOAT_TOLERANCE = 1e-5
Runs = list[list[Array]]  # by run, by output
Substituted = Callable[[Model, Backend, Model, Backend, Sequence[Arrays], Sequence[Arrays]], tuple[Runs, Runs] | None]


@dataclass(frozen=True, slots=True)
class OutputReport:
    """How one output compares, over all runs."""

    name: str
    type: str
    elements: int
    mismatches: int  # elements that differ at all
    max_abs: float  # largest |d|
    reference_max: float  # largest |reference|
    sqnr_db: float  # 10 log10(sum reference^2 / sum d^2), infinite where nothing differs
    tolerance: float  # on |d|
    verdict: bool
    undefined: int = 0  # elements that differ only by what LiteRT leaves undefined; the other figures leave them out
    reference_from_exact: float | None = None  # where floats differ by more: max |reference - an fp64 run|
    engine_from_exact: float | None = None  # and max |engine - that run|; alike, the model amplifies rounding


@dataclass(frozen=True, slots=True)
class Comparison:
    """One engine against the source."""

    reference: str
    engine: str
    runs: int
    outputs: tuple[OutputReport, ...]

    @property
    def verdict(self) -> bool:
        """Whether every output is within its tolerance."""
        return all(output.verdict for output in self.outputs)


def random_inputs(values: Sequence[Value], shapes: Mapping[str, tuple[int, ...]], seed: int) -> dict[str, Array]:
    """Inputs for a graph: the full range of small integers, standard normal floats, fair booleans."""
    rng = np.random.default_rng(seed)
    return {value.name: _random(rng, value.type, shapes.get(value.name)) for value in values}


def _random(rng: np.random.Generator, type: TensorType, shape: tuple[int, ...] | None) -> Array:
    sizes = type.static if shape is None else shape
    dtype = type.dtype.numpy
    if type.dtype is DType.BOOL:
        return rng.integers(0, 2, sizes).astype(bool)
    if type.dtype.is_integer:
        limits = np.iinfo(dtype)
        low, high = (int(limits.min), int(limits.max)) if limits.bits <= 16 else (-1000, 1000)
        return rng.integers(low, high, sizes, endpoint=True, dtype=dtype)
    return rng.standard_normal(sizes).astype(dtype)


def compare_runs(
    source: Model,
    source_backend: Backend,
    model: Model,
    engines: Sequence[Backend],
    inputs: Sequence[Arrays],
    *,
    tolerance: float = FLOAT_TOLERANCE,
    substituted: Substituted | None = None,
) -> list[Comparison]:
    """Run the source and each engine on every set of inputs (by the source's names) and compare the outputs.

    Args:
        source: the model as it was read.
        source_backend: what runs it.
        model: its conversion, whose inputs and outputs are in the same order.
        engines: what runs the conversion.
        inputs: one or more sets of arrays.
        tolerance: on floats, relative to the largest element of the reference's output.
        substituted: runs the source again, and an engine with the source's values where those are undefined; None if
            none are.

    Raises:
        ConverterError: an engine fails.
    """
    references = [list(source_backend.run(source, arrays).values()) for arrays in inputs]
    given = [renamed(source, model, arrays) for arrays in inputs]
    comparisons: list[Comparison] = []
    for engine in engines:
        results = [list(engine.run(model, arrays).values()) for arrays in given]
        outputs = _outputs(source.main.outputs, references, results, tolerance)
        found = None
        if substituted is not None and not all(output.verdict for output in outputs):
            found = substituted(source, source_backend, model, engine, inputs, given)
        if found is not None:
            results, counts = _set_apart(found[0], results, found[1])
            outputs = _outputs(source.main.outputs, found[0], results, tolerance)
            outputs = tuple(replace(output, undefined=n) for output, n in zip(outputs, counts, strict=True))
        comparison = Comparison(source_backend.name, engine.name, len(inputs), outputs)
        pairs = zip(outputs, source.main.outputs, strict=True)
        if any(not output.verdict and value.type.dtype.is_float for output, value in pairs):
            comparison = _with_exact(comparison, _exact_runs(model, given), references, results)
        comparisons.append(comparison)
    return comparisons


def _outputs(values: Sequence[Value], references: Runs, results: Runs, tolerance: float) -> tuple[OutputReport, ...]:
    """Every output over all runs."""
    return tuple(
        _output(value, [run[i] for run in references], [run[i] for run in results], tolerance)
        for i, value in enumerate(values)
    )


def _set_apart(references: Runs, results: Runs, others: Runs) -> tuple[Runs, list[int]]:
    """The results with those of `others` where undefined behaviour explains them; how many those are, by output."""
    counts = [0] * len(references[0])
    kept = [list(run) for run in results]
    for run, (reference, result, other) in enumerate(zip(references, results, others, strict=True)):
        for i, arrays in enumerate(zip(reference, result, other, strict=True)):
            if len({array.shape for array in arrays}) == 1:
                kept[run][i], count = _nearer(*arrays)
                counts[i] += count
    return kept, counts


def _nearer(reference: Array, result: Array, other: Array) -> tuple[Array, int]:
    """The elements of `other` where they are nearer to the reference, else those of `result`; how many of `other`."""
    result, other = (_alike(array, reference) for array in (result, other))
    nearer = _difference(reference, other)[0] < _difference(reference, result)[0]
    return np.where(nearer, other, result), int(np.count_nonzero(nearer))


def _alike(array: Array, reference: Array) -> Array:
    """The array's bits in the reference's type, if they are as many: TOSA's integers are signless."""
    return array.view(reference.dtype) if array.dtype.itemsize == reference.dtype.itemsize else array


def _exact_runs(model: Model, inputs: Sequence[Arrays]) -> Runs:
    """The conversion's outputs in fp64, the yardstick for which side of a difference is the better one."""
    from tosa_converter.execute import Executable

    executable = Executable(model.main, check=False, precise=True)
    return [list(executable.run(arrays).values()) for arrays in inputs]


def _with_exact(comparison: Comparison, exact: Runs, references: Runs, results: Runs) -> Comparison:
    outputs = [
        output
        if output.verdict
        else replace(
            output,
            reference_from_exact=_distance(references, exact, i),
            engine_from_exact=_distance(results, exact, i),
        )
        for i, output in enumerate(comparison.outputs)
    ]
    return replace(comparison, outputs=tuple(outputs))


def _distance(runs: Runs, exact: Runs, output: int) -> float:
    pairs = [
        (np.asarray(a[output], np.float64), np.asarray(b[output], np.float64)) for a, b in zip(runs, exact, strict=True)
    ]
    return max(float(np.abs(a - b).max(initial=0.0)) if a.shape == b.shape else math.inf for a, b in pairs)


def renamed(source: Model, model: Model, arrays: Arrays) -> dict[str, Array]:
    """The arrays under the converted model's names and in its types, bit for bit: TOSA's integers are signless."""
    renamed: dict[str, Array] = {}
    for old, new in zip(source.main.inputs, model.main.inputs, strict=True):
        if old.name not in arrays:
            raise UsageError(f"no input for {old.name!r}")
        array = arrays[old.name]
        target = new.type.dtype.numpy
        renamed[new.name] = array.view(target) if array.dtype.itemsize == target.itemsize else array.astype(target)
    return renamed


def _output(value: Value, references: Sequence[Array], results: Sequence[Array], tolerance: float) -> OutputReport:
    reference = np.concatenate([np.asarray(array).reshape(-1) for array in references])
    result = np.concatenate([np.asarray(array).reshape(-1) for array in results])
    result = _alike(result, reference)
    shapes = [list(np.shape(array)) for array in (references[0], results[0])]
    if shapes[0] != shapes[1]:
        what = f"{value.type}, found shape {shapes[1]}"
        return OutputReport(value.name, what, reference.size, reference.size, math.inf, 0.0, -math.inf, 0.0, False)
    d, scale = _difference(reference, result)
    floats = value.type.dtype.is_float
    bound = tolerance * scale if floats else 0.0
    worst = float(d.max(initial=0.0))
    return OutputReport(
        value.name,
        str(value.type),
        reference.size,
        int(np.count_nonzero(d)),
        worst,
        scale,
        _sqnr(reference, d),
        bound,
        worst <= bound,
    )


def _difference(reference: Array, result: Array) -> tuple[Array, float]:
    """|d| per element, where NaN equals NaN only, and the reference's largest finite magnitude."""
    a, b = reference.astype(np.float64), result.astype(np.float64)
    with np.errstate(invalid="ignore"):
        d = np.abs(a - b)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    d = np.where(same, 0.0, np.where(np.isnan(d), np.inf, d))
    finite = np.abs(a[np.isfinite(a)])
    return d, float(finite.max(initial=0.0))


def _sqnr(reference: Array, d: Array) -> float:
    noise = float(np.sum(np.square(d)))
    if noise == 0:
        return math.inf
    signal = float(np.nansum(np.square(reference.astype(np.float64))))
    return 10 * math.log10(signal / noise) if signal and math.isfinite(noise) else -math.inf
